"""The fold knows every record, and folding again gives the same table."""

import typing
from collections.abc import Callable

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Person
from controller.core.evolve import applied_types, evolve, replay
from controller.core.evolve.history import ACTS, CONSEQUENCES, HISTORY
from controller.core.ids import Button, Direction, HandId, Role
from controller.core.state import new_table
from tests.core.table import Table, dealt, open_table, rules


def test_every_record_has_a_fold() -> None:
    records = {*typing.get_args(cm.Command), *typing.get_args(ev.Event)}
    assert applied_types() == records


def test_acts_and_consequences_are_different_things() -> None:
    assert not ACTS & CONSEQUENCES
    assert set(typing.get_args(ev.Event)) >= HISTORY


STEPS: tuple[Callable[[Table], Table], ...] = (
    lambda table: table.press(3, "bet", 2500),
    lambda table: table.dealer("deal"),
    lambda table: table.card("8h"),
    lambda table: table.card("6c"),
    lambda table: table.card("8d"),
    lambda table: table.card("Kd"),
    lambda table: table.press(3, "split"),
    lambda table: table.card("Th"),
    lambda table: table.press(3, "stand"),
    lambda table: table.card("3d"),
    lambda table: table.press(3, "double"),
    lambda table: table.card("9d"),
    lambda table: table.card("5s"),
    lambda table: table.dealer("pickup"),
)


def test_replaying_the_records_gives_the_table_again() -> None:
    table = open_table()
    for step in STEPS:
        after = step(table)
        assert after.caused
        assert replay(table.state, after.caused) == after.state
        table = after


def test_what_a_round_remembers_is_forgotten_at_its_end() -> None:
    table = dealt("Th 6c 9s Kd")
    assert table.state.opening is not None
    assert table.state.history
    closed = table.press(1, "stand").card("8d").dealer("pickup").state
    assert closed.opening is None
    assert closed.history == ()


def test_a_rounds_end_records_the_table_that_a_start_folds_from() -> None:
    table = dealt("Th 6c 9s Kd").press(1, "stand").card("8d").dealer("pickup")
    recorded = table.caused[-1]
    assert isinstance(recorded, ev.TableStateRecorded)
    assert recorded.state == table.state
    anew = new_table("other", 1, rules("house"))
    assert replay(anew, [recorded]) == table.state


def test_a_taking_back_keeps_what_is_not_of_the_round() -> None:
    table = dealt("Th 6c 9s Kd").press(1, "stand").dealer("call")
    cursor = table.state.seats[0].press_number
    numbers = table.state.prompts
    taken = evolve(table.state, ev.PlayTakenBack(kept=1, undone=()))
    assert taken.play.dealer.cards == ()
    assert taken.suspended
    assert taken.seats[0].press_number == cursor
    assert taken.prompts == numbers
    assert len(taken.history) == 1


def test_a_reveal_is_never_taken_back() -> None:
    table = dealt("Th 6c 9s Kd").press(1, "stand").dealer("call")
    assert table.state.play.dealer.revealed
    at_stand = next(
        at
        for at, record in enumerate(table.state.history)
        if isinstance(record, ev.HandStood)
    )
    taken = evolve(table.state, ev.PlayTakenBack(kept=at_stand, undone=()))
    assert taken.play.dealer.cards == ("6c", "Kd")
    assert taken.play.dealer.revealed


def test_a_split_moves_later_hands_of_its_spot_up() -> None:
    table = dealt("8h 6c 8d Kd").press(1, "split").card("Th").press(1, "stand")
    table = table.card("8s")
    assert [hand.id for hand in table.state.play.hands] == ["1.1", "1.2"]
    again = table.press(1, "split")
    assert [hand.id for hand in again.state.play.hands] == ["1.1", "1.2", "1.3"]
    assert again.state.play.turn == "1.2"


def test_splitting_an_earlier_hand_renames_the_later_ones() -> None:
    table = dealt("8h 6c 8d Kd").press(1, "split").card("8s")
    later = table.hand("1.2").numbers
    again = table.press(1, "split")
    assert [hand.id for hand in again.state.play.hands] == ["1.1", "1.2", "1.3"]
    assert again.hand("1.3").numbers == later


def test_the_burns_of_a_dealers_change_and_of_a_shuffle_do_not_add_up() -> None:
    in_force = rules(burn_after_shuffle=1, burn_at_dealer_change=2)
    table = open_table(in_force).shoe("shuffled")
    assert table.state.burns_due == 1
    second = table.after(
        cm.CloseShift(),
        cm.OpenShift(
            dealer=Person("D2", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
        ),
    )
    assert second.state.burns_due == 2
    assert second.state.shift_number == 2


def test_a_void_hand_gets_no_more_of_the_deals_cards() -> None:
    table = dealt("Th", (2500, 2500)).dealer("call")
    void = table.decided(dc.VoidHand(HandId("2")))
    places = [place.hand for place in void.state.play.places]
    assert places == ["dealer", "1", "dealer"]


def test_a_press_of_a_seat_that_the_table_does_not_have_moves_no_cursor() -> None:
    table = open_table(seats=3)
    pressed = cm.PressButton(seat=5, button=Button.BET, prompt=1, number=1)
    assert evolve(table.state, pressed) == table.state
