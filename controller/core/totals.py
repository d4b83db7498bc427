"""What a row of cards counts: its best total, and whether it is a blackjack."""

from functools import lru_cache
from typing import Final

import msgspec

from controller.core.cards import Card, rank, value

TWENTY_ONE: Final = 21
_ACE_BONUS: Final = 10
_TEN: Final = 10
_KEPT: Final = 1024
"""How many totals are remembered: nine of ten questions are about one of the last few.

More would answer a few more, and a table that runs for weeks would grow with them."""


class Total(msgspec.Struct, frozen=True):
    """The best total not over 21, else the lowest; soft while an ace counts 11."""

    points: int
    soft: bool


@lru_cache(maxsize=_KEPT)
def total_of(cards: tuple[Card, ...], joker_value: int = 0) -> Total:
    """Return what a hand is announced as (clause VALUE); unknown faces count 0."""
    hard = sum(value(card, joker_value) for card in cards)
    has_ace = any(rank(card) == "A" for card in cards)
    if has_ace and hard + _ACE_BONUS <= TWENTY_ONE:
        return Total(hard + _ACE_BONUS, soft=True)
    return Total(hard, soft=False)


def is_blackjack(cards: tuple[Card, ...], joker_value: int = 0) -> bool:
    """Return whether these are exactly an ace and a ten-value card (clause BJ).

    Whether the hand was split is the caller's to know: a split hand has none.
    """
    if len(cards) != 2:  # noqa: PLR2004 - the clause says "first two cards"
        return False
    values = sorted(value(card, joker_value) for card in cards)
    has_ace = any(rank(card) == "A" for card in cards)
    return has_ace and values == [1, _TEN]
