"""Cards as the table speaks of them, and what they count (VALUE, DECK)."""

import pytest

from controller.core.cards import RANKS, UNKNOWN, Card, deck, is_face, rank, value


@pytest.mark.parametrize("text", ["Th", "As", "2c", "X1", "X9"])
def test_a_rank_and_a_suit_or_a_joker_is_a_face(text: str) -> None:
    assert is_face(text)


@pytest.mark.parametrize("text", ["??", "", "T", "1h", "10h", "Tx", "th", "X0", "Th "])
def test_anything_else_is_no_face(text: str) -> None:
    assert not is_face(text)


def test_pips_count_themselves_pictures_ten_and_an_ace_one() -> None:
    counted = [value(Card(f"{name}s"), 0) for name in RANKS]
    assert counted == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_a_joker_counts_what_the_ruleset_says_and_an_unknown_face_nothing() -> None:
    assert value(Card("X2"), 7) == 7
    assert value(UNKNOWN, 7) == 0
    assert rank(Card("X2")) == "X"
    assert rank(UNKNOWN) == "?"


def test_a_deck_has_52_cards_once_each() -> None:
    cards = deck(0, ())
    assert len(cards) == len(set(cards)) == 52
    assert all(is_face(card) for card in cards)


def test_a_deck_may_have_jokers_and_lack_ranks() -> None:
    cards = deck(2, ("T", "2"))
    assert len(cards) == 44 + 2
    assert {"X1", "X2"} <= set(cards)
    assert not {rank(card) for card in cards} & {"T", "2"}
