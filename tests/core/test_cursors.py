"""What a device was told is taken is in the record, so that its cursor moves on."""

from controller.core import commands as cm
from controller.core.cards import UNKNOWN, Card
from controller.core.ids import DealerButton, Phase, Reason
from controller.core.secrets import committed
from tests.core.table import Table, dealt, open_table

BOOT = 0x5B0E0001
SALT = bytes(32)


def read_again(table: Table, number: int, face: str, event: int) -> Table:
    report = cm.ReportCard(
        number=number, card=Card(face), raw="00", cursor=cm.Cursor(BOOT, event)
    )
    return table.after(committed(table.state, report, SALT))


def test_a_card_that_is_read_again_needlessly_moves_the_shoes_cursor() -> None:
    table = read_again(dealt("Th 7c 9d"), 2, "7c", event=9)
    assert table.types() == ["card_reported"]
    assert (table.state.shoe.boot_id, table.state.shoe.event_number) == (BOOT, 9)
    assert table.state.play == dealt("Th 7c 9d").state.play


def test_a_hole_card_that_is_read_again_needlessly_stays_hidden_and_as_it_was() -> None:
    before = dealt("Th 7c 9d 8s")
    table = read_again(before, 4, "8s", event=9)
    report = table.caused[0]
    assert isinstance(report, cm.ReportCard)
    assert (report.card, report.salt, report.raw) == (UNKNOWN, "", "")
    assert table.secrets == before.secrets
    assert table.state.play == before.state.play


def test_an_event_of_the_shoe_that_was_taken_is_not_taken_again() -> None:
    once = read_again(dealt("Th 7c 9d"), 2, "7c", event=9)
    assert read_again(once, 2, "7c", event=9).caused == ()


def test_a_press_on_a_dark_panel_of_the_dealer_is_stale() -> None:
    table = open_table().press(1, "bet", 2500)
    dark = cm.PressDealerButton(
        button=DealerButton.DEAL, prompt=0, boot_id=BOOT, number=1
    )
    table = table.after(dark)
    assert (table.refused, table.state.phase) == (Reason.STALE_PRESS, Phase.BETTING)


def test_what_the_dealer_says_at_the_console_bears_no_prompt() -> None:
    table = open_table().press(1, "bet", 2500)
    spoken = cm.PressDealerButton(button=DealerButton.DEAL)
    assert table.after(spoken).state.phase is Phase.DEALING
