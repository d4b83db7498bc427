"""Why a press is refused, in the order of the reasons (PLAY-1, PLAY-2, PLAY-4)."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.ids import Button, DealerButton, Reason
from tests.core.table import Table, dealt, open_table, rules

EVERY_BUTTON = tuple(button.value for button in Button)
BETS = ("bet", "clear", "rebet")
CHOICES = ("hit", "stand", "double", "split", "surrender")


def refusals(table: Table, seat: int = 1) -> dict[str, Reason | None]:
    return {name: table.press(seat, name).refused for name in EVERY_BUTTON}


def stale(table: Table, seat: int, button: str) -> Table:
    """Press under a number that the panel showed before."""
    pressed = cm.PressButton(
        seat=seat, button=Button(button), prompt=0, number=99, boot_id=1
    )
    return table.after(pressed)


def insured() -> Table:
    return dealt("5h 5s As 5d 6s Kd", (2500, 2500))


def in_play() -> Table:
    return dealt("5h 5s 6c 4d 6s Kd", (2500, 2500))


def test_at_a_closed_table_every_press_says_so() -> None:
    closed = open_table().after(cm.CloseShift())
    assert set(refusals(closed).values()) == {Reason.SHIFT_CLOSED}


def test_at_a_stopped_table_every_press_says_so() -> None:
    assert set(refusals(in_play().dealer("call")).values()) == {Reason.TABLE_SUSPENDED}


@pytest.mark.parametrize(
    ("table", "in_their_phase"),
    [
        (dealt("5h"), ()),
        (insured(), ("insure", "pass")),
        (in_play(), ("hit", "stand", "double", "split", "surrender", "pass")),
        (dealt("Ah 6c Kh Kd"), ()),
    ],
)
def test_a_button_out_of_its_phase_says_so(
    table: Table, in_their_phase: tuple[str, ...]
) -> None:
    for name, reason in refusals(table, 2).items():
        if name in BETS:
            assert reason is Reason.BETS_CLOSED
        elif name in in_their_phase:
            assert reason not in (Reason.WRONG_PHASE, Reason.BETS_CLOSED)
        else:
            assert reason is Reason.WRONG_PHASE


def test_while_bets_are_open_nothing_else_is_in_its_phase() -> None:
    found = refusals(open_table())
    assert {found[name] for name in (*CHOICES, "insure", "pass")} == {
        Reason.WRONG_PHASE
    }
    assert found["bet"] is None
    assert found["clear"] is Reason.NO_WAGER
    assert found["rebet"] is Reason.NO_PREVIOUS_WAGER


def test_whose_turn_it_is_comes_before_a_late_press() -> None:
    assert stale(in_play(), 2, "hit").refused is Reason.NOT_YOUR_TURN
    assert stale(in_play(), 1, "hit").refused is Reason.STALE_PRESS
    assert stale(in_play(), 1, "split").refused is Reason.STALE_PRESS
    assert in_play().press(1, "split").refused is Reason.ACTION_NOT_ALLOWED
    assert in_play().press(1, "pass").refused is Reason.ACTION_NOT_ALLOWED


def test_in_insurance_the_wager_comes_first_then_the_number_then_the_answer() -> None:
    assert stale(insured(), 3, "pass").refused is Reason.NO_WAGER
    assert stale(insured(), 1, "pass").refused is Reason.STALE_PRESS
    answered = insured().press(1, "pass")
    assert stale(answered, 1, "pass").refused is Reason.STALE_PRESS
    assert answered.press(1, "insure").refused is Reason.ALREADY_ANSWERED


def test_while_a_card_is_due_nothing_is_allowed() -> None:
    due = in_play().press(1, "hit")
    for name in CHOICES:
        assert due.press(1, name).refused is Reason.ACTION_NOT_ALLOWED


def test_a_late_bet_is_refused_too() -> None:
    assert stale(open_table(), 1, "bet").refused is Reason.STALE_PRESS


def test_a_button_that_is_stuck_says_nothing() -> None:
    stuck = in_play().after(cm.ReportStuckButton(seat=1, button="hit", stuck=True))
    assert stuck.press(1, "hit").refused is Reason.ACTION_NOT_ALLOWED
    assert stuck.press(1, "stand").refused is None


def test_a_seat_that_the_table_does_not_have_is_refused() -> None:
    small = open_table(seats=3)
    for seat in (0, 4):
        pressed = cm.PressButton(seat=seat, button=Button.BET, prompt=1, number=1)
        assert small.after(pressed).refused is Reason.UNKNOWN_SEAT
    assert small.after(cm.OpenSeat(seat=4)).refused is Reason.UNKNOWN_SEAT


# --- Amounts and spots -----------------------------------------------------------


def test_a_wager_may_lie_on_the_own_spot_and_the_two_beside_it() -> None:
    table = open_table()
    assert [table.press(3, "bet", 500, spot=n).refused for n in (2, 3, 4)] == [None] * 3
    for spot in (1, 5, 8):
        refused = table.press(3, "bet", 500, spot=spot).refused
        assert refused is Reason.SIDE_WAGERS_PROHIBITED
    assert table.press(1, "bet", 500, spot=7).refused is Reason.SIDE_WAGERS_PROHIBITED


def test_where_a_player_has_one_spot_no_neighbour_may_be_played() -> None:
    table = open_table(rules(spots_per_player_max=1))
    assert table.press(3, "bet", 500, spot=2).refused is Reason.SIDE_WAGERS_PROHIBITED


def test_a_spot_that_another_seat_took_is_taken() -> None:
    table = open_table().press(3, "bet", 500, spot=2)
    assert table.press(2, "bet", 500).refused is Reason.SPOT_TAKEN
    assert table.press(1, "bet", 500, spot=2).refused is Reason.SPOT_TAKEN


def test_bet_with_an_amount_sets_and_bet_alone_adds_a_step() -> None:
    table = open_table().press(3, "bet", 1234)
    assert table.state.wagers[0].amount_cents == 1234
    assert table.press(3, "bet").state.wagers[0].amount_cents == 1734
    assert table.press(3, "bet", 900).state.wagers[0].amount_cents == 900
    assert table.press(3, "bet", 0).state.wagers == ()
    assert open_table().press(3, "bet", 0).refused is Reason.NO_WAGER


def test_rebet_takes_away_what_lies_elsewhere() -> None:
    played = dealt("Th 6c 9s Kd").press(1, "stand").card("8d").dealer("pickup")
    table = played.press(3, "bet", 900).press(1, "bet", 700, spot=2).press(1, "rebet")
    lying = [(wager.spot, wager.amount_cents) for wager in table.state.wagers]
    assert lying == [(1, 2500), (3, 900)]


def test_insurance_is_at_most_half_of_all_the_seats_wagers() -> None:
    table = open_table().press(2, "bet", 2501).press(2, "bet", 1001, spot=3)
    table = table.dealer("deal").card("5h", "5s", "As", "4d", "6s", "Kd")
    assert table.press(2, "insure", 1751).refused is Reason.INSURANCE_OVER_HALF
    assert table.press(2, "insure", 0).refused is Reason.NO_WAGER
    assert table.press(2, "insure", 1750).refused is None
    whole = table.press(2, "insure")
    taken = next(r for r in whole.caused if isinstance(r, ev.InsuranceTaken))
    assert taken.amount_cents == 1250 + 500


# --- The dealer's entry for a lost panel (PLAY-4) ----------------------------------


def lost(table: Table, seat: int = 1) -> Table:
    return table.after(cm.ReportPanel(seat=seat, lost=True))


def clarify(table: Table, button: str, seat: int = 1) -> Table:
    return table.after(cm.ClarifyChoice(seat=seat, button=Button(button)))


def test_with_a_working_panel_nothing_is_clarified() -> None:
    assert clarify(in_play(), "hit").refused is Reason.PANEL_NOT_LOST
    assert clarify(in_play(), "bet").refused is Reason.BETS_CLOSED
    assert clarify(dealt("5h"), "hit").refused is Reason.WRONG_PHASE
    assert clarify(in_play().dealer("call"), "hit").refused is Reason.TABLE_SUSPENDED


def test_a_lost_panel_needs_a_supervisors_leave_which_ends_when_it_is_back() -> None:
    table = lost(in_play(), 2)
    assert clarify(table, "hit", 2).refused is Reason.SUPERVISOR_REQUIRED
    allowed = table.decided(dc.AllowDealerEntry(2))
    assert clarify(allowed, "hit", 2).refused is Reason.NOT_YOUR_TURN
    theirs = allowed.press(1, "stand")
    assert clarify(theirs, "split", 2).refused is Reason.ACTION_NOT_ALLOWED
    entered = clarify(theirs, "stand", 2)
    assert entered.refused is None
    marked = next(r for r in entered.caused if isinstance(r, ev.PressAccepted))
    assert marked.by_dealer
    back = allowed.after(cm.ReportPanel(seat=2, lost=False)).press(1, "stand")
    assert clarify(back, "stand", 2).refused is Reason.PANEL_NOT_LOST


def test_insurance_is_clarified_within_the_same_limits() -> None:
    table = lost(insured()).decided(dc.AllowDealerEntry(1))
    assert clarify(table, "insure").refused is None
    taken = clarify(table, "insure").state.play.insured
    assert [(a.seat, a.amount_cents) for a in taken] == [(1, 1250)]


def test_what_the_dealer_enters_is_no_notice_of_the_seat() -> None:
    refused = clarify(in_play(), "hit")
    assert refused.state.seats[0].refused is None
    assert in_play().press(2, "hit").state.seats[1].refused is Reason.NOT_YOUR_TURN
    cleared = in_play().press(1, "split").press(1, "stand")
    assert cleared.state.seats[0].refused is None


def test_the_dealers_buttons_have_their_reasons_too() -> None:
    table = open_table()
    assert table.dealer("deal").refused is Reason.NO_WAGER
    assert table.dealer("next").refused is Reason.WRONG_PHASE
    assert table.dealer("close-insurance").refused is Reason.WRONG_PHASE
    assert in_play().dealer("deal").refused is Reason.WRONG_PHASE
    assert in_play().press(1, "hit").dealer("next").refused is Reason.ACTION_NOT_ALLOWED
    closed = table.after(cm.CloseShift())
    for button in DealerButton:
        assert closed.dealer(button.value).refused is Reason.SHIFT_CLOSED
    stopped = in_play().dealer("call")
    assert stopped.dealer("next").refused is Reason.TABLE_SUSPENDED
