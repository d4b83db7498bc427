"""What is on disk, followed from outside: the table that every start must find."""

from collections.abc import Callable, Iterable
from typing import Final

from controller.core import events as ev
from controller.core.ids import Kind
from controller.core.outputs import Outputs, outputs
from controller.core.secrets import Secrets, commitments
from controller.core.state import TableState
from simulators.rigs.checkers.checker import Checker, Inspection, Step
from simulators.rigs.virtual.host import Flight
from simulators.rigs.virtual.keeping import Found
from simulators.rigs.virtual.steps import steps_of

STARTS_AS_IT_WAS: Final = "starts_as_it_was"
NO_FAULT_OF_OURS: Final = "no_fault_of_ours"

_OURS: Final = frozenset(
    {
        Kind.INTERNAL_FAULT,
        Kind.JOURNAL_BEHIND,
        Kind.JOURNAL_DAMAGED,
        Kind.JOURNAL_FULL,
    }
)


class Watch:
    """The committed table, and the checkers that look at each step of it."""

    def __init__(self, opened: TableState, checkers: Iterable[Checker]) -> None:
        self.state = opened
        self.shown: Outputs = outputs(opened)
        self.inspection = Inspection(opened, checkers)
        self.steps = 0
        self.sinks: list[Callable[[Step], None]] = []
        self._secrets = Secrets()

    def landed(self, flight: Flight) -> None:
        """Follow a batch that is on disk."""
        for step in steps_of(flight, self.steps + 1, outputs):
            self.see(step)
        self._secrets = flight.planned.after.secrets
        if self.state != flight.planned.after.state:
            self.blame(STARTS_AS_IT_WAS, "the records lead to another table than shown")

    def see(self, step: Step) -> None:
        """Follow a step that is on disk."""
        self.steps += 1
        self.inspection.see(step)
        self._look_for_faults(step)
        for sink in self.sinks:
            sink(step)
        self.state, self.shown = step.state, step.shown

    def started(self, found: Found, *, escrow_is_lost: bool) -> None:
        """Hold what a start found against what was written."""
        if found.state != self.state:
            self.blame(STARTS_AS_IT_WAS, "a start found another table than was written")
        # What no record counts on any more, a start may drop.
        known = commitments(self.state)
        faces = {(card.number, card.card) for card in found.secrets.cards}
        kept = {(c.number, c.card) for c in self._secrets.cards if c.number in known}
        if not escrow_is_lost and faces != kept:
            self.blame(STARTS_AS_IT_WAS, "a start found other secrets than were sealed")
        self._secrets = found.secrets

    def _look_for_faults(self, step: Step) -> None:
        """No fault of a device or a person is one of the program or its journal."""
        for record in step.records:
            if isinstance(record, ev.IrregularityFound) and record.kind in _OURS:
                self.blame(NO_FAULT_OF_OURS, f"{record.kind.value}: {record.words}")

    def blame(self, checker: str, words: str) -> None:
        """Note a violation at the present step."""
        self.inspection.blame(checker, self.steps, words)
