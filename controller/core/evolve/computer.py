"""What the table remembers of its computer: faults, and devices at its USB ports."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.state import TableState


def _fault_found(state: TableState, event: ev.ComputerFaultFound) -> TableState:
    return replace(state, computer_faults=(*state.computer_faults, event.fault))


def _fault_ended(state: TableState, event: ev.ComputerFaultEnded) -> TableState:
    left = (fault for fault in state.computer_faults if fault is not event.fault)
    return replace(state, computer_faults=tuple(left))


def _devices_found(state: TableState, event: ev.UsbDevicesFound) -> TableState:
    return replace(state, usb_devices=event.devices, usb_own=event.devices)


def _device_inserted(state: TableState, event: ev.UsbDeviceInserted) -> TableState:
    return replace(state, usb_devices=(*state.usb_devices, event.device))


def _device_removed(state: TableState, event: ev.UsbDeviceRemoved) -> TableState:
    left = (device for device in state.usb_devices if device != event.device)
    return replace(state, usb_devices=tuple(left))


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.ComputerFaultFound: _fault_found,
    ev.ComputerFaultEnded: _fault_ended,
    ev.UsbDevicesFound: _devices_found,
    ev.UsbDeviceInserted: _device_inserted,
    ev.UsbDeviceRemoved: _device_removed,
}
