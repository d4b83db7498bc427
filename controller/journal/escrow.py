"""Where the faces wait that nobody may know yet, beside the journal.

What may become public has only its commitment in the journal; the face itself,
its salt and the raw bytes that carried it are here until the reveal. Of the two
files the escrow is always ahead: a secret is put before the journal commits what
follows from it, and deleted after the journal has committed its reveal. So a
crash leaves a row too many, never one too few, and a start drops it.

There is no lock of its own: only who holds the journal's writer lock opens it.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Self

import msgspec

from controller.journal.errors import (
    SQLITE_RAISES,
    EscrowDamagedError,
    EscrowError,
    EscrowMissingError,
    MalformedJournalError,
    NotAJournalError,
    explain,
)

_ONLY_OWNER = 0o600
# Nobody else has business in the file, so a lock on it is a fault, not a queue.
_BUSY_TIMEOUT_S = 0.5
_APPLICATION_ID = 0x424A4A45  # "BJJE", in the file's header: a blackjack escrow.

# The whole row is its key: the escrow is a set, so that a row put twice is there
# once, and the raw bytes of an unread card and of its re-read, which have one
# number, are two.
_TABLE = """CREATE TABLE escrow (
  kind   TEXT    NOT NULL,
  number INTEGER NOT NULL,
  round  INTEGER NOT NULL,
  face   TEXT    NOT NULL,
  salt   BLOB    NOT NULL,
  raw    BLOB    NOT NULL,
  PRIMARY KEY (kind, number, round, face, salt, raw)
) STRICT, WITHOUT ROWID"""

_SELECT = """SELECT kind, number, round, face, salt, raw FROM escrow
ORDER BY round, number, kind"""
_PUT = """INSERT OR IGNORE INTO escrow (kind, number, round, face, salt, raw)
VALUES (?, ?, ?, ?, ?, ?)"""
_DELETE = """DELETE FROM escrow WHERE kind = ? AND number = ? AND round = ?
AND face = ? AND salt = ? AND raw = ?"""


class Sealed(msgspec.Struct, frozen=True, array_like=True):
    """One secret: what it is, the card's number at the shoe, round, face, salt.

    `face` is as in scenarios, empty where the raw bytes alone are the secret;
    `raw` are the bytes that carried it, empty where a person keyed it.
    """

    kind: str
    number: int
    round: int
    face: str
    salt: bytes
    raw: bytes

    def __repr__(self) -> str:
        # A secret must not get into a log through a message or a traceback.
        return f"Sealed(kind={self.kind!r}, number={self.number}, round={self.round})"


class Escrow:
    """The open escrow of one journal."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    def create(cls, path: Path) -> Self:
        """Begin an empty escrow, instead of any that is there.

        What a damaged one held is lost; the card itself lies on the table.

        Raises:
            EscrowError: the system refused.
        """
        try:
            for suffix in ("", "-wal", "-shm"):
                # An old log would be taken for the new file's.
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            # SQLite gives its log the mode of the file, so this covers both.
            os.close(os.open(path, flags, _ONLY_OWNER))
        except OSError as error:
            raise EscrowError(
                f"{path}: the escrow cannot be created ({error.strerror}); "
                "check folder, owner and disk"
            ) from error
        return cls._connected(path, _make)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the escrow that a table left, whole.

        Raises:
            EscrowMissingError: there is none.
            EscrowDamagedError: it is not what was written.
            EscrowError: the system refused.
        """
        if not path.exists():
            raise EscrowMissingError(
                f"{path}: expected the escrow of the journal, found no file; "
                "a hole card on the table counts as unread"
            )
        try:
            # A copy that was put back may have come with anyone's mode.
            path.chmod(_ONLY_OWNER)
        except OSError as error:
            raise EscrowError(
                f"{path}: the escrow's mode cannot be set ({error.strerror}); "
                "check its owner"
            ) from error
        return cls._connected(path, _check)

    def put(self, rows: Iterable[Sealed]) -> None:
        """Keep secrets; on disk when this returns. Call before the journal commits.

        Raises:
            EscrowError: the rows could not be written, and none of them was.
        """
        self._change(_PUT, rows)

    def delete(self, rows: Iterable[Sealed]) -> None:
        """Forget secrets, on disk too. Call after the journal has committed.

        The log still holds the pages as they were, so it is emptied as well.

        Raises:
            EscrowError: they could not be deleted.
        """
        self._change(_DELETE, rows)
        with _explained(self._path):
            busy, *_ = self._connection.execute(
                "PRAGMA wal_checkpoint(TRUNCATE)"
            ).fetchone()
        if busy:
            raise EscrowError(
                f"{self._path}: another program reads the escrow, deleted secrets "
                "are still in its log; stop it"
            )

    def rows(self) -> tuple[Sealed, ...]:
        """Return every secret kept, by round and number.

        Raises:
            EscrowDamagedError: the file is not what was written.
        """
        with _explained(self._path):
            found = self._connection.execute(_SELECT).fetchall()
        return msgspec.convert(found, tuple[Sealed, ...])

    def drop_unknown(self, is_known: Callable[[Sealed], bool]) -> tuple[Sealed, ...]:
        """Drop and return the secrets that no record stands for; at start.

        Their records were never committed, so the shoe repeats the card; or their
        reveal was, and only the deletion is due.

        Raises:
            EscrowError: they could not be read or deleted.
        """
        unknown = tuple(row for row in self.rows() if not is_known(row))
        # Also with none: a crash may have left deleted ones in the log.
        self.delete(unknown)
        return unknown

    def close(self) -> None:
        """Close the file; twice is fine."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @classmethod
    def _connected(
        cls, path: Path, prepare: Callable[[sqlite3.Connection], None]
    ) -> Self:
        # The commit runs in a writer thread, so the thread changes.
        connection = sqlite3.connect(
            path,
            isolation_level=None,
            check_same_thread=False,
            timeout=_BUSY_TIMEOUT_S,
        )
        with contextlib.ExitStack() as undo, _explained(path):
            undo.callback(connection.close)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            prepare(connection)
            undo.pop_all()
        return cls(path, connection)

    def _change(self, statement: str, rows: Iterable[Sealed]) -> None:
        values = [msgspec.structs.astuple(row) for row in rows]
        with _explained(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(statement, values)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                # A disk that failed the commit may fail this too.
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise


def _make(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_TABLE)
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection) -> None:
    (found,) = connection.execute("PRAGMA application_id").fetchone()
    if found != _APPLICATION_ID:
        raise sqlite3.DatabaseError("the header is not an escrow's")
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    connection.execute(_SELECT).fetchall()


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite raises in the block into an `EscrowError`."""
    try:
        yield
    except SQLITE_RAISES as error:
        match explain(path, error):
            case MalformedJournalError() | NotAJournalError():
                raise EscrowDamagedError(
                    f"{path}: expected the escrow as it was written, {error}; "
                    "a hole card on the table counts as unread"
                ) from error
            case explanation:
                raise EscrowError(str(explanation)) from error
