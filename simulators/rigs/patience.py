"""How long a rig waits for a table: time in which the machine let neither run is none.

A bound in seconds says that something hangs. On a loaded machine both may stand in the
queue for a core for longer than that, and nothing hangs at all.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

_NS_A_SECOND: Final = 1_000_000_000


def queued_s(processes: Iterable[int]) -> float:
    """Return how long the main threads of processes have waited for a core so far.

    One that has ended, and a kernel that does not count this, add nothing.
    """
    return sum(_queued_ns(process) for process in processes) / _NS_A_SECOND


def _queued_ns(process: int) -> int:
    try:
        # Time on a core, time in the queue, slices (proc_pid_schedstat).
        _, queued, _ = Path(f"/proc/{process}/schedstat").read_text().split()
    except (OSError, ValueError):
        return 0
    return int(queued)


class Patience:
    """A wait that has just begun; it is over after a bound, queues not counted."""

    def __init__(
        self,
        bound_s: float,
        queued: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bound_s = bound_s
        self._queued = queued
        self._clock = clock
        self._began_s = clock()
        self._queued_before_s = queued()

    @property
    def is_over(self) -> bool:
        """Whether what is waited for has had its time and did not come."""
        waited_s = self._clock() - self._began_s
        if waited_s <= self._bound_s:
            return False
        return waited_s - (self._queued() - self._queued_before_s) > self._bound_s
