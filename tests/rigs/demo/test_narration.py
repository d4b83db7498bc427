from collections.abc import Iterable

from controller.core import commands as cm
from controller.core.evolve import Record
from controller.core.ids import Button, DealerButton, ShoeSign
from simulators.rigs.demo.narration import Narrator
from tests.rigs.demo.played import SHIFT, PlayedTable


class Beside:
    """Somebody beside a table who is told what happens."""

    def __init__(self) -> None:
        self.table = PlayedTable()
        self.narrator = Narrator(self.table.state)
        self.told(self.table.ask(SHIFT))

    def told(self, *records: Iterable[Record]) -> list[str]:
        return [
            line
            for some in records
            for record in some
            for line in self.narrator.tell(record)
        ]

    def bets(self, seat: int, cents: int) -> list[str]:
        return self.told(self.table.press(seat, Button.BET, cents))

    def deals(self, *cards: str) -> list[str]:
        dealt = self.told(self.table.dealer(DealerButton.DEAL))
        return dealt + self.told(self.table.cards(*cards))

    def presses(self, seat: int, button: Button) -> list[str]:
        return self.told(self.table.press(seat, button))

    def draws(self, *cards: str) -> list[str]:
        return self.told(self.table.cards(*cards))

    def picks_up(self) -> list[str]:
        return self.told(self.table.dealer(DealerButton.PICKUP))


def test_the_deal_is_told_card_by_card_and_the_hole_card_is_not() -> None:
    beside = Beside()
    assert beside.bets(1, 1000) == ["seat 1 bets 10"]
    assert beside.bets(3, 2550) == ["seat 3 bets 25.50"]
    assert beside.deals("8h", "As", "6d", "5c", "Kc", "Th") == [
        "round 1: no more bets, 35.50 on the layout",
        "8h to seat 1: 8",
        "As to seat 3: soft 11",
        "6d to the dealer: 6",
        "5c to seat 1: 13",
        "Kc to seat 3: blackjack",
        "the dealer's hole card, face down",
        "seat 1 is in turn",
    ]


def test_a_round_is_told_to_its_end() -> None:
    beside = Beside()
    beside.bets(2, 2000)
    beside.deals("8h", "6d", "8c", "Th")
    assert beside.presses(2, Button.SPLIT) == ["seat 2 presses SPLIT"]
    assert beside.draws("3s") == ["3s to hand 2.1: 11"]
    assert beside.presses(2, Button.DOUBLE) == ["seat 2 presses DOUBLE"]
    assert beside.draws("Td", "7s") == [
        "Td to hand 2.1: 21",
        "hand 2.2 is in turn",
        "7s to hand 2.2: 15",
    ]
    assert beside.presses(2, Button.STAND) == [
        "seat 2 presses STAND",
        "the hole card: Th, the dealer: 16",
    ]
    assert beside.draws("9h") == [
        "9h to the dealer: 25",
        "hand 2.1 wins +40",
        "hand 2.2 wins +20",
    ]
    assert beside.picks_up() == ["round 1 closed: 8 cards racked, house -60"]
    assert beside.narrator.rounds == 1
    assert beside.narrator.money_cents[2] == 6000
    assert beside.narrator.state == beside.table.state


def test_insurance_is_told_and_counts_as_money() -> None:
    beside = Beside()
    beside.bets(2, 2000)
    assert beside.deals("9c", "As", "Th", "Qd")[-1] == "insurance is offered"
    assert beside.presses(2, Button.INSURE) == [
        "seat 2 presses INSURE",
        "the dealer peeks, and has blackjack",
        "seat 2: insurance win +20",
        "the hole card: Qd, the dealer: blackjack",
        "seat 2 loses -20",
    ]
    beside.picks_up()
    assert beside.narrator.money_cents[2] == 0


def test_a_refused_press_is_told_with_its_reason() -> None:
    beside = Beside()
    beside.bets(1, 1000)
    beside.deals("8h", "6d", "8c", "Th")
    assert beside.presses(3, Button.HIT) == [
        "seat 3 presses HIT: refused, not your turn"
    ]


def test_what_stops_the_table_is_told() -> None:
    beside = Beside()
    call = beside.told(beside.table.dealer(DealerButton.CALL))
    assert call == ["STOPPED: called"]


def test_the_cut_card_and_a_shuffle_are_told() -> None:
    beside = Beside()
    cut = beside.told(beside.table.ask(cm.ReportShoe(sign=ShoeSign.CUT_CARD)))
    assert cut == ["the cut card: the shoe is shuffled after this round"]
    shuffled = cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=312)
    assert beside.told(beside.table.ask(shuffled)) == [
        "the shoe is shuffled: 312 cards"
    ]


def test_only_a_restart_is_told_and_not_the_first_start() -> None:
    beside = Beside()
    again = beside.told(beside.table.ask(cm.ResumeControl()))
    assert again == ["the controller goes on from its journal"]
    fresh = PlayedTable()
    first = Narrator(fresh.state)
    records = fresh.ask(cm.ResumeControl())
    assert [line for record in records for line in first.tell(record)] == []


def test_the_busiest_round_is_the_one_with_most_presses() -> None:
    beside = Beside()
    for cards in (("Ah", "9c", "Kh", "8s"), ("9s", "9d", "9h", "Th")):
        beside.bets(1, 1000)
        beside.deals(*cards)
        beside.presses(1, Button.STAND)
        beside.picks_up()
    assert beside.narrator.busiest_round == 2
    assert beside.narrator.presses == {1: 0, 2: 1}
