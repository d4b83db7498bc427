"""What the table's computer tells of itself, and what is plugged into it."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core.ids import ComputerFault, UsbFunction

COMPUTER_WORDS: Final[Mapping[ComputerFault, str]] = {
    ComputerFault.UNDER_VOLTAGE: "The computer's supply is too weak",
    ComputerFault.THROTTLED: "The computer runs slowly, too hot or short of power",
    ComputerFault.CLOCK_BATTERY: "The battery of the computer's clock is low or absent",
}
"""What is wrong with it, as a sentence."""

_NAMELESS: Final = "a device without a name"


class UsbDevice(msgspec.Struct, frozen=True):
    """A device at a USB port of the computer.

    `port` is the kernel's name of the socket: the bus, then the sockets from the root
    on, as `1-1.2`. `vendor` and `product` are its numbers, four hexadecimal digits;
    `name` and `serial` are what it says of itself, and may be anything. `functions` are
    what the kernel may use it as.
    """

    port: str
    vendor: str
    product: str
    name: str = ""
    serial: str = ""
    functions: tuple[UsbFunction, ...] = ()


def usb_words(device: UsbDevice) -> str:
    """Return what a device is and where, as a person would look for it."""
    what = " and ".join(function.value for function in device.functions)
    called = device.name or _NAMELESS
    numbers = f"{device.vendor}:{device.product}"
    serial = f", serial {device.serial}" if device.serial else ""
    kind = f"{what}, " if what else ""
    return f"{kind}{called} ({numbers}{serial}) at USB port {device.port}"


def is_own(own: tuple[UsbDevice, ...] | None, device: UsbDevice) -> bool:
    """Return whether a device belongs to the table: it is in its socket.

    Which number a bus has may change from one start of the computer to the next.
    """
    return any(_in_its_socket(one) == _in_its_socket(device) for one in own or ())


def _in_its_socket(device: UsbDevice) -> UsbDevice:
    return replace(device, port=device.port.partition("-")[2])
