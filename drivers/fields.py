"""The fields that messages of all reference protocols are made of.

Numbers are big-endian and unsigned. Encoding raises MessageFieldError for a value
that does not fit (ours), decoding MalformedMessageError (theirs).
"""

import enum
import struct
from collections.abc import Mapping
from typing import Final, Generic, TypeVar

from drivers.errors import MalformedMessageError, MessageFieldError

MAX_TEXT_BYTES: Final = 32
Member = TypeVar("Member", bound=enum.Enum)


def pack(layout: struct.Struct, *values: int | bytes) -> bytes:
    """Return values laid out as bytes."""
    try:
        return layout.pack(*values)
    except struct.error as error:
        raise MessageFieldError(
            f"a value does not fit layout {layout.format}: {error}; "
            "see the message's fields in docs/protocol"
        ) from error


def unpack(layout: struct.Struct, payload: bytes) -> tuple[int, ...]:
    """Return the numbers of a payload that must have exactly this layout."""
    if len(payload) != layout.size:
        raise MalformedMessageError(
            f"expected {layout.size} payload bytes, got {len(payload)}"
        )
    return layout.unpack(payload)


class BitSet(Generic[Member]):
    """A field with one bit for each member of an enum, such as lamps."""

    def __init__(self, bits: Mapping[Member, int]) -> None:
        self._bits = dict(bits)
        self._known: dict[int, frozenset[Member]] = {}

    def mask(self, members: frozenset[Member]) -> int:
        """Return the bits of some members."""
        return sum(1 << self._bits[member] for member in members)

    def members(self, mask: int) -> frozenset[Member]:
        """Return the members whose bits are set; remembered, since they repeat."""
        known = self._known.get(mask)
        if known is None:
            known = frozenset(m for m, bit in self._bits.items() if mask >> bit & 1)
            if self.mask(known) != mask:
                raise MalformedMessageError(
                    f"bits {mask:#06x} include one without a meaning"
                )
            self._known[mask] = known
        return known


def pack_text(text: str) -> bytes:
    """Return a short text: one byte of length, then printable ASCII."""
    if len(text) > MAX_TEXT_BYTES or not (text.isascii() and text.isprintable()):
        raise MessageFieldError(
            f"expected at most {MAX_TEXT_BYTES} printable ASCII letters, got {text!r}"
        )
    return bytes((len(text),)) + text.encode("ascii")


def split_text(payload: bytes) -> tuple[str, bytes]:
    """Return the text that a payload begins with, and what follows it."""
    length = payload[0] if payload else MAX_TEXT_BYTES + 1
    raw = payload[1 : 1 + length]
    if length > MAX_TEXT_BYTES or len(raw) != length:
        raise MalformedMessageError("a text is cut short or too long")
    text = raw.decode("ascii", errors="replace")
    if not (text.isascii() and text.isprintable()):
        raise MalformedMessageError("a text holds more than printable ASCII")
    return text, payload[1 + length :]


def present(name: str, number: int) -> int:
    """Return a number that counts from 1; zero would mean that there is none."""
    if number == 0:
        raise MalformedMessageError(f"{name} is 0, expected 1 or more")
    return number
