"""A table's hardware and what its drivers tell, for these tests."""

from pathlib import Path

from msgspec.structs import replace

from drivers import events as de
from drivers.identity import DeviceType, Identity
from drivers.panel.messages import Button, Press
from drivers.shoe.messages import CardDrawn, ShoeEvent, ShoeFlag
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import TableHardware

PANEL_BOOT = 0x5EA70003
SHOE_BOOT = 0x5B0E0001
DEALER_ADDRESS = 32
SEAT_ADDRESSES = (11, 12, 13)
SHOE = de.Device(DeviceType.SHOE, 0)


def hardware(folder: Path = Path("/nowhere")) -> TableHardware:
    """Return a simulated table of three seats whose addresses are not their seats."""
    shipped = load_hardware(shipped_hardware("simulation-seven"))
    panels = replace(shipped.bus, seat_addresses=SEAT_ADDRESSES)
    return moved_to(replace(shipped, seats=3, panels=panels), folder)


def panel(seat: int) -> de.Device:
    address = SEAT_ADDRESSES[seat - 1] if seat else DEALER_ADDRESS
    return de.Device(DeviceType.PANEL, address)


def identified(seat: int, boot_id: int = PANEL_BOOT) -> de.DeviceIdentified:
    who = Identity(1, DeviceType.PANEL, seat, boot_id, "RP-10", "000317", "1.0")
    return de.DeviceIdentified(panel(seat), who, b"")


def pressed(
    seat: int, button: Button, number: int = 1, prompt: int = 5, cents: int = 0
) -> de.PressReceived:
    press = Press(number, button, prompt, age_ms=12, amount_cents=cents, spot=0)
    return de.PressReceived(panel(seat).address, de.Cursor(PANEL_BOOT, number), press)


def happened(
    event: ShoeEvent, number: int = 1, next_card: int | None = 1
) -> de.ShoeEventReceived:
    cursor = de.ShoeCursor(SHOE_BOOT, number, next_card)
    return de.ShoeEventReceived(cursor, event, b"\x01\x02")


def drawn(card: str, card_number: int = 1) -> de.ShoeEventReceived:
    event = CardDrawn(card_number, card)
    return happened(event, card_number, card_number + 1)


def stands(
    *flags: ShoeFlag,
    next_card: int = 1,
    boot_id: int = SHOE_BOOT,
    cursor: de.ShoeCursor | None = None,
) -> de.ShoeStateChanged:
    at = cursor or de.ShoeCursor(boot_id, 0, next_card)
    return de.ShoeStateChanged(boot_id, frozenset(flags), next_card, at, b"")
