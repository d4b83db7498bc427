"""People."""

from controller.core.events.base import EventBase
from controller.core.ids import Reason, Role


class PersonLoggedIn(EventBase, frozen=True, tag="person_logged_in"):
    """Somebody is who they say: lines in their name count on that connection.

    `witness_to`: they only witness a decision of this person.
    """

    person: str
    role: Role
    peer_uid: int
    witness_to: str = ""


class LoginRefused(EventBase, frozen=True, tag="login_refused"):
    """An id and a PIN did not let anybody in; `failures` in a row, with this one."""

    person: str
    role: Role
    peer_uid: int
    reason: Reason
    failures: int


class PersonLoggedOut(EventBase, frozen=True, tag="person_logged_out"):
    """Lines in this person's name count no longer on that connection."""

    person: str
    role: Role
    peer_uid: int
    lapsed: bool = False


class LoginDelayLifted(EventBase, frozen=True, tag="login_delay_lifted"):
    """Refused logins are no longer held against this person."""

    person: str
    lifted_by: str
    role: Role


PersonEvent = PersonLoggedIn | LoginRefused | PersonLoggedOut | LoginDelayLifted
