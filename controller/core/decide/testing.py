"""Buttons and lamps tried by hand at a table that runs: the test mode.

Only between rounds, with nothing on the layout. Nothing that is pressed meanwhile
counts, and what the table remembers is afterwards what it was before. Whatever else
happens at the table is taken as ever; an irregularity ends the test mode.
"""

from controller.core import events as ev
from controller.core.commands import (
    BeginTestMode,
    Command,
    EndTestMode,
    Person,
    PressButton,
    PressDealerButton,
    ReportStrayPress,
    TryButton,
)
from controller.core.decide.draft import Draft, Refusal
from controller.core.ids import (
    BY_HAND,
    DEALER_SEAT,
    ROUND_OPEN,
    EndOfTestMode,
    Reason,
    Role,
)
from controller.core.state import TableState

_MAY_TEST = (Role.SUPERVISOR, Role.TECHNICIAN)

IN_TEST_MODE = Refusal(Reason.TEST_MODE, "buttons and lamps are tried by hand")


def as_taken(state: TableState, command: Command) -> Command:
    """Return a panel's press as it is taken in the test mode: tried, and no more.

    So is one that a panel kept, for lamps that were lit by hand before. Every other
    command, and every other press at a table in play, is what it is.
    """
    if state.test_mode is None and getattr(command, "prompt", 0) != BY_HAND:
        return command
    match command:
        case PressButton() if command.number and 1 <= command.seat <= state.seat_count:
            return _tried(command.seat, command.button.value, command)
        case PressDealerButton() if command.number:
            return _tried(DEALER_SEAT, command.button.value, command)
        case ReportStrayPress():
            return _tried(command.seat, command.button, command)
        case _:
            return command


def _tried(
    seat: int,
    button: str,
    press: PressButton | PressDealerButton | ReportStrayPress,
) -> TryButton:
    return TryButton(
        seat=seat,
        button=button,
        prompt=getattr(press, "prompt", 0),
        boot_id=press.boot_id,
        number=press.number,
    )


def begin(draft: Draft, command: BeginTestMode) -> Refusal | None:
    """Let buttons be tried, if nobody plays and nothing lies on the layout."""
    refusal = _who(draft.state, command.person) or _when(draft.state)
    if refusal is None:
        person = command.person
        draft.record(ev.TestModeBegun(person=person.id, role=person.role))
    return refusal


def _who(state: TableState, person: Person) -> Refusal | None:
    """At an open table only who decides there may stop the bets for it."""
    if person.role is Role.UNKNOWN:
        return Refusal(Reason.UNKNOWN_PERSON, f"{person.id} is not known here")
    if state.shift is None:
        may_test = person.role in _MAY_TEST
        who = "a supervisor or a technician"
    else:
        may_test = person.role is Role.SUPERVISOR and person.id != state.shift.dealer
        who = "a supervisor who does not deal: the shift is open"
    if may_test:
        return None
    return Refusal(Reason.SUPERVISOR_REQUIRED, f"expected {who}")


def _when(state: TableState) -> Refusal | None:
    if state.test_mode is not None:
        return Refusal(Reason.TEST_MODE, f"{state.test_mode.person} is at it already")
    if state.suspended:
        return Refusal(Reason.TABLE_SUSPENDED, "the supervisor decides first")
    if state.phase in ROUND_OPEN:
        return Refusal(Reason.ROUND_OPEN, "finish the round first")
    if state.wagers:
        return Refusal(Reason.WAGERS_LIE, "play the round, or clear the bets first")
    if any(seat.cash_spread for seat in state.seats):
        return Refusal(Reason.CASH_TRANSACTION_OPEN, "finish it first")
    return None


def end(draft: Draft, command: EndTestMode) -> Refusal | None:
    """Let the table be as it was before; its own leaders may always say so."""
    testing, person = draft.state.test_mode, command.person
    if testing is None:
        return Refusal(Reason.NO_TEST_MODE, "it has ended, or never began")
    if person is None:
        draft.record(ev.TestModeEnded(why=command.why))
        return None
    if person.role not in _MAY_TEST:
        return Refusal(
            Reason.SUPERVISOR_REQUIRED, "expected a supervisor or a technician"
        )
    draft.record(ev.TestModeEnded(why=command.why, person=person.id))
    return None


def end_for(draft: Draft, why: EndOfTestMode) -> None:
    """End a test mode, if there is one, for what happened to the table."""
    if draft.state.test_mode is not None:
        draft.record(ev.TestModeEnded(why=why))


def try_button(_draft: Draft, _command: TryButton) -> None:
    """Take a press that does nothing: the command's record says it all."""
