import pytest

from controller.words.errors import WordsError
from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.language import parse_scenario
from simulators.rigs.scenario.step_grammar import parse_step

BUTTONS = "bet, clear, rebet, hit, stand, double, split, surrender, insure, pass"
STATEMENTS = (
    "rules, table, shift, dealer, cash, supervisor, bet, clear, press, late-press, "
    "card, return, shoe, panel, wait, power-cut, expect"
)
EXPECTED = (
    "phase, turn, lamps, cards, total, wager, settled, insurance, rack, refused, "
    "accepted, notice, prompt, gate, irregularity, event, no-event"
)
SHOE = (
    "lid-open, lid-closed, jam, cleared, cut-card, empty, shuffle-started, "
    "shuffled, gap"
)
PHASES = (
    "CLOSED, BETTING, DEALING, INSURANCE, PLAYING, DEALER_DRAWING, SETTLED, SUSPENDED"
)
OUTCOMES = "blackjack, win, push, lose, bust, surrender, void, dead"
END = "the end of the line"

BAD_LINES = [
    ("prss 1 hit", f"a statement ({STATEMENTS}), got prss; did you mean press?"),
    ('"bet" 1 5', f'a statement ({STATEMENTS}), got "bet"; did you mean bet?'),
    ("rule house", f"a statement ({STATEMENTS}), got rule; did you mean rules?"),
    ("bet 0 25", "a seat from 1 to 7, got 0"),
    ("bet 01 25", "a seat from 1 to 7, got 01"),
    ("bet 1", f"an amount such as 25 or 12.50, got {END}"),
    ("bet 1 12.505", "an amount such as 25 or 12.50, got 12.505"),
    ("bet 1 25 spot=x", "spot=N, a number from 1 to 99, got spot=x"),
    ("bet 1 25 2", f"{END}, got 2"),
    ("press 1 hti", f"a button ({BUTTONS}), got hti; did you mean hit?"),
    ("press 1 hit 5", f"{END}, got 5"),
    ("press 1 bet five", "an amount such as 25 or 12.50, got five"),
    ("late-press 1 bet 5", f"{END}, got 5"),
    ("card", f"a card such as Th or ??, got {END}"),
    ("card 1h", "a card such as Th or ??, got 1h"),
    ("card X0", "a card such as Th or ??, got X0"),
    ("card Th 10s", "a card such as Th or ??, got 10s; did you mean Ts?"),
    ("return ??", "a card such as Th, got ??"),
    ("shoe jamm", f"what the shoe reports ({SHOE}), got jamm; did you mean jam?"),
    ("shoe jam 1", f"{END}, got 1"),
    ("shoe shuffled all", "the number of cards in the shoe, got all"),
    ("shoe gap 0", "how many card numbers are missing, got 0"),
    ("panel 3 gone", "what becomes of the panel (lost, back), got gone"),
    ("wait soon", "seconds such as 20 or 0.5, got soon"),
    ("wait 1.2345", "seconds such as 20 or 0.5, got 1.2345"),
    ("power-cut now", f"{END}, got now"),
    ("expect", f"what is expected ({EXPECTED}), got {END}"),
    (
        "expect phaze X",
        f"what is expected ({EXPECTED}), got phaze; did you mean phase?",
    ),
    ("expect phase playing", f"a phase ({PHASES}), got playing"),
    ("expect turn 3.", "a hand such as 3 or 3.2, dealer or none, got 3."),
    ("expect lamps 1 hot", f"a button ({BUTTONS}), got hot; did you mean hit?"),
    ("expect cards 1", f"a card such as Th or ??, got {END}"),
    ("expect total 1 soft", "a total, blackjack or bust, got soft"),
    ("expect total 1 17 hard", f"soft or {END}, got hard"),
    ("expect total 1 bust soft", f"{END}, got soft"),
    ("expect wager 1 +5", "an amount such as 25 or 12.50, got +5"),
    ("expect settled 1 won +5", f"an outcome ({OUTCOMES}), got won; did you mean win?"),
    ("expect settled 1 win", f"a win or loss such as +37.50, 0 or -25, got {END}"),
    ("expect insurance 2 lost 0", "what became of the insurance (win, lose, returned)"),
    ("expect rack", f"a card such as Th or ??, got {END}"),
    ("expect rack Th |", f"a card such as Th or ??, got {END}"),
    ("expect rack Th | | 9c", "a card such as Th or ??, got |"),
    ("expect rack Th 10c", "a card such as Th or ??, or |, got 10c; did you mean Tc?"),
    ("expect refused", f"a reason for refusing such as not_your_turn, got {END}"),
    (
        "expect refused not-your-turn",
        "a reason for refusing such as not_your_turn, got not-your-turn",
    ),
    ("expect accepted yes", f"{END}, got yes"),
    ("expect notice player x", "whom the notice is for (dealer, supervisor, seat)"),
    ("expect notice seat nine", "a seat from 1 to 7, got nine"),
    ("expect notice dealer", f"words of the text that shows, got {END}"),
    ("expect prompt — !", "words of the text that shows, got — !"),
    ("expect gate shut", "the gate (open, locked), got shut"),
    ("expect irregularity card_unred", "an irregularity (card_drawn_in_error, "),
    ("expect event", f"the type of an event such as card_dealt, got {END}"),
    ("expect event card_dealt Th", "field=value, got Th"),
    ("expect event card_dealt hand=1 hand=2", "hand= only once, got hand=2"),
    ("expect no-event card_dealt hand=1", f"{END}, got hand=1"),
    ("rules", f"the name of a ruleset such as colorado, got {END}"),
    ("rules decks=6", "the name of a ruleset such as colorado, got decks=6"),
    ("rules house decks", "key=value, got decks"),
    ("table", f"seats=N, got {END}"),
    ("table 3", "seats=N, got 3"),
    ("table seats=8", "seats=N, a number from 1 to 7, got seats=8"),
    ("table seats=3 felt=green", f"{END}, got felt=green"),
]
"""A bad line, and how what is said of it begins; lists of names are cut short here."""


@pytest.mark.parametrize(("line", "message"), BAD_LINES)
def test_a_bad_line_says_what_was_expected_and_what_came(
    line: str, message: str
) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(f"# a comment\n{line}\n", "a.scenario")
    said = str(refused.value)
    assert said.startswith(f"a.scenario:2: expected {message}")
    if "got" in message:
        assert said == f"a.scenario:2: expected {message}"
    assert (refused.value.file, refused.value.line) == ("a.scenario", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "bet 1 5\nrules house",
            "a:2: expected rules only before the first step, got rules",
        ),
        (
            "expect phase BETTING\ntable seats=3",
            "a:2: expected table only before the first step, got table",
        ),
        ("rules house\n\nrules house", "a:3: expected rules only once, got rules"),
        ("table seats=3\nbet 4 5", "a:2: expected a seat from 1 to 3, got 4"),
    ],
)
def test_what_a_line_may_say_depends_on_the_lines_before(
    text: str, message: str
) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse_scenario(text, "a")
    assert str(refused.value) == message


@pytest.mark.parametrize("line", ["expect phase BETTING", "rules house", "nonsense"])
def test_only_a_step_is_a_step(line: str) -> None:
    with pytest.raises(WordsError, match=r"^expected a step \(shift, dealer, "):
        parse_step(line)
