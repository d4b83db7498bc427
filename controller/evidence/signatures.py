"""Whether a journal's heads were signed by its table, and whether none is missing.

The chain alone cannot see an end that was cut off, or all of it written anew. A head
that somebody keeps elsewhere can: it is signed, and names a record by its hash.
"""

from collections.abc import Callable, Iterable
from typing import Final, Self

import msgspec

from controller.core import events as ev
from controller.evidence.findings import (
    Finding,
    FindingError,
    FindingKind,
    understood,
)
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import NoteError
from controller.journal.heads import Head
from controller.journal.notes import Note, PublicKey
from controller.journal.records import Record as Row
from controller.journal.signing import key_text

_OPENED: Final = str(ev.JournalOpened.__struct_config__.tag)
_KEY_SET: Final = str(ev.SigningKeySet.__struct_config__.tag)
_SIGNED: Final = str(ev.HeadSigned.__struct_config__.tag)
_STATE: Final = str(ev.TableStateRecorded.__struct_config__.tag)


class KeptHead(msgspec.Struct, frozen=True):
    """A head that was kept elsewhere, and its note as it was signed."""

    head: Head
    note: Note

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a note that holds a head; who signed it is not looked at.

        Raises:
            NoteError: It is none.

        """
        note = Note.parse(text)
        return cls(Head.parse(note.text), note)


class Signatures:
    """Follows a journal's records with their keys and signed heads.

    It has seen `count` heads, and `compared` so many that were kept elsewhere, the last
    of them of record `compared_until`.

    Args:
        kept: heads of this table that were kept elsewhere.
        trusted: the key that is known to be the table's, if one is.
    """

    def __init__(
        self, kept: Iterable[KeptHead] = (), trusted: PublicKey | None = None
    ) -> None:
        self.count = 0
        self.compared = 0
        self.compared_until = 0
        self.keys: list[PublicKey] = []
        self._trusted = trusted
        self._kept: dict[int, list[KeptHead]] = {}
        for one in kept:
            self._kept.setdefault(one.head.link.sequence, []).append(one)
        self._table = ""
        self._last: Row | None = None
        # Nearly all records are of other types, and a journal is long.
        self._looks: Final[dict[str, Callable[[Row], None]]] = {
            _OPENED: self._opening,
            _KEY_SET: self._new_key,
            _SIGNED: self._head,
            _STATE: self._rounds_end,
        }

    def take(self, row: Row) -> None:
        """Look at one record, in order.

        Raises:
            FindingError: a key or a head is not the table's, or a round's end before
                it is not signed.
        """
        look = self._looks.get(row.type)
        if look is not None:
            look(row)
        self._last = row
        if row.sequence in self._kept:
            self._hold(row)

    def end(self) -> tuple[Finding, ...]:
        """Return what only the end of the journal shows."""
        last = self._before.sequence
        found = [
            _kept_finding(kept, f"the journal ends with record {last}")
            for sequence, heads in sorted(self._kept.items())
            for kept in heads
            if sequence > last
        ]
        found += [
            _kept_finding(kept, "no key of this journal signed it")
            for heads in self._kept.values()
            for kept in heads
            if not any(map(kept.note.is_signed_by, self._believed()))
        ]
        if self._trusted is not None and self._trusted not in self.keys:
            text = f"the key {self._trusted.line} signs nothing in this journal"
            found.append(Finding(FindingKind.SIGNATURE, None, text))
        return tuple(found)

    @property
    def kept(self) -> int:
        """How many heads were kept elsewhere."""
        return sum(map(len, self._kept.values()))

    @property
    def _before(self) -> Link:
        """How far the chain was before the record that is looked at."""
        last = self._last
        return GENESIS if last is None else Link(last.sequence, last.hash)

    def _opening(self, row: Row) -> None:
        self._table = _opened(row).table

    def _rounds_end(self, row: Row) -> None:
        if row.round is None or not self.keys:
            return
        if self._last is None or self._last.type != _SIGNED:
            raise _wrong(row, f"the end of round {row.round} is not signed")

    def _believed(self) -> list[PublicKey]:
        return self.keys if self._trusted is None else [self._trusted, *self.keys]

    def _new_key(self, row: Row) -> None:
        fact = understood(row)
        assert isinstance(fact, ev.SigningKeySet), "the type was looked at"
        try:
            key, note = PublicKey.parse(fact.key), Note.parse(fact.note)
        except NoteError as error:
            raise _wrong(row, f"names no key: {error}") from error
        before = self.keys[-1] if self.keys else key
        signed = note.is_signed_by(before)
        if not signed or note.text != key_text(self._table, key):
            raise _wrong(row, f"the key {key.line} was not put in by the key before it")
        self.keys.append(key)

    def _head(self, row: Row) -> None:
        fact = understood(row)
        assert isinstance(fact, ev.HeadSigned), "the type was looked at"
        try:
            note = Note.parse(fact.note)
            head = Head.parse(note.text)
        except NoteError as error:
            raise _wrong(row, f"is no signed head: {error}") from error
        if not self.keys or not note.is_signed_by(self.keys[-1]):
            raise _wrong(row, "the head is not signed by the table's key")
        bare = (row.cause, row.round, row.spot) == (None, None, None)
        if not bare or head != Head(self._table, self._before, row.recorded_at):
            signed = f"record {head.link.sequence} of table {head.table} at {head.at}"
            raise _wrong(row, f"the head that was signed is another: of {signed}")
        self.count += 1

    def _hold(self, row: Row) -> None:
        for kept in self._kept[row.sequence]:
            if kept.head.link.hash != row.hash:
                text = f"is not what was signed at {kept.head.at}, as kept elsewhere"
                raise _wrong(row, text)
            self.compared, self.compared_until = self.compared + 1, row.sequence


def _opened(row: Row) -> ev.JournalOpened:
    fact = understood(row)
    assert isinstance(fact, ev.JournalOpened), "the type was looked at"
    return fact


def _wrong(row: Row, text: str) -> FindingError:
    return FindingError(FindingKind.SIGNATURE, row.sequence, text)


def _kept_finding(kept: KeptHead, because: str) -> Finding:
    head = kept.head
    text = f"the head kept elsewhere, of record {head.link.sequence} at {head.at}"
    return Finding(FindingKind.SIGNATURE, head.link.sequence, f"{text}: {because}")
