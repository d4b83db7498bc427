"""Prompts, gate and notices follow from the state alone."""

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.outputs import TO_DEALER, TO_SUPERVISOR, notices
from tests.core.table import Table, dealt, rules


def words(table: Table, to: str) -> list[str]:
    return [note.words for note in notices(table.state) if note.to == to]


def test_limits_that_change_between_rounds_make_nobody_wager_too_little() -> None:
    table = dealt("Th 9c 6c 9s 9h Kd", (1000, 200))
    told = ["Explain the minimum of 5 to seat 2"]
    assert words(table, TO_SUPERVISOR) == told
    table = table.press(1, "stand").press(2, "stand").card("8d").dealer("pickup")
    changed = table.decided(dc.SetRules(rules=rules(wager_min_cents=2500)))
    assert changed.refused is None
    told = [said for said in words(changed, TO_SUPERVISOR) if "Explain" in said]
    assert told == ["Explain the minimum of 25 to seat 2"]


def test_links_that_are_lost_are_told_to_the_dealer() -> None:
    table = dealt("Th 9c 6c 9s 9h Kd", (1000, 200))
    table = table.after(cm.ReportPanel(seat=0, lost=True)).shoe("lost")
    told = " / ".join(words(table, TO_DEALER))
    assert "The dealer's panel is lost" in told
    assert "The shoe does not answer" in told


def test_a_stuck_button_is_told_to_the_dealer() -> None:
    table = dealt("").after(cm.ReportStuckButton(seat=3, button="hit", stuck=True))
    assert "Button hit of seat 3 is stuck" in words(table, TO_DEALER)
