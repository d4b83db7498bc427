"""Whether a journal is what was written, and whether what it says can be so.

The chain shows that nobody changed a record afterwards. Whoever can write the
file can also compute hashes, so the records are looked at as well: hidden cards
against their reveals, each `table_state` against the fold of what came before,
and with `replay` every decision against deciding again.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.evolve import evolve
from controller.core.state import TableState, new_table
from controller.evidence.code import code_digest
from controller.evidence.commitments import CommitmentBook
from controller.evidence.findings import (
    COMMANDS,
    TAKEN_OVER,
    Finding,
    FindingError,
    FindingKind,
    facts,
)
from controller.evidence.replay import Counts, Replay, Step
from controller.journal import verify as chain
from controller.journal.errors import CodecError
from controller.journal.records import Record as Row

Progress = Callable[[str, int, int], None]
"""Told what is looked at, how many records were, and how many there are."""

_TELL_EVERY = 500


class Report(msgspec.Struct, frozen=True):
    """What was found: nothing, if the journal is good.

    `records` and `head` (in hex) say how far the chain holds. The first bad record
    comes first; those behind it were not looked at. `replayed` is None unless
    decisions were compared.
    """

    journal: str
    records: int
    head: str
    findings: tuple[Finding, ...]
    replayed: Counts | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def no_progress(_what: str, _done: int, _all: int) -> None:
    """Tell nobody how far a look at a journal has come."""


def verify(
    path: Path, *, replay: bool = False, progress: Progress = no_progress
) -> Report:
    """Verify a whole journal, the open round included.

    Raises:
        JournalError: the file cannot be read as a journal at all.
    """
    found = chain.verify(path)
    looked = _Look(path, found.head.sequence, progress, replay=replay)
    # Where the chain breaks, the last step may have lost its end.
    deep = looked.first_finding(whole=all(f.sequence is None for f in found.faults))
    findings = (
        *((deep,) if deep is not None else ()),
        *(Finding(FindingKind.CHAIN, f.sequence, f.text) for f in found.faults),
    )
    head = found.head
    return Report(str(path), head.sequence, head.hash.hex(), findings, looked.counts)


class _Look:
    """One look at what the records say, up to where the chain holds."""

    def __init__(
        self, path: Path, until: int, progress: Progress, *, replay: bool
    ) -> None:
        self.counts = Counts() if replay else None
        self._path = path
        self._until = until
        self._progress = progress

    def first_finding(self, *, whole: bool) -> Finding | None:
        """Return the first record that is wrong; `whole` journals end with a step."""
        try:
            if self.counts is None:
                self._records(whole=whole)
            else:
                self._decisions(whole=whole)
        except FindingError as error:
            return error.finding
        except CodecError as error:
            return Finding(FindingKind.NOT_UNDERSTOOD, None, str(error))
        return None

    def _records(self, *, whole: bool) -> None:
        book, walk = CommitmentBook(), _Walk(None)
        for row, fact in self._facts("records"):
            book.take(row, fact)
            walk.take(row, fact)
        if whole:
            walk.end()

    def _decisions(self, *, whole: bool) -> None:
        """Look twice: deciding again takes the faces that are opened later on."""
        book = CommitmentBook()
        for row, fact in self._facts("hidden cards"):
            book.take(row, fact)
        replay = Replay(book.openings, code_digest())
        walk = _Walk(replay)
        for row, fact in self._facts("decisions"):
            walk.take(row, fact)
            self.counts = replay.counts
        if whole:
            walk.end()
            self.counts = replay.counts

    def _facts(self, what: str) -> Iterator[tuple[Row, Fact]]:
        for row, fact in facts(self._path, self._until):
            if row.sequence % _TELL_EVERY == 0:
                self._progress(what, row.sequence, self._until)
            yield row, fact
        self._progress(what, self._until, self._until)


class _Walk:
    """Folds a journal step by step, holding each against what may follow."""

    def __init__(self, replay: Replay | None) -> None:
        self._replay = replay
        self._state: TableState | None = None
        self._rows: list[Row] = []
        self._facts: list[Fact] = []

    def take(self, row: Row, fact: Fact) -> None:
        """Take one record; a step is looked at when the next one begins."""
        if row.cause is not None:
            if not self._follows(row):
                text = f"{row.type} names {row.cause} as its cause, which it is not"
                raise FindingError(FindingKind.CAUSE, row.sequence, text)
        else:
            if not _comes_by_itself(row, fact):
                text = f"{row.type} names no input as its cause"
                raise FindingError(FindingKind.CAUSE, row.sequence, text)
            self.end()
        self._rows.append(row)
        self._facts.append(fact)

    def end(self) -> None:
        """Look at the step that was taken last."""
        if not self._rows:
            return
        step = Step(tuple(self._rows), tuple(self._facts))
        self._rows.clear()
        self._facts.clear()
        state = self._state or _at_first(step)
        if self._replay is not None:
            self._replay.take(state, step)
        self._state = _folded(state, step)

    def _follows(self, row: Row) -> bool:
        return bool(
            self._rows
            and row.cause == self._rows[0].sequence
            and isinstance(self._facts[0], COMMANDS)
        )


def _comes_by_itself(row: Row, fact: Fact) -> bool:
    """Return whether a record needs no input: it is one, or begins a journal.

    A journal that goes on from another has that one's table as its second record.
    What the program could not handle is written without its help.
    """
    if isinstance(fact, ev.TableStateRecorded):
        return row.sequence == TAKEN_OVER
    return isinstance(fact, (*COMMANDS, ev.JournalOpened, ev.InternalFault))


def _at_first(step: Step) -> TableState:
    match step.facts[0]:
        case ev.JournalOpened(table=table, seats=seats, rules=rules):
            return new_table(table, seats, rules)
        case _:
            row = step.rows[0]
            text = f"expected journal_opened first, found {row.type}"
            raise FindingError(FindingKind.CHECKPOINT, row.sequence, text)


def _folded(state: TableState, step: Step) -> TableState:
    """Return the table after a step; each `table_state` must be what it folds to."""
    for row, fact in zip(step.rows, step.facts, strict=True):
        if isinstance(fact, ev.TableStateRecorded) and row.sequence != TAKEN_OVER:
            _require_fold(state, row, fact.state)
        try:
            state = evolve(state, fact)
        except Exception as error:
            # Records that a stranger wrote need not fit any table.
            text = f"{row.type} cannot follow what came before: {error!r}"
            raise FindingError(FindingKind.CHECKPOINT, row.sequence, text) from error
    return state


def _require_fold(state: TableState, row: Row, recorded: TableState) -> None:
    differing = [
        name
        for name in TableState.__struct_fields__
        if getattr(recorded, name) != getattr(state, name)
    ]
    if differing:
        text = f"table_state is not what came before it: {', '.join(differing)}"
        raise FindingError(FindingKind.CHECKPOINT, row.sequence, text)
