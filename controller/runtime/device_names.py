"""What the devices of a table are called, and where they are, for a technician."""

import msgspec

from controller.core.ids import DEALER_SEAT
from controller.runtime.translate import Addresses
from drivers.events import Device
from drivers.identity import DeviceType
from hw_config.schema import TableHardware

SHOE = Device(DeviceType.SHOE, 0)
SHOE_NAME = "shoe"


class NamedDevice(msgspec.Struct, frozen=True):
    """A device, what people call it, and where its cable ends."""

    device: Device
    name: str
    place: str


def panel_name(seat: int) -> str:
    """Return what a seat's panel is called; the dealer's is seat 0."""
    return f"seat {seat}" if seat else "dealer's panel"


def named_devices(
    hardware: TableHardware, addresses: Addresses, panels_place: str
) -> tuple[NamedDevice, ...]:
    """Return every device of a table: the seats, the dealer's panel, the shoe."""
    named = []
    for seat in (*range(1, hardware.seats + 1), DEALER_SEAT):
        address = addresses.of_seat(seat)
        on_a_bus = hardware.pins is None
        place = f"{panels_place} address {address}" if on_a_bus else panels_place
        device = Device(DeviceType.PANEL, address)
        named.append(NamedDevice(device, panel_name(seat), place))
    return (*named, NamedDevice(SHOE, SHOE_NAME, hardware.shoe.port))
