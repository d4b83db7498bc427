import io

from rich.console import Console

from controller.core.cards import Card
from controller.core.ids import Button, DealerButton
from simulators.rigs.demo.narration import Narrator
from simulators.rigs.demo.screen import LiveScreen, PlainScreen, card_text
from tests.rigs.demo.played import SHIFT, PlayedTable


def at_a_split() -> Narrator:
    """Return a table at which seat 2 has split eights and seat 3 has blackjack."""
    table = PlayedTable()
    narrator = Narrator(table.state)
    played = (
        table.ask(SHIFT),
        table.press(2, Button.BET, 2000),
        table.press(3, Button.BET, 1000),
        table.dealer(DealerButton.DEAL),
        table.cards("8h", "As", "6d", "8c", "Kc", "Th"),
        table.press(2, Button.SPLIT),
        table.cards("3s"),
    )
    for records in played:
        for record in records:
            list(narrator.tell(record))
    return narrator


def shown(narrator: Narrator, *lines: str, height: int = 40) -> list[str]:
    """Return what a terminal of so many lines shows at the end."""
    written = io.StringIO()
    console = Console(
        file=written, width=100, height=height, force_terminal=True, color_system=None
    )
    with LiveScreen(console) as screen:
        for line in lines:
            screen.say(line)
        screen.show(narrator, 5)
    return written.getvalue().rpartition("╭")[2].splitlines()


def test_each_hand_has_its_row_with_cards_total_and_wager() -> None:
    rows = [" ".join(line.strip("│ ").split()) for line in shown(at_a_split())]
    assert "2.1 20 8♥ 3♠ 11 hit stand double 0" in rows
    assert "2.2 20 8♣ 8" in rows
    assert "3 10 A♠ K♣ blackjack 0" in rows
    assert "1 0" in rows


def test_the_hole_card_shows_its_back() -> None:
    (dealer,) = [line for line in shown(at_a_split()) if "dealer " in line]
    assert dealer.split()[1:5] == ["dealer", "6♦", "▒▒", "6"]


def test_the_round_and_the_dealers_prompt_frame_the_table() -> None:
    lines = shown(at_a_split())
    assert "T, colorado, round 1: playing (0 of 5 played)" in lines[0]
    assert any("dealer: Wait for seat 2, hand 2.1" in line for line in lines)


def test_the_last_lines_stand_under_the_table() -> None:
    said = [f"line {number}" for number in range(20)]
    lines = [line.strip("│ ") for line in shown(at_a_split(), *said)]
    assert [line for line in lines if line.startswith("line")] == said[-9:]


def test_a_small_terminal_shows_fewer_lines_and_the_whole_table() -> None:
    said = [f"line {number}" for number in range(20)]
    lines = [line.strip("│ ") for line in shown(at_a_split(), *said, height=24)]
    assert [line for line in lines if line.startswith("line")] == said[-6:]
    assert len(lines) <= 24


def test_a_pipe_gets_plain_lines() -> None:
    written = io.StringIO()
    with PlainScreen(Console(file=written, width=20)) as screen:
        screen.say("round 1: no more bets, 35.50 on the layout")
        screen.say("8h to seat 1: 8 [sic]")
        screen.show(at_a_split(), 5)
    assert written.getvalue().splitlines() == [
        "round 1: no more bets, 35.50 on the layout",
        "  8h to seat 1: 8 [sic]",
    ]


def test_cards_are_written_with_their_suits() -> None:
    assert [card_text(Card(card)).plain for card in ("Th", "As", "9d", "Kc")] == [
        "10♥",
        "A♠",
        "9♦",
        "K♣",
    ]
