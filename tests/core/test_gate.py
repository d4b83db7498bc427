"""The gate lets exactly the cards through that are due (GATE)."""

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.outputs import gate_up_to
from tests.core.table import dealt, open_table, rules


def test_the_gate_opens_up_to_the_last_card_that_is_due() -> None:
    table = dealt("", (2500, 2500))
    assert gate_up_to(table.state) == 6
    assert gate_up_to(table.card("Th", "9s").state) == 6


def test_a_gate_is_locked_while_nothing_is_due_or_the_table_stands() -> None:
    assert gate_up_to(dealt("Th 6c 9s Kd").state) == 0
    assert gate_up_to(dealt("Th").dealer("call").state) == 0


def test_a_held_card_takes_the_place_of_one_from_the_shoe() -> None:
    table = open_table(rules(burn_after_shuffle=1)).shoe("shuffled")
    table = table.card("5h").decided(dc.UseCard())
    table = table.press(3, "bet", 2500).dealer("deal")
    # One card is burned and four are dealt, the first of them is the held one.
    assert gate_up_to(table.state) == 1 + 4
    table = table.card("2c")
    assert table.hand("3").cards == ("5h",)
    assert gate_up_to(table.state) == 5


def test_a_burned_card_that_is_laid_again_is_opened_once() -> None:
    table = open_table(rules(burn_after_shuffle=1)).shoe("shuffled")
    table = table.press(3, "bet", 2500).press(4, "bet", 2500).dealer("deal")
    table = table.card("2c", "7h").dealer("call").decided(dc.MissedFirst(3))
    assert table.refused is None
    table = table.card("6c", "8h", "Kd").press(4, "stand").card("8d")
    table = table.dealer("pickup").shoe("shuffled")
    opened = [r for r in table.caused if isinstance(r, ev.CardOpened)]
    assert [record.card for record in opened] == ["2c"]
