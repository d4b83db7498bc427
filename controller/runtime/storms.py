"""A panel that is refused again and again must not fill the journal.

At most twenty refusals a second are written for one panel. What it presses beyond
that waits, unacknowledged, until the second is over; the panel itself holds no more
than four and counts what finds no place, and that count is one record a second. Pure:
the caller passes `now` in monotonic seconds.
"""

from collections import deque
from typing import Final

REFUSALS_MAX: Final = 20
WINDOW_S: Final = 1.0


class Storms:
    """When each panel was refused last, and whether its next press has to wait."""

    def __init__(self) -> None:
        self._refused: dict[int, deque[float]] = {}

    def refuse(self, seat: int, now: float) -> None:
        """Note that a press of this seat was refused."""
        self._refused.setdefault(seat, deque(maxlen=REFUSALS_MAX)).append(now)

    def over_at(self, seat: int, undecided: int = 0) -> float:
        """Return from when on the next press of this seat need not wait.

        `undecided` presses of the seat were handed on and may still be refused.
        """
        refused = self._refused.get(seat)
        if not refused or len(refused) + undecided < REFUSALS_MAX:
            return 0.0
        too_many = len(refused) + undecided - REFUSALS_MAX
        return refused[min(too_many, len(refused) - 1)] + WINDOW_S


class OnceASecond:
    """Lets the newest count of each seat through, once a second."""

    def __init__(self) -> None:
        self._next: dict[int, float] = {}
        self._waiting: dict[int, int] = {}

    @property
    def deadline(self) -> float | None:
        """When a count that waits may be told."""
        return min((self._next[seat] for seat in self._waiting), default=None)

    def count(self, seat: int, total: int) -> None:
        """Take a new count."""
        self._waiting[seat] = total
        self._next.setdefault(seat, 0.0)

    def due(self, now: float) -> tuple[tuple[int, int], ...]:
        """Return the seats and counts that may be told at `now`."""
        told = tuple(
            (seat, total)
            for seat, total in self._waiting.items()
            if self._next[seat] <= now
        )
        for seat, _ in told:
            del self._waiting[seat]
            self._next[seat] = now + WINDOW_S
        return told
