"""How long somebody waits before their next PIN is even looked at. Pure.

How often in a row a login was refused is in the table's state and outlives a restart;
since when the wait runs does not, so that it begins anew with the program: pulling
the plug shortens none.
"""

from typing import Final

FREE_FAILURES: Final = 3
"""So many slips of a finger cost nothing but the last one."""

FIRST_WAIT_S: Final = 5.0
WAIT_MAX_S: Final = 900.0
"""No more than a quarter of an hour: a lock that only others open would let anybody
who mistypes an id on purpose keep the only supervisor out."""

_DOUBLINGS_MAX: Final = 10


def wait_s(failures: int) -> float:
    """Return how long to wait after so many failures in a row, in seconds."""
    if failures < FREE_FAILURES:
        return 0.0
    doublings = min(failures - FREE_FAILURES, _DOUBLINGS_MAX)
    return min(WAIT_MAX_S, FIRST_WAIT_S * float(2**doublings))


class Waits:
    """Since when each person waits; times are monotonic seconds.

    Args:
        started: when the program did.
    """

    def __init__(self, started: float) -> None:
        self._started = started
        self._since: dict[str, float] = {}
        self._turned_away: set[str] = set()

    def left_s(self, person: str, failures: int, now: float) -> float:
        """Return how much of the wait is left, 0 where there is none."""
        since = self._since.get(person, self._started)
        return max(0.0, since + wait_s(failures) - now)

    def begin(self, person: str, now: float) -> None:
        """Let a wait begin: a login was refused."""
        self._since[person] = now
        self._turned_away.discard(person)

    def is_first(self, person: str) -> bool:
        """Return whether nobody was turned away in this wait yet, and note that one is.

        One record a wait tells that somebody goes on trying; more would let them fill
        the journal.
        """
        first = person not in self._turned_away
        self._turned_away.add(person)
        return first
