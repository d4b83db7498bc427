"""A clock that stands still until a test moves it."""

from controller.journal.records import Stamp
from controller.runtime.clock import Reading, stamp_of

_S = 1_000_000_000
WALL_START_NS = 1_769_882_400 * _S  # 2026-01-31T18:00:00Z


class StandingClock:
    """Monotonic and wall time move only by `advance`, the wall alone by `set_wall`."""

    def __init__(self) -> None:
        self._wall_ns = WALL_START_NS
        self._monotonic_ns = 1_000 * _S

    def advance(self, seconds: float) -> None:
        self._wall_ns += round(seconds * _S)
        self._monotonic_ns += round(seconds * _S)

    def set_wall(self, by_s: float) -> None:
        self._wall_ns += round(by_s * _S)

    def now_s(self) -> float:
        return self._monotonic_ns / _S

    def read(self) -> Reading:
        return Reading(self._wall_ns, self._monotonic_ns)

    def stamp(self) -> Stamp:
        return stamp_of(self.read(), boot="boot-1", synchronised=True)
