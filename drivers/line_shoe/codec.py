"""Lines as messages and back, by the words of a profile.

Source: docs/protocol/line-shoe.md.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from drivers.line_shoe.messages import (
    Alarm,
    CardNotRead,
    CardRead,
    Known,
    LineMessage,
    Unknown,
    Warned,
)
from drivers.line_shoe.profiles import FaceOrder, Form, LineProfile
from drivers.shoe.messages import RANKS, SUITS

PADDING: Final = b"\x00"
# What a line writes for a rank, where it is not the letter of ours.
_LONG_RANKS: Final = {"10": "T"}
_ALARM: Final = re.compile(r"(E[0-9]{1,2})(?: [ -~]*)?")
_WARNING: Final = re.compile(r"[0-9A-F]{2}")


def from_line(profile: LineProfile, line: bytes) -> LineMessage:
    """Return what a whole line says; whatever fits no form is unknown.

    Spaces around it mean nothing: integrators saw the same shoe print both ways.
    """
    text = line.decode("ascii", errors="replace").strip(" ")
    if text in profile.unread:
        return CardNotRead()
    for within in _inside(profile.cards, text):
        card = _faces(profile.order).get(within)
        if card is not None:
            return CardRead(card)
    for within in _inside(profile.alarms, text):
        alarm = _ALARM.fullmatch(within)
        if alarm is not None and alarm[1] != profile.unread_code:
            return Alarm(alarm[1])
    for within in _inside(profile.warnings, text):
        if _WARNING.fullmatch(within) is not None:
            return Warned(f"W0x{within}")
    return Unknown(_opening(profile, text))


def to_line(profile: LineProfile, message: Known) -> bytes:
    """Return a line as the shoe prints it, without its end: for who plays the shoe."""
    match message:
        case CardRead(card):
            return _filled(profile.cards[0], _written(profile.order, card))
        case CardNotRead():
            return profile.unread[0].encode("ascii")
        case Alarm(code):
            return _filled(profile.alarms[0], code)
        case Warned(code):
            return _filled(profile.warnings[0], code.removeprefix("W0x"))
        case _:
            assert_never(message)


def padded(profile: LineProfile, line: bytes) -> bytes:
    """Return a line filled up to the longest one.

    So a record of it does not tell a ten from other cards by its length (SECRET-2).
    """
    return line.ljust(profile.line_max_bytes, PADDING)


def _inside(forms: tuple[Form, ...], text: str) -> Iterator[str]:
    """Yield what a text holds between head and tail of each form that it fits."""
    for form in forms:
        if text.startswith(form.head) and text.endswith(form.tail):
            yield text[len(form.head) : len(text) - len(form.tail)]


def _opening(profile: LineProfile, text: str) -> str:
    forms = (*profile.cards, *profile.alarms, *profile.warnings)
    heads = (form.head for form in forms if text.startswith(form.head))
    return max(heads, key=len, default="")


def _filled(form: Form, within: str) -> bytes:
    return f"{form.head}{within}{form.tail}".encode("ascii")


def _written(order: FaceOrder, card: str) -> str:
    rank, suit = card[0], card[1].upper()
    match order:
        case FaceOrder.RANK_SUIT:
            return rank + suit
        case FaceOrder.SUIT_RANK:
            return suit + rank
        case _:
            assert_never(order)


@functools.cache
def _faces(order: FaceOrder) -> Mapping[str, str]:
    """Return every face as it may be written, with the card that it is."""
    written = {
        _written(order, rank + suit): rank + suit for rank in RANKS for suit in SUITS
    }
    for long, rank in _LONG_RANKS.items():
        for suit in SUITS:
            face = _written(order, rank + suit).replace(rank, long)
            written[face] = rank + suit
    return written
