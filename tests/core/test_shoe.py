"""The inventory answers "possible" and "complete", and nothing else (DECK, COUNT)."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.ids import Kind, Reason
from controller.core.shoe import after_round, clash, expected_count, must_shuffle, owed
from controller.core.state import Play, Shoe, TableState
from tests.core.table import Table, cards, dealt, open_table, rules

EIGHT = Card("8h")
ONE_DECK = rules("house", decks=1)


def kinds(table: Table) -> list[Kind]:
    return [found.kind for found in table.state.irregularities]


def seeing(out: dict[Card, int], *seen: str, decks: int = 1) -> TableState:
    state = dealt("", in_force=rules("house", decks=decks)).state
    play = Play(hands=state.play.hands, seen=tuple(Card(card) for card in seen))
    return TableState(
        table="t", seat_count=1, rules=state.rules, play=play, shoe=Shoe(out=out)
    )


@pytest.mark.parametrize(
    ("out", "seen", "decks", "clashes"),
    [
        ({}, ["8h"], 1, False),
        ({}, ["8h", "8h"], 1, True),
        ({}, ["8h", "8h"], 2, False),
        ({EIGHT: 1}, ["8h"], 1, True),
        ({EIGHT: 1}, ["8h"], 2, False),
        ({}, ["X1"], 6, True),
    ],
)
def test_more_of_a_card_than_the_shoe_holds_clash(
    out: dict[Card, int], seen: list[str], decks: int, *, clashes: bool
) -> None:
    state = seeing(out, *seen, decks=decks)
    assert (clash(state, state.play.seen) is not None) is clashes


def test_a_rounds_cards_are_out_once_it_is_over() -> None:
    shoe = after_round(Shoe(out={EIGHT: 2}), Play(seen=cards("8h Th 8h")), rules())
    assert shoe.out == {EIGHT: 4, "Th": 1}
    assert not shoe.needs_shuffle
    assert after_round(Shoe(), Play(seen=cards("8h 8h")), ONE_DECK).needs_shuffle


@pytest.mark.parametrize(
    "shoe",
    [
        Shoe(cut_card_out=True),
        Shoe(empty=True),
        Shoe(shuffling=True),
        Shoe(needs_shuffle=True),
    ],
)
def test_deal_waits_for_a_shuffle(shoe: Shoe) -> None:
    assert must_shuffle(shoe)
    assert not must_shuffle(Shoe(lid_open=True, jammed=True, lost=True))


@pytest.mark.parametrize(
    ("due_back", "is_owed"),
    [
        ({}, False),
        ({EIGHT: 1}, True),
        ({EIGHT: -1}, True),
        ({UNKNOWN: 1}, True),
        ({UNKNOWN: 1, EIGHT: -1}, False),
        ({UNKNOWN: 1, EIGHT: -2}, True),
        ({UNKNOWN: 1, EIGHT: 1, Card("9h"): -1}, True),
    ],
)
def test_an_unread_card_in_the_rack_matches_any_one_that_came_back(
    due_back: dict[Card, int], *, is_owed: bool
) -> None:
    assert owed(Shoe(due_back=due_back)) is is_owed


def test_a_shuffled_shoe_lacks_only_what_lies_on_the_table() -> None:
    table = dealt("Th 7h 6c 9s 7d Kd", (2500, 2500))
    assert expected_count(table.state) == 312 - 6
    busted = table.press(1, "stand").press(2, "hit").card("Kh")
    assert expected_count(busted.state) == 312 - 4
    odd = busted.card("2c")
    assert expected_count(odd.state) == 312 - 5


def test_a_count_that_differs_stops_the_next_deal() -> None:
    table = open_table().shoe("shuffled", 311).press(1, "bet").dealer("deal")
    assert kinds(table) == [Kind.RECONCILIATION_MISMATCH]
    whole = open_table().shoe("shuffled", 312).press(1, "bet").dealer("deal")
    assert kinds(whole) == []


def test_the_cut_card_ends_the_shoe_after_this_round() -> None:
    table = dealt("Th 6c 9s Kd").shoe("cut-card").press(1, "stand").card("8d")
    table = table.dealer("pickup").press(1, "bet")
    assert table.dealer("deal").refused is Reason.SHUFFLE_DUE
    assert table.shoe("shuffle-started").dealer("deal").refused is Reason.SHUFFLE_DUE
    assert table.shoe("shuffled").dealer("deal").refused is None


def test_a_shuffle_in_a_round_that_is_not_short_of_cards_is_a_fault() -> None:
    assert kinds(dealt("Th").shoe("shuffle-started")) == [Kind.SHOE_FAULT]


@pytest.mark.parametrize("sign", ["lid-open", "jam", "lost"])
def test_a_faulty_shoe_stops_the_table_when_a_card_is_due(sign: str) -> None:
    assert kinds(dealt("Th").shoe(sign)) == [Kind.SHOE_FAULT]
    waiting = dealt("5h 6c 4d Kd").shoe(sign)
    assert kinds(waiting) == []
    assert kinds(waiting.press(1, "hit")) == [Kind.SHOE_FAULT]


@pytest.mark.parametrize(
    ("sign", "cleared"),
    [("lid-open", "lid-closed"), ("jam", "cleared"), ("lost", "back")],
)
def test_a_fault_of_the_shoe_ends_with_its_cause(sign: str, cleared: str) -> None:
    table = dealt("5h 6c 4d Kd").shoe(sign).shoe(cleared).press(1, "hit")
    assert kinds(table) == []


def test_a_card_that_is_reported_again_is_taken_once() -> None:
    table = dealt("Th 6c")
    assert table.report("Th", 1).caused == ()
    assert table.report("Th", 2).caused == ()


def test_a_shoe_that_is_replaced_says_what_the_old_one_was_short_of() -> None:
    in_force = rules("house", discards="shoe")
    table = dealt("Th 6c 9s Kd", in_force=in_force).press(1, "stand").card("8d")
    table = table.dealer("pickup")
    for face in ("Th", "9s", "6c", "2s"):
        table = table.after(cm.ReportReturn(card=Card(face)))
    replaced = table.decided(dc.NewShoe(6))
    (event,) = [r for r in replaced.caused if isinstance(r, ev.ShoeReplaced)]
    assert event.short == {"Kd": 1, "8d": 1}
    assert event.over == {"2s": 1}
    assert not owed(replaced.state.shoe)
