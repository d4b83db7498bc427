"""The bench measures what it says, and its report is read the right way round."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.core import letter
from bench.journals import write_journal
from bench.measure import Better, Goal, Measure, compared
from bench.rounds import ScriptedTable
from controller.core import events as ev
from controller.core.decide import Decision
from controller.core.ids import Phase
from controller.core.state import TableState
from controller.journal.verify import verify
from controller.rulesets.loader import load_ruleset


def test_a_scripted_table_plays_whole_rounds_and_is_never_stopped() -> None:
    records: list[object] = []

    def keep(_before: TableState, decision: Decision) -> None:
        records.extend(decision.records)

    table = ScriptedTable(load_ruleset("colorado"), 7, 5, keep)
    table.play(40)
    assert table.state.phase is Phase.BETTING
    assert sum(isinstance(record, ev.RoundClosed) for record in records) == 40
    stopped = (ev.TableSuspended, ev.PressRefused, ev.CommandRefused)
    assert not any(isinstance(record, stopped) for record in records)


def test_a_journal_of_the_bench_has_as_many_events_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "bench.journal"
    write_journal(path, 2_000)
    found = verify(path)
    assert found.faults == ()
    assert found.head.sequence >= 2_000


def figures(*values: float) -> Iterator[float]:
    return iter(values)


@pytest.mark.parametrize(
    ("better", "goal", "met"),
    [
        (Better.HIGHER, 2.0, True),
        (Better.HIGHER, 2.1, False),
        (Better.LOWER, 2.0, True),
        (Better.LOWER, 1.9, False),
    ],
)
def test_a_ratio_is_the_median_of_those_taken_in_turns(
    better: Better, goal: float, *, met: bool
) -> None:
    mine, floors = figures(2.0, 40.0, 9.0), figures(1.0, 4.0, 4.5)
    taken: Measure = compared(
        "name",
        "s",
        Goal(better=better, ratio=goal),
        ours=lambda: next(mine),
        floor=lambda: next(floors),
        times=3,
    )
    assert (taken.ours, taken.floor, taken.ratio) == (9.0, 4.0, 2.0)
    assert taken.meets_goal is met


def test_the_floor_plays_the_same_strategy() -> None:
    # An ace counts 11 where the floor's package is asked, 1 in our tables.
    assert letter(12, True, 11, 11, True, True) == "P"  # noqa: FBT003 - as it is called
    assert letter(11, False, 0, 11, True, False) == "D"  # noqa: FBT003 - same
    assert letter(11, False, 0, 11, False, False) == "H"  # noqa: FBT003 - same
    assert letter(18, True, 0, 6, False, False) == "S"  # noqa: FBT003 - same
