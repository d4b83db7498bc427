"""What a hand is paid, in whole cents; an odd cent is the player's (PAY)."""

from fractions import Fraction

import pytest

from controller.core.ids import Outcome
from controller.core.payouts import (
    has_blackjack,
    insurance_max_cents,
    net_cents,
    settle,
)
from controller.core.state import Hand
from tests.core.table import cards, rules

THREE_TO_TWO = Fraction(3, 2)


def hand(text: str, *, part: int = 0, wager_cents: int = 2500) -> Hand:
    return Hand(spot=3, seat=3, part=part, cards=cards(text), wager_cents=wager_cents)


@pytest.mark.parametrize(
    ("player", "dealer", "outcome", "net"),
    [
        ("Th 9h", "Td 8d", Outcome.WIN, 2500),
        ("Th 9h", "Td 9d", Outcome.PUSH, 0),
        ("Th 8h", "Td 9d", Outcome.LOSE, -2500),
        ("Th 8h", "Td 6d Ks", Outcome.WIN, 2500),
        ("Th 8h 5c", "Td 6d Ks", Outcome.BUST, -2500),
        ("Ah Kh", "Td 9d", Outcome.BLACKJACK, 3750),
        ("Ah Kh", "Td 5d 6c", Outcome.BLACKJACK, 3750),
        ("Ah Kh", "Ad Kd", Outcome.PUSH, 0),
        ("7h 7d 7s", "Ad Kd", Outcome.LOSE, -2500),
        ("7h 7d 7s", "Td 5d 6c", Outcome.PUSH, 0),
    ],
)
def test_a_hand_is_settled_against_the_dealers(
    player: str, dealer: str, outcome: Outcome, net: int
) -> None:
    assert settle(hand(player), cards(dealer), rules()) == (outcome, net)


def test_21_after_a_split_is_no_blackjack() -> None:
    split = hand("Ah Kh", part=1)
    assert not has_blackjack(split, rules())
    assert settle(split, cards("Td 9d"), rules()) == (Outcome.WIN, 2500)
    assert settle(split, cards("Ad Kd"), rules()) == (Outcome.LOSE, -2500)


@pytest.mark.parametrize(
    ("outcome", "wager", "net"),
    [
        (Outcome.BLACKJACK, 2500, 3750),
        (Outcome.BLACKJACK, 2501, 3752),
        (Outcome.WIN, 2501, 2501),
        (Outcome.LOSE, 2501, -2501),
        (Outcome.BUST, 2501, -2501),
        (Outcome.SURRENDER, 2500, -1250),
        (Outcome.SURRENDER, 2501, -1250),
        (Outcome.PUSH, 2501, 0),
        (Outcome.VOID, 2501, 0),
        (Outcome.DEAD, 2501, 0),
    ],
)
def test_an_odd_cent_is_the_players(outcome: Outcome, wager: int, net: int) -> None:
    assert net_cents(outcome, wager, THREE_TO_TWO) == net


def test_insurance_is_at_most_half_of_each_wager_rounded_down() -> None:
    assert insurance_max_cents((2501, 1001)) == 1250 + 500
    assert insurance_max_cents(()) == 0
