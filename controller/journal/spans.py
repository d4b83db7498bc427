"""Parts of a journal that are found without reading the rest of it.

Where rounds ended is in an index. So a time, a shift or a day is found among the
ends of rounds, and only the records between two of them are read.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.journal import reader, schema
from controller.journal.errors import MalformedJournalError
from controller.journal.records import Record

CHUNK_RECORDS: Final = 500

_ENDS: Final = """SELECT sequence, recorded_at, boot_id, monotonic_ns FROM journal
WHERE type = 'table_state' ORDER BY sequence"""

_STATES: Final = "SELECT sequence FROM journal WHERE type = 'table_state'"
_NO_END: Final = 2**63 - 1


class Mark(Struct, frozen=True, array_like=True):
    """A place in a journal, and when it was written by both clocks."""

    sequence: int
    recorded_at: str
    boot_id: str
    monotonic_ns: int


def state_marks(path: Path) -> tuple[Mark, ...]:
    """Return where each `table_state` stands: where rounds end and the next begin.

    Raises:
        JournalError: the journal cannot be read.
    """
    rows = reader.fetch(path, _ENDS).whole()
    try:
        return msgspec.convert(rows, tuple[Mark, ...])
    except msgspec.ValidationError as error:
        raise MalformedJournalError(
            f"{path}: a table_state is malformed ({error}); verify the journal"
        ) from error


def between(
    path: Path, types: Sequence[str] | None, after: int, until: int
) -> Iterator[Record]:
    """Yield the records after one sequence, up to and with another.

    Only those of some types, or (None) all. Memory stays small however many they are.

    Raises:
        JournalError: the journal cannot be read.
    """
    marks = ", ".join("?" * len(types or ()))
    of_types = "" if types is None else f"AND type IN ({marks}) "
    query = (
        f"{schema.SELECT} WHERE sequence > ? AND sequence <= ? {of_types}"
        f"ORDER BY sequence LIMIT {CHUNK_RECORDS}"
    )
    while True:
        rows = reader.fetch(path, query, (after, until, *(types or ()))).whole()
        records = reader.records_of(path, rows)
        yield from records
        if len(records) < CHUNK_RECORDS:
            return
        after = records[-1].sequence


def around(path: Path, sequence: int) -> tuple[int, int]:
    """Return the two ends between which a round and its neighbours lie.

    `sequence` is one of the round's records; both ends may be those of the journal.
    """
    before = f"{_STATES} AND sequence < ? ORDER BY sequence DESC LIMIT 2"
    after = f"{_STATES} AND sequence >= ? ORDER BY sequence LIMIT 2"
    earlier = _sequences(path, before, sequence)
    later = _sequences(path, after, sequence)
    first = earlier[1] if len(earlier) > 1 else 0
    return first, later[1] if len(later) > 1 else _NO_END


def _sequences(path: Path, query: str, sequence: int) -> tuple[int, ...]:
    rows = reader.fetch(path, query, (sequence,)).whole()
    return tuple(row[0] for row in rows if isinstance(row[0], int))
