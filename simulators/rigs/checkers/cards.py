"""Every card that left the shoe is dealt once, and racked once with its own face."""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.commands import ReportCard
from controller.core.evolve import Record
from controller.core.state import TableState
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.layout import Layout
from simulators.rigs.checkers.tabletop import Tabletop


class CardsRackedOnce(Checker):
    """A card number is dealt to one place, goes to one rack, and is never lost."""

    name: ClassVar[str] = "cards_racked_once"

    def __init__(self) -> None:
        self._drawn: dict[int, str] = {}
        self._restated: set[int] = set()
        self._racked: set[int] = set()
        self._back: set[int] = set()
        self._early: set[int] = set()

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Follow each number from the shoe to the rack."""
        match record:
            case ev.CardDealt() | ev.HoleCardDealt():
                numbers = [n for hand in top.layout.hands for n in hand.numbers]
                numbers += top.layout.dealer_numbers
                if numbers.count(record.number) > 1 or record.number in self._racked:
                    yield f"card {record.number} is dealt twice"
            case ev.CardIdentified() | ev.CardCorrected() | ev.HoleCardKeyed():
                self._restated.add(record.number)
            case ev.CardWithdrawn():
                self._back.add(record.number)
            case ev.MissingCardKnown(drawn=False):
                self._back.add(record.number)
            case ev.MissingCardKnown():
                self._restated.add(record.number)
            case ev.ShoeShuffled() if not top.round_open:
                self._back |= self._early
            case ev.RoundClosed():
                yield from self._close(record, top)
            case _:
                pass
        self._early = {n for numbers, _ in top.early for n in numbers}

    def _close(self, record: ev.RoundClosed, top: Tabletop) -> Iterator[str]:
        at = top.layout
        for group in at.rack:
            yield from self._rack(group)
        dealt = {n for hand in at.hands for n in hand.numbers} | {*at.dealer_numbers}
        lost = dealt - self._racked
        if lost:
            yield f"cards {sorted(lost)} were dealt and not racked"
        count = sum(len(numbers) for numbers, _ in at.rack)
        if record.cards != count:
            yield f"{count} cards were racked, the round says {record.cards}"
        if at.dealer and at.rack[-1][0] != tuple(at.dealer_numbers):
            yield "the dealer's cards do not lie on top of the rack"

    def _rack(self, group: tuple[tuple[int, ...], tuple[str, ...]]) -> Iterator[str]:
        for number, face in zip(*group, strict=True):
            if number in self._racked:
                yield f"card {number} is racked twice"
            self._racked.add(number)
            drawn = self._drawn.get(number)
            if drawn is None and number not in self._restated:
                yield f"card {number} is racked and was never drawn"
            elif number not in self._restated and face not in ("??", drawn):
                yield f"card {number} was drawn as {drawn} and racked as {face}"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Take what the shoe gave, and miss nothing of it between rounds."""
        given = step.given
        if isinstance(given, ReportCard) and given.number > step.before.shoe.last_card:
            self._drawn[given.number] = "??" if given.unread else given.card
        if top.round_open:
            return
        somewhere = self._racked | self._back | self._early
        somewhere |= _loose(step.state)
        lost = self._drawn.keys() - somewhere
        if lost:
            yield f"cards {sorted(lost)} left the shoe and are nowhere"
            self._back |= lost


def _loose(state: TableState) -> set[int]:
    """Return the numbers of cards that lie aside until a decision or a need."""
    return {card.number for card in (*state.undecided, *state.held, *state.waiting)}


class InventoryIsPublic(Checker):
    """What counts as out of the shoe is exactly what all have seen of it."""

    name: ClassVar[str] = "inventory_is_public"

    def __init__(self) -> None:
        self._shuffled_in_round = False
        self._of_old_shoes = 0

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Note that the shoe was shuffled in the middle of a round."""
        if isinstance(record, ev.ShoeShuffled):
            self._shuffled_in_round = top.round_open
        elif isinstance(record, ev.BetsClosed):
            self._shuffled_in_round = False
        yield from ()

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Hold the count of this round against the cards that show."""
        if any(isinstance(record, ev.ShoeReplaced) for record in step.records):
            self._of_old_shoes = step.before.shoe.last_card
        if not top.round_open or self._shuffled_in_round:
            return
        shown = Counter(
            card
            for number, card in _showing(top.layout)
            if card != "??" and number > self._of_old_shoes
        )
        if shown != Counter(step.state.play.seen):
            yield f"{shown} show, {Counter(step.state.play.seen)} count as out"


def _showing(at: Layout) -> Iterator[tuple[int, str]]:
    """Return number and face of every card that lies open, or in this round's rack."""
    for hand in at.hands:
        if not hand.picked_up:
            yield from zip(hand.numbers, hand.cards, strict=True)
    if not at.dealer_picked_up:
        yield from zip(at.dealer_numbers, at.dealer, strict=True)
    for numbers, faces in at.rack:
        yield from zip(numbers, faces, strict=True)
    if at.offer is not None:
        yield at.offer
