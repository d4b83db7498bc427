"""What a command's own record changes: the cursors of devices, and no more."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.evolve.moves import with_seat
from controller.core.software import Software
from controller.core.state import TableState


def _unchanged(state: TableState, _command: object) -> TableState:
    return state


def _button_pressed(state: TableState, command: cm.PressButton) -> TableState:
    if not 1 <= command.seat <= state.seat_count:
        return state
    return with_seat(
        state,
        command.seat,
        lambda seat: replace(
            seat, boot_id=command.boot_id, press_number=command.number
        ),
    )


def _panels_number(
    state: TableState, command: cm.AdoptPanel | cm.ReportStrayPress | cm.TryButton
) -> TableState:
    return with_seat(
        state,
        command.seat,
        lambda seat: replace(
            seat, boot_id=command.boot_id, press_number=command.number
        ),
    )


def _dealer_button_pressed(
    state: TableState, command: cm.PressDealerButton
) -> TableState:
    if not command.number:
        return state
    panel = replace(
        state.dealer_panel, boot_id=command.boot_id, press_number=command.number
    )
    return replace(state, dealer_panel=panel)


def _shoe_reported(
    state: TableState,
    command: cm.ReportCard
    | cm.ReportReturn
    | cm.ReportShoe
    | cm.ReportGap
    | cm.ReportRemark,
) -> TableState:
    if command.cursor is None:
        return state
    shoe = replace(
        state.shoe,
        boot_id=command.cursor.boot_id,
        event_number=command.cursor.number,
    )
    return replace(state, shoe=shoe)


def _control_resumed(state: TableState, command: cm.ResumeControl) -> TableState:
    return replace(state, running_boot=command.boot_id)


def _control_stopped(state: TableState, _command: cm.StopControl) -> TableState:
    """Count restarts anew, and take what is plugged in at the next start as its own."""
    return replace(state, running_boot="", abrupt_ends=0, power_losses=0, usb_own=None)


def _self_test_reported(state: TableState, command: cm.ReportSelfTest) -> TableState:
    """Keep what was found only where it differs: each round's end repeats it."""
    same = command.software == state.software_accepted
    found = Software() if same else command.software
    return replace(state, software_found=found)


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    cm.PressButton: _button_pressed,
    cm.PressDealerButton: _dealer_button_pressed,
    cm.ReportCard: _shoe_reported,
    cm.ReportReturn: _shoe_reported,
    cm.ReportShoe: _shoe_reported,
    cm.ReportGap: _shoe_reported,
    cm.ReportRemark: _shoe_reported,
    cm.ReportShoeState: _unchanged,
    cm.OpenShift: _unchanged,
    cm.CloseShift: _unchanged,
    cm.UndoDeal: _unchanged,
    cm.OpenSeat: _unchanged,
    cm.ClarifyChoice: _unchanged,
    cm.MoveCash: _unchanged,
    cm.ReportPanel: _unchanged,
    cm.ReportStuckButton: _unchanged,
    cm.ReportDrops: _unchanged,
    cm.AdoptPanel: _panels_number,
    cm.ReportStrayPress: _panels_number,
    cm.TakeDecision: _unchanged,
    cm.ReportLogin: _unchanged,
    cm.ReportLogout: _unchanged,
    cm.LiftDelay: _unchanged,
    cm.TurnAway: _unchanged,
    cm.BeginTestMode: _unchanged,
    cm.EndTestMode: _unchanged,
    cm.TryButton: _panels_number,
    cm.ReachTime: _unchanged,
    cm.ReportFault: _unchanged,
    cm.ReportDisk: _unchanged,
    cm.ReportMirror: _unchanged,
    cm.ReportHouseInput: _unchanged,
    cm.ReportScan: _unchanged,
    cm.ReportClockStep: _unchanged,
    cm.ReportComputer: _unchanged,
    cm.ReportUsb: _unchanged,
    cm.ResumeControl: _control_resumed,
    cm.StopControl: _control_stopped,
    cm.ReportSelfTest: _self_test_reported,
    cm.AcceptSoftware: _unchanged,
}
