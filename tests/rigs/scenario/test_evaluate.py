import msgspec
import pytest

from controller.core.ids import Button, InsuranceResult, Kind, Outcome, Phase
from controller.words.reading import Reader
from simulators.rigs.scenario.evaluate import contradiction, failure_line
from simulators.rigs.scenario.expectation_grammar import expectation
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.language import parse_scenario
from simulators.rigs.scenario.view import (
    EventView,
    HandView,
    InsuranceView,
    NoticeView,
    SeatLamps,
    Settlement,
    TableView,
)
from simulators.rigs.scenario.vocabulary import Gate, Staff

TABLE = TableView(
    phase=Phase.PLAYING,
    turn="3.2",
    lamps=(SeatLamps(3, frozenset({Button.STAND, Button.HIT})),),
    gate=Gate.LOCKED,
    hands=(
        HandView(
            hand="1",
            cards=("Th", "6c", "Ks"),
            total=26,
            wager_cents=2500,
            settled=Settlement(Outcome.BUST, -2500),
        ),
        HandView(hand="2", cards=("Ah", "Kc"), total=21, soft=True, blackjack=True),
        HandView(hand="3.1", cards=("8h", "9c"), total=17, wager_cents=1250),
        HandView(hand="3.2", cards=("Ah", "6c"), total=17, soft=True),
        HandView(hand="4", cards=("??",)),
    ),
    dealer=HandView(hand="dealer", cards=("Ad", "??"), total=11, soft=True),
    insurance=(InsuranceView(2, InsuranceResult.WIN, 2000),),
    rack=(("Th", "6c", "Ks"), ("??",)),
    irregularities=(Kind.CALLED, Kind.SHOE_FAULT),
    notices=(
        NoticeView(Staff.DEALER, "Ask seat 3: hit or stand?"),
        NoticeView(3, "Your turn, hand 3.2."),
    ),
    prompt="Card to hand 3.2",
    refused="not_your_turn",
    events=(
        EventView("press_refused", {"seat": 1, "button": "hit", "late": True}),
        EventView("hand_settled", {"hand": "1", "net_cents": -2500, "by": None}),
        EventView("hand_settled", {"hand": "2", "net_cents": 2500, "by": None}),
    ),
)

HOLDING = [
    "phase PLAYING",
    "turn 3.2",
    "lamps 3 hit stand",
    "lamps 3 stand hit",
    "lamps 1",
    "cards 1 Th 6c Ks",
    "cards dealer Ad ??",
    "total 3.1 17",
    "total 3.2 17",
    "total 3.2 17 soft",
    "total 2 21",
    "total 2 blackjack",
    "total 1 26",
    "total 1 bust",
    "total dealer 11",
    "wager 3.1 12.50",
    "settled 1 bust -25",
    "insurance 2 win +20",
    "rack Th 6c Ks | ??",
    "refused not_your_turn",
    "notice dealer ask SEAT 3",
    "notice dealer stand hit",
    "notice seat 3 3.2 turn",
    "prompt card to 3.2",
    "gate locked",
    "irregularity called",
    "irregularity shoe_fault",
    "event press_refused",
    "event press_refused seat=1 late=true",
    "event hand_settled net_cents=+2500 hand=2",
    "event hand_settled net_cents=-2500 by=none",
    "no-event player_asked",
]

FAILING = [
    ("phase DEALING", "PLAYING"),
    ("turn 3.1", "3.2"),
    ("turn none", "3.2"),
    ("lamps 3 hit", "hit stand"),
    ("lamps 3 hit stand double", "hit stand"),
    ("lamps 1 bet", "nothing"),
    ("cards 1 6c Th Ks", "Th 6c Ks"),
    ("cards 9 Th", "no hand 9"),
    ("total 3.1 17 soft", "17 of 8h 9c"),
    ("total 3.2 16", "17s of Ah 6c"),
    ("total 3.1 blackjack", "17 of 8h 9c"),
    ("total 2 bust", "21s of Ah Kc"),
    ("total 4 bust", "??"),
    ("total 4 0", "??"),
    ("wager 1 10", "25"),
    ("wager dealer 0", "nothing"),
    ("settled 1 bust -20", "bust -25"),
    ("settled 1 lose -25", "bust -25"),
    ("settled 2 win +25", "not settled"),
    ("insurance 2 lose +20", "win +20"),
    ("insurance 2 win +10", "win +20"),
    ("insurance 5 win +20", "nothing"),
    ("rack ?? | Th 6c Ks", "Th 6c Ks | ??"),
    ("refused stale_press", "refused not_your_turn"),
    ("accepted", "refused not_your_turn"),
    ("notice dealer ask seat 4", "Ask seat 3: hit or stand?"),
    ("notice dealer it", "Ask seat 3: hit or stand?"),
    ("notice supervisor ask", "nothing"),
    ("notice seat 3 hand 3", "Your turn, hand 3.2."),
    ("prompt pick up", "Card to hand 3.2"),
    ("gate open", "locked"),
    ("irregularity card_unread", "called shoe_fault"),
    ("event press_refused seat=2", "press_refused seat=1 button=hit late=true"),
    ("event press_refused late=+true", "press_refused seat=1 button=hit late=true"),
    ("event press_refused spot=1", "press_refused seat=1 button=hit late=true"),
    (
        "event hand_settled net_cents=2500 hand=1",
        (
            "hand_settled hand=1 net_cents=-2500 by=none, "
            "hand_settled hand=2 net_cents=2500 by=none"
        ),
    ),
    ("no-event press_refused", "press_refused seat=1 button=hit late=true"),
]


def read(text: str) -> Expectation:
    return expectation(Reader(text))


@pytest.mark.parametrize("text", HOLDING)
def test_what_the_table_shows_holds(text: str) -> None:
    assert contradiction(read(text), TABLE) is None


@pytest.mark.parametrize(("text", "shows"), FAILING)
def test_what_it_does_not_show_fails_and_says_what_it_shows(
    text: str, shows: str
) -> None:
    assert contradiction(read(text), TABLE) == shows


def test_every_expectation_is_shown_holding_and_failing() -> None:
    union = set(Expectation.__args__)
    holding = {type(read(text)) for text in HOLDING} | {type(read("accepted"))}
    assert holding == union
    assert {type(read(text)) for text, _ in FAILING} == union


@pytest.mark.parametrize("text", HOLDING)
def test_an_expectation_survives_being_written_as_json(text: str) -> None:
    said = read(text)
    written = msgspec.json.encode(said)
    assert msgspec.json.decode(written, type=Expectation) == said


def test_an_accepted_step_is_not_refused() -> None:
    idle = TableView(phase=Phase.BETTING, gate=Gate.LOCKED)
    assert contradiction(read("accepted"), idle) is None
    assert contradiction(read("refused no_wager"), idle) == "accepted"
    assert contradiction(read("turn none"), idle) is None
    assert contradiction(read("turn dealer"), idle) == "none"
    assert contradiction(read("cards dealer Ad"), idle) == "no hand dealer"
    assert contradiction(read("event card_dealt"), idle) == "nothing"


def test_without_such_a_record_the_failure_shows_what_was_caused() -> None:
    view = TableView(
        phase=Phase.BETTING, gate=Gate.LOCKED, events=(EventView("bet_placed", {}),)
    )
    assert contradiction(read("event card_dealt"), view) == "bet_placed"


def test_a_failure_names_file_line_what_was_expected_and_what_came() -> None:
    (statement,) = parse_scenario("# a\nexpect  turn 1 # now", "a").statements
    assert failure_line("a.scenario", statement, "2") == (
        "a.scenario:2: expected turn 1, got 2"
    )
