"""The grammar of the staff's lines, and the one function that reads one."""

from collections.abc import Callable, Mapping

from controller.words import fields
from controller.words.lines import (
    CashBack,
    CashChips,
    CashDrop,
    CashLine,
    CashSpread,
    CashState,
    DealerCall,
    DealerClarify,
    DealerCloseInsurance,
    DealerDeal,
    DealerLine,
    DealerNext,
    DealerPickup,
    DealerSeatOpen,
    DealerUndoDeal,
    Line,
    ShiftClose,
    ShiftLine,
    ShiftOpen,
)
from controller.words.names import PickupDirection
from controller.words.reading import SEATS_MAX, Reader
from controller.words.supervisor import supervisor_line


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
    return ShiftOpen(dealer, reader.name("the way of the pickup", PickupDirection))


def _dealer_line(reader: Reader) -> DealerLine:
    return reader.choose("a dealer's step", _DEALER)(reader)


def _dealer_call(reader: Reader) -> DealerCall:
    return DealerCall(" ".join(word.spoken for word in reader.take_all()).strip())


def _cash_line(reader: Reader) -> CashLine:
    seat = fields.seat(reader)
    return reader.choose("a step of the cash", _CASH)(reader, seat)


_SHIFT: Mapping[str, Callable[[Reader], ShiftLine]] = {
    "open": _shift_open,
    "close": lambda _reader: ShiftClose(),
}

_DEALER: Mapping[str, Callable[[Reader], DealerLine]] = {
    "deal": lambda _reader: DealerDeal(),
    "undo-deal": lambda _reader: DealerUndoDeal(),
    "next": lambda _reader: DealerNext(),
    "pickup": lambda _reader: DealerPickup(),
    "close-insurance": lambda _reader: DealerCloseInsurance(),
    "call": _dealer_call,
    "seat-open": lambda reader: DealerSeatOpen(fields.seat(reader)),
    "clarify": lambda reader: DealerClarify(fields.seat(reader), fields.button(reader)),
}

_CASH: Mapping[str, Callable[[Reader, int], CashLine]] = {
    "spread": lambda _reader, seat: CashSpread(seat),
    "state": lambda reader, seat: CashState(seat, fields.amount(reader)),
    "chips": lambda reader, seat: CashChips(seat, fields.amount(reader)),
    "drop": lambda _reader, seat: CashDrop(seat),
    "back": lambda _reader, seat: CashBack(seat),
}

STAFF_LINES: Mapping[str, Callable[[Reader], Line]] = {
    "shift": _shift_line,
    "dealer": _dealer_line,
    "cash": _cash_line,
    "supervisor": supervisor_line,
}
"""The first word of each line of the staff and what reads the rest of it."""
