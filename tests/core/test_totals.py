"""What a hand is announced as, and what a blackjack is (VALUE, BJ)."""

import pytest

from controller.core.totals import Total, is_blackjack, total_of
from tests.core.table import cards


@pytest.mark.parametrize(
    ("hand", "points", "soft"),
    [
        ("", 0, False),
        ("Th 7d", 17, False),
        ("As 6d", 17, True),
        ("As 6d Th", 17, False),
        ("As Ah", 12, True),
        ("As Ah 9c", 21, True),
        ("As Ah Ad Ac", 14, True),
        ("Th 9d 3s", 22, False),
        ("Kh Ad", 21, True),
        ("?? 6d", 6, False),
    ],
)
def test_a_hand_is_its_best_total_not_over_21(
    hand: str, points: int, *, soft: bool
) -> None:
    assert total_of(cards(hand)) == Total(points, soft)


def test_a_joker_counts_what_the_ruleset_says() -> None:
    assert total_of(cards("X1 9h"), 2) == Total(11, soft=False)
    assert total_of(cards("X1 As"), 10) == Total(21, soft=True)


@pytest.mark.parametrize("hand", ["As Th", "Kd Ac", "Ah Qh", "Js Ad"])
def test_an_ace_and_a_ten_value_card_are_a_blackjack(hand: str) -> None:
    assert is_blackjack(cards(hand))


@pytest.mark.parametrize("hand", ["As 9h", "7d 7h 7s", "As Ah", "As 5h 5d", "Th Td"])
def test_nothing_else_is_a_blackjack(hand: str) -> None:
    assert not is_blackjack(cards(hand))


def test_a_joker_of_ten_points_is_a_ten_value_card_but_one_point_is_no_ace() -> None:
    assert is_blackjack(cards("As X1"), 10)
    assert not is_blackjack(cards("X1 Th"), 1)
