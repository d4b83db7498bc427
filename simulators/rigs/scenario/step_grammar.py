"""The grammar of steps: the staff's lines, and what players, shoe and power do."""

import re
from collections.abc import Callable, Mapping

from controller.core.ids import Button, ShoeSign
from controller.words import fields
from controller.words.grammar import STAFF_LINES
from controller.words.names import number_of
from controller.words.reading import SEATS_MAX, Reader
from simulators.rigs.scenario.steps import (
    Bet,
    Clear,
    DrawCards,
    LatePress,
    PanelBack,
    PanelLost,
    PanelStep,
    PowerCut,
    Press,
    ReturnCards,
    ShoeGap,
    ShoeReports,
    ShoeShuffled,
    ShoeStep,
    Step,
    Wait,
)

_COUNT_MAX = 9_999
_SIGNS = (
    ShoeSign.LID_OPEN,
    ShoeSign.LID_CLOSED,
    ShoeSign.JAM,
    ShoeSign.CLEARED,
    ShoeSign.CUT_CARD,
    ShoeSign.EMPTY,
    ShoeSign.SHUFFLE_STARTED,
)
"""What the shoe reports and nothing with it."""

_WITH_AMOUNT = frozenset({Button.BET, Button.INSURE})
_SECONDS = re.compile(r"([0-9]{1,7})(?:\.([0-9]{1,3}))?")
_MS_PER_SECOND = 1_000


def parse_step(text: str, seats: int = SEATS_MAX) -> Step:
    """Read one step: `press 1 hit`, `card Th 9c`, `dealer next`.

    Raises:
        WordsError: the line is not a step; says what was expected, what came.
    """
    reader = Reader(text, seats)
    step = reader.choose("a step", STEPS)(reader)
    reader.end()
    return step


def _bet(reader: Reader) -> Bet:
    spot = fields.spot_option(reader)
    return Bet(fields.seat(reader), fields.amount(reader), spot)


def _clear(reader: Reader) -> Clear:
    spot = fields.spot_option(reader)
    return Clear(fields.seat(reader), spot)


def _press(reader: Reader) -> Press:
    seat, button = fields.seat(reader), fields.button(reader)
    amounts = button in _WITH_AMOUNT and reader.next is not None
    return Press(seat, button, fields.amount(reader) if amounts else None)


def _late_press(reader: Reader) -> LatePress:
    return LatePress(fields.seat(reader), fields.button(reader))


def _draw_cards(reader: Reader) -> DrawCards:
    return DrawCards(fields.one_or_more(reader, fields.seen_card))


def _return_cards(reader: Reader) -> ReturnCards:
    return ReturnCards(fields.one_or_more(reader, fields.card))


def _shoe(reader: Reader) -> ShoeStep:
    return reader.choose("what the shoe reports", _SHOE)(reader)


def _sign(sign: ShoeSign) -> Callable[[Reader], ShoeReports]:
    return lambda _reader: ShoeReports(sign)


def _shuffled(reader: Reader) -> ShoeShuffled:
    if reader.next is None:
        return ShoeShuffled(None)
    return ShoeShuffled(_count(reader, "the number of cards in the shoe", 0))


def _gap(reader: Reader) -> ShoeGap:
    if reader.next is None:
        return ShoeGap(1)
    return ShoeGap(_count(reader, "how many card numbers are missing", 1))


def _count(reader: Reader, expected: str, least: int) -> int:
    return reader.read(expected, lambda text: number_of(text, least, _COUNT_MAX))


def _panel(reader: Reader) -> PanelStep:
    seat = fields.seat(reader)
    return reader.choose("what becomes of the panel", _PANEL)(seat)


def _wait(reader: Reader) -> Wait:
    return Wait(reader.read("seconds such as 20 or 0.5", _milliseconds_of))


def _milliseconds_of(text: str) -> int | None:
    seconds = _SECONDS.fullmatch(text)
    if seconds is None:
        return None
    whole, fraction = seconds.groups(default="")
    return int(whole) * _MS_PER_SECOND + int(fraction.ljust(3, "0"))


_SHOE: Mapping[str, Callable[[Reader], ShoeStep]] = {
    **{sign.value: _sign(sign) for sign in _SIGNS},
    "shuffled": _shuffled,
    "gap": _gap,
}

_PANEL: Mapping[str, Callable[[int], PanelStep]] = {
    "lost": PanelLost,
    "back": PanelBack,
}

STEPS: Mapping[str, Callable[[Reader], Step]] = {
    **STAFF_LINES,
    "bet": _bet,
    "clear": _clear,
    "press": _press,
    "late-press": _late_press,
    "card": _draw_cards,
    "return": _return_cards,
    "shoe": _shoe,
    "panel": _panel,
    "wait": _wait,
    "power-cut": lambda _reader: PowerCut(),
}
"""The first word of each step and what reads the rest of its line."""
