"""What can go wrong with the durable record, each as one clear line."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SQLITE_RAISES = (sqlite3.Error, UnicodeDecodeError)
"""What the sqlite3 module raises; the second for a name in a damaged schema."""

_PRIMARY_CODE_MASK = 0xFF


class JournalError(Exception):
    """The durable record cannot be read or written as asked."""


class JournalMissingError(JournalError):
    """There is no file at the path that was named."""


class NotAJournalError(JournalError):
    """The file is something else, or a journal of a newer format."""


class UnmadeJournalError(NotAJournalError):
    """The file is a database in which nothing was ever made: no record is lost."""


class MalformedJournalError(JournalError):
    """The file was a journal, and its bytes no longer fit together."""


class WrongKindError(JournalError):
    """A live table was given a simulated journal, or the reverse."""


class JournalLockedError(JournalError):
    """Another process writes this journal, or SQLite waited in vain for it."""


class JournalFullError(JournalError):
    """The disk has no room for the next record."""


class JournalWriteError(JournalError):
    """The system refused to open, write or sync the file."""


class RowError(JournalError):
    """A row that was to be appended does not belong into this journal."""


class RoundNotFoundError(JournalError):
    """No record belongs to the round that was asked for."""


class CodecError(JournalError):
    """A record cannot be understood by this version of the software."""


class NoteError(JournalError):
    """A signed note or a key is not what it should be."""


class SigningError(JournalError):
    """The journal's heads are signed by another key than this one."""


class MirrorMismatchError(JournalError):
    """A mirror and its journal do not go together; both must be kept as they are."""


class EscrowError(JournalError):
    """The escrow does not give its secrets; the hole card counts as unread."""


class EscrowMissingError(EscrowError):
    """There is no escrow file beside the journal."""


class EscrowDamagedError(EscrowError):
    """The escrow file is not what was written."""


def explain(path: Path, error: Exception) -> JournalError:
    """Return SQLite's complaint about a file as one of ours.

    An error without a code is Python's own, about a text that is not UTF-8:
    the bytes are damaged, and it is reported as SQLite reports its own damage.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    match code & _PRIMARY_CODE_MASK:
        case sqlite3.SQLITE_NOTADB:
            return NotAJournalError(
                f"{path}: expected a journal, found a file that is no SQLite "
                "database; name the right file"
            )
        case sqlite3.SQLITE_FULL:
            return JournalFullError(
                f"{path}: the disk is full ({error}); make room, then start again"
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalLockedError(
                f"{path}: another program holds the file ({error}); close it"
            )
        case (
            sqlite3.SQLITE_IOERR
            | sqlite3.SQLITE_READONLY
            | sqlite3.SQLITE_CANTOPEN
            | sqlite3.SQLITE_PERM
            | sqlite3.SQLITE_AUTH
        ):
            return JournalWriteError(
                f"{path}: the system refused the file ({error}); "
                "check owner, mode and disk"
            )
        case sqlite3.SQLITE_CONSTRAINT:
            return JournalWriteError(
                f"{path}: the journal refused a record ({error}); "
                "nothing was written, verify the file"
            )
        case _:
            return MalformedJournalError(
                f"{path}: the file is malformed ({error}); "
                "keep it as evidence and verify it"
            )


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite raises in the block into a `JournalError`."""
    try:
        yield
    except SQLITE_RAISES as error:
        raise explain(path, error) from error
