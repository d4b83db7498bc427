import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.cards import UNKNOWN, Card
from controller.core.commands import MoveCash, PressDealerButton
from controller.core.ids import Button, CashStep, DealerButton, Direction, ShoeSign
from controller.words import lines as w
from simulators.rigs.scenario import steps as s
from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.language import (
    Head,
    Statement,
    parse_scenario,
    read_scenario,
)
from simulators.rigs.scenario.step_grammar import parse_step

ROOT = Path(__file__).parents[3]
SCENARIOS = sorted((ROOT / "tests/scenarios").rglob("*.scenario"))
OWN_SCENARIOS = sorted((ROOT / "tests/scenarios").glob("*.scenario"))
SAMPLES = re.findall(
    r"^```scenario\n(.*?)^```$",
    (ROOT / "docs/scenarios.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)

STEPS: list[tuple[str, s.Step]] = [
    ("bet 1 25", s.Bet(1, 2500, None)),
    ("bet 1 12.50 spot=2", s.Bet(1, 1250, 2)),
    ("clear 3", s.Clear(3, None)),
    ("clear 3 spot=4", s.Clear(3, 4)),
    ("press 1 hit", s.Press(1, Button.HIT, None)),
    ("press 5 insure 15", s.Press(5, Button.INSURE, 1500)),
    ("press 5 bet", s.Press(5, Button.BET, None)),
    ("late-press 2 stand", s.LatePress(2, Button.STAND)),
    ("card Th ?? X1", s.DrawCards((Card("Th"), UNKNOWN, Card("X1")))),
    ("return Th 2c", s.ReturnCards((Card("Th"), Card("2c")))),
    ("shoe lid-open", s.ShoeReports(ShoeSign.LID_OPEN)),
    ("shoe lid-closed", s.ShoeReports(ShoeSign.LID_CLOSED)),
    ("shoe jam", s.ShoeReports(ShoeSign.JAM)),
    ("shoe cleared", s.ShoeReports(ShoeSign.CLEARED)),
    ("shoe cut-card", s.ShoeReports(ShoeSign.CUT_CARD)),
    ("shoe empty", s.ShoeReports(ShoeSign.EMPTY)),
    ("shoe shuffle-started", s.ShoeReports(ShoeSign.SHUFFLE_STARTED)),
    ("shoe shuffled", s.ShoeShuffled(None)),
    ("shoe shuffled 312", s.ShoeShuffled(312)),
    ("shoe gap", s.ShoeGap(1)),
    ("shoe gap 2", s.ShoeGap(2)),
    ("panel 3 lost", s.PanelLost(3)),
    ("panel 3 back", s.PanelBack(3)),
    ("wait 20", s.Wait(20_000)),
    ("wait 0.25", s.Wait(250)),
    ("power-cut", s.PowerCut()),
    ("dealer next", PressDealerButton(button=DealerButton.NEXT)),
]


@pytest.mark.parametrize(("text", "step"), STEPS)
def test_each_step_reads_as_its_own_value(text: str, step: s.Step) -> None:
    assert parse_step(text) == step


def test_every_step_is_shown_here_or_with_the_lines_of_the_staff() -> None:
    shown = {type(step) for _, step in STEPS}
    assert shown | set(w.Line.__args__) == set(s.Step.__args__)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.name)
def test_every_scenario_file_reads(file: Path) -> None:
    scenario = read_scenario(file)
    assert scenario.file == str(file)
    assert scenario.statements


@pytest.mark.parametrize("file", OWN_SCENARIOS, ids=lambda file: file.name)
def test_a_scenario_is_named_after_the_clause_that_it_shows(file: Path) -> None:
    first = file.read_text("utf-8").splitlines()[0]
    heading = re.match(
        r"# ([A-Z]+(?:-(?:[0-9]+[a-z]?|[A-Z]+))?)(?:, [A-Z0-9a-z-]+)*: .+", first
    )
    assert heading is not None
    assert file.name.startswith(heading[1].lower() + "-")


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.name)
def test_every_scenario_expects_something(file: Path) -> None:
    said = {type(statement.said) for statement in read_scenario(file).statements}
    assert said & set(Expectation.__args__)
    assert said & set(s.Step.__args__)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_in_the_documentation_reads(sample: str) -> None:
    scenario = parse_scenario(sample, "docs/scenarios.md")
    assert scenario.statements or scenario.head != Head()


def test_the_documentation_shows_every_statement() -> None:
    said = [
        statement.said
        for sample in SAMPLES
        for statement in parse_scenario(sample, "docs/scenarios.md").statements
    ]
    assert {type(one) for one in said} >= set(s.Step.__args__)
    buttons = {one.button for one in said if isinstance(one, PressDealerButton)}
    assert buttons == set(DealerButton)
    steps = {one.step for one in said if isinstance(one, MoveCash)}
    assert steps == set(CashStep)


def test_statements_keep_their_order_their_line_and_their_text() -> None:
    scenario = parse_scenario("# a head\n\nbet 1   5 # five\n\nwait 1\r\n", "a")
    assert scenario.statements == (
        Statement(3, "bet 1 5", s.Bet(1, 500, None)),
        Statement(5, "wait 1", s.Wait(1_000)),
    )


def test_the_head_has_defaults() -> None:
    assert parse_scenario("", "a").head == Head("colorado", (), 7)


def test_the_head_names_rules_what_differs_and_seats() -> None:
    text = "table seats=3\nrules house decks=8 blackjack_pays=6:5\nbet 3 5"
    assert parse_scenario(text, "a").head == Head(
        "house", (("decks", "8"), ("blackjack_pays", "6:5")), 3
    )


def test_a_file_that_opens_a_shift_says_so() -> None:
    opened = parse_scenario("expect phase CLOSED\nshift open D2 left-to-right", "a")
    assert opened.opens_its_own_shift
    assert opened.statements[1].said == w.ShiftOpen("D2", Direction.LEFT_TO_RIGHT)
    assert not parse_scenario("shift close", "a").opens_its_own_shift


@given(st.lists(st.sampled_from([" ", "\t", "  "]), min_size=4, max_size=4))
def test_spaces_do_not_matter(spaces: list[str]) -> None:
    first, second, third, last = spaces
    line = f"{first}press{second}1{third}hit{last}# now"
    assert parse_step(line) == s.Press(1, Button.HIT, None)


@given(st.text())
def test_any_text_reads_or_is_refused_with_its_line(text: str) -> None:
    line = line_of_refusal(text)
    assert line is None or 1 <= line <= text.count("\n") + 1


def line_of_refusal(text: str) -> int | None:
    try:
        parse_scenario(text, "a")
    except ScenarioError as refused:
        return refused.line
    return None


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "none.scenario"
    with pytest.raises(ScenarioError) as refused:
        read_scenario(file)
    assert str(refused.value) == (
        f"{file}:1: expected a file that can be read, got No such file or directory"
    )


def test_a_file_that_is_not_text_is_refused_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "latin.scenario"
    file.write_bytes(b"# a\n# caf\xe9\n")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(file)
    assert str(refused.value) == f"{file}:2: expected text in UTF-8, got byte 0xe9"


def test_a_byte_order_mark_is_no_word(tmp_path: Path) -> None:
    file = tmp_path / "marked.scenario"
    file.write_bytes(b"\xef\xbb\xbfwait 1")
    assert len(read_scenario(file).statements) == 1
