"""The table as SQLite holds it, and the look that finds it altered.

Triggers keep honest programs honest. Whoever means harm drops them first, so
the chain is the proof and `differences` only says that someone was there.
"""

import sqlite3
from pathlib import Path

from controller.journal.errors import NotAJournalError, UnmadeJournalError

APPLICATION_ID = 0x424A4A4C  # "BJJL", in the file's header: a blackjack journal.
FORMAT = 1

SELECT = """SELECT sequence, recorded_at, clock_synchronised, boot_id, monotonic_ns,
  cause, round, spot, type, version, body, hash FROM journal"""

INSERT = """INSERT INTO journal (sequence, recorded_at, clock_synchronised, boot_id,
  monotonic_ns, cause, round, spot, type, version, body, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_TABLE = """CREATE TABLE journal (
  sequence           INTEGER PRIMARY KEY,
  recorded_at        TEXT    NOT NULL,
  clock_synchronised INTEGER NOT NULL,
  boot_id            TEXT    NOT NULL,
  monotonic_ns       INTEGER NOT NULL,
  cause              INTEGER,
  round              INTEGER,
  spot               INTEGER,
  type               TEXT    NOT NULL,
  version            INTEGER NOT NULL,
  body               TEXT    NOT NULL,
  hash               BLOB    NOT NULL
) STRICT"""

# INSERT OR REPLACE fires no DELETE trigger, so the rule about the next sequence
# is what keeps it from overwriting a record.
_ONLY_NEXT = """CREATE TRIGGER journal_takes_only_the_next_record
BEFORE INSERT ON journal
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM journal)
BEGIN SELECT RAISE(ABORT, 'a record must have the next sequence'); END"""

_NO_UPDATE = """CREATE TRIGGER journal_is_never_updated
BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END"""

_NO_DELETE = """CREATE TRIGGER journal_is_never_deleted_from
BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END"""

# These indexes hold one entry a round or fewer, so that an append does not pay for
# them: where the last rounds ended, where a given round ended, which keys sign.
_ENDS = """CREATE INDEX round_ends ON journal (sequence)
WHERE type = 'table_state'"""

_ENDS_BY_ROUND = """CREATE INDEX round_ends_by_round ON journal (round)
WHERE type = 'table_state'"""

_KEYS = """CREATE INDEX signing_keys ON journal (sequence)
WHERE type = 'signing_key_set'"""

_OBJECTS = {
    "journal": _TABLE,
    "journal_is_never_deleted_from": _NO_DELETE,
    "journal_is_never_updated": _NO_UPDATE,
    "journal_takes_only_the_next_record": _ONLY_NEXT,
    "round_ends": _ENDS,
    "round_ends_by_round": _ENDS_BY_ROUND,
    "signing_keys": _KEYS,
}


def is_empty(connection: sqlite3.Connection) -> bool:
    """Say whether nothing was ever made in this database."""
    (count,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return bool(count == 0 and _pragma(connection, "application_id") == 0)


def create(connection: sqlite3.Connection) -> None:
    """Make the table, whole or not at all, and mark the file as a journal."""
    connection.execute("BEGIN IMMEDIATE")
    for statement in _OBJECTS.values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")


def require_journal(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse a file that is no journal, or one of another format.

    Raises:
        UnmadeJournalError: nothing was ever made in it.
        NotAJournalError: the header says so.
    """
    if is_empty(connection):
        raise UnmadeJournalError(
            f"{path}: expected a journal, found an empty database; its disk may have "
            "been full as it was to be made"
        )
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise NotAJournalError(
            f"{path}: expected a journal, found another database; name the right file"
        )
    found = _pragma(connection, "user_version")
    if found != FORMAT:
        raise NotAJournalError(
            f"{path}: expected journal format {FORMAT}, found {found}; "
            "use the software that wrote it"
        )


def differences(connection: sqlite3.Connection) -> list[str]:
    """Return in words how tables, triggers and indexes differ from ours."""
    query = "SELECT name, sql FROM sqlite_schema"
    found = dict(connection.execute(query).fetchall())
    missing = [f"{name} is missing" for name in _OBJECTS.keys() - found.keys()]
    added = [f"{name} was added" for name in found.keys() - _OBJECTS.keys()]
    changed = [
        f"{name} was changed"
        for name in found.keys() & _OBJECTS.keys()
        if found[name] != _OBJECTS[name]
    ]
    return sorted(missing + added + changed)


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return value
