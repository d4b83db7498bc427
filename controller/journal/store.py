"""The one writer: appends rows to the journal, durable before it returns."""

import contextlib
import itertools
import sqlite3
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from controller.journal import schema
from controller.journal.chain import GENESIS, Link, record_hash
from controller.journal.errors import (
    JournalError,
    JournalWriteError,
    MalformedJournalError,
    RowError,
    WrongKindError,
    explain,
    explained,
)
from controller.journal.lock import WriterLock
from controller.journal.records import JournalKind, Row

BUSY_TIMEOUT_S = 5.0

Seal = Callable[[Link], Row]
"""Makes the row that says how far the chain was."""

_OPENED = "journal_opened"


class Checkpoint(msgspec.Struct, frozen=True):
    """How far the write-ahead log has been copied into the journal's file."""

    pages_logged: int
    pages_copied: int

    @property
    def complete(self) -> bool:
        """Whether the next append may start the log anew."""
        return self.pages_logged == self.pages_copied


class _Opening(msgspec.Struct, frozen=True):
    """The one field of `journal_opened` that the store itself must know."""

    kind: JournalKind


class Store:
    """A journal open for writing, by this process alone.

    It may be handed from thread to thread but used by one at a time. After a
    failed commit it takes nothing more: the disk may or may not hold what was
    sent, and only a start from the file can tell.
    """

    def __init__(
        self,
        path: Path,
        kind: JournalKind,
        connection: sqlite3.Connection,
        held: contextlib.ExitStack,
    ) -> None:
        self._path = path
        self._kind = kind
        self._connection = connection
        self._head = _head(connection)
        self._failure: JournalError | None = None
        self._held = held.pop_all()

    @classmethod
    def open(cls, path: Path, kind: JournalKind) -> Self:
        """Open a journal for appending, or begin one where there is no file.

        Nothing but the head is read: whoever starts a table verifies the records
        since the last round's end with `verify.tail_fault`.

        Raises:
            JournalLockedError: another process writes it.
            NotAJournalError: the file is something else.
            WrongKindError: the journal is of the other kind.
            MalformedJournalError: its schema or first record is damaged.
            JournalFullError, JournalWriteError: the system refused.
        """
        with contextlib.ExitStack() as held, explained(path):
            lock = WriterLock.take(path)
            held.callback(lock.release)
            # The commit runs in a writer thread, so the thread changes.
            connection = sqlite3.connect(
                path,
                isolation_level=None,
                check_same_thread=False,
                timeout=BUSY_TIMEOUT_S,
            )
            held.callback(connection.close)
            _prepare(path, connection)
            require_ours(path, connection, kind)
            return cls(path, kind, connection, held)

    @property
    def head(self) -> Link:
        """The last record; `GENESIS` while there is none."""
        return self._head

    @property
    def next_sequence(self) -> int:
        """The sequence of the next row, which rows after it may cite as cause."""
        return self._head.sequence + 1

    def append(self, rows: Sequence[Row | Seal]) -> range:
        """Write rows in one transaction; return their sequences, once durable.

        The first row of a new journal is `journal_opened` of this store's kind. A
        `Seal` makes its row of the place in the chain of the one before it.

        Raises:
            RowError: a row does not belong here; nothing was written.
            JournalFullError, JournalWriteError, MalformedJournalError: the commit
                failed; nothing half written is left, and the store is spent.
        """
        if self._failure is not None:
            raise JournalWriteError(
                f"{self._path}: an earlier commit failed; start again from the file"
            ) from self._failure
        if not rows:
            return range(self.next_sequence, self.next_sequence)
        opening = rows[0]
        if self._head == GENESIS and isinstance(opening, Row):
            self._require_opening(opening)
        first = self.next_sequence
        columns, head = self._chained(rows)
        self._commit(columns)
        self._head = head
        return range(first, self.next_sequence)

    def checkpoint(self) -> Checkpoint:
        """Copy the write-ahead log into the file as far as readers allow.

        Call it when nobody waits for a lamp: it syncs. It never waits for a
        reader. The log keeps its size and is written from its start again, since
        a file that does not grow is quicker to sync.
        """
        with explained(self._path):
            row = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return Checkpoint(pages_logged=row[1], pages_copied=row[2])

    def close(self) -> None:
        """Close the file and let the next writer in; twice is fine."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _chained(
        self, rows: Sequence[Row | Seal]
    ) -> tuple[list[tuple[object, ...]], Link]:
        """Return the columns of each row with its hash, and the new head."""
        previous = self._head.hash
        chained: list[tuple[object, ...]] = []
        for sequence, given in zip(itertools.count(self.next_sequence), rows):
            here = Link(sequence - 1, previous)
            row = given if isinstance(given, Row) else given(here)
            columns = (sequence, *msgspec.structs.astuple(row))
            try:
                previous = record_hash(previous, *columns)
            except (struct.error, UnicodeEncodeError) as error:
                raise RowError(
                    f"{self._path}: row {sequence} ({row.type}): expected UTF-8 text "
                    f"and 64-bit integers, {error}"
                ) from error
            chained.append((*columns, previous))
        return chained, Link(self._head.sequence + len(rows), previous)

    def _commit(self, columns: Sequence[tuple[object, ...]]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(schema.INSERT, columns)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._failure = explain(self._path, error)
            # A disk that failed the commit may fail this too; what was not
            # committed is not there after the next start either way.
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise self._failure from error

    def _require_opening(self, row: Row) -> None:
        if row.type != _OPENED or _kind(self._path, row.body) is not self._kind:
            raise RowError(
                f"{self._path}: expected {_OPENED} of kind {self._kind} as the first "
                f"record, got {row.type} {row.body}"
            )


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    """Set the connection up; make the journal in a database that is empty."""
    new = schema.is_empty(connection)
    if not new:
        # Before anything is set: another program's database stays untouched.
        schema.require_journal(path, connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    if new:
        schema.create(connection)
        # The file itself now says what it is, also to who has no log beside it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def require_ours(path: Path, connection: sqlite3.Connection, kind: JournalKind) -> None:
    """Refuse a journal that no writer of this kind may append to.

    Raises:
        WrongKindError: the journal is of the other kind.
        MalformedJournalError: its schema or first record is damaged.
        sqlite3.Error: SQLite cannot read the file.
    """
    if changed := schema.differences(connection):
        raise MalformedJournalError(
            f"{path}: expected the journal's own schema, but {'; '.join(changed)}; "
            "keep it as evidence and verify it"
        )
    query = "SELECT type, body FROM journal WHERE sequence = 1"
    first = connection.execute(query).fetchone()
    if first is None:
        return
    if first[0] != _OPENED:
        raise MalformedJournalError(
            f"{path}: expected {_OPENED} as record 1, found {first[0]}; verify it"
        )
    found = _kind(path, first[1])
    if found is not kind:
        raise WrongKindError(
            f"{path}: expected a journal of kind {kind}, found {found}; "
            "name the right journal or hardware file"
        )


def _kind(path: Path, body: str) -> JournalKind:
    try:
        return msgspec.json.decode(body, type=_Opening).kind
    except msgspec.DecodeError as error:
        raise MalformedJournalError(
            f"{path}: record 1: expected the kind of the journal, {error}"
        ) from error


def _head(connection: sqlite3.Connection) -> Link:
    query = "SELECT sequence, hash FROM journal ORDER BY sequence DESC LIMIT 1"
    last = connection.execute(query).fetchone()
    return GENESIS if last is None else Link(*last)
