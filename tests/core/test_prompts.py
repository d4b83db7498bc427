"""What may be pressed, and under which number (rules.md, Prompts)."""

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, DealerButton, Reason
from controller.core.state import Prompt
from tests.core.table import Table, dealt, open_table, rules


def prompt(table: Table, seat: int) -> Prompt:
    return table.state.prompts[seat]


def number(table: Table, seat: int) -> int:
    return prompt(table, seat).number


def buttons(table: Table, seat: int) -> tuple[str, ...]:
    return prompt(table, seat).buttons


def test_betting_has_one_number_while_its_lamps_change() -> None:
    table = open_table()
    first = number(table, 3)
    assert buttons(table, 3) == ("bet",)
    table = table.press(3, "bet", 2500)
    assert buttons(table, 3) == ("bet", "clear")
    table = table.press(3, "bet").press(3, "clear")
    assert buttons(table, 3) == ("bet",)
    assert number(table, 3) == first


def test_the_number_goes_up_when_betting_opens_again() -> None:
    played = dealt("Th 6c 9s Kd").press(1, "stand").card("8d")
    before = [number(played, seat) for seat in range(1, 8)]
    opened = played.dealer("pickup")
    assert [number(opened, seat) for seat in range(1, 8)] == [n + 1 for n in before]
    assert buttons(opened, 1) == ("bet", "rebet")


def test_the_number_goes_up_when_the_bets_are_reopened_by_undo() -> None:
    table = open_table().press(1, "bet", 2500)
    reopened = table.dealer("deal").after(cm.UndoDeal())
    assert number(reopened, 1) > number(table, 1)
    assert buttons(reopened, 1) == ("bet", "clear")


def test_a_spot_that_a_neighbour_took_shows_no_bet() -> None:
    table = open_table().press(3, "bet", 2500, spot=2)
    assert buttons(table, 2) == ()
    assert buttons(table, 3) == ("bet",)


def test_rebet_is_dark_where_another_seat_lies_on_a_spot_of_it() -> None:
    played = dealt("Th 6c 9s Kd").press(1, "stand").card("8d").dealer("pickup")
    table = played.press(2, "bet", 2500, spot=1)
    assert buttons(table, 1) == ()
    assert table.press(1, "rebet").refused is Reason.SPOT_TAKEN
    assert table.press(2, "rebet").refused is Reason.NO_PREVIOUS_WAGER


def test_the_number_goes_up_with_the_buttons_and_with_the_hand() -> None:
    table = dealt("8h Th 6c 8d 9d Kd", (2500, 2500))
    assert prompt(table, 1).hand == "1"
    split = table.press(1, "split")
    assert buttons(split, 1) == ()
    assert number(split, 1) == number(table, 1) + 1
    first = split.card("Th")
    assert prompt(first, 1).hand == "1.1"
    assert number(first, 1) == number(split, 1) + 1
    second = first.press(1, "stand").card("9h")
    assert prompt(second, 1).hand == "1.2"
    assert number(second, 1) > number(first, 1)
    assert number(second, 2) == number(table, 2)


def test_the_number_goes_up_after_an_accepted_press_with_the_same_lamps_again() -> None:
    asked = dealt("5h As 5d Kd", in_force=rules("house"))
    before = number(asked, 1)
    assert buttons(asked, 1) == ("insure", "pass")
    passed = asked.press(1, "pass")
    assert number(passed, 1) > before


def test_answers_to_insurance_do_not_make_each_other_stale() -> None:
    table = dealt("5h 5s As 5d 6s Kd", (2500, 2500))
    shown = number(table, 2)
    table = table.press(1, "pass")
    assert number(table, 2) == shown
    assert table.press(2, "insure").refused is None


def test_a_seat_that_can_insure_nothing_may_only_pass() -> None:
    table = dealt("5h As 5d Kd", (1,))
    assert buttons(table, 1) == ("pass",)
    assert table.press(1, "insure").refused is Reason.ACTION_NOT_ALLOWED


def test_a_press_answers_one_prompt_only() -> None:
    table = dealt("5h 6c 4d Kd")
    press = cm.PressButton(
        seat=1, button=Button.HIT, prompt=number(table, 1), number=50
    )
    once = table.after(press)
    assert once.refused is None
    twice = once.card("2h").after(
        cm.PressButton(seat=1, button=Button.HIT, prompt=press.prompt, number=51)
    )
    assert twice.refused is Reason.STALE_PRESS


def test_a_press_that_a_panel_repeats_is_counted_once() -> None:
    table = open_table()
    press = cm.PressButton(
        seat=1, button=Button.BET, prompt=number(table, 1), number=7, boot_id=3
    )
    once = table.after(press)
    assert once.after(press).caused == ()
    assert once.state.wagers[0].amount_cents == 500


def test_a_dealers_press_that_a_panel_repeats_is_counted_once() -> None:
    table = open_table().press(1, "bet", 2500)
    press = cm.PressDealerButton(
        button=DealerButton.DEAL,
        prompt=number(table, 0),
        number=4,
        boot_id=9,
    )
    dealing = table.after(press)
    assert dealing.refused is None
    assert dealing.after(press).caused == ()
    stale = cm.PressDealerButton(
        button=DealerButton.PICKUP, prompt=press.prompt, number=5, boot_id=9
    )
    assert dealing.after(stale).refused is Reason.STALE_PRESS


def test_all_lamps_are_dark_while_the_table_is_stopped() -> None:
    table = dealt("5h 6c 4d Kd").dealer("call")
    assert [buttons(table, seat) for seat in range(8)] == [("call",)] + [()] * 7


@pytest.mark.parametrize(
    ("table", "lit"),
    [
        (open_table(), ("call",)),
        (open_table().press(1, "bet"), ("deal", "call")),
        (dealt("Th"), ("call",)),
        (dealt("5h As 5d Kd"), ("close-insurance", "call")),
        (dealt("5h 6c 4d Kd"), ("call",)),
        (dealt("Ah 6c Kh Kd"), ("pickup", "call")),
        (open_table().after(cm.CloseShift()), ()),
    ],
)
def test_the_dealers_panel_shows_what_the_dealer_may_do(
    table: Table, lit: tuple[str, ...]
) -> None:
    assert buttons(table, 0) == lit


def test_the_dealers_prompt_names_the_hand_whose_turn_it_is() -> None:
    table = dealt("5h 6c 4d Kd")
    assert prompt(table, 0).hand == "1"


def test_numbers_are_recorded_as_one_change() -> None:
    table = open_table().press(1, "bet", 2500).dealer("deal")
    changes = [r for r in table.caused if isinstance(r, ev.PromptsChanged)]
    assert len(changes) == 1
    assert [p.seat for p in changes[0].prompts] == list(range(8))
