import pytest

from controller.core import decisions as d
from controller.words.grammar import parse_line
from controller.words.lines import ChangeRules, SupervisorDecides
from controller.words.writing import decision_text, line_text

LINES = (
    "shift open D2 left-to-right",
    "shift close",
    "dealer deal",
    "dealer undo-deal",
    "dealer next",
    "dealer pickup",
    "dealer close-insurance",
    "dealer call",
    'dealer call "seat 1 was passed over, card=5s # not a king"',
    "dealer seat-open 4",
    "dealer clarify 4 pass",
    "cash 2 spread",
    "cash 2 state 100",
    "cash 2 chips 99.50",
    "cash 2 drop",
    "cash 2 back",
)
DECISIONS = (
    "resume",
    "void-hand 3.2",
    "void-round",
    "missed-first 2",
    "missed-second 2",
    "missed-second 2 after-dealer",
    "play-as-dealt 1",
    "offer-choice 1",
    "lies-at dealer",
    "expose-hole",
    "discard-card",
    "discard-card 2 3",
    "use-card",
    "offer-card",
    "burn-card",
    "dealer-missed first",
    "dealer-missed second",
    "dealer-missed second 1",
    "misdeal",
    "key-card X1",
    "correct-card 1 3 5s",
    "no-card",
    "no-card dealer 2",
    "new-shoe 6",
    "allow-dealer-entry 7",
    "set-rules house",
    "set-rules wager_min_cents=1000 blackjack_pays=6:5",
    "set-rules house decks=8",
)


@pytest.mark.parametrize("text", LINES)
def test_a_line_is_written_as_it_was_typed(text: str) -> None:
    assert line_text(parse_line(text)) == text


@pytest.mark.parametrize("text", DECISIONS)
def test_a_decision_is_written_as_it_was_typed(text: str) -> None:
    typed = f"supervisor S1 {text}"
    assert line_text(parse_line(typed)) == typed


@pytest.mark.parametrize("text", DECISIONS)
def test_reason_and_witness_are_written_with_a_decision(text: str) -> None:
    typed = f'supervisor S1 {text} witness=S2 reason="as seen, on the felt"'
    assert line_text(parse_line(typed)) == typed


def test_every_decision_is_written_here() -> None:
    lines = [parse_line(f"supervisor S1 {text}") for text in DECISIONS]
    decided = {type(x.decision) for x in lines if isinstance(x, SupervisorDecides)}
    assert decided == {*d.Decision.__args__, ChangeRules} - {d.SetRules}


def test_a_whole_ruleset_cannot_be_written_as_a_line() -> None:
    with pytest.raises(ValueError, match="keys and values"):
        decision_text(d.SetRules())
