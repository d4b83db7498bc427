import msgspec
import pytest

from controller.core import commands as cm
from controller.core import decisions as d
from controller.core.cards import Card
from controller.core.ids import (
    DEALER,
    Button,
    CashStep,
    DealerButton,
    Direction,
    HandId,
)
from controller.words import lines as w
from controller.words.errors import WordsError
from controller.words.grammar import parse_line


def press(button: DealerButton, words: str = "") -> cm.PressDealerButton:
    return cm.PressDealerButton(button=button, words=words)


def cash(step: CashStep, amount_cents: int = 0) -> cm.MoveCash:
    return cm.MoveCash(seat=2, step=step, amount_cents=amount_cents)


STAFF_LINES: list[tuple[str, w.Line]] = [
    ("shift open D2 left-to-right", w.ShiftOpen("D2", Direction.LEFT_TO_RIGHT)),
    ("shift open D1 right-to-left", w.ShiftOpen("D1", Direction.RIGHT_TO_LEFT)),
    ("shift close", cm.CloseShift()),
    ("dealer deal", press(DealerButton.DEAL)),
    ("dealer undo-deal", cm.UndoDeal()),
    ("dealer next", press(DealerButton.NEXT)),
    ("dealer pickup", press(DealerButton.PICKUP)),
    ("dealer close-insurance", press(DealerButton.CLOSE_INSURANCE)),
    ("dealer call", press(DealerButton.CALL)),
    (
        'dealer call "seat 1 was passed over"',
        press(DealerButton.CALL, "seat 1 was passed over"),
    ),
    (
        "dealer call card=5s, not a king",
        press(DealerButton.CALL, "card=5s, not a king"),
    ),
    ("dealer seat-open 4", cm.OpenSeat(seat=4)),
    ("dealer clarify 4 pass", cm.ClarifyChoice(seat=4, button=Button.PASS)),
    ("cash 2 spread", cash(CashStep.SPREAD)),
    ("cash 2 state 100", cash(CashStep.STATE, 10_000)),
    ("cash 2 chips 99.50", cash(CashStep.CHIPS, 9_950)),
    ("cash 2 drop", cash(CashStep.DROP)),
    ("cash 2 back", cash(CashStep.BACK)),
]

ONE, TWO = HandId("1"), HandId("2")

DECISIONS: list[tuple[str, d.Decision | w.ChangeRules]] = [
    ("resume", d.Resume()),
    ("void-hand 3.2", d.VoidHand(HandId("3.2"))),
    ("void-round", d.VoidRound()),
    ("missed-first 2", d.MissedFirst(2)),
    ("missed-second 2", d.MissedSecond(2, after_dealer=False)),
    ("missed-second 2 after-dealer", d.MissedSecond(2, after_dealer=True)),
    ("play-as-dealt 1", d.PlayAsDealt(ONE)),
    ("offer-choice 1", d.OfferChoice(ONE)),
    ("lies-at dealer", d.LiesAt(DEALER)),
    ("expose-hole", d.ExposeHole()),
    ("discard-card", d.DiscardCard()),
    ("discard-card 2 3", d.DiscardCard(TWO, 3)),
    ("use-card", d.UseCard()),
    ("offer-card", d.OfferCard()),
    ("burn-card", d.BurnCard()),
    ("dealer-missed first", d.DealerMissed(second=False)),
    ("dealer-missed second", d.DealerMissed(second=True)),
    ("dealer-missed second 1", d.DealerMissed(second=True, hand=ONE)),
    ("misdeal", d.Misdeal()),
    ("key-card X1", d.KeyCard(Card("X1"))),
    ("correct-card 1 3 5s", d.CorrectCard(ONE, 3, Card("5s"))),
    ("no-card", d.NoCard()),
    ("no-card dealer 2", d.NoCard(DEALER, 2)),
    ("new-shoe 6", d.NewShoe(6)),
    ("allow-dealer-entry 7", d.AllowDealerEntry(7)),
    ("set-rules house", w.ChangeRules("house", ())),
    (
        "set-rules wager_min_cents=1000 blackjack_pays=6:5",
        w.ChangeRules(None, (("wager_min_cents", "1000"), ("blackjack_pays", "6:5"))),
    ),
    ("set-rules house decks=8", w.ChangeRules("house", (("decks", "8"),))),
]


@pytest.mark.parametrize(("text", "line"), STAFF_LINES)
def test_each_line_of_the_staff_reads_as_its_own_value(text: str, line: w.Line) -> None:
    assert parse_line(text) == line


@pytest.mark.parametrize(("text", "decision"), DECISIONS)
def test_each_decision_of_a_supervisor_reads_as_its_own_value(
    text: str, decision: d.Decision | w.ChangeRules
) -> None:
    assert parse_line(f"supervisor S1 {text}") == w.SupervisorDecides(
        "S1", decision, reason=None, witness=None
    )


@pytest.mark.parametrize(("text", "decision"), DECISIONS)
def test_a_decision_carries_its_reason_and_its_witness(
    text: str, decision: d.Decision | w.ChangeRules
) -> None:
    line = parse_line(f'supervisor S1 {text} witness=S2 reason="as seen, on the felt"')
    assert line == w.SupervisorDecides("S1", decision, "as seen, on the felt", "S2")


def test_every_decision_and_line_is_shown_here() -> None:
    decided = {type(decision) for _, decision in DECISIONS}
    assert decided == {*d.Decision.__args__, w.ChangeRules} - {d.SetRules}
    lines = [line for _, line in STAFF_LINES]
    assert {type(line) for line in lines} | {w.SupervisorDecides} == set(
        w.Line.__args__
    )
    buttons = {line.button for line in lines if isinstance(line, cm.PressDealerButton)}
    assert buttons == set(DealerButton)
    steps = {line.step for line in lines if isinstance(line, cm.MoveCash)}
    assert steps == set(CashStep)


@pytest.mark.parametrize("text", [text for text, _ in STAFF_LINES])
def test_a_line_survives_being_written_as_json(text: str) -> None:
    line = parse_line(text)
    assert msgspec.json.decode(msgspec.json.encode(line), type=w.Line) == line


@pytest.mark.parametrize("text", [text for text, _ in DECISIONS])
def test_a_decision_survives_being_written_as_json(text: str) -> None:
    line = parse_line(f"supervisor S1 {text}")
    assert msgspec.json.decode(msgspec.json.encode(line), type=w.Line) == line


def test_surplus_spaces_and_a_comment_change_nothing() -> None:
    assert parse_line("  dealer   seat-open \t 3   # Ann sits down") == (
        cm.OpenSeat(seat=3)
    )


BUTTONS = "bet, clear, rebet, hit, stand, double, split, surrender, insure, pass"

DEALER_STEPS = (
    "deal, undo-deal, next, pickup, close-insurance, call, seat-open, clarify"
)
CASH_STEPS = "spread, state, chips, drop, back"

BAD_LINES = [
    ("", "a line (shift, dealer, cash, supervisor), got the end of the line"),
    (
        "dealr next",
        "a line (shift, dealer, cash, supervisor), got dealr; did you mean dealer?",
    ),
    (
        "dealer nxt",
        f"a dealer's step ({DEALER_STEPS}), got nxt; did you mean next?",
    ),
    ("dealer deal now", "the end of the line, got now"),
    ("dealer seat-open 8", "a seat from 1 to 7, got 8"),
    ("dealer clarify 1 hitt", f"a button ({BUTTONS}), got hitt; did you mean hit?"),
    ("shift", "what becomes of the shift (open, close), got the end of the line"),
    ("shift open", "the id of a dealer, such as D1, got the end of the line"),
    (
        "shift open D1",
        "the way of the pickup (right-to-left, left-to-right), got the end of the line",
    ),
    ("shift open D:1 right-to-left", "the id of a dealer, such as D1, got D:1"),
    ("cash spread 2", "a seat from 1 to 7, got spread"),
    ("cash 2 state 1.234", "an amount such as 25 or 12.50, got 1.234"),
    (
        "cash 2",
        f"a step of the cash ({CASH_STEPS}), got the end of the line",
    ),
    ("supervisor", "the id of a supervisor, such as S1, got the end of the line"),
    ("supervisor S1 resume S2", "the end of the line, got S2"),
    ('supervisor S1 resume reason=" "', 'reason="a reason in words", got reason=" "'),
    (
        "supervisor S1 resume witness=?",
        "witness=ID of a second person, got witness=?",
    ),
    ("supervisor S1 void-hand 3.0", "a hand such as 3, 3.2 or dealer, got 3.0"),
    ("supervisor S1 key-card ??", "a card such as Th, got ??"),
    ("supervisor S1 key-card 10h", "a card such as Th, got 10h; did you mean Th?"),
    ("supervisor S1 key-card TH", "a card such as Th, got TH; did you mean Th?"),
    ("supervisor S1 missed-first 0", "a spot from 1 to 99, got 0"),
    (
        "supervisor S1 missed-second 1 after-deal",
        "after-dealer or the end of the line, got after-deal",
    ),
    (
        "supervisor S1 dealer-missed",
        "which card the dealer missed (first, second), got the end of the line",
    ),
    (
        "supervisor S1 correct-card 1 0 5s",
        "the card's place in the hand, counted from 1, got 0",
    ),
    ("supervisor S1 new-shoe six", "the number of decks, got six"),
    (
        "supervisor S1 set-rules",
        "the name of a ruleset or key=value, got the end of the line",
    ),
    ("supervisor S1 set-rules House", "the name of a ruleset or key=value, got House"),
    ("supervisor S1 set-rules house decks", "key=value, got decks"),
    ("supervisor S1 set-rules decks=6 decks=8", "decks= only once, got decks=8"),
]


@pytest.mark.parametrize(("text", "message"), BAD_LINES)
def test_a_bad_line_says_what_was_expected_and_what_came(
    text: str, message: str
) -> None:
    with pytest.raises(WordsError) as refused:
        parse_line(text)
    said = str(refused.value)
    assert said == f"expected {message}"


def test_an_unknown_command_of_a_supervisor_names_the_nearest() -> None:
    with pytest.raises(WordsError, match=r"got resum; did you mean resume\?$"):
        parse_line("supervisor S1 resum")


def test_a_small_table_has_no_higher_seats() -> None:
    with pytest.raises(WordsError, match=r"^expected a seat from 1 to 3, got 4$"):
        parse_line("dealer seat-open 4", seats=3)
