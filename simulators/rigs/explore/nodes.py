"""A table on the way of an exploration, and what an exploration came to."""

from collections import Counter
from typing import Final

import msgspec

from controller.core.commands import Command
from controller.core.ids import Phase
from controller.core.secrets import Secrets
from controller.core.state import TableState
from simulators.rigs.checkers.checker import Inspection

UNDISTURBED: Final = 1_000_000
"""Steps left where nothing has gone wrong yet: to the end of the round."""


class Bounds(msgspec.Struct, frozen=True):
    """How far to go: so many things may go wrong, and so many steps be taken then."""

    mishaps: int
    steps: int

    def covers(self, other: "Bounds") -> bool:
        """Return whether whoever may go so far comes wherever the other comes."""
        return self.mishaps >= other.mishaps and self.steps >= other.steps


class Node(msgspec.Struct, frozen=True):
    """A table that was reached: what is secret there, who watched, how far to go on."""

    state: TableState
    secrets: Secrets
    inspection: Inspection
    left: Bounds
    trail: tuple[Command, ...] = ()


class Finding(msgspec.Struct, frozen=True):
    """Something that must never be, and the commands that led to it."""

    words: str
    trail: tuple[Command, ...]


class Explored(msgspec.Struct):
    """What an exploration came to.

    `tables` are different ones; `steps` led from one to another and were checked;
    `longest` is the most commands from the closed table on. `cells` says what stopped
    the table and what was decided, each with the phase of the game at that time, but
    for tables at which the program itself had failed: that may happen anywhere.
    """

    tables: Counter[str] = msgspec.field(default_factory=Counter)
    steps: int = 0
    refusals: int = 0
    longest: int = 0
    cells: set[tuple[str, Phase]] = msgspec.field(default_factory=set)
    findings: list[Finding] = msgspec.field(default_factory=list)
