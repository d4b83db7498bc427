"""A soak run: one seed, one digest; nothing found; what basic strategy expects."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli.main import status_of
from controller.rulesets.loader import load_ruleset
from simulators.rigs.soak.command import soak
from simulators.rigs.soak.report import EXPECTED_PERCENT, Report
from simulators.rigs.soak.run import Plan, Soak, single_player

COLORADO = load_ruleset("colorado")
STANDARD_ERRORS = 3

RARE_TO_ABSURD = (0.001, 0.01, 0.1, 0.5, 1.0)
ROUNDS_A_SLICE = 1_334
"""Three rulesets, four seeds and five rates: 80,040 rounds. Another 20,000 are played
over the wire (tests/rigs/virtual)."""


def play(plan: Plan, rounds: int) -> Report:
    run = Soak(plan)
    run.play(rounds)
    return run.report(seconds=0)


def test_one_seed_gives_one_run_to_the_byte() -> None:
    plan = Plan(rules=COLORADO, seed=5, faults=0.05)
    assert play(plan, 8) == play(plan, 8)


def test_another_seed_gives_another_run() -> None:
    one, other = (play(Plan(rules=COLORADO, seed=seed), 3) for seed in (1, 2))
    assert one.digest != other.digest


@pytest.mark.parametrize("ruleset", ["colorado", "house", "electronic"])
def test_a_table_with_mishaps_breaks_nothing(ruleset: str) -> None:
    report = play(Plan(rules=load_ruleset(ruleset), seed=8, faults=0.1), 12)
    assert report.violations == ()
    assert report.rounds == 12


def test_the_command_prints_one_json_object() -> None:
    result = CliRunner().invoke(soak, ["--rounds", "3", "--seed", "4", "--single"])
    printed = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (printed["rounds"], printed["seed"], printed["violations"]) == (3, 4, [])


def test_the_journal_of_a_soak_verifies(tmp_path: Path) -> None:
    journal = tmp_path / "soak.journal"
    written = ["--rounds", "4", "--faults", "0.1", "--journal", str(journal)]
    assert CliRunner().invoke(soak, written).exit_code == 0
    assert status_of(["verify", "--replay", "--journal", str(journal)]) == 0


def test_a_journal_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    journal = tmp_path / "soak.journal"
    journal.write_text("mine")
    result = CliRunner().invoke(soak, ["--rounds", "1", "--journal", str(journal)])
    assert result.exit_code == 2
    assert journal.read_text() == "mine"


@pytest.mark.prove
@pytest.mark.timeout(4 * 3600)
def test_basic_strategy_loses_what_it_should() -> None:
    report = play(single_player(COLORADO, seed=1), 300_000)
    print(report)  # noqa: T201 - both figures belong in the output of a proof
    assert report.violations == ()
    assert report.result_percent is not None
    assert report.standard_error_percent is not None
    off = abs(report.result_percent - EXPECTED_PERCENT)
    assert off <= STANDARD_ERRORS * report.standard_error_percent


@pytest.mark.prove
@pytest.mark.parametrize("ruleset", ["colorado", "house", "electronic"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("faults", RARE_TO_ABSURD)
def test_eighty_thousand_rounds_with_mishaps_break_nothing(
    ruleset: str, seed: int, faults: float
) -> None:
    plan = Plan(rules=load_ruleset(ruleset), seed=1_000 + seed, faults=faults)
    report = play(plan, ROUNDS_A_SLICE)
    assert report.violations == ()
    assert report.rounds == ROUNDS_A_SLICE
