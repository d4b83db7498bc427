"""What cards count and what wagers pay, worked out without the core."""

from collections.abc import Sequence
from typing import Final

from controller.core.rules import Rules

TWENTY_ONE: Final = 21
_TENS: Final = frozenset("TJQK")


def points_of(card: str, joker_value: int) -> int:
    """Return the points of one card, an ace as 1, an unknown face as none."""
    if card == "??":
        return 0
    if card[0] == "A":
        return 1
    if card[0] == "X":
        return joker_value
    return 10 if card[0] in _TENS else int(card[0])


def best_total(cards: Sequence[str], joker_value: int) -> tuple[int, bool]:
    """Return the best total and whether it is soft (VALUE)."""
    low = sum(points_of(card, joker_value) for card in cards)
    if low <= TWENTY_ONE - 10 and any(card[0] == "A" for card in cards):
        return low + 10, True
    return low, False


def is_natural(cards: Sequence[str], joker_value: int) -> bool:
    """Return whether these are an ace and a ten-value card, and no others (BJ)."""
    faces = sorted(points_of(card, joker_value) for card in cards)
    return faces == [1, 10] and any(card[0] == "A" for card in cards)


def dealer_takes_another(cards: Sequence[str], rules: Rules) -> bool:
    """Return whether the dealer's total asks for a card (DRAW-2)."""
    total, soft = best_total(cards, rules.joker_value)
    if total == 17 and soft:  # noqa: PLR2004 - the clause's number
        return rules.dealer_hits_soft_17
    return total <= 16  # noqa: PLR2004 - the clause's number


def natural_pays(wager_cents: int, rules: Rules) -> int:
    """Return what a blackjack wins, an odd cent to the player (BJ, PAY)."""
    pays, per = (int(part) for part in rules.blackjack_pays.split(":"))
    return -(-wager_cents * pays // per)
