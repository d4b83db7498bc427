"""Panels that are lost or come back, stuck buttons, faults around the core."""

from typing import assert_never

from controller.core import events as ev
from controller.core.commands import (
    AdoptPanel,
    ReportClockStep,
    ReportDisk,
    ReportDrops,
    ReportFault,
    ReportHouseInput,
    ReportMirror,
    ReportPanel,
    ReportScan,
    ReportStrayPress,
    ReportStuckButton,
    ResumeControl,
    StopControl,
    TryButton,
)
from controller.core.decide import testing
from controller.core.decide.draft import Draft, Refusal
from controller.core.decide.shoe import clear_by_itself
from controller.core.ids import DEALER_SEAT, EndOfTestMode, HouseInput, Kind, Reason
from controller.core.secrets import face_down_numbers
from controller.core.state import SeatState, TableState


def seat_of(state: TableState, seat: int) -> SeatState:
    """Return a seat's state; seat 0 is the dealer's panel."""
    return state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]


def report_panel(draft: Draft, command: ReportPanel) -> None:
    """Note a panel lost or back; back before any decision ends its suspension."""
    if command.lost:
        draft.record(ev.PanelLost(seat=command.seat))
        return
    draft.record(ev.PanelBack(seat=command.seat))
    clear_by_itself(draft, Kind.PANEL_LOST, seat=command.seat)


def report_stuck_button(draft: Draft, command: ReportStuckButton) -> None:
    """Note a button that is held down; the rest of its panel works."""
    stuck = command.button in seat_of(draft.state, command.seat).stuck
    if command.stuck and not stuck:
        draft.record(ev.ButtonStuck(seat=command.seat, button=command.button))
    elif stuck and not command.stuck:
        draft.record(ev.ButtonReleased(seat=command.seat, button=command.button))


def adopt_panel(_draft: Draft, _command: AdoptPanel) -> None:
    """Begin after what an earlier journal took: the command's record says it all."""


def is_repeated(state: TableState, command: ReportStrayPress | TryButton) -> bool:
    """Return whether this press was taken before: its number is not new."""
    seat = seat_of(state, command.seat)
    return command.boot_id == seat.boot_id and command.number <= seat.press_number


def report_stray_press(_draft: Draft, _command: ReportStrayPress) -> Refusal:
    """Refuse a button that should not be there; the press is counted all the same."""
    return Refusal(Reason.ACTION_NOT_ALLOWED, "its panel should have no such button")


def report_drops(draft: Draft, command: ReportDrops) -> None:
    """Note that presses found no place: their lamps showed they were not taken."""
    draft.record(ev.PressesDropped(seat=command.seat, total=command.total))


def report_fault(draft: Draft, command: ReportFault) -> None:
    """Stop the table for a fault of the process around the core."""
    draft.find(command.kind, words=command.words)


def report_disk(draft: Draft, command: ReportDisk) -> None:
    """Finish this round, then deal no more, while the disk is nearly full."""
    if command.nearly_full and not draft.state.disk_nearly_full:
        draft.record(ev.DiskNearlyFull(free_bytes=command.free_bytes))
    elif draft.state.disk_nearly_full and not command.nearly_full:
        draft.record(ev.DiskRoomy())


def report_mirror(draft: Draft, command: ReportMirror) -> None:
    """Note that the journal's mirror is lost or whole again; the game goes on."""
    if command.fault is draft.state.mirror_fault:
        return
    if command.fault is None:
        draft.record(ev.MirrorBack())
    else:
        draft.record(ev.MirrorLost(fault=command.fault, sequence=command.sequence))


def is_known(state: TableState, command: ReportHouseInput) -> bool:
    """Return whether the table knows already that a contact stands so."""
    match command.house_input:
        case HouseInput.DOOR:
            return state.enclosure_open is not command.active
        case HouseInput.KEY_SWITCH:
            return state.key_switch_on is command.active
        case _:
            assert_never(command.house_input)


def report_house_input(draft: Draft, command: ReportHouseInput) -> None:
    """Note the door or the key switch; neither stops the game or decides anything."""
    match command.house_input:
        case HouseInput.DOOR if command.active:
            draft.record(ev.EnclosureClosed())
        case HouseInput.DOOR:
            draft.record(ev.EnclosureOpened())
        case HouseInput.KEY_SWITCH:
            draft.record(ev.KeySwitchTurned(on=command.active))
        case _:
            assert_never(command.house_input)


def report_scan(draft: Draft, command: ReportScan) -> None:
    """Note that panels are looked at too seldom, or often enough; the game goes on."""
    if command.slow and not draft.state.panels_slow:
        draft.record(ev.PanelsSlow(scan_ms=command.scan_ms))
    elif draft.state.panels_slow and not command.slow:
        draft.record(ev.PanelsTimely(scan_ms=command.scan_ms))


def report_clock_step(draft: Draft, command: ReportClockStep) -> None:
    """Note that the wall clock was set; no wait runs on it (rules.md, Faults)."""
    draft.record(ev.ClockStepped(stepped_ms=command.stepped_ms))


def stop_control(draft: Draft, _command: StopControl) -> None:
    """Let the table rest: the command's record says it all."""
    testing.end_for(draft, EndOfTestMode.STOPPED)


def resume_control(draft: Draft, command: ResumeControl) -> None:
    """Go on exactly where the journal ends; without the escrow, faces are unread."""
    ran_under = draft.before.running_boot
    if ran_under:
        same = ran_under == command.boot_id
        draft.record(ev.AbruptEndFound() if same else ev.PowerLossFound())
    lost = tuple(
        number
        for number in face_down_numbers(draft.state)
        if draft.secrets.of(number) is None
    )
    if lost:
        draft.record(ev.SealedCardsLost(numbers=lost))
    testing.end_for(draft, EndOfTestMode.RESTARTED)
    draft.record(ev.ControlResumed(phase=draft.state.phase))
