"""PICKUP clears the layout so that every hand can be shown again (PICKUP-1, RACK)."""

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.decide import pickup
from controller.core.decide.draft import Draft
from controller.core.errors import BrokenInvariantError
from controller.core.ids import DEALER, Direction, Reason
from controller.core.pickup import pickup_order, unracked
from controller.core.secrets import Secrets
from controller.core.state import Dealer, Hand, Play
from tests.core.table import Table, cards, dealt, open_table


def hand(
    spot: int, part: int = 0, *, picked_up: bool = False, dead: bool = False
) -> Hand:
    number = 10 * spot + part
    return Hand(
        spot=spot,
        seat=spot,
        part=part,
        wager_cents=500,
        cards=() if dead else cards("Th"),
        numbers=() if dead else (number,),
        picked_up=picked_up,
    )


LAYOUT = Play(
    hands=(
        hand(1),
        hand(2, 1),
        hand(2, 2),
        hand(3, picked_up=True),
        hand(4, dead=True),
        hand(5),
    ),
    dealer=Dealer(cards=cards("9h"), numbers=(99,)),
)


def test_spots_go_in_the_direction_of_the_shift_hands_of_a_spot_in_hand_order() -> None:
    right = pickup_order(LAYOUT, Direction.RIGHT_TO_LEFT)
    left = pickup_order(LAYOUT, Direction.LEFT_TO_RIGHT)
    assert right == ("5", "2.1", "2.2", "1", DEALER)
    assert left == ("1", "2.1", "2.2", "5", DEALER)


def test_a_dealer_without_cards_leaves_no_group() -> None:
    assert pickup_order(Play(hands=(hand(1),)), Direction.LEFT_TO_RIGHT) == ("1",)


def test_what_lies_is_not_in_the_rack() -> None:
    assert unracked(LAYOUT) == {10, 21, 22, 30, 50, 99}


def settled() -> Table:
    return dealt("Th 6c 9s Kd").press(1, "stand").card("8d")


def test_pickup_is_refused_before_every_hand_is_settled() -> None:
    assert open_table().dealer("pickup").refused is Reason.WRONG_PHASE
    assert dealt("Th").dealer("pickup").refused is Reason.HAND_NOT_SETTLED
    assert dealt("5h 6c 4d Kd").dealer("pickup").refused is Reason.HAND_NOT_SETTLED
    assert settled().dealer("pickup").refused is None


def test_a_round_does_not_close_while_a_card_is_missing_from_the_rack() -> None:
    state = settled().state
    lying = state.play.hands[0]
    # A hand that says it was picked up, while its cards are in no group.
    play = replace(state.play, hands=(replace(lying, picked_up=True),))
    draft = Draft(replace(state, play=play), Secrets())
    with pytest.raises(BrokenInvariantError, match="dealt but not racked"):
        pickup.pick_up(draft)


def test_a_picked_up_round_stays_visible_until_the_next_deal() -> None:
    table = settled().dealer("pickup")
    assert table.hand("1").cards == cards("Th 9s")
    table = table.press(1, "bet").dealer("deal")
    assert table.hand("1").cards == ()


def test_the_net_of_a_round_counts_hands_and_insurance() -> None:
    table = dealt("5h As 5d Kd").press(1, "insure").dealer("pickup")
    (closed,) = [r for r in table.caused if isinstance(r, ev.RoundClosed)]
    assert closed.net_cents == 0
    assert table.after(cm.CloseShift()).refused is None
