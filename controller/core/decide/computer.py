"""What the computer reports of itself; none of it stops the game."""

from controller.core import events as ev
from controller.core.commands import ReportComputer, ReportUsb
from controller.core.computer import is_own
from controller.core.decide.draft import Draft
from controller.core.state import TableState


def is_known(state: TableState, command: ReportComputer) -> bool:
    """Return whether the table knows already that the computer stands so."""
    return (command.fault in state.computer_faults) is command.present


def report(draft: Draft, command: ReportComputer) -> None:
    """Note that the computer says of itself what is wrong, or no longer says it."""
    if command.present:
        draft.record(ev.ComputerFaultFound(fault=command.fault))
    else:
        draft.record(ev.ComputerFaultEnded(fault=command.fault))


def is_plugged_in(state: TableState, command: ReportUsb) -> bool:
    """Return whether the table knows already that exactly this is plugged in."""
    return state.usb_own is not None and set(command.devices) == set(state.usb_devices)


def report_usb(draft: Draft, command: ReportUsb) -> None:
    """Note what was plugged in or taken away; at first, what the table's own is."""
    before, own = draft.state.usb_devices, draft.state.usb_own
    if own is None:
        draft.record(ev.UsbDevicesFound(devices=command.devices))
        return
    for device in before:
        if device not in command.devices:
            draft.record(ev.UsbDeviceRemoved(device=device, own=is_own(own, device)))
    for device in command.devices:
        if device not in before:
            draft.record(ev.UsbDeviceInserted(device=device, own=is_own(own, device)))
