"""The cards as they physically are, in the shoe and out of it."""

from collections.abc import Collection
from random import Random

from controller.core.cards import Card
from controller.core.rules import Rules, composition
from controller.core.state import TableState


class PhysicalShoe:
    """A shoe of real cards; whoever draws from it sees one card at a time.

    `faces` are the cards out of the shoe, by the numbers under which they left it.
    """

    def __init__(self, rules: Rules, rng: Random) -> None:
        self._rng = rng
        self._cards = [
            card for card, copies in composition(rules).items() for _ in range(copies)
        ]
        self.number = 0
        self.faces: dict[int, Card] = {}

    @property
    def left(self) -> int:
        """How many cards are in the shoe."""
        return len(self._cards)

    def draw(self) -> Card:
        """Let the next card leave the shoe; every card left is equally likely."""
        cards = self._cards
        at = self._rng.randrange(len(cards))
        card, cards[at] = cards[at], cards[-1]
        cards.pop()
        self.number += 1
        self.faces[self.number] = card
        return card

    def face(self, number: int) -> Card:
        """Return what a person reads off a card that lies on the table."""
        if number not in self.faces:
            # It left the shoe before this one was looked at: any card may be it.
            self.faces[number] = self._cards.pop()
        return self.faces[number]

    def shuffle(self, on_table: Collection[int]) -> None:
        """Put all cards back but those of these numbers, which lie on the table."""
        back = [number for number in self.faces if number not in on_table]
        self._cards += [self.faces.pop(number) for number in back]


def lying_numbers(state: TableState) -> frozenset[int]:
    """Return the numbers of the cards that are on the table and not in the rack."""
    play = state.play
    numbers = {n for hand in play.hands if not hand.picked_up for n in hand.numbers}
    if not play.dealer.picked_up:
        numbers |= set(play.dealer.numbers)
    loose = (*state.held, *state.undecided, *state.waiting)
    return frozenset(numbers | {card.number for card in loose} | set(state.missing))
