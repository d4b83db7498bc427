"""The deal is a list of places; the next card always goes to the first of them.

Spots in order, the dealer, spots again, the dealer (rules.md, Irregularities).
Outside the deal the list is short: the one card that a hit, a double, a split
or the dealer's draw asks for.
"""

from collections.abc import Iterable

from controller.core.ids import DEALER, HandId
from controller.core.state import BURN, HOLE, Place


def deal_places(hands: Iterable[HandId], burns: int) -> tuple[Place, ...]:
    """Return the places of a whole deal, burned cards first (BURN)."""
    players = tuple(Place(hand) for hand in hands)
    return (BURN,) * burns + (*players, Place(DEALER), *players, HOLE)


def without_hand(places: tuple[Place, ...], hand: HandId) -> tuple[Place, ...]:
    """Return the list with every place of one hand taken out (IRR-1, IRR-2)."""
    return tuple(place for place in places if place.hand != hand)
