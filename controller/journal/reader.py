"""How every reader reads: read-only, all rows at once, and gone again.

A reader that stays in a transaction keeps the write-ahead log from being used
anew, so each call opens the file, fetches and closes. Records never change, so
several calls see one journal, only longer.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.journal import schema
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    SQLITE_RAISES,
    JournalError,
    JournalMissingError,
    JournalWriteError,
    MalformedJournalError,
    NotAJournalError,
    RoundNotFoundError,
    explain,
    explained,
)
from controller.journal.records import TAKEN_OVER, Record

Columns = tuple[int | str | bytes | None, ...]
"""One row as SQLite gives it, in the table's order; of a damaged file, anything."""

CHUNK_RECORDS = 5_000
_PAGES_A_STEP = 1_000

_ORDINARY = "mode=ro"
_IMMUTABLE = "mode=ro&immutable=1"

_NO_END = 2**63 - 1
_ALL_COLUMNS = schema.SELECT + " "

LAST_STATE = "SELECT max(sequence) FROM journal WHERE type = 'table_state'"

ROUND_END = """SELECT min(sequence) FROM journal
WHERE type = 'table_state' AND round = ?"""

STATE_BEFORE = LAST_STATE + " AND sequence < ?"

SIGNING_KEYS = """SELECT sequence FROM journal
WHERE type = 'signing_key_set' ORDER BY sequence"""

LAST_ROUND_ENDS = """SELECT sequence FROM journal
WHERE type = 'table_state' AND round IS NOT NULL
ORDER BY sequence DESC LIMIT ?"""


class Tail(Struct, frozen=True):
    """The records from the last round's end on, and what they continue.

    The first record is the last `table_state`, or record 1 where no round ended.
    """

    before: Link
    records: tuple[Record, ...]


class Round(Struct, frozen=True):
    """A round that ended: its number and its records, `table_state` the last."""

    number: int
    records: tuple[Record, ...]


class Fetched(Struct, frozen=True):
    """The rows that could be read, and what kept the others from it."""

    rows: list[Columns]
    damage: JournalError | None = None

    def whole(self) -> list[Columns]:
        """Return the rows, if they are all.

        Raises:
            JournalError: the damage.
        """
        if self.damage is not None:
            raise self.damage
        return self.rows


def tail(path: Path) -> Tail:
    """Return what a start needs: the records since the last round's end.

    Raises:
        MalformedJournalError: the record that they continue is missing.
    """
    state = _sequence(path, LAST_STATE)
    if state <= 1:
        return Tail(GENESIS, _between(path, 0, _NO_END))
    # The record before the state comes along, for the hash that the state continues.
    before, *records = _between(path, state - 2, _NO_END)
    if before.sequence != state - 1:
        raise MalformedJournalError(
            f"{path}: record {state - 1} is missing before the last table_state; "
            "verify the journal"
        )
    return Tail(Link(before.sequence, before.hash), tuple(records))


def records_after(path: Path, sequence: int) -> tuple[Record, ...]:
    """Return every record that was written after this one."""
    return _between(path, sequence, _NO_END)


def first_after(path: Path, sequence: int, most: int) -> Fetched:
    """Return the first rows from a sequence on, that one with them, and any damage."""
    query = f"{_ALL_COLUMNS}WHERE sequence >= ? ORDER BY sequence LIMIT ?"
    return fetch(path, query, (sequence, most))


def round_records(path: Path, number: int) -> tuple[Record, ...]:
    """Return a round's records: after the `table_state` before it, to its own.

    Of the round that is still open, all there is so far. How the journal began
    belongs to its first round.

    Raises:
        RoundNotFoundError: no record has that number.
    """
    # A round that is still open has no end.
    until = _sequence(path, ROUND_END, number) or _NO_END
    before = _sequence(path, STATE_BEFORE, until)
    records = _between(path, 0 if before == TAKEN_OVER else before, until)
    if not any(record.round == number for record in records):
        raise RoundNotFoundError(
            f"{path}: no round {number}; it may be in an earlier journal"
        )
    return records


def record_at(path: Path, sequence: int) -> Record | None:
    """Return one record, None where the journal has none of that sequence."""
    return next(iter(_between(path, sequence - 1, sequence)), None)


def signing_keys(path: Path) -> tuple[Record, ...]:
    """Return the records that say which key signs the journal from there on."""
    found = fetch(path, SIGNING_KEYS).whole()
    records = (record_at(path, _number(row[0])) for row in found)
    return tuple(record for record in records if record is not None)


def of_types(path: Path, types: Sequence[str], since: int = 1) -> tuple[Record, ...]:
    """Return the records of some types, from a sequence on."""
    marks = ", ".join("?" * len(types))
    query = f"{_ALL_COLUMNS}WHERE sequence >= ? AND type IN ({marks}) ORDER BY sequence"
    return records_of(path, fetch(path, query, (since, *types)).whole())


def since_rounds(path: Path, count: int) -> int:
    """Return where the last rounds that ended begin: the record that they continue.

    1, the first record, where the journal has no more than `count` rounds.
    """
    ends = fetch(path, LAST_ROUND_ENDS, (count + 1,)).whole()
    return _number(ends[count][0]) if len(ends) > count else 1


def last_rounds(path: Path, count: int) -> tuple[Round, ...]:
    """Return the last rounds that ended, the oldest first."""
    ends = [_number(row[0]) for row in fetch(path, LAST_ROUND_ENDS, (count,)).whole()]
    if not ends:
        return ()
    after = _sequence(path, STATE_BEFORE, min(ends))
    rounds: list[Round] = []
    begun: list[Record] = []
    for record in _between(path, after, max(ends)):
        begun.append(record)
        if record.type == "table_state":
            # A state without a round opens a successor file and ends none.
            if record.round is not None:
                rounds.append(Round(record.round, tuple(begun)))
            begun = []
    return tuple(rounds)


def head(path: Path) -> Link:
    """Return the last record's place in the chain; `GENESIS` if there is none."""
    query = _ALL_COLUMNS + "ORDER BY sequence DESC LIMIT 1"
    records = records_of(path, fetch(path, query).whole())
    return Link(records[0].sequence, records[0].hash) if records else GENESIS


def all_records(path: Path) -> Iterator[Record]:
    """Yield every record in order; memory stays small however long the journal."""
    for fetched in chunks(path):
        yield from records_of(path, fetched.whole())


def chunks(path: Path) -> Iterator[Fetched]:
    """Yield all rows in order, some thousands at a time, up to any damage."""
    fetched = fetch(path, f"{_ALL_COLUMNS}ORDER BY sequence LIMIT {CHUNK_RECORDS}")
    yield fetched
    query = f"{_ALL_COLUMNS}WHERE sequence > ? ORDER BY sequence LIMIT {CHUNK_RECORDS}"
    while fetched.damage is None and len(fetched.rows) == CHUNK_RECORDS:
        fetched = fetch(path, query, (_number(fetched.rows[-1][0]),))
        yield fetched


def records_of(path: Path, rows: Sequence[Columns]) -> tuple[Record, ...]:
    """Return rows as the records that they are.

    Raises:
        MalformedJournalError: a column holds what it never may.
    """
    try:
        # Not strict: SQLite's 0 and 1 are the false and true of a column.
        return msgspec.convert(rows, tuple[Record, ...], strict=False)
    except msgspec.ValidationError as error:
        raise MalformedJournalError(
            f"{path}: a record is malformed ({error}); verify the journal"
        ) from error


def _tell_nobody(_done: int, _all: int) -> None:
    """Tell nobody how far a copy is."""


def copy(
    path: Path, target: Path, told: Callable[[int, int], None] = _tell_nobody
) -> None:
    """Copy a journal while its table plays on, as of one moment.

    By SQLite's backup alone: a copy of the file lacks what is in the log. `told` is
    told how many pages are copied, and how many there are.

    Raises:
        JournalWriteError, JournalFullError: the target exists, or cannot be written.
        JournalError: the journal cannot be read.
    """
    with explained(path), contextlib.closing(connect(path)) as source:
        # One transaction over all steps: else each record that the table writes
        # meanwhile would begin the copy anew.
        source.execute("BEGIN")
        source.execute("SELECT max(sequence) FROM journal").fetchone()
        _make(target)
        try:
            _back_up(source, target, told)
        except BaseException:
            target.unlink()
            raise


def _make(target: Path) -> None:
    for suffix in ("-wal", "-shm", "-journal"):
        # SQLite takes such a file for the target's own, and removes it.
        beside = target.with_name(target.name + suffix)
        if os.path.lexists(beside):
            reason = f"{beside} is there and would be lost; name another"
            raise JournalWriteError(f"{target}: {reason}")
    try:
        target.open("xb").close()
    except FileExistsError:
        reason = "expected no file there; name another"
        raise JournalWriteError(f"{target}: {reason}") from None
    except OSError as error:
        reason = f"cannot be written: {error.strerror}"
        raise JournalWriteError(f"{target}: {reason}") from error


def _back_up(
    source: sqlite3.Connection, target: Path, told: Callable[[int, int], None]
) -> None:
    with explained(target), contextlib.closing(sqlite3.connect(target)) as made:
        source.backup(
            made,
            pages=_PAGES_A_STEP,
            progress=lambda _status, left, pages: told(pages - left, pages),
        )


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal to read it, for what is no query of records.

    Raises:
        JournalMissingError, NotAJournalError: there is none at the path.
        sqlite3.Error: SQLite cannot read the file.
    """
    return _connect(path, _ORDINARY if _log_exists(path) else _IMMUTABLE)


def fetch(path: Path, query: str, values: Sequence[int | str] = ()) -> Fetched:
    """Open, fetch everything the query gives, close.

    Without a log beside the file nobody writes, and the file is read as
    immutable: an ordinary reader would make a log and its index, owned by
    itself, in the writer's way. If a writer came meanwhile, what was read may be
    half before and half after, and is read again by the writer's rules.
    """
    if _log_exists(path):
        return _fetch(path, _ORDINARY, query, values)
    before = _fingerprint(path)
    fetched = _fetch(path, _IMMUTABLE, query, values)
    if _fingerprint(path) == before:
        return fetched
    return _fetch(path, _ORDINARY, query, values)


def _number(column: int | str | bytes | None) -> int:
    """Return a sequence as SQLite gave it; 0, before all, where there was none."""
    assert column is None or isinstance(column, int), "a sequence is a rowid"
    return column or 0


def _sequence(path: Path, query: str, *values: int) -> int:
    ((sequence,),) = fetch(path, query, values).whole()
    return _number(sequence)


def _between(path: Path, after: int, until: int) -> tuple[Record, ...]:
    query = _ALL_COLUMNS + "WHERE sequence > ? AND sequence <= ? ORDER BY sequence"
    return records_of(path, fetch(path, query, (after, until)).whole())


def _fetch(path: Path, mode: str, query: str, values: Sequence[int | str]) -> Fetched:
    rows: list[Columns] = []
    try:
        with contextlib.closing(_connect(path, mode)) as connection:
            # One by one, so that the rows before a damaged page are kept.
            for row in connection.execute(query, values):
                rows.append(row)  # noqa: PERF402  # Said above.
    except JournalError as error:
        return Fetched(rows, error)
    except SQLITE_RAISES as error:
        return Fetched(rows, explain(path, error))
    return Fetched(rows)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    if not path.exists():
        raise JournalMissingError(f"{path}: expected a journal, found no file")
    if not path.is_file():
        found = "a folder" if path.is_dir() else "a device or a pipe"
        raise NotAJournalError(f"{path}: expected a journal, found {found}")
    connection = sqlite3.connect(
        f"{Path(os.path.realpath(path)).as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        schema.require_journal(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _log_exists(path: Path) -> bool:
    path = Path(os.path.realpath(path))
    return path.with_name(path.name + "-wal").exists()


def _fingerprint(path: Path) -> tuple[bool, int, int]:
    """Return what differs if a writer opened the file in between."""
    if not path.exists():
        return (False, 0, 0)
    status = path.stat()
    return (_log_exists(path), status.st_mtime_ns, status.st_size)
