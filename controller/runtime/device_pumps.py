"""What moves the bytes, or the edges, of a table's devices: a pump for each.

A table without pins needs no gpiozero: what imports it is imported here, late.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from controller.runtime.desk import Desk
from controller.runtime.errors import PinsMissingError
from controller.runtime.pump import AnyPump, Pump
from drivers.errors import PinOpenError
from drivers.events import DriverEvent
from drivers.gpio.lines import Chips
from drivers.gpio.wiring import wiring_of
from drivers.session import PanelLink
from hw_config.schema import Kind, TableHardware

LAMPS_OUT_WITHIN_S: Final = 1.0
"""How long a stop waits for panels that would keep their lamps; most take 0.1 s."""


async def put_lamps_out(panels: PanelLink, pump: AnyPump[Any]) -> bool:
    """Put out what would stay on when nobody speaks any more; return whether it is.

    Panels that do not answer are not waited for; nothing may be shown after this.
    """
    panels.put_lamps_out()
    return await pump.run_until(lambda: panels.lamps_are_out, LAMPS_OUT_WITHIN_S)


def chips_of(hardware: TableHardware) -> Chips | None:
    """Return who reaches the pin chips of a table; None where it has no pins.

    To be called before the self-test, which looks at what is loaded.

    Raises:
        PinsMissingError: What reaches them is not installed.

    """
    if hardware.pins is None:
        return None
    from drivers.gpio.chips import LgpioChips, MockChips  # noqa: PLC0415 - said above

    if hardware.kind is Kind.SIMULATION:
        chips = MockChips()
        chips.release(wiring_of(hardware.pins).contacts, hardware.pins.button_active)
        return chips
    try:
        return LgpioChips()
    except PinOpenError as error:
        raise PinsMissingError(str(error)) from error


def pumps_of(
    hardware: TableHardware,
    desk: Desk,
    chips: Chips | None,
    told: Callable[[DriverEvent], None],
) -> tuple[AnyPump[Any], Pump]:
    """Return the pumps of the panels and of the shoe."""
    shoe = hardware.shoe
    shoe_pump = Pump(Path(shoe.port), shoe.baud, desk.shoe, told)
    if hardware.pins is None or desk.pins is None:
        bus = hardware.bus
        return Pump(Path(bus.port), bus.baud, desk.bus, told), shoe_pump
    from controller.runtime.pin_pump import PinPump  # noqa: PLC0415 - said above

    reached = chips or chips_of(hardware)
    assert reached is not None, "a table with pins has chips"
    return PinPump(hardware.pins, reached, desk.pins, told), shoe_pump
