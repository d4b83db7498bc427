"""A table's journal and escrow together, open for writing: written as one.

The order on disk is what makes a crash harmless: secrets before the records that
count on them, records before anything acts on them, deletion of opened secrets
last. `recovery` opens both again after it.
"""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.decide import Decision
from controller.core.evolve import Record
from controller.core.ids import DEALER
from controller.core.secrets import SealedCard
from controller.core.state import TableState
from controller.journal.chain import Link
from controller.journal.errors import MalformedJournalError
from controller.journal.escrow import Escrow, Sealed
from controller.journal.records import JournalKind, Row, Stamp
from controller.journal.sealed_cards import escrow_path, row_of
from controller.journal.signing import Signing
from controller.journal.store import Seal, Store
from controller.journal.table_codec import CODEC


class Decided(msgspec.Struct, frozen=True):
    """One input and what it led to, ready to be written: the input's records first.

    `round` is None for the table of an earlier journal, which ends no round of this.
    """

    stamp: Stamp
    round: int | None
    records: tuple[Record, ...]
    sealed: tuple[SealedCard, ...] = ()
    opened: tuple[int, ...] = ()


def decided(stamp: Stamp, state: TableState, decision: Decision) -> Decided:
    """Return a decision for the journal; `state` is the table before it."""
    return Decided(
        stamp, state.round, decision.records, decision.sealed, decision.opened
    )


class TableJournal:
    """The journal of one table, open for writing, and its escrow."""

    def __init__(
        self, path: Path, store: Store, escrow: Escrow, kept: Iterable[Sealed]
    ) -> None:
        self.path = path
        self._store = store
        self._escrow = escrow
        self._kept = {(row.number, row.face): row for row in kept}
        self._signing: Signing | None = None
        self._to_delete: list[Sealed] = []

    @classmethod
    def begin(
        cls,
        path: Path,
        opened: ev.JournalOpened,
        stamp: Stamp,
        taken_over: TableState | None = None,
    ) -> Self:
        """Begin a new journal with its first record, and the table it goes on from.

        Raises:
            JournalError: The file cannot be made, or is there already.

        """
        with contextlib.ExitStack() as undo:
            store = undo.enter_context(Store.open(path, JournalKind(opened.kind)))
            if store.next_sequence != 1:
                raise MalformedJournalError(f"{path}: expected no journal there yet")
            escrow = undo.enter_context(Escrow.create(escrow_path(path)))
            journal = cls(path, store, escrow, ())
            first = 1 if taken_over is None else taken_over.round
            batch = [Decided(stamp, first, (opened,))]
            if taken_over is not None:
                table = ev.TableStateRecorded(state=taken_over)
                batch.append(Decided(stamp, None, (table,)))
            journal.write(batch)
            undo.pop_all()
        return journal

    @property
    def head(self) -> Link:
        """The last record's place in the chain."""
        return self._store.head

    @property
    def next_sequence(self) -> int:
        """The sequence that the next record will have."""
        return self._store.next_sequence

    def write(self, batch: Sequence[Decided]) -> tuple[int, ...]:
        """Write what a batch of inputs led to, in one transaction.

        Return the sequence of each record. Secrets are on disk before, opened ones are
        deleted by `tidy`. Blocks for as long as the disk does.

        Raises:
            JournalError: Nothing is written that may be acted on.

        """
        sealed = [row_of(card) for one in batch for card in one.sealed]
        if sealed:
            self._escrow.put(sealed)
        sequences = self._append(self._rows(batch))
        for row in sealed:
            self._kept[row.number, row.face] = row
        opened = {number for one in batch for number in one.opened}
        self._to_delete += [row for row in self._kept.values() if row.number in opened]
        return sequences

    def sign_with(self, signing: Signing, stamp: Stamp) -> None:
        """Sign the chain from now on, at each round's end and whenever asked.

        Raises:
            SigningError: The heads so far are signed by another key.
            JournalError: The first record that names the key cannot be written.

        """
        named = signing.key_record(self.path)
        if named is not None:
            self._append(self._rows([Decided(stamp, None, (named,))]))
        self._signing = signing
        signing.catch_up(self.path)

    def change_key(self, old: Signing, new: Signing, stamp: Stamp) -> None:
        """Let another key sign from now on; the one before it says so.

        Raises:
            SigningError: The heads so far are not signed by the old key.
            JournalError: It cannot be written.

        """
        self.sign_with(old, stamp)
        named = old.passed_on_to(new)
        self._append(self._rows([Decided(stamp, None, (named,))]))
        self._signing = None
        self.sign_with(new, stamp)
        self.sign_head(stamp)

    def sign_head(self, stamp: Stamp) -> None:
        """Sign how far the chain is, unless that is done.

        Raises:
            JournalError: It cannot be written.

        """
        if self._signing is not None and self._signing.is_due(self._store.head):
            self._append([self._seal(self._signing, stamp)])

    def _append(self, rows: Sequence[Row | Seal]) -> tuple[int, ...]:
        sequences = self._store.append(rows)
        if self._signing is not None:
            self._signing.keep(self._store.head)
        return tuple(
            sequence
            for sequence, row in zip(sequences, rows, strict=True)
            if isinstance(row, Row)
        )

    @staticmethod
    def _seal(signing: Signing, stamp: Stamp) -> Seal:
        def seal(head: Link) -> Row:
            signed = signing.sign(head, stamp.recorded_at)
            return _row(Decided(stamp, None, ()), signed, None)

        return seal

    @property
    def is_untidy(self) -> bool:
        """Whether opened secrets wait to be deleted."""
        return bool(self._to_delete)

    def tidy(self) -> None:
        """Delete secrets that were opened; when nobody waits for a lamp."""
        if not self._to_delete:
            return
        self._escrow.delete(self._to_delete)
        for row in self._to_delete:
            self._kept.pop((row.number, row.face), None)
        self._to_delete.clear()

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the journal's file."""
        self._store.checkpoint()

    def close(self) -> None:
        """Close journal and escrow; twice is fine."""
        self._escrow.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, batch: Sequence[Decided]) -> list[Row | Seal]:
        """Return a batch's rows; a round's end is signed before its `table_state`.

        So its records and the signature over them lie together, and the state, which
        knows of earlier rounds too, stands behind.
        """
        rows: list[Row | Seal] = []
        first = self._store.next_sequence
        for one in batch:
            cause: int | None = None
            for record in one.records:
                if self._signing is not None and _ends_round(one, record):
                    rows.append(self._seal(self._signing, one.stamp))
                rows.append(_row(one, record, cause))
                if cause is None and isinstance(record, cm.Command):
                    cause = first + len(rows) - 1
        return rows


def _ends_round(one: Decided, record: Record) -> bool:
    return one.round is not None and isinstance(record, ev.TableStateRecorded)


def _row(one: Decided, record: Record, cause: int | None) -> Row:
    written = CODEC.encode(record)
    stamp = one.stamp
    return Row(
        recorded_at=stamp.recorded_at,
        clock_synchronised=stamp.clock_synchronised,
        boot_id=stamp.boot_id,
        monotonic_ns=stamp.monotonic_ns,
        cause=cause,
        round=one.round,
        spot=spot_of(record),
        type=written.type,
        version=written.version,
        body=written.body,
    )


def spot_of(record: Record) -> int | None:
    """Return the spot that a record concerns: its hand's, its own, or its seat's."""
    hand = getattr(record, "hand", "")
    if hand and hand != DEALER:
        return int(hand.partition(".")[0])
    spot: int = getattr(record, "spot", 0) or getattr(record, "seat", 0) or 0
    return spot or None
