"""The order of the pickup and what the rack must hold at its end."""

from controller.core.ids import DEALER, Direction, HandId
from controller.core.state import Play


def pickup_order(play: Play, direction: Direction) -> tuple[HandId, ...]:
    """Return the hands still on the layout in the order they are picked up.

    Clauses PICKUP-1b and RACK: players first, in the direction of the shift,
    hands of one spot in hand order, the dealer's cards last. A hand without
    cards leaves no group.
    """
    sign = -1 if direction is Direction.RIGHT_TO_LEFT else 1
    lying = sorted(
        (hand for hand in play.hands if hand.cards and not hand.picked_up),
        key=lambda hand: (sign * hand.spot, hand.part),
    )
    dealer = (DEALER,) if play.dealer.cards and not play.dealer.picked_up else ()
    return (*(hand.id for hand in lying), *dealer)


def unracked(play: Play) -> frozenset[int]:
    """Return the numbers of cards dealt this round that the rack does not hold.

    Clause PICKUP-1c: this must be empty before a round closes.
    """
    dealt = {number for hand in play.hands for number in hand.numbers}
    dealt |= set(play.dealer.numbers)
    racked = {number for group in play.rack for number in group.numbers}
    return frozenset(dealt - racked)
