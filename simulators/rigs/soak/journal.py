"""A soak run's records in a real journal, on the table's virtual time."""

from pathlib import Path
from typing import Final, Self

from controller.core import events as ev
from controller.core.commands import Command
from controller.core.decide import Decision
from controller.journal.records import Stamp
from controller.journal.table_journal import Decided, TableJournal
from controller.runtime.clock import rfc3339
from simulators.rigs.soak.rig import Rig

_BEGAN_NS: Final = 1_767_225_600_000_000_000
"""When virtual time begins: the first moment of 2026."""
_NS_PER_S: Final = 1_000_000_000
_BOOT: Final = "soak"


class SoakJournal:
    """Writes what a table decides, a round in one transaction."""

    def __init__(self, path: Path, rig: Rig) -> None:
        self._rig = rig
        self._round = rig.state.round
        self._batch: list[Decided] = []
        self._journal = TableJournal.begin(path, rig.opening_record, self._stamp())

    def take(self, command: Command | None, decision: Decision) -> None:
        """Take what one command led to; the opening was written already."""
        if command is None or not decision.records:
            return
        self._batch.append(
            Decided(
                self._stamp(),
                self._round,
                decision.records,
                decision.sealed,
                decision.opened,
            )
        )
        self._round = decision.state.round
        if any(isinstance(r, ev.TableStateRecorded) for r in decision.records):
            self._write()

    def _write(self) -> None:
        if self._batch:
            self._journal.write(self._batch)
            self._journal.tidy()
            self._batch.clear()

    def _stamp(self) -> Stamp:
        passed_ns = round(self._rig.now * _NS_PER_S)
        return Stamp(
            rfc3339(_BEGAN_NS + passed_ns),
            clock_synchronised=False,
            boot_id=_BOOT,
            monotonic_ns=passed_ns,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is left of the last round, and close."""
        self._write()
        self._journal.close()
