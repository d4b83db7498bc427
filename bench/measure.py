"""One figure beside its floor: taken in turns, medians, a goal for their ratio."""

import enum
import statistics
import time
from collections.abc import Callable
from typing import Final

import msgspec

TIMES: Final = 5


class Better(enum.Enum):
    """Which way a ratio to the floor is good."""

    HIGHER = "at least"
    LOWER = "at most"


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured: our median, the floor's, and the median of the ratios.

    Each ratio is of two figures taken one right after the other, so that a machine
    which slows down meanwhile slows both.
    """

    name: str
    unit: str
    ours: float
    floor: float
    ratio: float
    better: Better
    goal: float
    aim: float | None = None
    note: str = ""

    @property
    def meets_goal(self) -> bool:
        """Whether the ratio is as good as the goal asks."""
        if self.better is Better.HIGHER:
            return self.ratio >= self.goal
        return self.ratio <= self.goal


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """What a ratio is held against; `aim` is what we would rather have."""

    better: Better
    ratio: float
    aim: float | None = None


def compared(  # noqa: PLR0913 - a row of the table of results
    name: str,
    unit: str,
    goal: Goal,
    *,
    ours: Callable[[], float],
    floor: Callable[[], float],
    times: int = TIMES,
    note: str = "",
) -> Measure:
    """Take both figures in turns and return their medians with the ratio's."""
    pairs = [(ours(), floor()) for _ in range(times)]
    return Measure(
        name=name,
        unit=unit,
        ours=statistics.median(pair[0] for pair in pairs),
        floor=statistics.median(pair[1] for pair in pairs),
        ratio=statistics.median(mine / floors for mine, floors in pairs),
        better=goal.better,
        goal=goal.ratio,
        aim=goal.aim,
        note=note,
    )


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def rate(count: int, action: Callable[[], object]) -> float:
    """Return how many of `count` things an action does in a second."""
    return count / seconds(action)
