"""Every card that left the shoe is dealt once, and racked once with its own face."""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.commands import ReportCard
from controller.core.evolve import Record
from controller.core.state import TableState
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.layout import Group, Layout
from simulators.rigs.checkers.tabletop import Tabletop


class CardsRackedOnce(Checker):
    """A card number is dealt to one place, goes to one rack, and is never lost.

    `_out` are the cards that left the shoe and are in no rack yet, with the face that
    the shoe read; None where people said what it is.
    """

    name: ClassVar[str] = "cards_racked_once"

    def __init__(self) -> None:
        self._out: dict[int, str | None] = {}
        self._highest = 0

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Follow each number from the shoe to the rack."""
        match record:
            case ReportCard() if record.number > self._highest:
                self._highest = record.number
                self._out[record.number] = None
            case ev.CardNumbersMissing():
                # The shoe may read one of them again; people say where they lie.
                self._highest = max(self._highest, record.last)
            case ev.CardDealt() | ev.HoleCardDealt():
                yield from self._dealt(record.number, top.layout)
            case ev.CardIdentified() | ev.CardCorrected() | ev.HoleCardKeyed():
                if record.number in self._out:
                    self._out[record.number] = None
            case ev.MissingCardKnown() if record.drawn:
                self._out[record.number] = None
            case ev.CardWithdrawn() | ev.MissingCardKnown():
                self._out.pop(record.number, None)
            case ev.RoundClosed():
                yield from self._closed(record, top.layout)
            case _:
                pass

    def _dealt(self, number: int, at: Layout) -> Iterator[str]:
        numbers = [n for hand in at.hands for n in hand.numbers] + at.dealer_numbers
        if numbers.count(number) > 1 or number not in self._out:
            yield f"card {number} is dealt twice"

    def _closed(self, record: ev.RoundClosed, at: Layout) -> Iterator[str]:
        for group in at.rack:
            yield from self._racked(group)
        dealt = {n for hand in at.hands for n in hand.numbers} | {*at.dealer_numbers}
        lost = dealt & self._out.keys()
        if lost:
            yield f"cards {sorted(lost)} were dealt and not racked"
        count = sum(len(numbers) for numbers, _ in at.rack)
        if record.cards != count:
            yield f"{count} cards were racked, the round says {record.cards}"
        if at.dealer and at.rack[-1][0] != tuple(at.dealer_numbers):
            yield "the dealer's cards do not lie on top of the rack"

    def _racked(self, group: Group) -> Iterator[str]:
        for number, face in zip(*group, strict=True):
            if number not in self._out:
                yield f"card {number} is racked twice, or was never drawn"
                continue
            drawn = self._out.pop(number)
            if drawn is not None and face not in ("??", drawn):
                yield f"card {number} was drawn as {drawn} and racked as {face}"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Take the face that the shoe gave, and miss no card between rounds."""
        given = step.given
        if isinstance(given, ReportCard) and given.number > step.before.shoe.last_card:
            self._out[given.number] = "??" if given.unread else given.card
        if top.round_open:
            return
        if any(isinstance(record, ev.ShoeShuffled) for record in step.records):
            # What was burned before the round went back into the shoe with the rest.
            for group in step.before.early:
                for number in group.numbers:
                    self._out.pop(number, None)
        for number in self._out.keys() - _aside(step.state):
            yield f"card {number} left the shoe and is nowhere"
            self._out.pop(number)


def _aside(state: TableState) -> set[int]:
    """Return the numbers of cards that lie aside until a decision or a need."""
    loose = {card.number for card in (*state.undecided, *state.held, *state.waiting)}
    return loose | {number for group in state.early for number in group.numbers}


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
