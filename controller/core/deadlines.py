"""Which wait is running, and when it is over (PLAY-3).

The state says which stage of which wait is running; only the caller knows the
time. A stage that is interrupted (a suspension, a restart) starts anew, a seat
once asked stays asked: time lost never counts against a player.
"""

import msgspec

from controller.core.actions import asked
from controller.core.commands import ReachTime
from controller.core.ids import Phase, Stage
from controller.core.state import TableState, Wait


class Stopwatch(msgspec.Struct, frozen=True):
    """Which wait the caller is timing, and since when (monotonic seconds)."""

    wait: Wait | None = None
    since_s: float = 0.0


def running(state: TableState) -> Wait | None:
    """Return the stage that is running; None when nobody is waited for."""
    if state.phase is not Phase.PLAYING or state.wait.stage is Stage.OVER:
        return None
    return None if asked(state) is None else state.wait


def follow(watch: Stopwatch, state: TableState, now: float) -> Stopwatch:
    """Return the stopwatch for this state: a stage just begun starts at `now`."""
    wait = running(state)
    return watch if wait == watch.wait else Stopwatch(wait, now)


def deadline(watch: Stopwatch, state: TableState) -> float | None:
    """Return when the running stage is over, in the caller's seconds."""
    if watch.wait is None:
        return None
    rules = state.rules
    asking = watch.wait.stage is Stage.ASK
    return watch.since_s + (rules.ask_after_s if asking else rules.move_on_after_s)


def time_reached(watch: Stopwatch) -> ReachTime:
    """Return the command that tells the core that the running stage is over."""
    assert watch.wait is not None
    return ReachTime(wait=watch.wait.number, stage=watch.wait.stage)
