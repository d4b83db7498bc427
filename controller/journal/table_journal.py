"""A table's journal and escrow together: written as one, recovered as one.

The order on disk is what makes a crash harmless: secrets before the records that
count on them, records before anything acts on them, deletion of opened secrets
last.
"""

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commitment import commitment
from controller.core.decide import Decision
from controller.core.evolve import Record, evolve
from controller.core.ids import DEALER
from controller.core.secrets import SealedCard, Secrets, commitments
from controller.core.state import TableState, new_table
from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    CodecError,
    EscrowDamagedError,
    EscrowMissingError,
    MalformedJournalError,
)
from controller.journal.escrow import Escrow, Sealed
from controller.journal.records import TAKEN_OVER, JournalKind, Row, Stamp
from controller.journal.records import Record as Written
from controller.journal.signing import Signing
from controller.journal.store import Seal, Store
from controller.journal.table_codec import CODEC
from controller.journal.verify import tail_fault

_CARD = "card"
_OF_SIGNING = frozenset(
    str(kind.__struct_config__.tag) for kind in (ev.SigningKeySet, ev.HeadSigned)
)
_STATE = str(ev.TableStateRecorded.__struct_config__.tag)


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
        sealed = [_row_of(card) for one in batch for card in one.sealed]
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


class Recovered(msgspec.Struct, frozen=True):
    """A journal as a start finds it: the table exactly as it was.

    `is_new`: this start began it, or it takes another's place and nothing was played
    by it yet. Devices may be ahead of it.
    """

    journal: TableJournal
    state: TableState
    secrets: Secrets
    is_new: bool = False


def holds_records(path: Path, kind: JournalKind) -> bool:
    """Return whether a journal was begun there.

    A power cut can leave its file without the first record, or quite empty; the next
    start begins it.

    Raises:
        JournalError: It is locked, of the other kind, or no journal.

    """
    if not path.exists():
        return False
    with Store.open(path, kind) as store:
        return store.head != GENESIS


def recover(path: Path, kind: JournalKind) -> Recovered:
    """Open a journal that exists and fold the table from its last round's end.

    Everything since then is verified on the way. A missing or damaged escrow is
    begun anew: what it held is then unread.

    Raises:
        JournalError: It is locked, of the other kind, or does not verify; the
            message names the record.

    """
    with contextlib.ExitStack() as undo:
        store = undo.enter_context(Store.open(path, kind))
        tail = reader.tail(path)
        state = state_after(path, tail)
        escrow = undo.enter_context(_open_escrow(path))
        known = commitments(state)
        escrow.drop_unknown(lambda row: _stands_for(row, state.table, known))
        kept = escrow.rows()
        secrets = Secrets(tuple(_card_of(row) for row in kept))
        journal = TableJournal(path, store, escrow, kept)
        is_new = _is_unplayed_successor(path, tail)
        undo.pop_all()
    return Recovered(journal, state, secrets, is_new)


def _is_unplayed_successor(path: Path, tail: reader.Tail) -> bool:
    """Return whether a journal holds no more than what is sure of a bad one."""
    (first, *more) = tail.records
    if (first.sequence, first.type) != (TAKEN_OVER, _STATE):
        return False
    if any(record.type not in _OF_SIGNING for record in more):
        return False
    opened = reader.record_at(path, 1)
    fact = CODEC.decode(opened) if opened is not None else None
    old = fact.succeeds if isinstance(fact, ev.JournalOpened) else None
    return old is not None and old.found != ""


def state_at_end(path: Path) -> TableState:
    """Return the table as a journal leaves it: public facts only.

    Raises:
        JournalError: The records since the last round's end do not verify.

    """
    return state_after(path, reader.tail(path))


def state_after(path: Path, tail: reader.Tail) -> TableState:
    """Return the table after the records that a journal ends with.

    Raises:
        JournalError: They do not verify.

    """
    fault = tail_fault(tail)
    if fault is not None:
        raise MalformedJournalError(f"{path}: {fault.text}; verify the journal")
    state: TableState | None = None
    for row in tail.records:
        state = folded(path, row, state)
    if state is None:
        raise MalformedJournalError(f"{path}: expected records, found none")
    return state


def folded(path: Path, row: Written, state: TableState | None) -> TableState:
    """Return the table after one record; `state` is None before the first.

    Raises:
        JournalError: The record cannot be understood, or does not fit.

    """
    try:
        record = CODEC.decode(row)
    except CodecError as error:
        raise CodecError(f"{path}: {error}") from error
    before = _first_state(path, record) if state is None else state
    try:
        return evolve(before, record)
    except Exception as error:
        # The fold never refuses what `decide` wrote; other software wrote this.
        raise MalformedJournalError(
            f"{path}: record {row.sequence} ({row.type}) does not fit the table as it "
            f"was ({type(error).__name__}); use the software that wrote it"
        ) from error


def _first_state(path: Path, record: Record) -> TableState:
    match record:
        case ev.JournalOpened():
            return new_table(record.table, record.seats, record.rules)
        case ev.TableStateRecorded():
            return record.state
        case _:
            raise MalformedJournalError(
                f"{path}: expected journal_opened or table_state first; verify it"
            )


def escrow_path(path: Path) -> Path:
    """Return where a journal's escrow lies: beside it."""
    return path.with_name(path.name + ".escrow")


def _open_escrow(path: Path) -> Escrow:
    try:
        return Escrow.open(escrow_path(path))
    except (EscrowMissingError, EscrowDamagedError):
        return Escrow.create(escrow_path(path))


def _row_of(card: SealedCard) -> Sealed:
    return Sealed(
        kind=_CARD,
        number=card.number,
        round=card.round,
        face=card.card,
        salt=bytes.fromhex(card.salt),
        raw=bytes.fromhex(card.raw),
    )


def _card_of(row: Sealed) -> SealedCard:
    return SealedCard(
        row.number, row.round, Card(row.face), row.salt.hex(), row.raw.hex()
    )


def _stands_for(row: Sealed, table: str, known: dict[int, str]) -> bool:
    """Return whether a record still counts on this secret: its commitment is there."""
    bound = commitment(row.salt, table, row.round, row.number, row.face).hex()
    return known.get(row.number) == bound


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
