"""A table's signatures over the heads of its journal, and where they are kept.

Each is a record of the journal, behind the one whose hash it signs, and a note in a
plain file beside it, `NAME.heads`, that another system can collect. The record is
what counts; a note that a crash kept out of the file is added at the next start.
"""

import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from controller.core import events as ev
from controller.journal import reader
from controller.journal.chain import Link
from controller.journal.errors import NoteError, SigningError
from controller.journal.heads import Head
from controller.journal.notes import DASH, Note, PublicKey, SecretKey
from controller.journal.records import Record as Written
from controller.journal.table_codec import CODEC

_TAIL_BYTES: Final = 4096
_SIGNED_NOTE: Final = re.compile(rb"(?P<note>(?:[^\n]+\n){4}\n\xe2\x80\x94 [^\n]+\n)\n")
"""One note of a head as it stands in the file: four lines, a gap, one signature."""

_SIGNED: Final = str(ev.HeadSigned.__struct_config__.tag)


class Signing:
    """Signs heads of one table's journal with one key."""

    def __init__(self, table: str, key: SecretKey) -> None:
        self._table = table
        self._key = key
        self._file: Path | None = None
        self._last: Link | None = None
        self._new: list[tuple[int, ev.HeadSigned]] = []

    def key_record(self, path: Path) -> ev.SigningKeySet | None:
        """Return the record that names the key, None where it stands there already.

        Raises:
            SigningError: Another key signs this journal.

        """
        current = current_key(path)
        if current is None:
            return key_set(self._table, self._key.public, self._key)
        if current != self._key.public:
            raise SigningError(
                f"{path}: its heads are signed by the key {current.name} "
                f"{current.id.hex()}, this one is {self._key.public.id.hex()}; name "
                "the right key, or change it with tablectl key rotate"
            )
        return None

    def passed_on_to(self, other: "Signing") -> ev.SigningKeySet:
        """Return the record that another key signs from here on, signed by this one."""
        return key_set(self._table, other.public, self._key)

    @property
    def public(self) -> PublicKey:
        """What the signatures are held against."""
        return self._key.public

    def is_due(self, head: Link) -> bool:
        """Return whether anything stands behind the last signature."""
        return head != self._last

    def sign(self, head: Link, at: str) -> ev.HeadSigned:
        """Return the record of a signature over a head."""
        note = self._key.sign(Head(self._table, head, at).text)
        signed = ev.HeadSigned(note=note)
        self._new.append((head.sequence + 1, signed))
        return signed

    def keep(self, head: Link) -> None:
        """Add the notes that were committed to the file beside; `head` is the last.

        The journal has them: a file that cannot be written is made good at the next
        start.
        """
        new, self._new = self._new, []
        if new and new[-1][0] == head.sequence:
            self._last = head
        if self._file is not None:
            with contextlib.suppress(OSError):
                _add(self._file, [signed for _, signed in new])

    def catch_up(self, path: Path) -> None:
        """Keep the notes beside a journal; add those that are missing there."""
        self._file = heads_file(path)
        with contextlib.suppress(OSError):
            keep_heads(path)
        head = reader.record_at(path, reader.head(path).sequence)
        if head is not None and head.type == _SIGNED:
            self._last = Link(head.sequence, head.hash)


def keep_heads(path: Path) -> None:
    """Add the signed heads of a journal that are missing in the file beside it.

    Raises:
        JournalError: The journal cannot be read.
        OSError: The file cannot be written.

    """
    file = heads_file(path)
    kept = last_kept(file)
    # A head's own record stands behind the one whose hash it signs.
    since = kept.sequence + 2
    missing = [_signed(row) for row in reader.of_types(path, [_SIGNED], since)]
    if file.exists():
        os.truncate(file, kept.size)
    _add(file, missing)


def heads_text(path: Path) -> str:
    """Return the plain text that the records of a journal make: all signed heads.

    Raises:
        JournalError: The journal cannot be read.

    """
    signed = (_signed(row) for row in reader.of_types(path, [_SIGNED]))
    return "".join(one.note + "\n" for one in signed)


def heads_file(path: Path) -> Path:
    """Return where the signed heads of a journal lie as plain text: beside it."""
    return path.with_name(path.name + ".heads")


def current_key(path: Path) -> PublicKey | None:
    """Return the key that signs a journal's heads, None where they are not signed.

    Raises:
        JournalError: The journal cannot be read.

    """
    named = reader.signing_keys(path)
    if not named:
        return None
    fact = CODEC.decode(named[-1])
    assert isinstance(fact, ev.SigningKeySet), "the type was asked for"
    return PublicKey.parse(fact.key)


def key_set(table: str, key: PublicKey, signed_by: SecretKey) -> ev.SigningKeySet:
    """Return the record that a key signs from here on, signed by the key before it."""
    return ev.SigningKeySet(key=key.line, note=signed_by.sign(key_text(table, key)))


def key_text(table: str, key: PublicKey) -> str:
    """Return what is signed where a key begins to sign a table's heads."""
    return f"{table}\nkey {key.line}\n"


class Kept(NamedTuple):
    """Up to which record a file of heads goes, and to which byte its whole notes."""

    sequence: int
    size: int


def last_kept(file: Path) -> Kept:
    """Return how far a file of heads goes; nothing where there is none.

    Only its end is read. What a crash left half written there is not counted.
    """
    try:
        size = file.stat().st_size
        with file.open("rb") as opened:
            opened.seek(max(0, size - _TAIL_BYTES))
            tail = opened.read()
    except OSError:
        return Kept(0, 0)
    signed = list(_SIGNED_NOTE.finditer(tail))
    for found in reversed(signed):
        with contextlib.suppress(NoteError, UnicodeDecodeError):
            note = Note.parse(found["note"].decode())
            sequence = Head.parse(note.text).link.sequence
            return Kept(sequence, size - len(tail) + found.end())
    return Kept(0, 0)


def split_notes(text: str) -> list[str]:
    """Return the notes of a text, in order: each ends with its signatures."""
    notes: list[str] = []
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if lines and lines[-1].startswith(DASH) and not line.startswith(DASH):
            notes.append("".join(lines))
            lines = []
        if lines or line != "\n":
            lines.append(line)
    return [*notes, "".join(lines)] if lines else notes


def _signed(row: Written) -> ev.HeadSigned:
    fact = CODEC.decode(row)
    assert isinstance(fact, ev.HeadSigned), "the type was asked for"
    return fact


def _add(file: Path, signed: Sequence[ev.HeadSigned]) -> None:
    if not signed:
        return
    with file.open("a", encoding="utf-8") as opened:
        for one in signed:
            opened.write(one.note + "\n")
