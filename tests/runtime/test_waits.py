"""How long somebody waits before their next PIN is looked at."""

import pytest

from controller.runtime.waits import (
    FIRST_WAIT_S,
    FREE_FAILURES,
    WAIT_MAX_S,
    Waits,
    wait_s,
)

STARTED = 1_000.0


def test_a_few_slips_cost_no_wait() -> None:
    assert [wait_s(failures) for failures in range(FREE_FAILURES)] == [0.0] * 3


def test_each_further_failure_doubles_the_wait_up_to_a_bound() -> None:
    waits = [wait_s(FREE_FAILURES + more) for more in range(10)]
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
    assert wait_s(10**6) == WAIT_MAX_S


def test_a_wait_runs_from_the_last_failure() -> None:
    waits = Waits(STARTED)
    waits.begin("S1", 2_000.0)
    assert waits.left_s("S1", FREE_FAILURES, 2_000.0) == FIRST_WAIT_S
    assert waits.left_s("S1", FREE_FAILURES, 2_004.0) == 1.0
    assert waits.left_s("S1", FREE_FAILURES, 2_005.0) == 0.0
    assert waits.left_s("S1", FREE_FAILURES + 1, 2_005.0) == FIRST_WAIT_S


def test_after_a_restart_it_runs_anew_from_the_start() -> None:
    again = Waits(STARTED)
    assert again.left_s("S1", FREE_FAILURES, STARTED) == FIRST_WAIT_S
    assert again.left_s("S1", FREE_FAILURES, STARTED + FIRST_WAIT_S) == 0.0


@pytest.mark.parametrize("failures", range(FREE_FAILURES))
def test_nobody_else_waits(failures: int) -> None:
    waits = Waits(STARTED)
    waits.begin("S1", STARTED)
    assert waits.left_s("D1", failures, STARTED) == 0.0


def test_only_the_first_who_is_turned_away_in_a_wait_is_told_of() -> None:
    waits = Waits(STARTED)
    waits.begin("S1", STARTED)
    assert [waits.is_first("S1") for _ in range(3)] == [True, False, False]
    assert waits.is_first("D1")
    waits.begin("S1", STARTED + 9)
    assert waits.is_first("S1")
