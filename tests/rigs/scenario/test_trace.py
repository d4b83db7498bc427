import re
from pathlib import Path

from controller.core.ids import Button, Kind, Outcome, Phase
from simulators.rigs.scenario.trace import trace_line
from simulators.rigs.scenario.view import (
    HandView,
    SeatLamps,
    Settlement,
    TableView,
)
from simulators.rigs.scenario.vocabulary import Gate

DOCUMENT = Path(__file__).parents[3] / "docs/scenarios.md"


def test_an_empty_table_is_its_phase_and_its_gate() -> None:
    idle = TableView(phase=Phase.BETTING, gate=Gate.LOCKED)
    assert trace_line(idle) == "BETTING; gate locked"


def test_the_documented_trace_is_the_one_that_is_written() -> None:
    first = frozenset({Button.SURRENDER, Button.HIT, Button.DOUBLE, Button.STAND})
    view = TableView(
        phase=Phase.PLAYING,
        turn="1",
        lamps=(SeatLamps(1, first), SeatLamps(3, frozenset())),
        gate=Gate.LOCKED,
        hands=(
            HandView(hand="1", cards=("8h", "5c"), total=13, wager_cents=2500),
            HandView(hand="3", cards=("9c", "Tc"), total=19, wager_cents=1000),
        ),
        dealer=HandView(hand="dealer", cards=("6d", "??"), total=6),
        refused="not_your_turn",
    )
    text = DOCUMENT.read_text("utf-8")
    documented = re.search(r"^```trace\n(.*)\n```$", text, re.MULTILINE)
    assert documented is not None
    assert trace_line(view) == documented[1]


def test_hands_and_lamps_stand_in_table_order() -> None:
    view = TableView(
        phase=Phase.INSURANCE,
        lamps=tuple(
            SeatLamps(seat, frozenset({Button.PASS, Button.INSURE})) for seat in (3, 1)
        ),
        gate=Gate.LOCKED,
        hands=tuple(
            HandView(hand=name, cards=()) for name in ("3.2", "10", "1", "3.1")
        ),
    )
    assert trace_line(view) == (
        "INSURANCE; lamps 1 insure pass, 3 insure pass; gate locked; "
        "hand 1; hand 3.1; hand 3.2; hand 10"
    )


def test_a_settled_and_suspended_table_shows_outcomes_rack_and_irregularities() -> None:
    view = TableView(
        phase=Phase.SUSPENDED,
        gate=Gate.LOCKED,
        hands=(
            HandView(
                hand="2",
                cards=("Ah", "6c"),
                total=17,
                soft=True,
                wager_cents=1250,
                settled=Settlement(Outcome.WIN, 1250),
            ),
            HandView(
                hand="3", cards=(), wager_cents=500, settled=Settlement(Outcome.DEAD, 0)
            ),
        ),
        dealer=HandView(hand="dealer", cards=("??",)),
        rack=(("Th", "Ks"), ("??",)),
        irregularities=(Kind.CALLED, Kind.CARD_UNREAD),
    )
    assert trace_line(view) == (
        "SUSPENDED; gate locked; hand 2 Ah 6c (17s) 12.50 win +12.50; "
        "hand 3 5 dead 0; dealer ??; rack Th Ks | ??; "
        "irregularity called card_unread"
    )
