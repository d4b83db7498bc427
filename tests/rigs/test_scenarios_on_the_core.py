"""Every scenario that we ship holds at a table of the core, also across power cuts."""

from pathlib import Path

import pytest

from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import read_scenario
from simulators.rigs.scenario.run import play, scenario_files

FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = scenario_files((FOLDER,))


def name_of(file: Path) -> str:
    return str(file.relative_to(FOLDER).with_suffix(""))


@pytest.mark.parametrize("cut_everywhere", [False, True], ids=["plain", "power cuts"])
@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_scenario_holds(file: Path, *, cut_everywhere: bool) -> None:
    played = play(read_scenario(file), CoreTable, cut_everywhere=cut_everywhere)
    assert played.failures == ()


def test_scenarios_are_found() -> None:
    assert any(file.parent.name == "shared" for file in FILES)
    assert any(file.parent == FOLDER for file in FILES)
