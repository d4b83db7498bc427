"""What a command leads to: `decide(state, secrets, command) -> Decision`.

Pure and total: a refusal is an event with its reason, an exception is a fault of
ours. Time comes in as a command of its own (`ReachTime`), randomness as the salt
that a card's report carries.
"""

from collections.abc import Callable
from typing import Any, Final

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Command
from controller.core.deadlines import running
from controller.core.decide import (
    computer,
    house,
    links,
    people,
    presses,
    shoe,
    software,
    supervisor,
    testing,
)
from controller.core.decide.draft import Decision, Draft, Refusal
from controller.core.decide.numbering import number_prompts
from controller.core.decide.progress import progress
from controller.core.decide.verdicts import key_target
from controller.core.decisions import KeyCard
from controller.core.ids import Reason
from controller.core.secrets import Secrets, hidden_decision
from controller.core.state import TableState

Handler = Callable[[Draft, Any], Refusal | None]

_HANDLERS: Final[dict[type, Handler]] = {
    cm.OpenShift: house.open_shift,
    cm.CloseShift: house.close_shift,
    cm.PressButton: presses.press,
    cm.PressDealerButton: house.press,
    cm.ReportStrayPress: links.report_stray_press,
    cm.UndoDeal: house.undo_deal,
    cm.OpenSeat: house.open_seat,
    cm.ClarifyChoice: presses.clarify,
    cm.MoveCash: house.move_cash,
    cm.ReportCard: shoe.report_card,
    cm.ReportReturn: shoe.report_return,
    cm.ReportShoe: shoe.report_shoe,
    cm.ReportShoeState: shoe.report_state,
    cm.ReportGap: shoe.report_gap,
    cm.ReportRemark: shoe.report_remark,
    cm.ReportPanel: links.report_panel,
    cm.ReportStuckButton: links.report_stuck_button,
    cm.ReportDrops: links.report_drops,
    cm.AdoptPanel: links.adopt_panel,
    cm.TakeDecision: supervisor.take_decision,
    cm.ReportLogin: people.report_login,
    cm.ReportLogout: people.report_logout,
    cm.LiftDelay: people.lift_delay,
    cm.TurnAway: people.turn_away,
    cm.BeginTestMode: testing.begin,
    cm.EndTestMode: testing.end,
    cm.TryButton: testing.try_button,
    cm.ReachTime: house.reach_time,
    cm.ReportFault: links.report_fault,
    cm.ReportDisk: links.report_disk,
    cm.ReportMirror: links.report_mirror,
    cm.ReportHouseInput: links.report_house_input,
    cm.ReportScan: links.report_scan,
    cm.ReportClockStep: links.report_clock_step,
    cm.ReportComputer: computer.report,
    cm.ReportUsb: computer.report_usb,
    cm.ResumeControl: links.resume_control,
    cm.StopControl: links.stop_control,
    cm.ReportSelfTest: software.report_self_test,
    cm.AcceptSoftware: software.accept,
}


def decide(state: TableState, secrets: Secrets, command: Command) -> Decision:
    """Return what `command` leads to at this table.

    A command that only repeats what was taken leads to no records at all.
    """
    draft = Draft(state, secrets)
    if _says_nothing_new(state, command):
        return draft.decision()
    command = testing.as_taken(state, command)
    draft.record(_recorded(state, command))
    refusal = _refused_seat(state, command) or _HANDLERS[type(command)](draft, command)
    if refusal is not None:
        draft.record(_refused(command, refusal))
    progress(draft)
    number_prompts(draft)
    if draft.before.opening is not None and draft.state.opening is None:
        # A round ended, or its deal was undone: a start folds from here.
        draft.record(ev.TableStateRecorded(state=draft.state))
    return draft.decision()


def _says_nothing_new(state: TableState, command: Command) -> bool:
    match command:
        case cm.PressButton():
            return presses.is_repeated(state, command)
        case cm.PressDealerButton():
            return house.is_repeated(state, command)
        case cm.ReportStrayPress() | cm.TryButton():
            return links.is_repeated(state, command)
        case cm.ReportCard():
            return shoe.is_repeated(state, command)
        case cm.ReportPanel():
            return links.seat_of(state, command.seat).panel_lost is command.lost
        case cm.ReportHouseInput():
            return links.is_known(state, command)
        case cm.ReportComputer():
            return computer.is_known(state, command)
        case cm.ReportUsb():
            return computer.is_plugged_in(state, command)
        case cm.ReportGap():
            return shoe.is_known_gap(state, command)
        case cm.ReportShoeState():
            return shoe.is_known_state(state, command)
        case cm.ReachTime():
            wait = running(state)
            return wait is None or (wait.number, wait.stage) != (
                command.wait,
                command.stage,
            )
        case _:
            return False


def _recorded(state: TableState, command: Command) -> Command:
    """Return the command as it may stand in the journal."""
    if isinstance(command, cm.ReportCard):
        return shoe.recorded(state, command)
    if isinstance(command, cm.TakeDecision) and isinstance(command.decision, KeyCard):
        target = key_target(state)
        if target is None or target[1]:
            return hidden_decision(command)
    return command


def _refused_seat(state: TableState, command: Command) -> Refusal | None:
    """Refuse what names a seat that this table does not have."""
    seated = cm.OpenSeat | cm.ClarifyChoice | cm.MoveCash
    if isinstance(command, seated) and not 1 <= command.seat <= state.seat_count:
        return Refusal(Reason.UNKNOWN_SEAT, f"this table has {state.seat_count} seats")
    return None


def _refused(command: Command, refusal: Refusal) -> ev.Event:
    if isinstance(command, cm.ClarifyChoice):
        return ev.PressRefused(
            seat=command.seat,
            button=command.button,
            prompt=0,
            reason=refusal.reason,
            by_dealer=True,
        )
    return ev.CommandRefused(
        command=spoken(command),
        person=_given_by(command),
        reason=refusal.reason,
        because=refusal.because,
    )


def _given_by(command: Command) -> str:
    """Return who gave a command, as far as the command itself says so."""
    match command:
        case cm.TakeDecision() | cm.LiftDelay() | cm.TurnAway():
            return command.person.id
        case cm.BeginTestMode():
            return command.person.id
        case cm.EndTestMode():
            return command.person.id if command.person is not None else ""
        case cm.AcceptSoftware():
            return command.supervisor.id
        case cm.ReportStrayPress():
            return f"seat {command.seat}" if command.seat else ""
        case _:
            return getattr(command, "entered_by", "")


_SPOKEN: Final[dict[type, str]] = {
    cm.LiftDelay: "lift",
    cm.AcceptSoftware: "accept",
    cm.BeginTestMode: "test-mode begin",
    cm.EndTestMode: "test-mode end",
    cm.OpenShift: "shift open",
    cm.CloseShift: "shift close",
    cm.UndoDeal: "undo-deal",
    cm.OpenSeat: "seat-open",
    cm.ClarifyChoice: "clarify",
}


def spoken(command: Command) -> str:
    """Return the name of a command as people say it."""
    match command:
        case cm.TakeDecision():
            return supervisor.name_of(command.decision)
        case cm.PressDealerButton():
            return command.button.value
        case cm.MoveCash():
            return f"cash {command.step.value}"
        case cm.ReportStrayPress() | cm.TryButton():
            return command.button
        case cm.TurnAway():
            return command.command
        case _:
            tag = str(type(command).__struct_config__.tag)
            return _SPOKEN.get(type(command), tag)


__all__ = ["Decision", "Draft", "decide", "spoken"]
