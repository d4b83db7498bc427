"""Buttons and their lamps as a hardware file names them, wherever they are wired.

A button and its lamp are a pair of numbers. Buttons that are never lit together may be
one: then they name the same pair.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from hw_config.errors import Fault

LIT_TOGETHER: Final = (
    frozenset({"bet", "clear", "rebet"}),
    frozenset({"insure", "pass"}),
    frozenset({"hit", "stand", "double", "split", "surrender"}),
    frozenset({"hit", "stand", "pass"}),
    *(frozenset({other, "call"}) for other in ("deal", "next", "pickup")),
    frozenset({"close_insurance", "call"}),
)
"""Buttons of which two may be lit at once: in betting, insurance, play, and choices."""

Pair = tuple[int, int]
"""Where a button is wired, and where its lamp."""


class Called(msgspec.Struct, frozen=True):
    """What the places of buttons and lamps are called: lines, or inputs and coils."""

    button: str
    lamp: str


class Wired(msgspec.Struct, frozen=True):
    """A button of a file: its dotted key, its name, and where it and its lamp are."""

    key: str
    name: str
    pair: Pair


def on_each_pair(panel: msgspec.Struct) -> Mapping[Pair, tuple[str, ...]]:
    """Return what each button of a panel does, in the order of the panel's keys."""
    does: dict[Pair, tuple[str, ...]] = {}
    for name, value in msgspec.to_builtins(panel).items():
        if isinstance(value, list | tuple):
            button, lamp = value
            does[button, lamp] = (*does.get((button, lamp), ()), name)
    return does


def unclear_buttons(panel: list[Wired], called: Called) -> Iterator[Fault]:
    """Find two buttons in one place that could be lit at once, or have two lamps."""
    for number, one in enumerate(panel):
        for other in panel[:number]:
            if one.pair[0] == other.pair[0]:
                yield from _as_one(one, other, called)


def _as_one(one: Wired, other: Wired, called: Called) -> Iterator[Fault]:
    button, lamp = one.pair
    if one.pair != other.pair:
        yield Fault(
            one.key,
            f"its button on {called.button} {button} is that of {other.name}, whose"
            f" lamp is on {called.lamp} {other.pair[1]}, not {lamp};"
            " expected one lamp for one button",
        )
    elif any({one.name, other.name} <= together for together in LIT_TOGETHER):
        yield Fault(
            one.key,
            f"{one.name} and {other.name} may be lit at once, so a press of"
            f" {called.button} {button} would be unclear;"
            " expected a button of its own",
        )
