"""Who logs in and out, and how often in a row that failed.

PINs and time are the runtime's: it says what became of a login, and waits longer
before each further try. Here is what must outlive a restart: the count.
"""

from typing import Final

from controller.core import events as ev
from controller.core.commands import LiftDelay, ReportLogin, ReportLogout, TurnAway
from controller.core.decide.draft import Draft, Refusal
from controller.core.ids import Reason, Role

_HELD_AGAINST: Final = (Reason.WRONG_PIN, Reason.UNKNOWN_PERSON)
"""What counts as a failure; who was not even heard has not tried."""

_MAY_LIFT: Final = (Role.SUPERVISOR, Role.TECHNICIAN)


def report_login(draft: Draft, command: ReportLogin) -> None:
    """Note a login, or one more in a row that was refused."""
    person = command.person
    if command.refused is None:
        draft.record(
            ev.PersonLoggedIn(
                person=person.id,
                role=person.role,
                peer_uid=command.peer_uid,
                witness_to=command.witness_to,
            )
        )
        return
    failures = draft.state.login_failures.get(person.id, 0)
    draft.record(
        ev.LoginRefused(
            person=person.id,
            role=person.role,
            peer_uid=command.peer_uid,
            reason=command.refused,
            failures=failures + (command.refused in _HELD_AGAINST),
        )
    )


def report_logout(draft: Draft, command: ReportLogout) -> None:
    """Note that somebody left."""
    draft.record(
        ev.PersonLoggedOut(
            person=command.person.id,
            role=command.person.role,
            peer_uid=command.peer_uid,
            lapsed=command.lapsed,
        )
    )


def lift_delay(draft: Draft, command: LiftDelay) -> Refusal | None:
    """Hold earlier failures no longer against somebody, if a leader says so."""
    person = command.person
    if person.role not in _MAY_LIFT:
        return Refusal(Reason.SUPERVISOR_REQUIRED, "or a technician")
    draft.record(
        ev.LoginDelayLifted(person=command.of, lifted_by=person.id, role=person.role)
    )
    return None


def turn_away(_draft: Draft, command: TurnAway) -> Refusal:
    """Refuse what the runtime found not to be this person's to say."""
    return Refusal(command.reason, command.because)
