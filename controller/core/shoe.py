"""What is in the shoe, as far as the public record tells.

The only questions it answers are "possible or impossible" and "complete or
not": nothing here shows what is left, to anybody (COUNT).
"""

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.rules import Rules, composition, shoe_size
from controller.core.state import Play, Shoe, TableState, is_void


def clash(state: TableState, among: tuple[Card, ...]) -> Card | None:
    """Return a card among these of which more are out than the shoe holds (DECK).

    A clash ends with the round: where every hand is void, nothing depends on it.
    """
    if is_void(state.play):
        return None
    copies, out, seen = composition(state.rules), state.shoe.out, state.play.seen
    for card in among:
        if out.get(card, 0) + seen.count(card) > copies.get(card, 0):
            return card
    return None


def must_shuffle(shoe: Shoe) -> bool:
    """Return whether DEAL waits for a shuffled shoe (CUT)."""
    return shoe.cut_card_out or shoe.empty or shoe.shuffling or shoe.needs_shuffle


def after_round(shoe: Shoe, play: Play, rules: Rules) -> Shoe:
    """Return the shoe once a round's cards are racked: they count as out."""
    out = dict(shoe.out)
    for card in play.seen:
        out[card] = out.get(card, 0) + 1
    copies = composition(rules)
    clashes = any(count > copies.get(card, 0) for card, count in out.items())
    return msgspec.structs.replace(
        shoe,
        out=out,
        needs_shuffle=shoe.needs_shuffle or clashes,
    )


def expected_count(state: TableState) -> int:
    """Return how many cards a shuffled shoe must hold: all but those on the table."""
    play = state.play
    lying = sum(len(hand.cards) for hand in play.hands if not hand.picked_up)
    dealer = 0 if play.dealer.picked_up else len(play.dealer.cards)
    loose = len(state.held) + len(state.undecided) + len(state.waiting)
    return shoe_size(state.rules) - lying - dealer - loose


def owed(shoe: Shoe) -> bool:
    """Return whether the shoe's discards do not match the rack (PICKUP-2).

    An unread card in the rack matches any one that came back over.
    """
    unread = shoe.due_back.get(UNKNOWN, 0)
    short = sum(
        count for card, count in shoe.due_back.items() if count > 0 and card != UNKNOWN
    )
    over = -sum(count for count in shoe.due_back.values() if count < 0)
    return short > 0 or over != unread
