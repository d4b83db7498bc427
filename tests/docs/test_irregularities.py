"""docs/irregularities.md: every row in every phase is shown, or cannot be."""

import pytest

from controller.core.ids import Phase
from tools.clauses import ROOT
from tools.irregular_cells import cells_shown
from tools.irregularities import (
    BY_TEST,
    CANNOT,
    OUTSIDE_SCENARIOS,
    PHASES,
    cannot,
    deciding,
    stopping,
)

ROWS = (*stopping(), *deciding())


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.value)
@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_shown_in_a_phase_or_cannot_occur_there(
    row: str, phase: Phase
) -> None:
    cell = (row, phase)
    ways = (cell in cells_shown(), cell in BY_TEST, cannot(row, phase))
    assert ways.count(True) == 1, "a scenario, else a test, else a reason"


@pytest.mark.parametrize(("path", "name"), sorted(set(BY_TEST.values())))
def test_a_test_that_stands_in_for_a_scenario_is_there(path: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / path).read_text("utf-8")


def test_only_rows_of_the_table_are_shown_or_ruled_out() -> None:
    assert {row for row, _ in cells_shown()} <= {*ROWS}
    assert set(CANNOT) <= set(ROWS)
    assert not OUTSIDE_SCENARIOS & set(ROWS)
