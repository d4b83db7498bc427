"""Whether a journal is what was written, and if not, which record is the first.

A chain cannot see a tail that was cut off or written anew from some record on;
signatures over its head can, and so can devices that are ahead of it.
"""

import contextlib
import enum
import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from controller.journal import reader, schema
from controller.journal.chain import GENESIS, Link, record_hash
from controller.journal.errors import SQLITE_RAISES, NotAJournalError, explain
from controller.journal.reader import Columns, Fetched, Tail


class FaultKind(enum.StrEnum):
    """What is wrong with a record, or with the file around the records."""

    MISSING = "missing"
    OUT_OF_ORDER = "out_of_order"
    MALFORMED = "malformed"
    HASH_MISMATCH = "hash_mismatch"
    UNREADABLE = "unreadable"
    SCHEMA_CHANGED = "schema_changed"
    FILE_DAMAGED = "file_damaged"


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong; `sequence` names the record, if it is about one."""

    kind: FaultKind
    sequence: int | None
    text: str


class Verification(msgspec.Struct, frozen=True):
    """What was found: how far the chain holds, and every fault.

    A journal is good if `faults` is empty. The first bad record comes first;
    records behind it were not looked at, since the chain ends there.
    """

    head: Link
    faults: tuple[Fault, ...]


Held = Callable[[Link, Sequence[Columns]], None]
"""Told how far the chain holds, and the rows for which that is new."""


def _tell_nobody(_link: Link, _rows: Sequence[Columns]) -> None:
    """Let rows pass that hold."""


def verify(path: Path, held: Held = _tell_nobody) -> Verification:
    """Check every record of a journal, its schema and the pages of its file.

    `held` is called with some thousands of rows at a time, in order, so that who
    looks at what they say need not read them again; what it raises ends the
    verification.

    Raises:
        JournalError: the file cannot be read as a journal at all.
    """
    surroundings = _surroundings(path)
    reached = GENESIS
    for fetched in reader.chunks(path):
        before = reached.sequence
        reached, fault = _checked(fetched, reached)
        held(reached, fetched.rows[: reached.sequence - before])
        if fault is not None:
            return Verification(reached, (fault, *surroundings))
    return Verification(reached, surroundings)


def tail_fault(tail: Tail) -> Fault | None:
    """Return the first fault since the last round's end; what a start checks."""
    columns = map(msgspec.structs.astuple, tail.records)
    return follow(columns, tail.before)[1]


def follow(rows: Iterable[Columns], after: Link) -> tuple[Link, Fault | None]:
    """Follow the chain through rows; return how far it holds, and the fault there."""
    expected, previous = after.sequence + 1, after.hash
    for row in rows:
        if row[0] != expected:
            return Link(expected - 1, previous), _misplaced(row[0], expected)
        try:
            # The row may hold anything; what is no column's type raises.
            computed = record_hash(previous, *row[:-1])  # type: ignore[arg-type]
        except (struct.error, AttributeError) as error:
            return Link(expected - 1, previous), _malformed(expected, error)
        if computed != row[-1]:
            return Link(expected - 1, previous), _mismatch(expected)
        if row[2] not in {0, 1}:
            # SQLite has no type for yes and no, so its STRICT table takes any number.
            unclear = f"clock_synchronised is {row[2]!r}"
            return Link(expected - 1, previous), _malformed(expected, unclear)
        expected, previous = expected + 1, computed
    return Link(expected - 1, previous), None


def _checked(fetched: Fetched, after: Link) -> tuple[Link, Fault | None]:
    reached, fault = follow(fetched.rows, after)
    if fault is None and fetched.damage is not None:
        unread = reached.sequence + 1
        text = f"record {unread} cannot be read: {fetched.damage}"
        return reached, Fault(FaultKind.UNREADABLE, unread, text)
    return reached, fault


def _misplaced(found: object, expected: int) -> Fault:
    if isinstance(found, int) and found > expected:
        text = f"record {expected} is missing: {expected - 1} is followed by {found}"
        return Fault(FaultKind.MISSING, expected, text)
    text = f"expected record {expected}, found {found} in its place"
    return Fault(FaultKind.OUT_OF_ORDER, expected, text)


def _malformed(sequence: int, found: Exception | str) -> Fault:
    text = f"record {sequence}: a column holds what it never may ({found})"
    return Fault(FaultKind.MALFORMED, sequence, text)


def _mismatch(sequence: int) -> Fault:
    text = (
        f"record {sequence} does not match its hash: it was changed, or the record "
        "before it was put there"
    )
    return Fault(FaultKind.HASH_MISMATCH, sequence, text)


def _surroundings(path: Path) -> tuple[Fault, ...]:
    """Return what is wrong around the records.

    An error while looking is a finding too, unless the header already says that
    this is no journal. The records are then looked at all the same.
    """
    try:
        with contextlib.closing(reader.connect(path)) as connection:
            changed = [
                Fault(FaultKind.SCHEMA_CHANGED, None, f"the schema: {difference}")
                for difference in schema.differences(connection)
            ]
            damaged = [
                Fault(FaultKind.FILE_DAMAGED, None, f"the file: {found}")
                for (found,) in connection.execute("PRAGMA integrity_check(10)")
                if found != "ok"
            ]
    except SQLITE_RAISES as error:
        explained = explain(path, error)
        if isinstance(explained, NotAJournalError):
            raise explained from error
        return (Fault(FaultKind.FILE_DAMAGED, None, str(explained)),)
    return (*changed, *damaged)
