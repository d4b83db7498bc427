"""The hash chain: each record's hash covers it and everything before it.

The encoding is written down for strangers in docs/journal.md, with golden
values in tests/golden/journal.
"""

import struct
from hashlib import sha256

from msgspec import Struct

_NULL = b"N" + bytes(8)
_INTEGER = b"I" + (8).to_bytes(8, "big")

_value = struct.Struct(">q").pack
_text_head = struct.Struct(">cQ").pack
_integer_and_text_head = struct.Struct(">9sqcQ").pack


class Link(Struct, frozen=True):
    """A place in the chain: the sequence of a record, and its hash."""

    sequence: int
    hash: bytes


GENESIS = Link(sequence=0, hash=bytes(32))
"""What the first record continues: sequence 0 and 32 zero bytes."""


def record_hash(  # noqa: PLR0913, PLR0917  # One argument a column.
    previous: bytes,
    sequence: int,
    recorded_at: str,
    clock_synchronised: int,
    boot_id: str,
    monotonic_ns: int,
    cause: int | None,
    round_: int | None,
    spot: int | None,
    type_: str,
    version: int,
    body: str,
) -> bytes:
    """Return the 32 bytes that seal a record to the one before it.

    SHA-256 over `previous`, then each column as type byte, length in 8 bytes,
    content. Written out column by column, since `verify` spends its time here:
    a loop over the columns takes half as long again.

    Raises:
        struct.error: a column that holds an integer is none, or exceeds 64 bits.
        AttributeError: a column that holds text holds something else.
        UnicodeEncodeError: a text cannot be written as UTF-8.
    """
    at, boot = recorded_at.encode(), boot_id.encode()
    name, content = type_.encode(), body.encode()
    parts = (
        previous,
        _integer_and_text_head(_INTEGER, sequence, b"T", len(at)),
        at,
        _integer_and_text_head(_INTEGER, clock_synchronised, b"T", len(boot)),
        boot,
        _INTEGER,
        _value(monotonic_ns),
        _NULL if cause is None else _INTEGER + _value(cause),
        _NULL if round_ is None else _INTEGER + _value(round_),
        _NULL if spot is None else _INTEGER + _value(spot),
        _text_head(b"T", len(name)),
        name,
        _integer_and_text_head(_INTEGER, version, b"T", len(content)),
        content,
    )
    return sha256(b"".join(parts)).digest()
