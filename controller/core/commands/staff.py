"""What the staff does: decides, logs in and out, tries buttons by hand."""

from controller.core.commands.base import CommandBase, Person
from controller.core.decisions import Decision
from controller.core.ids import EndOfTestMode, Reason


class TakeDecision(CommandBase, frozen=True, tag="decision_given"):
    """A supervisor decides. `salt` and `commitment` as in `ReportCard`."""

    person: Person
    decision: Decision
    reason: str = ""
    witness: Person | None = None
    commitment: str = ""
    salt: str = ""


class ReportLogin(CommandBase, frozen=True, tag="login_reported"):
    """Somebody gave an id and a PIN; the runtime checked them, nobody else does.

    `refused` is why they did not log in, None where they did. `person.id` is empty
    where nobody of that id is listed: what was typed there may be anything, a PIN
    too. `witness_to` is whose decisions they came to witness, empty: nobody's.
    `peer_uid` is the user of the machine whose program asked.
    """

    person: Person
    peer_uid: int
    witness_to: str = ""
    refused: Reason | None = None


class ReportLogout(CommandBase, frozen=True, tag="logout_reported"):
    """Somebody left, or said nothing for so long that the login lapsed."""

    person: Person
    peer_uid: int
    lapsed: bool = False


class LiftDelay(CommandBase, frozen=True, tag="login_lift_asked"):
    """A supervisor or technician lets somebody try a PIN again at once."""

    person: Person
    of: str


class TurnAway(CommandBase, frozen=True, tag="line_turned_away"):
    """Somebody who is logged in said a line that is not theirs to say.

    `command` is its name alone: what else the line held is not for the record.
    """

    person: Person
    peer_uid: int
    command: str
    reason: Reason
    because: str = ""


class BeginTestMode(CommandBase, frozen=True, tag="test_mode_asked"):
    """Somebody wants to try buttons and lamps by hand at a table that runs."""

    person: Person


class EndTestMode(CommandBase, frozen=True, tag="test_mode_end_asked"):
    """Somebody ends the test mode, or the program that began it is gone or silent."""

    why: EndOfTestMode
    person: Person | None = None


class TryButton(CommandBase, frozen=True, tag="button_tried"):
    """A panel's press while buttons are tried by hand: taken, and nothing else.

    `number` counts the panel's presses since its boot; seat 0 is the dealer's panel.
    """

    seat: int
    button: str
    prompt: int
    boot_id: int
    number: int


StaffCommand = (
    TakeDecision
    | ReportLogin
    | ReportLogout
    | LiftDelay
    | TurnAway
    | BeginTestMode
    | EndTestMode
    | TryButton
)
