"""Which line of which chip is which button, lamp or switch.

Source: docs/gpio.md, Wiring.
"""

from collections.abc import Iterator, Mapping

import msgspec

from drivers.events import HouseInput
from drivers.panel.messages import Button, buttons_named
from hw_config.buttons import on_each_pair
from hw_config.pins import DealerPins, PinBoard, SeatPins


class Line(msgspec.Struct, frozen=True, order=True):
    """One line of a pin chip, which is named by its label."""

    chip: str
    number: int


class Key(msgspec.Struct, frozen=True):
    """A button and its lamp, and what it does: one thing at a time."""

    button: Line
    lamp: Line
    does: tuple[Button, ...]


class PanelWiring(msgspec.Struct, frozen=True):
    """The keys of one panel; `seat` is 0 for the dealer's."""

    seat: int
    keys: tuple[Key, ...]


class Wiring(msgspec.Struct, frozen=True):
    """All lines of a table."""

    panels: tuple[PanelWiring, ...]
    inputs: Mapping[HouseInput, Line]
    table_lamp: Line | None
    shoe_gate: Line | None

    @property
    def contacts(self) -> Iterator[Line]:
        """Every line that is read."""
        for panel in self.panels:
            yield from (key.button for key in panel.keys)
        yield from self.inputs.values()

    @property
    def lamps(self) -> Iterator[Line]:
        """Every line of a lamp."""
        for panel in self.panels:
            yield from (key.lamp for key in panel.keys)
        if self.table_lamp is not None:
            yield self.table_lamp


def wiring_of(board: PinBoard) -> Wiring:
    """Return the wiring that a hardware file describes, the dealer's panel first."""
    house = board.house
    chip = house.chip or board.chip
    inputs = {HouseInput.KEY_SWITCH: house.key_switch, HouseInput.DOOR: house.door}
    panels: tuple[SeatPins | DealerPins, ...] = (board.dealer, *board.seats)
    return Wiring(
        tuple(_panel(seat, pins, board.chip) for seat, pins in enumerate(panels)),
        {of: Line(chip, n) for of, n in inputs.items() if n is not None},
        None if house.table_lamp is None else Line(chip, house.table_lamp),
        None if house.shoe_gate is None else Line(chip, house.shoe_gate),
    )


def _panel(seat: int, pins: SeatPins | DealerPins, chip: str) -> PanelWiring:
    """Return a panel's keys; what names the same two lines is one of them."""
    chip = pins.chip or chip
    return PanelWiring(
        seat,
        tuple(
            Key(Line(chip, button), Line(chip, lamp), buttons_named(names))
            for (button, lamp), names in on_each_pair(pins).items()
        ),
    )
