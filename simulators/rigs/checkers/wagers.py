"""Wagers are what was placed, and each is settled once."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.evolve import Record
from controller.core.ids import InsuranceResult
from simulators.rigs.checkers.checker import Checker
from simulators.rigs.checkers.layout import Layout
from simulators.rigs.checkers.tabletop import Tabletop


class WagersAsPlaced(Checker):
    """What is played for is what was placed, and only double and split raise it."""

    name: ClassVar[str] = "wagers_as_placed"

    def __init__(self) -> None:
        self._circles: dict[int, int] = {}
        self._committed: dict[int, int] = {}

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Follow each wager from the circle into the round."""
        match record:
            case ev.WagerPlaced():
                self._circles[record.spot] = record.amount_cents
            case ev.BetsClosed():
                self._committed, self._circles = _placed(self._circles), {}
                listed = {w.spot: w.amount_cents for w in record.wagers}
                if listed != self._committed:
                    yield f"{listed} was committed, {self._committed} placed"
            case ev.DealUndone():
                self._circles = self._committed
                listed = {w.spot: w.amount_cents for w in record.wagers}
                if listed != self._circles:
                    yield f"{listed} was given back, {self._circles} placed"
            case ev.WagerReduced():
                placed = self._committed[record.spot]
                if record.honoured_cents + record.returned_cents != placed:
                    yield f"{record} of {placed}"
            case ev.HandDoubled() | ev.HandSplit():
                yield from self._raised(record, top)
            case _:
                pass

    def _raised(
        self, record: ev.HandDoubled | ev.HandSplit, top: Tabletop
    ) -> Iterator[str]:
        placed = self._committed[int(record.hand.split(".")[0])]
        base = min(placed, top.rules.wager_max_cents)
        due = 2 * base if isinstance(record, ev.HandDoubled) else base
        if record.wager_cents != due:
            yield f"hand {record.hand} is played for {record.wager_cents}, not {due}"


def _placed(circles: dict[int, int]) -> dict[int, int]:
    return {spot: cents for spot, cents in circles.items() if cents}


class WagersSettledOnce(Checker):
    """Each wager is settled, and not again unless a decision opened it."""

    name: ClassVar[str] = "wagers_settled_once"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Count the standing settlements of each wager."""
        match record:
            case ev.HandSettled() | ev.InsuranceSettled():
                yield from _twice(top.standing)
            case ev.RoundSettled() | ev.RoundClosed():
                for hand in top.layout.hands:
                    if hand.settled is None:
                        yield f"hand {hand.name} is not settled"
                for seat, answer in top.layout.insured.items():
                    if answer.amount_cents and answer.settled is None:
                        yield f"the insurance of seat {seat} is not settled"
            case _:
                pass


def _twice(standing: Iterable[object]) -> Iterator[str]:
    """Return every wager settled twice with nothing that opened it between.

    A split renames hands, so a settled hand's number may move up with it.
    """
    layout = Layout()
    for record in standing:
        if isinstance(record, ev.HandSettled):
            if layout.hand(record.hand).settled is not None:
                yield f"hand {record.hand} is settled twice"
        elif isinstance(record, ev.InsuranceSettled):
            before = layout.insured[record.seat].settled
            returned = record.result is InsuranceResult.RETURNED
            if before is not None and not (
                returned and before.how is not InsuranceResult.RETURNED
            ):
                yield f"the insurance of seat {record.seat} is settled twice"
        layout.take(record)
