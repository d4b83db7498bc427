"""Whose move it is, and which moves are legal.

Lamps show what is legal, never what is best (ADVICE).
"""

from controller.core.cards import UNKNOWN, Card, rank, value
from controller.core.ids import Button
from controller.core.payouts import has_blackjack
from controller.core.rules import Peek, Rules, SplitOn, Surrender
from controller.core.state import Hand, Place, Play, TableState
from controller.core.totals import TWENTY_ONE, is_blackjack, total_of


def points(hand: Hand, rules: Rules) -> int:
    """Return the best total of a hand."""
    return total_of(hand.cards, rules.joker_value).points


def is_pair(hand: Hand, rules: Rules) -> bool:
    """Return whether the hand is two cards that may be split (SPLIT)."""
    if len(hand.cards) != 2 or UNKNOWN in hand.cards:  # noqa: PLR2004 - a pair is two cards
        return False
    first, second = hand.cards
    if rules.split_on is SplitOn.RANK:
        return rank(first) == rank(second)
    return value(first, rules.joker_value) == value(second, rules.joker_value)


def may_split(play: Play, hand: Hand, rules: Rules) -> bool:
    """Return whether this hand may be split now (SPLIT)."""
    allowed = rules.resplit_aces or not hand.split_aces
    if not allowed or not is_pair(hand, rules):
        return False
    hands = sum(1 for other in play.hands if other.spot == hand.spot)
    return hands < rules.split_hands_max


def is_complete(play: Play, hand: Hand, rules: Rules) -> bool:
    """Return whether no more can happen to this hand before the settlement."""
    if hand.settled is not None or hand.ending is not None:
        return True
    if hand.choosing or len(hand.cards) < 2 or is_due(play, hand):  # noqa: PLR2004 - two cards make a hand
        return False
    if hand.stood or hand.doubled or points(hand, rules) >= TWENTY_ONE:
        return True
    return hand.split_aces and not may_split(play, hand, rules)


def is_due(play: Play, hand: Hand) -> bool:
    """Return whether a card is due at this hand (DUE)."""
    return bool(play.places) and Place(hand.id) in play.places


def actor(state: TableState) -> Hand | None:
    """Return the hand that acts now; None when the players are done (ORDER).

    A player's open choice comes before everything (IRR-4); who chose to take
    more cards acts after all others.
    """
    play, rules = state.play, state.rules
    for hand in play.hands:
        if hand.choosing:
            return hand
    later = None
    for hand in play.hands:
        if not is_complete(play, hand, rules):
            if not hand.acts_later:
                return hand
            later = later or hand
    return later


def asked(state: TableState) -> Hand | None:
    """Return the hand whose player is waited for: none while its card is due (DUE)."""
    hand = actor(state)
    return None if hand is None or is_due(state.play, hand) else hand


def legal(state: TableState, hand: Hand) -> tuple[Button, ...]:
    """Return the buttons a hand may use, in the order lamps are listed (PLAY-1)."""
    play, rules = state.play, state.rules
    if is_due(play, hand):
        return ()
    total = points(hand, rules)
    if hand.choosing:
        hit = (Button.HIT,) if total < TWENTY_ONE else ()
        return (*hit, Button.STAND, Button.PASS)
    if play.offer is not None:
        return (Button.HIT, Button.PASS)
    if hand.acts_later:
        return (Button.HIT, Button.STAND)
    return tuple(_ordinary(state, hand))


def _ordinary(state: TableState, hand: Hand) -> list[Button]:
    rules = state.rules
    two = len(hand.cards) == 2  # noqa: PLR2004 - "the first two cards"
    buttons = [Button.STAND] if hand.split_aces else [Button.HIT, Button.STAND]
    if two and _may_double(hand, rules):
        buttons.append(Button.DOUBLE)
    if may_split(state.play, hand, rules):
        buttons.append(Button.SPLIT)
    if two and _may_surrender(state, hand):
        buttons.append(Button.SURRENDER)
    return buttons


def _may_double(hand: Hand, rules: Rules) -> bool:
    if hand.split_aces or has_blackjack(hand, rules):
        return False
    return hand.part == 0 or rules.double_after_split


def _may_surrender(state: TableState, hand: Hand) -> bool:
    """Return whether the hand may be given up: late, on its first decision (SURR)."""
    rules = state.rules
    if rules.surrender is Surrender.OFF or hand.split_aces:
        return False
    if hand.part and not rules.surrender_after_split:
        return False
    return dealer_cannot_have_blackjack(state)


def dealer_cannot_have_blackjack(state: TableState) -> bool:
    """Return whether the upcard, the peek or an open hole card rules it out."""
    if state.play.peeked is False:
        return True
    cards = state.play.dealer.cards
    if state.play.dealer.revealed:
        return not is_blackjack(cards[:2], state.rules.joker_value)
    return bool(cards) and value(cards[0], state.rules.joker_value) not in (1, 10)


def peek_is_due(state: TableState) -> bool:
    """Return whether the hole card is to be checked before play (PEEK)."""
    if state.play.peeked is not None or not state.play.dealer.cards:
        return False
    upcard = state.play.dealer.cards[0]
    if rank(upcard) == "A":
        return state.rules.peek is not Peek.NONE
    ten = value(upcard, state.rules.joker_value) == 10  # noqa: PLR2004 - a ten-value card
    return ten and state.rules.peek is Peek.ACE_TEN


def live(play: Play) -> tuple[Hand, ...]:
    """Return the hands whose outcome still depends on the dealer's cards."""
    return tuple(
        hand for hand in play.hands if hand.settled is None and hand.ending is None
    )


def dealer_must_draw(state: TableState) -> bool:
    """Return whether the dealer takes one more card (DRAW-2, DRAW-3)."""
    rules = state.rules
    if all(has_blackjack(hand, rules) for hand in live(state.play)):
        return False
    return draws_to(state.play.dealer.cards, rules)


def draws_to(cards: tuple[Card, ...], rules: Rules) -> bool:
    """Return whether a dealer's hand takes another card by its total (DRAW-2)."""
    total = total_of(cards, rules.joker_value)
    soft_17 = total.soft and total.points == 17  # noqa: PLR2004 - the clause's number
    if soft_17:
        return rules.dealer_hits_soft_17
    return total.points < 17  # noqa: PLR2004 - the clause's number


def seats_to_answer(state: TableState) -> tuple[int, ...]:
    """Return the seats that may still answer the offer of insurance (INS).

    A seat without a live hand has nothing to insure any more.
    """
    play = state.play
    if play.insurance_closed:
        return ()
    answered = {answer.seat for answer in play.insured}
    alive = {hand.seat for hand in play.hands if hand.settled is None}
    return tuple(
        seat for seat in play.asked_seats if seat in alive and seat not in answered
    )
