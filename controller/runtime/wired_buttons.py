"""Whether a table that is wired to pins has a button for all that its rules ask."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.core.ids import Button
from controller.core.rules import Rules, Surrender
from controller.runtime.errors import ButtonMissingError
from drivers.gpio.wiring import wiring_of
from hw_config.schema import TableHardware

ALWAYS: Final = (
    Button.BET,
    Button.CLEAR,
    Button.HIT,
    Button.STAND,
    Button.DOUBLE,
    Button.SPLIT,
    Button.PASS,
)
"""What is asked of a player under any rules; RE-BET only saves pressing BET."""


def buttons_needed(rules: Rules) -> tuple[Button, ...]:
    """Return the buttons without which a seat cannot answer what it is asked."""
    insure = (Button.INSURE,) if rules.insurance else ()
    surrender = (Button.SURRENDER,) if rules.surrender is not Surrender.OFF else ()
    return (*ALWAYS, *insure, *surrender)


def require_buttons(hardware: TableHardware, rules: Rules, source: Path) -> None:
    """Do nothing if every seat has the buttons that it needs, or has them on a bus.

    Raises:
        ButtonMissingError: Some lack; a line for each, and what to do.

    """
    lines = list(_missing(hardware, rules))
    if lines:
        raise ButtonMissingError("\n".join(f"{source}: {line}" for line in lines))


def _missing(hardware: TableHardware, rules: Rules) -> Iterator[str]:
    if hardware.pins is None:
        return
    for panel in wiring_of(hardware.pins).panels:
        wired = {button.value for key in panel.keys for button in key.does}
        for button in buttons_needed(rules) if panel.seat else ():
            if button.value not in wired:
                yield (
                    f"pins.seats.{panel.seat}.{button.value}: missing; the ruleset "
                    f"{rules.name} asks for it: wire it, or choose another ruleset"
                )
