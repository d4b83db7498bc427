"""A rig's wait is over after its bound, in which the machine let it run."""

import os
import subprocess
import sys

from simulators.rigs.patience import Patience, queued_s

BOUND_S = 15.0


class Clock:
    """Time that passes, and how much of it was spent in the queue for a core."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.queued_s = 7.0

    def patience(self) -> Patience:
        return Patience(BOUND_S, lambda: self.queued_s, lambda: self.now_s)


def test_a_wait_is_over_after_its_bound() -> None:
    clock = Clock()
    patience = clock.patience()
    clock.now_s += BOUND_S
    assert not patience.is_over
    clock.now_s += 0.1
    assert patience.is_over


def test_time_in_the_queue_for_a_core_does_not_count() -> None:
    clock = Clock()
    patience = clock.patience()
    clock.now_s += 40.0
    clock.queued_s += 30.0
    assert not patience.is_over
    clock.now_s += 6.0
    assert patience.is_over


def test_the_kernel_says_how_long_a_process_was_queued() -> None:
    here = queued_s([os.getpid()])
    assert here >= 0
    assert queued_s([os.getpid(), os.getpid()]) >= 2 * here


def test_a_process_that_has_ended_was_not_queued() -> None:
    ended = subprocess.Popen((sys.executable, "-c", ""))
    ended.wait()
    assert queued_s([ended.pid]) == 0
