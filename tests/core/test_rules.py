"""A ruleset that contradicts itself never exists (rules.md, Rulesets)."""

from fractions import Fraction

import msgspec
import pytest

from controller.core.cards import Card
from controller.core.errors import RulesetError
from controller.core.rules import (
    Approval,
    Peek,
    Ratio,
    Rules,
    composition,
    ratio,
    rules_from,
    shoe_size,
    with_changes,
)
from tests.core.table import rules

APPROVED = {"approval": "Division/BJ-7/2026-01-31"}


def changed(**changes: str) -> Rules:
    return with_changes(rules(), changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"wager_min_cents": "500", "wager_max_cents": "400"}, "over wager_max_cents"),
        ({"peek": "none"}, "needs a peek"),
        (
            {"surrender": "off", "surrender_after_split": "true"},
            "surrender_after_split",
        ),
        ({"dropped_ranks": "ZZ", **APPROVED}, "takes ranks of"),
        ({"dropped_ranks": "A23456789TJQK", **APPROVED}, "leaves no card"),
        ({"jokers": "1", **APPROVED}, "joker_value of 1 to 11"),
        ({"jokers": "1", "joker_value": "10"}, "need an approval"),
        ({"dropped_ranks": "T"}, "need an approval"),
    ],
)
def test_a_contradiction_is_refused_by_name(changes: dict[str, str], said: str) -> None:
    with pytest.raises(RulesetError, match=said):
        changed(**changes)


def test_an_unknown_key_is_refused_with_the_keys_there_are() -> None:
    with pytest.raises(RulesetError, match="unknown ruleset key 'deck'; expected one"):
        changed(deck="6")


@pytest.mark.parametrize(
    ("key", "text"),
    [("decks", "0"), ("decks", "many"), ("peek", "always"), ("blackjack_pays", "1.5")],
)
def test_a_value_that_its_key_does_not_take_is_refused(key: str, text: str) -> None:
    with pytest.raises(RulesetError, match=key):
        changed(**{key: text})


def test_changes_are_read_from_text_as_the_console_gives_them() -> None:
    now = changed(
        peek="ace", decks="2", dropped_ranks="9T", ask_after_s="7.5", **APPROVED
    )
    assert now.peek is Peek.ACE
    assert now.dropped_ranks == ("9", "T")
    assert now.ask_after_s == 7.5
    assert now.approval == Approval("Division", "BJ-7", "2026-01-31")
    back = with_changes(now, {"dropped_ranks": "none"})
    assert back.dropped_ranks == ()


def test_plain_values_make_a_ruleset_or_name_what_is_missing() -> None:
    with pytest.raises(RulesetError, match="name"):
        rules_from({})


def test_a_payout_is_an_exact_ratio() -> None:
    assert ratio(Ratio("3:2")) == Fraction(3, 2)
    assert rules(blackjack_pays="6:5").blackjack_ratio == Fraction(6, 5)


def test_a_full_shoe_holds_every_card_as_often_as_there_are_decks() -> None:
    assert shoe_size(rules()) == 312
    copies = composition(
        changed(decks="2", jokers="1", joker_value="10", dropped_ranks="T", **APPROVED)
    )
    assert sum(copies.values()) == 2 * (48 + 1)
    assert copies[Card("X1")] == 2
    assert "Th" not in copies


# --- What is said of a wrong value ------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("decks", "0", "decks: expected a whole number from 1 to 8, got 0"),
        ("ask_after_s", "x", "ask_after_s: expected a number from 0 to 3600, got x"),
        ("peek", "up", "peek: expected one of none, ace, ace_ten, got up"),
        ("insurance", "maybe", "insurance: expected true or false, got maybe"),
        (
            "blackjack_pays",
            "1.5",
            "blackjack_pays: expected a payout such as 3:2, got 1.5",
        ),
        ("approval", "a", "approval: expected authority/reference/date, got a//"),
        ("name", "", 'name: expected a name of small letters, digits, - and _, got ""'),
        (
            "split_on",
            "x" * 50,
            f"split_on: expected one of rank, value, got {'x' * 40}…",
        ),
    ],
)
def test_a_wrong_value_is_said_in_words(key: str, text: str, said: str) -> None:
    with pytest.raises(RulesetError) as refused:
        with_changes(rules(), {key: text})
    assert str(refused.value) == said


def test_each_wrong_key_of_a_ruleset_is_said() -> None:
    plain = msgspec.to_builtins(rules())
    del plain["decks"]
    plain |= {"peek": 3, "more": 1, "dropped_ranks": "no list"}
    with pytest.raises(RulesetError) as refused:
        rules_from(plain)
    unknown, missing, ranks, peek = str(refused.value).split("; ")
    assert unknown.startswith("more: unknown key, expected one of name, decks")
    assert missing == "decks: missing, expected a whole number from 1 to 8"
    assert ranks.startswith("dropped_ranks: expected ranks in a row, of A23456789TJQK")
    assert peek == "peek: expected one of none, ace, ace_ten, got 3"
