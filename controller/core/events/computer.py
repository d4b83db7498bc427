"""The computer."""

from controller.core.computer import UsbDevice
from controller.core.events.base import EventBase
from controller.core.ids import ComputerFault


class ComputerFaultFound(EventBase, frozen=True, tag="computer_fault_found"):
    """The computer says that its supply, its speed or its clock's battery fails it."""

    fault: ComputerFault


class ComputerFaultEnded(EventBase, frozen=True, tag="computer_fault_ended"):
    """The computer has not said so for a minute."""

    fault: ComputerFault


class UsbDevicesFound(EventBase, frozen=True, tag="usb_devices_found"):
    """What was plugged in when the table first looked after a stop: its own devices."""

    devices: tuple[UsbDevice, ...]


class UsbDeviceInserted(EventBase, frozen=True, tag="usb_device_inserted"):
    """A device was plugged in; `own`: one of the table's own, in its socket."""

    device: UsbDevice
    own: bool


class UsbDeviceRemoved(EventBase, frozen=True, tag="usb_device_removed"):
    """A device has been away for a minute."""

    device: UsbDevice
    own: bool


ComputerEvent = (
    ComputerFaultFound
    | ComputerFaultEnded
    | UsbDevicesFound
    | UsbDeviceInserted
    | UsbDeviceRemoved
)
