"""What a checker is given, and what it reports."""

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from controller.core.evolve import Record
from controller.core.outputs import Outputs
from controller.core.state import TableState
from simulators.rigs.checkers.tabletop import Tabletop


class Step(msgspec.Struct, frozen=True):
    """One command as a device or person gave it, and all that came of it.

    `given` still has the face of its card; the records may not.
    """

    number: int
    given: Record
    records: tuple[Record, ...]
    before: TableState
    state: TableState
    shown: Outputs


class Violation(msgspec.Struct, frozen=True):
    """Something that must never be: which checker says so, after which step."""

    checker: str
    step: int
    words: str


class Checker:
    """One thing that must hold at every table, watched from outside."""

    name: ClassVar[str]

    def on_record(self, record: Record, top: Tabletop) -> Iterable[str]:
        """Return what is wrong with a record, in words; `top` is the table after it."""
        del record, top
        return ()

    def on_step(self, step: Step, top: Tabletop) -> Iterable[str]:
        """Return what is wrong after a whole step, in words."""
        del step, top
        return ()


class Inspection:
    """All checkers over one table."""

    def __init__(self, opened: TableState, checkers: Iterable[Checker]) -> None:
        self.top = Tabletop(opened.rules)
        self.violations: list[Violation] = []
        checkers = tuple(checkers)
        self._by_record = tuple(
            c for c in checkers if type(c).on_record is not Checker.on_record
        )
        self._by_step = tuple(
            c for c in checkers if type(c).on_step is not Checker.on_step
        )

    def see(self, step: Step) -> None:
        """Show every checker one step of the table."""
        for record in step.records:
            self.top.take(record)
            for checker in self._by_record:
                for words in checker.on_record(record, self.top):
                    self.blame(checker.name, step.number, words)
        for checker in self._by_step:
            for words in checker.on_step(step, self.top):
                self.blame(checker.name, step.number, words)

    def blame(self, checker: str, step: int, words: str) -> None:
        """Note a violation."""
        self.violations.append(Violation(checker, step, words))
