"""Shifts, seats, the deal and cash: what the dealer does (CASH, LIMIT-MIN, UNDO)."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Person
from controller.core.ids import (
    CashStep,
    Direction,
    HandId,
    Kind,
    Outcome,
    Phase,
    Reason,
    Role,
)
from tests.core.table import DEALER, Table, dealt, open_table


def shift(who: Person) -> cm.OpenShift:
    return cm.OpenShift(dealer=who, direction=Direction.LEFT_TO_RIGHT)


def closed() -> Table:
    return open_table().after(cm.CloseShift())


def test_a_shift_is_opened_by_a_dealer_at_a_closed_table() -> None:
    assert closed().after(shift(DEALER)).refused is None
    nobody = Person("x", Role.UNKNOWN)
    assert closed().after(shift(nobody)).refused is Reason.UNKNOWN_PERSON
    assert open_table().after(shift(DEALER)).refused is Reason.WRONG_PHASE


def test_a_stopped_table_opens_no_shift() -> None:
    stopped = closed().after(cm.ReportFault(kind=Kind.JOURNAL_FULL, words=""))
    assert stopped.after(shift(DEALER)).refused is Reason.TABLE_SUSPENDED


def test_a_shift_ends_between_rounds_with_no_cash_on_the_table() -> None:
    assert closed().after(cm.CloseShift()).refused is Reason.SHIFT_CLOSED
    assert dealt("Th").after(cm.CloseShift()).refused is Reason.ROUND_OPEN
    spread = cash(open_table(), CashStep.SPREAD)
    assert spread.after(cm.CloseShift()).refused is Reason.CASH_TRANSACTION_OPEN


def test_a_seat_is_opened_between_rounds() -> None:
    assert dealt("Th").after(cm.OpenSeat(seat=1)).refused is Reason.ROUND_OPEN
    stopped = open_table().dealer("call")
    assert stopped.after(cm.OpenSeat(seat=1)).refused is Reason.TABLE_SUSPENDED


# --- Cash ------------------------------------------------------------------------


def cash(table: Table, step: CashStep, amount: int = 0, seat: int = 3) -> Table:
    return table.after(cm.MoveCash(seat=seat, step=step, amount_cents=amount))


def stated() -> Table:
    return cash(cash(open_table(), CashStep.SPREAD), CashStep.STATE, 10_000)


def test_cash_goes_to_the_drop_box_after_its_chips() -> None:
    table = cash(stated(), CashStep.CHIPS, 10_000)
    dropped = cash(table, CashStep.DROP)
    assert dropped.refused is None
    (event,) = [r for r in dropped.caused if isinstance(r, ev.CashDropped)]
    assert event.amount_cents == 10_000
    assert cash(dropped, CashStep.SPREAD).refused is None


@pytest.mark.parametrize("step", list(CashStep))
def test_a_step_out_of_order_is_refused(step: CashStep) -> None:
    none = cash(open_table(), step)
    in_order = step is CashStep.SPREAD
    assert none.refused is (None if in_order else Reason.CASH_OUT_OF_ORDER)
    given = cash(cash(stated(), CashStep.CHIPS, 10_000), step)
    in_order = step is CashStep.DROP
    assert given.refused is (None if in_order else Reason.CASH_OUT_OF_ORDER)


def test_chips_of_another_amount_are_refused_and_it_may_be_stated_again() -> None:
    assert cash(stated(), CashStep.CHIPS, 9_000).refused is Reason.CASH_AMOUNTS_DIFFER
    again = cash(stated(), CashStep.STATE, 9_000)
    assert cash(again, CashStep.CHIPS, 9_000).refused is None


def test_cash_may_go_back_until_chips_are_given() -> None:
    back = cash(stated(), CashStep.BACK)
    (event,) = [r for r in back.caused if isinstance(r, ev.CashReturned)]
    assert event.amount_cents == 10_000
    assert cash(cash(open_table(), CashStep.SPREAD), CashStep.BACK).refused is None


def test_no_deal_while_cash_lies_there_and_no_cash_at_a_stopped_table() -> None:
    table = stated().press(1, "bet")
    assert table.dealer("deal").refused is Reason.CASH_TRANSACTION_OPEN
    assert cash(table.dealer("call"), CashStep.CHIPS).refused is Reason.TABLE_SUSPENDED
    assert cash(closed(), CashStep.SPREAD).refused is Reason.SHIFT_CLOSED
    assert cash(dealt("Th"), CashStep.SPREAD).refused is None


# --- DEAL and its limits -----------------------------------------------------------


def test_the_maximum_is_honoured_the_rest_returned_and_repeated_so() -> None:
    table = dealt("", (60_000,))
    assert table.hand("1").wager_cents == 50_000
    played = table.card("Th", "6c", "9s", "Kd").press(1, "stand").card("8d")
    again = played.dealer("pickup").press(1, "rebet")
    assert again.state.wagers[0].amount_cents == 50_000


def below_minimum_twice() -> Table:
    table = dealt("Th 6c 9s Kd", (100,)).press(1, "stand").card("8d").dealer("pickup")
    return table.press(1, "bet", 100).press(2, "bet", 500).dealer("deal")


def test_the_second_wager_under_the_minimum_is_dead_and_returned() -> None:
    table = below_minimum_twice()
    hand = table.hand("1")
    assert (hand.settled, hand.net_cents, hand.cards) == (Outcome.DEAD, 0, ())
    returned = next(r for r in table.caused if isinstance(r, ev.WagerReturned))
    assert returned.amount_cents == 100
    table = table.card("Th", "6c", "9s", "Kd").press(2, "stand").card("8d")
    table = table.dealer("pickup")
    # RE-BET repeats no dead hand, but what was played before it.
    assert [w.amount_cents for w in table.state.seats[0].last_wagers] == [100]


def test_undo_takes_back_what_deal_did_by_itself() -> None:
    table = below_minimum_twice()
    undone = table.after(cm.UndoDeal())
    assert undone.refused is None
    assert undone.state.phase is Phase.BETTING
    assert undone.state.round == table.state.round + 1
    assert [w.amount_cents for w in undone.state.wagers] == [100, 500]
    assert undone.state.seats[0].below_minimum == 1
    first = dealt("", (100,)).after(cm.UndoDeal())
    assert first.state.seats[0].below_minimum == 0


def test_undo_reopens_a_round_in_which_every_hand_was_dead() -> None:
    table = dealt("Th 6c 9s Kd", (100,)).press(1, "stand").card("8d").dealer("pickup")
    dead = table.press(1, "bet", 100).dealer("deal")
    assert dead.state.phase is Phase.SETTLED
    assert dead.after(cm.UndoDeal()).state.phase is Phase.BETTING


def test_undo_is_the_supervisors_once_a_card_is_out_or_a_decision_was_taken() -> None:
    assert open_table().after(cm.UndoDeal()).refused is Reason.WRONG_PHASE
    assert dealt("Th").after(cm.UndoDeal()).refused is Reason.SUPERVISOR_REQUIRED
    void = dealt("", (500, 500)).dealer("call").decided(dc.VoidHand(HandId("1")))
    assert void.after(cm.UndoDeal()).refused is Reason.SUPERVISOR_REQUIRED


def test_several_spots_carry_the_minimum_each_the_own_among_them() -> None:
    table = open_table().press(3, "bet", 500, spot=2).press(3, "bet", 400)
    assert table.dealer("deal").refused is Reason.EXTRA_SPOT_MINIMUM
    neighbours = open_table().press(3, "bet", 500, spot=2).press(3, "bet", 500, spot=4)
    assert neighbours.dealer("deal").refused is Reason.EXTRA_SPOT_MINIMUM
    assert neighbours.press(3, "bet", 500).dealer("deal").refused is None


def test_closing_insurance_declines_for_who_had_not_answered() -> None:
    table = dealt("5h 5s As 5d 6s 9d", (2500, 2500)).press(1, "pass")
    shut = table.dealer("close-insurance")
    declined = [r for r in shut.caused if isinstance(r, ev.InsuranceDeclined)]
    assert [(r.seat, r.by_closing) for r in declined] == [(2, True)]
    assert shut.state.phase is Phase.PLAYING


def test_an_unknown_person_is_nobody() -> None:
    stranger = cm.TakeDecision(person=Person("x", Role.UNKNOWN), decision=dc.Resume())
    assert open_table().after(stranger).refused is Reason.UNKNOWN_PERSON
