"""What a soak run found, as one JSON object."""

import hashlib
import math
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.decide import Decision
from controller.journal.table_codec import CODEC
from simulators.rigs.checkers.checker import Violation

EXPECTED_PERCENT: Final = -0.53
"""What basic strategy loses a round, per unit first wagered: six decks, shuffled
before every round, dealer hits soft 17, late surrender, double after split."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What was played and what was wrong with it.

    `digest` is SHA-256 over every record without wall time. `result_percent` is what
    players of basic strategy gained a round, per unit first wagered, with its
    standard error; None where none played a round.
    """

    seed: int
    rounds: int
    hands: int
    events: int
    seconds: float
    violations: tuple[Violation, ...]
    digest: str
    result_percent: float | None = None
    standard_error_percent: float | None = None
    expected_percent: float = EXPECTED_PERCENT


class Tally:
    """Counts what happens at a table, and the results of some of its seats."""

    def __init__(self, measured: frozenset[int]) -> None:
        self._measured = measured
        self._hash = hashlib.sha256()
        self.events = self.rounds = self.hands = 0
        self._results = 0
        self._sum = self._squares = 0.0

    def take(self, _command: object, decision: Decision) -> None:
        """Count what one command led to."""
        for record in decision.records:
            written = CODEC.encode(record)
            self._hash.update(f"{written.type}\n{written.body}\n".encode())
            if isinstance(record, ev.RoundClosed):
                self._count_round(decision)
        self.events += len(decision.records)

    def _count_round(self, decision: Decision) -> None:
        play = decision.state.play
        self.rounds += 1
        self.hands += len(play.hands)
        for wager in play.wagers:
            if wager.seat in self._measured:
                net = sum(h.net_cents for h in play.hands if h.seat == wager.seat)
                result = net / wager.amount_cents
                self._results += 1
                self._sum += result
                self._squares += result * result

    @property
    def digest(self) -> str:
        """The SHA-256 of all records so far, in hex."""
        return self._hash.hexdigest()

    def result_percent(self) -> tuple[float | None, float | None]:
        """Return mean and standard error of the measured results, in percent."""
        count = self._results
        if count <= 1:
            return None, None
        mean = self._sum / count
        variance = (self._squares - count * mean * mean) / (count - 1)
        return 100 * mean, 100 * math.sqrt(variance / count)
