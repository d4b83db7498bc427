"""Shipped scenarios hold over serial frames, drivers, runtime and journal.

The same files hold at a table of the core; here the lamps are those that the
simulated panels show, and a power cut kills a process.
"""

from pathlib import Path

import pytest

from simulators.rigs.scenario.language import Scenario, parse_scenario, read_scenario
from simulators.rigs.scenario.run import play, scenario_files
from simulators.rigs.wire_table import wire_tables
from tests.wire.playable import ON_A_WIRE, SCENARIOS, SHARED

ALWAYS = tuple(file for file in SHARED if file.name[:2] in {"01", "07"})
A_FEW_STEPS = """\
bet 1 25
dealer deal
card 8h 6d 5c Kh
expect lamps 1 hit stand double surrender
"""

LOADED_MACHINE_S = 120
"""Each start of a controller is a new interpreter, slow where others work too."""

CUT = tuple(file for at, file in enumerate(ON_A_WIRE) if file in SHARED or at % 8 == 0)
"""Where power is cut after every step: at a table of the core it is in all of them."""


def name_of(file: Path) -> str:
    return file.stem


def failures(scenario: Scenario, *, cut_everywhere: bool) -> tuple[str, ...]:
    with wire_tables() as open_table:
        return play(scenario, open_table, cut_everywhere=cut_everywhere).failures


@pytest.mark.timeout(LOADED_MACHINE_S)
@pytest.mark.parametrize("file", ALWAYS, ids=name_of)
def test_a_scenario_holds_on_the_wire(file: Path) -> None:
    assert failures(read_scenario(file), cut_everywhere=False) == ()


@pytest.mark.prove
def test_a_scenario_holds_on_the_wire_with_power_cuts_everywhere() -> None:
    few = parse_scenario(A_FEW_STEPS, "a few steps")
    assert failures(few, cut_everywhere=True) == ()


def test_an_expectation_that_does_not_hold_on_the_wire_is_told(tmp_path: Path) -> None:
    file = tmp_path / "wrong.scenario"
    file.write_text("bet 1 25\nexpect lamps 1 hit\nexpect lamps 2 bet\n")
    (told,) = failures(read_scenario(file), cut_everywhere=False)
    assert told == f"{file}:2: expected lamps 1 hit, got bet clear"


def test_nearly_every_scenario_can_be_played_on_a_wire() -> None:
    away = {*scenario_files((SCENARIOS,))} - {*ON_A_WIRE}
    assert {file.stem for file in away} == {
        "play-4-the-dealer-enters-by-leave",
        "panel-a-lost-panel-is-dark",
    }


@pytest.mark.prove
@pytest.mark.parametrize("file", ON_A_WIRE, ids=name_of)
def test_every_scenario_holds_on_the_wire(file: Path) -> None:
    assert failures(read_scenario(file), cut_everywhere=False) == ()


@pytest.mark.prove
@pytest.mark.parametrize("file", CUT, ids=name_of)
def test_scenarios_hold_on_the_wire_with_power_cuts(file: Path) -> None:
    assert failures(read_scenario(file), cut_everywhere=True) == ()
