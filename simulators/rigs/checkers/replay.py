"""Whoever reads the journal arrives at the same table."""

from collections.abc import Callable, Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.evolve import Record, evolve
from controller.core.state import TableState
from controller.journal.codec import Written
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.tabletop import Tabletop


def reread(record: Record) -> Record:
    """Return a record as it comes back from the journal's columns."""
    return CODEC.decode(row_of(CODEC.encode(record)))


def row_of(written: Written) -> Row:
    """Return the row of a value whose place in the chain does not matter here."""
    return Row(
        sequence=1,
        recorded_at="",
        clock_synchronised=False,
        boot_id="",
        monotonic_ns=0,
        cause=None,
        round=None,
        spot=None,
        type=written.type,
        version=written.version,
        body=written.body,
        hash=b"",
    )


class ReplayEqualsPlay(Checker):
    """Folding the records as written gives the state that is played on."""

    name: ClassVar[str] = "replay_equals_play"

    def __init__(
        self,
        opened: TableState,
        fold: Callable[[TableState, Record], TableState] = evolve,
    ) -> None:
        self._replayed = opened
        self._fold = fold

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Fold this step's records; the end of a round must name the state whole."""
        del top
        for record in step.records:
            if isinstance(record, ev.TableStateRecorded) and (
                record.state != self._replayed
            ):
                yield "the recorded table is not the one that the records give"
            self._replayed = self._fold(self._replayed, reread(record))
        if self._replayed != step.state:
            yield f"replaying differs in {_differences(self._replayed, step.state)}"
            self._replayed = step.state


def _differences(one: TableState, other: TableState) -> list[str]:
    return [
        name
        for name in TableState.__struct_fields__
        if getattr(one, name) != getattr(other, name)
    ]
