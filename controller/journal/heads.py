"""A signed head: how far a journal's chain was at a time, said by its table.

The text of the note has four lines: the table's id, the sequence of the last record,
its hash in base64, and when (docs/journal.md). Whoever keeps such a note can hold the
journal against it for ever: nothing up to that record can be changed, cut off or
written anew without the note saying so.
"""

import base64
import binascii
from typing import Final, Self

import msgspec

from controller.journal.chain import Link
from controller.journal.errors import NoteError

_LINES: Final = 4
_HASH_BYTES: Final = 32


class Head(msgspec.Struct, frozen=True):
    """A place in a table's chain, and when it was signed (UTC, RFC 3339)."""

    table: str
    link: Link
    at: str

    @property
    def text(self) -> str:
        """What is signed."""
        encoded = base64.b64encode(self.link.hash).decode()
        return f"{self.table}\n{self.link.sequence}\n{encoded}\n{self.at}\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what was signed.

        Raises:
            NoteError: It is no head.

        """
        lines = text.split("\n")
        if len(lines) != _LINES + 1 or lines[-1]:
            raise NoteError(f"expected the {_LINES} lines of a head, got {len(lines)}")
        table, sequence, encoded, at, _ = lines
        if not (sequence.isascii() and sequence.isdecimal()) or sequence[0] == "0":
            raise NoteError(f"expected the sequence of a record, got {sequence!r}")
        try:
            digest = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            digest = b""
        if len(digest) != _HASH_BYTES or base64.b64encode(digest).decode() != encoded:
            raise NoteError(f"expected a hash in base64, got {encoded!r}")
        return cls(table, Link(int(sequence), digest), at)
