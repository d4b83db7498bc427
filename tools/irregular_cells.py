"""Which scenario shows which irregularity, and which decision, in which phase.

Nobody writes that down: each scenario is played, and what stopped the table and what
was decided is taken from the records.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from controller.core import events as ev
from controller.core.commands import Command
from controller.core.ids import Phase
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import Head, read_scenario
from simulators.rigs.scenario.run import play
from tools.clauses import SCENARIOS

Cell = tuple[str, Phase]
"""What happened, and the phase of the game at that time, suspended or not."""


class NotingTable(CoreTable):
    """A table that notes what stopped it, and what was decided, in which phase."""

    def __init__(self, head: Head) -> None:
        self.cells: set[Cell] = set()
        super().__init__(head)

    def _send(self, command: Command) -> None:
        before, caused = self.state.play_phase, len(self._caused)
        super()._send(command)
        for record in self._caused[caused:]:
            match record:
                case ev.IrregularityFound():
                    self.cells.add((record.kind.value, self.state.play_phase))
                case ev.DecisionTaken():
                    self.cells.add((record.command, before))
                case _:
                    pass


@cache
def cells_shown() -> Mapping[Cell, tuple[Path, ...]]:
    """Return the scenarios that show each cell, in the order of their names."""
    found: dict[Cell, list[Path]] = defaultdict(list)
    for file in sorted(SCENARIOS.rglob("*.scenario")):
        for cell in cells_of(file):
            found[cell].append(file)
    return {cell: tuple(files) for cell, files in found.items()}


def cells_of(file: Path) -> frozenset[Cell]:
    """Return the cells that one scenario shows."""
    tables: list[NotingTable] = []

    def opened(head: Head) -> NotingTable:
        tables.append(NotingTable(head))
        return tables[-1]

    play(read_scenario(file), opened, cut_everywhere=False)
    return frozenset(tables[0].cells)
