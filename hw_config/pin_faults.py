"""What no single line of a wired table shows: lines that do not go together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from hw_config.buttons import Called, Wired, unclear_buttons
from hw_config.errors import Fault
from hw_config.fields import UNSOUND
from hw_config.pins import LINE_MAX, DealerPins, HousePins, SeatPins

Found = Mapping[str, object]

LINES: Final = Called("line", "line")
HOUSE: Final = HousePins.__struct_fields__[1:]
BUTTONS: Final = frozenset(
    (*SeatPins.__struct_encode_fields__[1:], *DealerPins.__struct_encode_fields__[1:])
)

_Place = tuple[object, int]
"""A line with the chip that it is on."""


def pin_contradictions(found: Found) -> Iterator[Fault]:
    """Return every fault that lies between the lines of a table."""
    yield from _each_seat_has_pins(found)
    yield from _buttons_may_be_one(found)
    yield from _lines_differ(found)


def _each_seat_has_pins(found: Found) -> Iterator[Fault]:
    seats, wired = found.get("seats"), found.get("pins.seats")
    if isinstance(seats, int) and isinstance(wired, int) and seats != wired:
        yield Fault(
            "pins.seats",
            f"expected {seats} tables [[pins.seats]], one for each seat, got {wired}",
        )


def _buttons_may_be_one(found: Found) -> Iterator[Fault]:
    """Find two buttons on one line that could be lit at once, or have two lamps."""
    panels = defaultdict[str, list[Wired]](list)
    for key, (panel, name), pins in _buttons(found):
        panels[panel].append(Wired(key, name, pins))
    for buttons in panels.values():
        yield from unclear_buttons(buttons, LINES)


def _lines_differ(found: Found) -> Iterator[Fault]:
    """Find lines with two purposes, and name one that is free."""
    owners: dict[_Place, str] = {}
    for key, place, purpose in _purposes(found):
        owner = owners.setdefault(place, purpose)
        if owner != purpose:
            yield Fault(
                key,
                f"line {place[1]} is {owner} already;"
                f" expected another, such as {_free(found, place[0])}",
            )


def _free(found: Found, chip: object) -> str:
    taken = {place[1] for _, place, _ in _purposes(found) if place[0] == chip}
    # A Pi itself looks for an EEPROM at 0 and 1 while it starts.
    free = [line for line in range(2, LINE_MAX + 1) if line not in taken]
    return str(free[0]) if free else "one of another chip, since this one is full"


def _purposes(found: Found) -> Iterator[tuple[str, _Place, str]]:
    for key, (panel, _), (button, lamp) in _buttons(found):
        chip = _chip(found, panel)
        if chip is UNSOUND:
            continue
        # One button that does several things is one purpose, and so is its lamp.
        yield key, (chip, button), f"a button of {_people_call(panel)}"
        yield key, (chip, lamp), f"the lamp of {_people_call(panel)} at line {button}"
    for name in HOUSE:
        line, chip = found.get(f"pins.house.{name}"), _chip(found, "pins.house")
        if isinstance(line, int) and chip is not UNSOUND:
            place = (chip, line)
            yield f"pins.house.{name}", place, f"the {name.replace('_', ' ')}"


def _chip(found: Found, panel: str) -> object:
    return found.get(f"{panel}.chip") or found.get("pins.chip")


def _people_call(panel: str) -> str:
    seat = panel.removeprefix("pins.seats.")
    return f"seat {seat}" if seat != panel else "the dealer"


def _buttons(
    found: Found,
) -> Iterator[tuple[str, tuple[str, str], tuple[int, int]]]:
    """Yield each button's key, its panel and name, and its two lines."""
    for key, pins in found.items():
        panel, _, name = key.rpartition(".")
        if panel.startswith("pins.") and name in BUTTONS and isinstance(pins, tuple):
            yield key, (panel, name), pins
