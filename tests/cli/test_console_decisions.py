"""The list of decisions, and how a number in it becomes a line that is sent."""

from collections.abc import Callable, Iterable

import pytest

from controller.cli.console_choice import NotChosenError, chosen_line
from controller.cli.console_decisions import all_lines, choices, usual_lines
from controller.core.guidance import offered
from controller.runtime.view import View, view_of
from controller.words.grammar import parse_line
from tests.runtime.tables import state_after

DEALT = "bet 1 25\nbet 3 50\nbet 4 50\ndealer deal\ncard Ts 9h 5c Kd 8s 7c 5h 6h\n"
DRAWN = DEALT + "press 1 stand\ncard 4c\n"


def shown(steps: str) -> View:
    state = state_after(steps)
    return view_of(state, offered(state))


def text(steps: str) -> list[str]:
    return [line.text for line in usual_lines(shown(steps))]


def typing(answers: Iterable[str]) -> Callable[[str], str]:
    left = iter(answers)
    return lambda _prompt: next(left)


def line_for(steps: str, words: str, *answers: str) -> str:
    """Return the line for the choice whose first variant is spelt so."""
    choice = next(one for one in choices(shown(steps)) if one.first.words == words)
    return chosen_line(choice, typing(answers), lambda _line: None)


# --- The list -------------------------------------------------------------------------


def test_under_the_irregularity_stand_its_answers_then_the_ways_out() -> None:
    lines = text(DRAWN)
    assert lines[:2] == [
        "card_drawn_in_error, hand 3 (IRR-6 to IRR-9): Decide what becomes of the card",
        (
            "   1  use-card (IRR-7): Nobody saw the card: it waits face down and is"
            " dealt at the next need"
        ),
    ]
    ways_out = lines.index("or end it:")
    assert any("void-round" in line for line in lines[ways_out:])
    assert not any("void-round" in line for line in lines[:ways_out])


def test_many_variants_of_one_decision_stand_on_one_line() -> None:
    (line,) = [line for line in text(DRAWN) if "void-hand" in line]
    assert "void-hand (IRR-1), one of 1, 3, 4; the first: Hand 1 is a push" in line


def test_the_list_of_a_stopped_table_is_short_and_the_whole_one_is_whole() -> None:
    view = shown(DEALT + "dealer call\n")
    assert len(usual_lines(view)) < 20
    numbered = [one.options for one in choices(view)]
    assert sum(map(len, numbered)) == len(view.decisions or ())
    assert len(all_lines(view)) > len(usual_lines(view))


def test_at_a_table_that_plays_no_list_stands_by_itself() -> None:
    assert usual_lines(shown(DEALT)) == ()
    assert usual_lines(shown("bet 1 25")) == ()
    assert all_lines(shown(DEALT))[0].text == "no decision of a supervisor applies now"
    assert any("set-rules" in line.text for line in all_lines(shown("bet 1 25")))


def test_what_is_not_known_yet_is_not_shown_as_nothing() -> None:
    view = view_of(state_after(DRAWN))
    assert usual_lines(view) == ()
    assert "still being worked out" in all_lines(view)[0].text


# --- From a number to a line ----------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "words", "answers", "line"),
    [
        (
            DRAWN,
            "use-card",
            ("S1", "not seen"),
            'supervisor S1 use-card reason="not seen"',
        ),
        (
            DRAWN,
            "void-hand 1",
            ("3", "S1", "so"),
            'supervisor S1 void-hand 4 reason="so"',
        ),
        (
            "bet 1 25\ndealer deal\ncard ??",
            "key-card CARD",
            ("Th", "S1", "S2", "read"),
            'supervisor S1 key-card Th witness=S2 reason="read"',
        ),
        (
            "bet 1 25",
            "set-rules [NAME] [KEY=VALUE]",
            ("wager_max_cents=20000", "S1", "late"),
            'supervisor S1 set-rules wager_max_cents=20000 reason="late"',
        ),
    ],
)
def test_a_choice_asks_for_what_its_line_needs(
    steps: str, words: str, answers: tuple[str, ...], line: str
) -> None:
    assert line_for(steps, words, *answers) == line
    parse_line(line)


@pytest.mark.parametrize(
    ("words", "answers", "said"),
    [
        ("use-card", ("",), "nothing was sent"),
        ("use-card", ("S1", " "), "nothing was sent"),
        ("use-card", ("S 1",), "expected the id of a person such as S1, got S 1"),
        ("void-hand 1", ("4",), "expected a number from 1 to 3, got 4"),
        ("void-hand 1", ("x",), "expected a number from 1 to 3, got x"),
        (
            "correct-card 1 1 CARD",
            ("1", "10h"),
            "expected a card such as Th or 9s, got 10h; did you mean Th?",
        ),
    ],
)
def test_an_empty_or_impossible_answer_sends_nothing(
    words: str, answers: tuple[str, ...], said: str
) -> None:
    with pytest.raises(NotChosenError, match=said.replace("?", r"\?")):
        line_for(DRAWN, words, *answers)


@pytest.mark.parametrize("steps", [DRAWN, DEALT + "dealer call", "bet 1 25"])
def test_every_line_that_can_be_chosen_is_in_the_grammar(steps: str) -> None:
    for decision in shown(steps).decisions or ():
        words = decision.words.replace("CARD", "Th")
        parse_line(f"supervisor S1 {words.replace('[NAME] [KEY=VALUE]', 'house')}")
