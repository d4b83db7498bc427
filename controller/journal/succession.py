"""A journal that another takes the place of: since it is no good, or long enough.

What is sure of the old one is folded; the next one is made beside it, complete, and
then the files change places. Whatever interrupts that, the next start ends it: from
the moment that the next one has its name, it is decided.
"""

import contextlib
import itertools
import os
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec.structs import replace

from controller.core import events as ev
from controller.core.ids import Kind
from controller.core.state import TableState
from controller.journal import reader, schema
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    CodecError,
    JournalError,
    MalformedJournalError,
    NotAJournalError,
    explained,
)
from controller.journal.fold import folded, state_at_end
from controller.journal.folders import sync_folder
from controller.journal.lineage import predecessor_of
from controller.journal.lock import WriterLock
from controller.journal.records import JournalKind, Stamp
from controller.journal.store import require_ours
from controller.journal.table_journal import TableJournal
from controller.journal.verify import follow

_NEXT: Final = ".next"
_IN_THE_MAKING: Final = ".next-in-the-making"
_ASIDE: Final = ".old"
_ARCHIVED: Final = ".to-round-"

_OF_A_JOURNAL: Final = ("", "-wal", "-shm", ".heads")
_OF_ITS_ESCROW: Final = (".escrow", ".escrow-wal", ".escrow-shm")
"""What belongs to a journal beside its file; its lock stays where it is."""

_NO_GOOD: Final = (MalformedJournalError, CodecError, NotAJournalError)

_NO_MORE: Final = (Kind.JOURNAL_DAMAGED, Kind.JOURNAL_BEHIND)
"""What a running table found out of its journal: it lost records long ago, say."""

_STATES = "SELECT sequence FROM journal WHERE type = 'table_state'"
_FROM = schema.SELECT + " WHERE sequence >= ? ORDER BY sequence"
_LAST_ROUND = "SELECT max(round) FROM journal"


class Salvaged(msgspec.Struct, frozen=True):
    """What is sure of a journal that cannot be gone on with.

    `state` is the table after the record `link`, None where nothing can be read.
    `last_round` is the highest number that is seen in it, also in records that
    cannot be trusted; 0: none can be read.
    """

    state: TableState | None
    link: Link
    last_round: int


class Succession:
    """One journal being succeeded; nobody else writes it meanwhile."""

    def __init__(self, path: Path, kind: JournalKind) -> None:
        """Take the journal's lock.

        Raises:
            JournalError: Another process has it.

        """
        self._path = path
        self._kind = kind
        self._lock = WriterLock.take(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @property
    def aside(self) -> str:
        """The name under which a journal lies that is no good."""
        return _free_name(self._path, self._path.name + _ASIDE)

    def archived(self, last_round: int) -> str:
        """Return the name under which an archived journal lies."""
        return _free_name(self._path, f"{self._path.name}{_ARCHIVED}{last_round}")

    def fault(self) -> str:
        """Return why the journal cannot be gone on with; empty where it can.

        This looks at what a start looks at.

        Raises:
            JournalError: There is none, it is of the other kind, or it cannot be read
                just now.

        """
        path = self._path
        try:
            with explained(path), contextlib.closing(reader.connect(path)) as opened:
                require_ours(path, opened, self._kind)
            state = state_at_end(path)
        except _NO_GOOD as error:
            return str(error)
        found = (i.words for i in state.irregularities if i.kind in _NO_MORE)
        return next(found, "")

    def salvage(self) -> Salvaged:
        """Return what is sure of the journal: the records that hold.

        They are folded from the newest end of a round from which the chain can be
        followed at all.
        """
        path = self._path
        last_round = max(_numbers(path, _LAST_ROUND), default=0)
        for start in (*sorted(_numbers(path, _STATES), reverse=True), 1):
            state, link = _followed(path, start)
            if state is not None:
                return Salvaged(state, link, last_round)
        return Salvaged(None, GENESIS, last_round)

    def carry_out(
        self,
        opened: ev.JournalOpened,
        predecessor: ev.Predecessor,
        taken_over: TableState,
        stamp: Stamp,
    ) -> None:
        """Begin the successor, and let it and the old journal change places.

        Its first record is `opened` with the table that it takes over, and what it
        says of the old journal.

        Raises:
            JournalError: Nothing has changed.

        """
        made = self._path.with_name(self._path.name + _IN_THE_MAKING)
        _remove(made)
        first = replace(
            opened,
            table=taken_over.table,
            seats=taken_over.seat_count,
            rules=taken_over.rules,
            succeeds=predecessor,
        )
        TableJournal.begin(made, first, stamp, taken_over).close()
        sync_folder(Path(os.path.realpath(self._path)).parent)
        made.replace(_successor(self._path))
        _remove(made)
        _change_places(self._path)


def finish(path: Path) -> None:
    """End a succession that was interrupted, if there was one.

    Raises:
        JournalError: The journal is in use, or the successor cannot be read.

    """
    if not _successor(path).exists():
        return
    lock = WriterLock.take(path)
    try:
        _change_places(path)
    finally:
        lock.release()


def _change_places(path: Path) -> None:
    """Move the old journal aside, with all that belongs to it, then the new one in.

    The last move makes the successor's own name disappear; until then this can be
    done again, and what was moved already is no longer there to be moved.
    """
    successor = _successor(path)
    sync_folder(Path(os.path.realpath(path)).parent)
    predecessor = _predecessor(successor)
    aside = predecessor.file
    # Who goes on from a good journal still needs the secrets of what lies face down.
    escrow = _OF_ITS_ESCROW if predecessor.found else ()
    for suffix in (*_OF_A_JOURNAL, *escrow):
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(path.with_name(aside + suffix))
    sync_folder(Path(os.path.realpath(path)).parent)
    successor.replace(path)
    sync_folder(Path(os.path.realpath(path)).parent)


def _successor(path: Path) -> Path:
    return path.with_name(path.name + _NEXT)


def _free_name(path: Path, name: str) -> str:
    """Return a name beside a journal that no file has yet."""
    again = (f"{name}-{number}" for number in itertools.count(2))
    names = itertools.chain((name,), again)
    return next(free for free in names if not path.with_name(free).exists())


def _predecessor(successor: Path) -> ev.Predecessor:
    predecessor = predecessor_of(successor)
    if predecessor is None:
        raise MalformedJournalError(
            f"{successor}: expected the journal of a succession; move it away"
        )
    return predecessor


def _remove(made: Path) -> None:
    """Remove what an interrupted making left, or what a finished one leaves over."""
    for suffix in (*_OF_A_JOURNAL, *_OF_ITS_ESCROW, "-lock"):
        made.with_name(made.name + suffix).unlink(missing_ok=True)


# --- What holds -------------------------------------------------------------------


def _followed(path: Path, start: int) -> tuple[TableState | None, Link]:
    """Return the table as far as the chain holds from a record on, and how far."""
    # The record before comes along, for the hash that the first one continues.
    rows = reader.fetch(path, _FROM, (max(start - 1, 1),)).rows
    after = GENESIS
    if start > 1:
        if not rows or not _is_link(rows[0], start - 1):
            return None, GENESIS
        after, rows = Link(start - 1, bytes(rows[0][-1])), rows[1:]  # type: ignore[arg-type]
    reached, _fault = follow(rows, after)
    state: TableState | None = None
    link = GENESIS
    try:
        for row in reader.records_of(path, rows[: reached.sequence - after.sequence]):
            state = folded(path, row, state)
            link = Link(row.sequence, row.hash)
    except JournalError:
        pass  # What does not fit, and all behind it, is not taken over.
    return state, link


def _is_link(row: reader.Columns, sequence: int) -> bool:
    return row[0] == sequence and isinstance(row[-1], bytes)


def _numbers(path: Path, query: str) -> list[int]:
    """Return what can be read of a column of numbers, of a file that may be damaged."""
    return [row[0] for row in reader.fetch(path, query).rows if isinstance(row[0], int)]
