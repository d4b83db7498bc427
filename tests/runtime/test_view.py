"""The public view: what people may see of a table, and never more."""

import json
import re

import msgspec
import pytest

from controller.core.guidance import Use, offered
from controller.core.ids import Kind, Outcome, Phase
from controller.core.outputs import TO_DEALER, Notice
from controller.core.state import TableState
from controller.core.views import TotalView
from controller.runtime.view import (
    Around,
    DecisionView,
    View,
    encoded_view,
    view_of,
)
from tests.runtime.tables import state_after

DEALT = "bet 1 25\nbet 3 50\ndealer deal\ncard Ts 9h Kd 8s 7c {hole}\n"


def all_shown(state: TableState) -> bytes:
    return encoded_view(state, offered(state))


def test_a_decision_is_spelt_as_the_console_does_with_what_it_will_do() -> None:
    state = state_after(DEALT.format(hole="6h") + "card 4c\n")
    shown = view_of(state, offered(state)).decisions
    assert shown is not None
    assert shown[0] == DecisionView(
        command="use-card",
        words="use-card",
        clause="IRR-7",
        does="Nobody saw the card: it waits face down and is dealt at the next need",
        use=Use.ANSWER,
        answers=(1,),
        witness=False,
    )
    words = [one.words for one in shown]
    assert "correct-card 3 2 CARD" in words
    assert "new-shoe 6" in words
    assert not any("??" in one for one in words)


def test_between_rounds_new_rules_are_spelt_with_what_is_to_be_typed() -> None:
    state = state_after("bet 1 25")
    shown = view_of(state, offered(state)).decisions
    assert shown is not None
    assert "set-rules [NAME] [KEY=VALUE]" in [one.words for one in shown]


def test_decisions_that_are_not_known_yet_are_none() -> None:
    assert view_of(state_after("bet 1 25")).decisions is None


def test_the_view_decodes_to_what_it_was_made_of() -> None:
    state = state_after(DEALT.format(hole="6h"))
    decoded = msgspec.json.decode(all_shown(state), type=View)
    assert decoded == view_of(state, offered(state))


def test_in_play_it_says_whose_turn_it_is_and_what_they_hold() -> None:
    view = view_of(state_after(DEALT.format(hole="6h")))
    assert (view.phase, view.turn, view.round) == (Phase.PLAYING, "1", 1)
    first, second = view.hands
    assert (first.hand, first.cards, first.wager_cents) == ("1", ("Ts", "8s"), 2_500)
    assert second.total == TotalView(16)
    assert view.dealer.cards == ("Kd", "??")
    assert view.dealer.total == TotalView(10)
    assert view.seats[1].lamps == ("hit", "stand", "double", "surrender")
    assert view.seats[3].lamps == ()
    assert view.prompt.words == "Wait for seat 1"
    assert view.shift is not None
    assert view.shift.dealer == "D1"


def test_while_bets_are_open_it_shows_them_and_the_limits() -> None:
    view = view_of(state_after("bet 2 25\ncash 4 spread\ncash 4 state 100"))
    assert [(w.spot, w.seat, w.amount_cents) for w in view.wagers] == [(2, 2, 2_500)]
    assert (view.limits.ruleset, view.limits.wager_min_cents) == ("colorado", 500)
    cash = view.seats[4].cash
    assert cash is not None
    assert (cash.stated_cents, cash.chips_given) == (10_000, False)
    assert view.seats[0].lamps == ("deal", "call")


def test_the_gate_is_open_exactly_while_a_card_is_due() -> None:
    assert view_of(state_after("bet 1 25\ndealer deal")).shoe.gate_open
    assert not view_of(state_after(DEALT.format(hole="6h"))).shoe.gate_open


def test_an_irregularity_comes_with_its_clause_and_what_to_do() -> None:
    view = view_of(state_after(DEALT.format(hole="6h") + "card 4c\n"))
    assert (view.phase, view.interrupted) == (Phase.SUSPENDED, Phase.PLAYING)
    (found,) = view.irregularities
    assert found.kind is Kind.CARD_DRAWN_IN_ERROR
    assert found.clause == "IRR-6 to IRR-9"
    assert found.what_to_do == "Decide what becomes of the card"
    assert view.undecided == 1
    assert b"4c" not in encoded_view(state_after(DEALT.format(hole="6h") + "card 4c\n"))


def test_a_settled_round_shows_outcomes_and_then_the_rack() -> None:
    played = DEALT.format(hole="9c") + "press 1 stand\npress 3 stand\n"
    view = view_of(state_after(played))
    assert [(hand.outcome, hand.net_cents) for hand in view.hands] == [
        (Outcome.LOSE, -2_500),
        (Outcome.LOSE, -5_000),
    ]
    assert view.dealer.cards == ("Kd", "9c")
    racked = view_of(state_after(played + "dealer pickup"))
    assert racked.rack[-1] == ("Kd", "9c")
    assert racked.dealer.picked_up


def test_a_lost_panel_and_a_faulty_shoe_show() -> None:
    view = view_of(state_after("panel 2 lost\nshoe cut-card\nshoe lid-open"))
    assert view.seats[2].panel_lost
    assert view.shoe.fault == "The shoe's lid is open"
    assert view.shoe.shuffle_due


def test_insurance_shows_as_it_is_answered() -> None:
    dealt = DEALT.replace("Kd", "Ad").format(hole="6h")
    view = view_of(state_after(dealt + "press 1 insure\npress 3 pass"))
    assert [(one.seat, one.amount_cents) for one in view.insurance] == [
        (1, 1_250),
        (3, 0),
    ]


def test_the_runtime_adds_notices_of_its_own() -> None:
    slow = Notice(TO_DEALER, "The journal is slow")
    around = Around(notices=(slow,))
    assert slow in view_of(state_after("bet 1 25"), (), around).notices


@pytest.mark.parametrize("steps", ["", "press 1 hit\ncard 2d\n", "card 4c\n"])
def test_the_hole_card_changes_no_byte_before_the_reveal(steps: str) -> None:
    first = all_shown(state_after(DEALT.format(hole="6h") + steps))
    second = all_shown(state_after(DEALT.format(hole="9c") + steps))
    assert first == second


def test_nothing_tells_how_many_cards_have_left_the_shoe() -> None:
    """One round after another: only what lies on the table differs (COUNT)."""
    one = DEALT.format(hole="9c") + "press 1 stand\npress 3 stand\ndealer pickup\n"
    first, second = state_after(one), state_after(one + one)
    changed = re.compile(rb'"round":\d+')
    assert first.shoe.last_card != second.shoe.last_card
    assert changed.sub(b"", encoded_view(first)) == changed.sub(
        b"", encoded_view(second)
    )


def test_the_view_is_one_line() -> None:
    text = all_shown(state_after(DEALT.format(hole="6h") + "card 4c\n"))
    assert b"\n" not in text
    assert json.loads(text)["table"] == "scenario"
