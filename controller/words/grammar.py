"""The grammar of the staff's lines, and the one function that reads one."""

from collections.abc import Callable, Mapping

from controller.core.commands import (
    ClarifyChoice,
    CloseShift,
    MoveCash,
    OpenSeat,
    PressDealerButton,
    UndoDeal,
)
from controller.core.ids import CashStep, DealerButton, Direction
from controller.words import fields
from controller.words.lines import DealerLine, Line, ShiftLine, ShiftOpen
from controller.words.reading import SEATS_MAX, Reader
from controller.words.supervisor import supervisor_line

_STATED = frozenset({CashStep.STATE, CashStep.CHIPS})
"""The steps of the cash that say an amount."""


def parse_line(text: str, seats: int = SEATS_MAX) -> Line:
    """Read one line of the staff: `dealer next`, `supervisor S1 resume reason="…"`.

    Args:
        text: the line; spaces around it and a comment do not matter.
        seats: how many seats the table has.

    Raises:
        WordsError: the line is not in the grammar; says what was expected, what came.
    """
    reader = Reader(text, seats)
    line = reader.choose("a line", STAFF_LINES)(reader)
    reader.end()
    return line


def _shift_line(reader: Reader) -> ShiftLine:
    return reader.choose("what becomes of the shift", _SHIFT)(reader)


def _shift_open(reader: Reader) -> ShiftOpen:
    dealer = fields.person(reader, "the id of a dealer, such as D1")
    return ShiftOpen(dealer, reader.name("the way of the pickup", Direction))


def _dealer_line(reader: Reader) -> DealerLine:
    return reader.choose("a dealer's step", _DEALER)(reader)


def _press(button: DealerButton) -> Callable[[Reader], PressDealerButton]:
    return lambda _reader: PressDealerButton(button=button)


def _call(reader: Reader) -> PressDealerButton:
    words = " ".join(word.spoken for word in reader.take_all()).strip()
    return PressDealerButton(button=DealerButton.CALL, words=words)


def _clarify(reader: Reader) -> ClarifyChoice:
    seat = fields.seat(reader)
    return ClarifyChoice(seat=seat, button=fields.button(reader))


def _cash_line(reader: Reader) -> MoveCash:
    seat = fields.seat(reader)
    step = reader.name("a step of the cash", CashStep)
    amount_cents = fields.amount(reader) if step in _STATED else 0
    return MoveCash(seat=seat, step=step, amount_cents=amount_cents)


_SHIFT: Mapping[str, Callable[[Reader], ShiftLine]] = {
    "open": _shift_open,
    "close": lambda _reader: CloseShift(),
}

_DEALER: Mapping[str, Callable[[Reader], DealerLine]] = {
    "deal": _press(DealerButton.DEAL),
    "undo-deal": lambda _reader: UndoDeal(),
    "next": _press(DealerButton.NEXT),
    "pickup": _press(DealerButton.PICKUP),
    "close-insurance": _press(DealerButton.CLOSE_INSURANCE),
    "call": _call,
    "seat-open": lambda reader: OpenSeat(seat=fields.seat(reader)),
    "clarify": _clarify,
}

STAFF_LINES: Mapping[str, Callable[[Reader], Line]] = {
    "shift": _shift_line,
    "dealer": _dealer_line,
    "cash": _cash_line,
    "supervisor": supervisor_line,
}
"""The first word of each line of the staff and what reads the rest of it."""
