"""A table wired to mock pins, in one process: what it can play holds."""

import re
from pathlib import Path
from typing import Final

import pytest

from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.language import Scenario, parse_scenario, read_scenario
from simulators.rigs.scenario.run import play, scenario_files
from simulators.rigs.wire_table import wire_tables

ROOT: Final = Path(__file__).parents[2]
SCENARIOS: Final = ROOT / "tests" / "scenarios"
SHARED: Final = scenario_files((SCENARIOS / "shared",))
LOADED_MACHINE_S: Final = 120
STEP_CENTS: Final = 500
"""What BET adds under every ruleset that we ship."""


def can_be_said(step: object) -> bool:
    """Return whether buttons alone can say a step."""
    match step:
        case st.Bet():
            return step.spot is None and step.amount_cents % STEP_CENTS == 0
        case st.Clear():
            return step.spot is None
        case st.Press():
            return step.amount_cents is None
        case st.LatePress() | st.PanelLost() | st.PanelBack():
            return False
        case _:
            return True


def can_be_played(file: Path) -> bool:
    return all(can_be_said(each.said) for each in read_scenario(file).statements)


PLAYED: Final = tuple(
    file for file in scenario_files((SCENARIOS,)) if can_be_played(file)
)


def failures(scenario: Scenario, *, cut_everywhere: bool = False) -> tuple[str, ...]:
    with wire_tables("simulation-gpio") as open_table:
        return play(scenario, open_table, cut_everywhere=cut_everywhere).failures


def test_the_document_names_the_shared_scenarios_that_cannot_be_played() -> None:
    text = (ROOT / "docs" / "gpio.md").read_text()
    (named,) = re.findall(r"Of the shared scenarios [^:]*: (.*)\.\n", text)
    cannot = {f"`{file.stem}`" for file in SHARED if not can_be_played(file)}
    assert set(named.split(", ")) == cannot


@pytest.mark.timeout(LOADED_MACHINE_S)
def test_a_shared_scenario_holds_on_pins_with_its_power_cuts() -> None:
    (file,) = [file for file in SHARED if file.stem == "07-power-cut"]
    assert failures(read_scenario(file)) == ()


HOUSE: Final = """\
bet 1 10
dealer deal
expect gate open
dealer call
expect phase SUSPENDED
expect lamps 1
supervisor S1 resume
expect gate open
"""


@pytest.mark.timeout(LOADED_MACHINE_S)
def test_relay_and_table_lamp_follow_the_table() -> None:
    # A step is over only when both show what the journal says.
    assert failures(parse_scenario(HOUSE, "the house")) == ()


@pytest.mark.prove
@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_every_scenario_that_can_be_played_holds_on_pins(file: Path) -> None:
    assert failures(read_scenario(file)) == ()


@pytest.mark.prove
@pytest.mark.parametrize(
    "file",
    [file for file in SHARED if can_be_played(file)],
    ids=lambda file: file.stem,
)
def test_shared_scenarios_hold_on_pins_with_power_cuts_everywhere(file: Path) -> None:
    assert failures(read_scenario(file), cut_everywhere=True) == ()
