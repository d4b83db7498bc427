"""The cards of a virtual table as they physically are, in the shoe and on the felt.

People read a face off the felt; nothing of the table's own record is asked for it.
"""

from collections.abc import Iterable
from random import Random
from typing import Final, Protocol

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.evolve import Record
from controller.core.state import TableState
from drivers.shoe.messages import CardDrawn, CardUnread
from simulators.devices.decks import ONE_DECK, Decks, fresh_decks
from simulators.devices.shoe import ShoeSimulator

Key = tuple[int, int]
"""A card as the shoe counts it: boot id and card number."""

PENETRATION: Final = 0.75


class TableShoe(ShoeSimulator):
    """A shoe with real cards in it, which knows the face of each that is out."""

    def __init__(self, source: Random, cards: Decks) -> None:
        super().__init__(source)
        self._count = len(cards) // len(ONE_DECK)
        self.cards = self.decks = cards
        self.out: dict[Key, str] = {}

    def draw_unread(self) -> int:
        """Draw the next card of the decks without reading it."""
        number = super().draw_unread()
        if self.powered and self.cards.left_to_draw:
            self.out[self.memory.boot_id, number] = self.cards.draw()
        return number

    @property
    def all_is_taken(self) -> bool:
        """Whether the table has all that the shoe told it."""
        return self.memory.oldest_not_taken is None

    def put_back(self, but: Iterable[Key]) -> None:
        """Lay all cards back into the shoe, but those that stay on the table."""
        stay = set(but)
        back = [key for key in self.out if key not in stay]
        self.cards.put_back(self.out.pop(key) for key in back)

    def replace(self) -> None:
        """Put another shoe of fresh decks in the place of this one."""
        cards = fresh_decks(self._count)
        self.cards = self.decks = Decks(cards, self._source, PENETRATION)
        self.out.clear()

    def _draw(self, event: CardDrawn | CardUnread) -> int:
        if isinstance(event, CardDrawn):
            self.out[self.memory.boot_id, event.card_number] = event.card
        return super()._draw(event)


def shoe_of(source: Random, decks: int) -> TableShoe:
    """Return a shoe of so many decks, shuffled."""
    return TableShoe(source, Decks(fresh_decks(decks), source, PENETRATION))


class Shoe(Protocol):
    """A shoe of whatever kind, as the felt before it knows it."""

    out: dict[Key, str]

    def put_back(self, but: Iterable[Key]) -> None:
        """Lay all cards back into the shoe, but those that stay on the table."""

    def replace(self) -> None:
        """Put another shoe of fresh decks in the place of this one."""


class Felt:
    """Which of the shoe's cards each of the table's card numbers is."""

    def __init__(self, shoe: Shoe) -> None:
        self._shoe = shoe
        self._keys: dict[int, Key] = {}

    def note(self, records: Iterable[Record], after: TableState) -> None:
        """Follow the numbers that a step gave; `after` is the table then."""
        for record in records:
            match record:
                case cm.ReportCard() if record.cursor is not None:
                    self._note(record.number, record.cursor.boot_id, after)
                case ev.ShoeReplaced():
                    self._shoe.replace()
                case ev.CardNumbersMissing():
                    for number in range(record.first, record.last + 1):
                        self._note(number, after.shoe.boot_id, after)
                case _:
                    pass

    def face(self, number: int) -> Card | None:
        """Return the face of a card that lies there; None where there is none."""
        face = self._shoe.out.get(self._keys.get(number, (0, 0)))
        return None if face is None else Card(face)

    def shuffle(self, state: TableState) -> None:
        """Put back every card but those that lie on the table."""
        lying = lying_numbers(state)
        self._keys = {n: key for n, key in self._keys.items() if n in lying}
        self._shoe.put_back(self._keys.values())

    def _note(self, number: int, boot_id: int, after: TableState) -> None:
        self._keys[number] = (boot_id, number - after.shoe.card_offset)


def lying_numbers(state: TableState) -> frozenset[int]:
    """Return the numbers of the cards on the table that are not in the rack."""
    play = state.play
    numbers = {n for hand in play.hands if not hand.picked_up for n in hand.numbers}
    if not play.dealer.picked_up:
        numbers |= set(play.dealer.numbers)
    loose = (*state.held, *state.undecided, *state.waiting)
    return frozenset(numbers | {card.number for card in loose})
