"""The records folded again from the first, each step as the table then was."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.evolve import evolve
from controller.core.state import TableState, new_table
from controller.evidence.findings import (
    Finding,
    FindingError,
    FindingKind,
    facts,
)
from controller.evidence.replay import Replay, Step
from controller.journal.records import TAKEN_OVER
from controller.journal.records import Record as Row

TELL_EVERY: Final = 500


def first_difference(
    path: Path,
    until: int,
    replay: Replay,
    told: Callable[[int], None],
    *,
    whole: bool,
) -> Finding | None:
    """Return the first record up to `until` that does not follow from those before.

    `whole` says that the journal ends with a step that is complete. `told` hears now
    and then how many records were folded.
    """
    fold = Fold(replay)
    try:
        for row, fact in facts(path, until):
            if row.sequence % TELL_EVERY == 0:
                told(row.sequence)
            fold.take(row, fact)
        if whole:
            fold.end()
    except FindingError as error:
        return error.finding
    told(until)
    return None


class Fold:
    """Folds a journal step by step; the causes of its records were looked at before."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._state: TableState | None = None
        self._rows: list[Row] = []
        self._facts: list[Fact] = []

    def take(self, row: Row, fact: Fact) -> None:
        """Take one record; a step is looked at when the next one begins.

        Raises:
            FindingError: a record of the step before does not follow.
        """
        if isinstance(fact, ev.HeadSigned):
            return  # It may stand in the midst of a step, and changes no table.
        if row.cause is None:
            self.end()
        self._rows.append(row)
        self._facts.append(fact)

    def end(self) -> None:
        """Look at the step that was taken last.

        Raises:
            FindingError: a record of it does not follow.
        """
        if not self._rows:
            return
        step = Step(tuple(self._rows), tuple(self._facts))
        self._rows.clear()
        self._facts.clear()
        state = self._state or _at_first(step)
        # What was decided again to the same records was folded with them.
        self._state = self._replay.take(state, step) or _folded(state, step)


def _at_first(step: Step) -> TableState:
    opened = step.facts[0]
    assert isinstance(opened, ev.JournalOpened), "the first record's type is checked"
    return new_table(opened.table, opened.seats, opened.rules)


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
