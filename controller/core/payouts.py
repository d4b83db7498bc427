"""What a settled hand pays (PAY, BJ, SURR, INS), in whole cents.

An odd cent goes to the player, always.
"""

from fractions import Fraction
from math import ceil
from typing import assert_never

from controller.core.cards import Card
from controller.core.ids import Outcome
from controller.core.rules import Rules
from controller.core.state import Hand
from controller.core.totals import TWENTY_ONE, is_blackjack, total_of


def has_blackjack(hand: Hand, rules: Rules) -> bool:
    """Return whether an unsplit hand is an ace and a ten-value card (BJ)."""
    return hand.part == 0 and is_blackjack(hand.cards, rules.joker_value)


def settle(
    hand: Hand, dealer_cards: tuple[Card, ...], rules: Rules
) -> tuple[Outcome, int]:
    """Return how a standing hand ends against the dealer's full hand, and its net.

    Clauses BJ and PAY: blackjack beats any other 21; a late dealer blackjack
    takes every other wager whole.
    """
    outcome = _outcome(hand, dealer_cards, rules)
    return outcome, net_cents(outcome, hand.wager_cents, rules.blackjack_ratio)


def _outcome(hand: Hand, dealer_cards: tuple[Card, ...], rules: Rules) -> Outcome:
    player = total_of(hand.cards, rules.joker_value).points
    dealer = total_of(dealer_cards, rules.joker_value).points
    natural = has_blackjack(hand, rules)
    if player > TWENTY_ONE:
        return Outcome.BUST
    if is_blackjack(dealer_cards, rules.joker_value):
        return Outcome.PUSH if natural else Outcome.LOSE
    if natural:
        return Outcome.BLACKJACK
    if dealer > TWENTY_ONE or player > dealer:
        return Outcome.WIN
    return Outcome.PUSH if player == dealer else Outcome.LOSE


def net_cents(outcome: Outcome, wager_cents: int, blackjack: Fraction) -> int:
    """Return what the player gains or (negative) loses by an outcome."""
    match outcome:
        case Outcome.BLACKJACK:
            return ceil(wager_cents * blackjack)
        case Outcome.WIN:
            return wager_cents
        case Outcome.LOSE | Outcome.BUST:
            return -wager_cents
        case Outcome.SURRENDER:
            return -(wager_cents // 2)
        case Outcome.PUSH | Outcome.VOID | Outcome.DEAD:
            return 0
        case _:
            assert_never(outcome)


def insurance_max_cents(wagers_cents: tuple[int, ...]) -> int:
    """Return the most a seat may insure: half of each wager, rounded down (INS)."""
    return sum(wager // 2 for wager in wagers_cents)
