"""A table with a shoe that prints lines: from bytes at the port to the game."""

from collections.abc import Callable
from itertools import count
from typing import Final

import pytest
from msgspec.structs import replace

from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card
from controller.core.events import HoleCardDealt
from controller.core.ids import Kind, Phase
from controller.core.outputs import notices
from controller.core.remarks import OUT_OF_SIGHT
from controller.runtime.desk import Desk
from controller.runtime.planner import prepare
from drivers.line_shoe.profiles import BEETEK
from drivers.line_shoe.session import LineShoeSession
from hw_config.schema import Baud, ShoeKind, ShoeProfile, TableHardware
from tests.core.table import Table, open_table
from tests.runtime.equipment import hardware

START: Final = 1000.0
HEX_PER_BYTE: Final = 2


def with_line_shoe() -> TableHardware:
    table = hardware()
    shoe = replace(
        table.shoe, kind=ShoeKind.LINE, profile=ShoeProfile.BEETEK, baud=Baud.B9600
    )
    return replace(table, shoe=shoe)


class LineTable:
    """A desk whose shoe prints, and the game behind it; nothing is written."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._salts = count(1)
        self.now = START
        self.start()

    def start(self) -> "LineTable":
        """Start the desk anew, as a controller does that found this table on disk."""
        self._desk = Desk(with_line_shoe(), "a.toml", self.table.state, self.now)
        assert isinstance(self._desk.shoe, LineShoeSession)
        self._desk.shoe.connection_made(self.now)
        return self._take()

    def replug(self) -> "LineTable":
        """Pull the shoe's cable and put it back."""
        self._desk.shoe.connection_lost(self.now)
        self.now += 1.0
        self._desk.shoe.handle_timer(self.now)
        self._desk.shoe.connection_made(self.now)
        return self._take()

    def wait(self, seconds: float) -> "LineTable":
        """Let time pass, and the session do what is due."""
        self.now += seconds
        self._desk.shoe.handle_timer(self.now)
        return self._take()

    def deal(self) -> "LineTable":
        """Let seat 1 wager and the dealer deal; four cards are due."""
        self.table = self.table.press(1, "bet", 2500).dealer("deal")
        return self

    def print(self, *lines: str) -> "LineTable":
        """Let the shoe print lines."""
        data = "".join(f"{line}\r\n" for line in lines).encode("latin-1")
        self._desk.shoe.receive_data(data, self.now)
        return self._take()

    def cards(self, faces: str) -> "LineTable":
        """Let the shoe print these cards in the order rank, suit."""
        return self.print(*(f"[Game]<Card:{face.upper()}>" for face in faces.split()))

    def decide(self, decision: dc.Decision) -> "LineTable":
        """Let the supervisor decide, who is not refused."""
        self.table = self.table.decided(decision)
        assert self.table.refused is None
        return self

    @property
    def kinds(self) -> list[Kind]:
        return [found.kind for found in self.table.state.irregularities]

    def _salt(self) -> bytes:
        return next(self._salts).to_bytes(32, "big")

    def _take(self) -> "LineTable":
        while (event := self._desk.shoe.next_event()) is not None:
            for one in self._desk.take(event, self.now):
                assert one.command is not None
                command = prepare(self.table.state, one.command, self._salt)
                self.table = self.table.after(command)
                if one.acknowledge is not None:
                    one.acknowledge()
        self._desk.show(self.table.state)
        return self


Away = Callable[[LineTable], LineTable]


def between_rounds() -> LineTable:
    return LineTable(open_table(seats=3))


def dealing() -> LineTable:
    """Return a table of which seat 1 has wagered and four cards are due."""
    return between_rounds().deal()


def dealers(line: LineTable) -> tuple[str, ...]:
    return line.table.state.play.dealer.cards


# --- Cards ------------------------------------------------------------------------


def test_a_round_is_dealt_from_printed_lines() -> None:
    line = dealing().cards("TH 6C 9S KD")
    assert line.table.hand("1").cards == ("Th", "9s")
    assert dealers(line) == ("6c", UNKNOWN)
    assert line.table.state.phase is Phase.PLAYING


def test_two_equal_cards_in_a_row_are_both_dealt() -> None:
    line = dealing().cards("9S 9S")
    assert line.table.hand("1").cards == ("9s",)
    assert dealers(line) == ("9s",)


@pytest.mark.parametrize("face", ["TD", "10D", "AD"])
def test_a_hole_card_tells_nothing_by_its_record(face: str) -> None:
    shown = dealing().cards("TH 6C 9S").print(f"[Game]<Card:{face}>").table
    plain = dealing().cards("TH 6C 9S").print("[Game]<Card:2D>").table
    (dealt,) = [one for one in shown.caused if isinstance(one, HoleCardDealt)]
    (other,) = [one for one in plain.caused if isinstance(one, HoleCardDealt)]
    assert replace(dealt, commitment="") == replace(other, commitment="")
    assert replace(shown.state, play=plain.state.play, history=()) == replace(
        plain.state, history=()
    )
    sealed = shown.secrets.of(4)
    assert sealed is not None
    assert len(sealed.raw) == BEETEK.line_max_bytes * HEX_PER_BYTE


def test_a_card_when_none_is_due_is_an_irregularity_as_ever() -> None:
    line = dealing().cards("TH 6C 9S KD 5H")
    assert line.kinds == [Kind.CARD_DRAWN_IN_ERROR]


def test_a_card_after_a_failed_read_waits_for_the_supervisor() -> None:
    line = dealing().cards("TH").print("[Game]<Game>", "[Game]<Card:6C>")
    assert line.kinds == [Kind.CARD_UNREAD, Kind.CARD_DRAWN_IN_ERROR]
    # It was the same card, read at the second try.
    line.decide(dc.NoCard()).decide(dc.KeyCard(Card("6c")))
    assert line.kinds == []
    assert dealers(line) == ("6c",)
    assert line.cards("9S").table.hand("1").cards == ("Th", "9s")


# --- Out of sight -----------------------------------------------------------------


def test_the_first_start_of_a_table_is_no_news() -> None:
    line = between_rounds()
    assert line.kinds == []
    assert notices(line.table.state) == ()


@pytest.mark.parametrize("away", [LineTable.start, LineTable.replug])
def test_a_shoe_out_of_sight_between_rounds_is_a_notice(
    away: Away,
) -> None:
    line = between_rounds()
    away(line)
    assert line.kinds == []
    words = {notice.words for notice in notices(line.table.state)}
    assert words == {OUT_OF_SIGHT}


@pytest.mark.parametrize("away", [LineTable.start, LineTable.replug])
def test_a_shoe_out_of_sight_in_a_round_stops_the_table(
    away: Away,
) -> None:
    line = dealing().cards("TH")
    away(line)
    assert line.kinds == [Kind.SHOE_POSITION_UNKNOWN]
    line.decide(dc.KeyCard(Card("6c"))).decide(dc.Resume())
    assert line.cards("9S KD").table.state.phase is Phase.PLAYING
    assert line.table.hand("1").cards == ("Th", "9s")


@pytest.mark.parametrize("away", [LineTable.start, LineTable.replug])
def test_a_shoe_that_gave_nothing_out_of_sight_goes_on(
    away: Away,
) -> None:
    line = dealing().cards("TH 6C")
    away(line)
    assert line.decide(dc.Resume()).cards("9S").kinds == []
    assert line.table.hand("1").cards == ("Th", "9s")


def test_every_start_takes_another_boot_id() -> None:
    line = between_rounds()
    boots = {line.start().table.state.shoe.boot_id for _ in range(3)}
    assert boots == {2, 3, 4}


# --- Lines that are no card -------------------------------------------------------


def test_an_unknown_line_in_a_round_stops_the_table_and_shows_no_face() -> None:
    line = dealing().cards("TH 6C 9S").print("[Game]<Card:DK>")
    assert line.kinds == [Kind.SHOE_FAULT, Kind.SHOE_POSITION_UNKNOWN]
    assert "DK" not in repr(line.table.state)
    line.decide(dc.KeyCard(Card("Kd"))).decide(dc.Resume())
    assert line.table.state.phase is Phase.PLAYING
    assert dealers(line) == ("6c", UNKNOWN)


@pytest.mark.parametrize("garble", ["\xff[Game]<Card:KD>", "x" * 100])
def test_a_line_in_doubt_in_a_round_makes_the_position_unknown(garble: str) -> None:
    line = dealing().cards("TH").print(garble)
    assert line.kinds == [Kind.SHOE_POSITION_UNKNOWN]


def test_a_cable_that_rattles_stops_the_table_once() -> None:
    line = dealing().cards("TH")
    for _ in range(5):
        line.now += 2.0
        line.print("\xff")
    assert line.kinds == [Kind.SHOE_POSITION_UNKNOWN]


def test_a_card_that_is_lost_just_after_a_doubt_between_rounds_is_missed() -> None:
    line = between_rounds().print("\xff").wait(0.5).deal().wait(0.4)
    line.print("\xff[Game]<Card:KD>")
    assert line.wait(0.2).kinds == [Kind.SHOE_POSITION_UNKNOWN]


def test_an_alarm_in_a_round_just_after_one_between_rounds_stops_the_table() -> None:
    alarm = "[Game]<Alarm:E5 Motor>"
    line = between_rounds().print(alarm).wait(0.5).deal().print(alarm)
    assert line.wait(0.6).kinds == [Kind.SHOE_FAULT]


def test_an_alarm_in_a_round_is_a_shoe_fault_that_a_supervisor_ends() -> None:
    line = dealing().cards("TH").print("[Game]<Alarm:E5 Motor>")
    assert line.kinds == [Kind.SHOE_FAULT]
    assert line.decide(dc.Resume()).cards("6C").kinds == []


def test_a_warning_is_a_notice_and_the_round_goes_on() -> None:
    line = dealing().cards("TH").print("<W0x01>").cards("6C")
    assert line.kinds == []
    assert "The shoe warns (W0x01)" in {n.words for n in notices(line.table.state)}
