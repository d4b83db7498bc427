"""The cards inside a shuffling shoe, in an order that its seed gives."""

import random
from collections.abc import Iterable
from typing import Final

from drivers.shoe.messages import RANKS, SUITS

ONE_DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)


def fresh_decks(decks: int) -> tuple[str, ...]:
    """Return the 52 cards of each of `decks` decks, unshuffled."""
    return ONE_DECK * decks


class Decks:
    """Cards to draw from, with a cut card among them.

    `penetration` is the share of the cards that lie before the cut card, from 0
    to 1. The cut card is reached once in each shuffle.
    """

    def __init__(
        self, cards: Iterable[str], source: random.Random, penetration: float = 0.75
    ) -> None:
        if not 0.0 < penetration <= 1.0:
            raise ValueError(
                f"penetration: expected a share over 0 and up to 1, got {penetration}"
            )
        self._source = source
        self._penetration = penetration
        self._inside = list(cards)
        self._returned: list[str] = []
        self._before_cut_card = 0
        self.shuffle()

    def __len__(self) -> int:
        return len(self._inside) + len(self._returned)

    @property
    def left_to_draw(self) -> int:
        """How many cards can be drawn before the next shuffle."""
        return len(self._inside)

    def draw(self) -> str:
        """Take the next card.

        Raises:
            IndexError: none is left; put cards back and shuffle.
        """
        self._before_cut_card -= 1
        return self._inside.pop()

    @property
    def at_cut_card(self) -> bool:
        """Whether the cut card is what comes next."""
        return self._before_cut_card == 0

    def put_back(self, cards: Iterable[str]) -> None:
        """Lay cards in; they take part from the next shuffle on."""
        self._returned.extend(cards)

    def shuffle(self) -> int:
        """Mix all cards that are inside and return how many they are."""
        self._inside += self._returned
        self._returned.clear()
        self._source.shuffle(self._inside)
        self._before_cut_card = round(len(self._inside) * self._penetration)
        return len(self._inside)
