"""How long modules wait to be looked at: a press that is shorter is lost.

Pure: the caller passes `now` in monotonic seconds.
"""

from typing import Final

SCAN_MAX_S: Final = 0.1
"""A tap of a finger lasts about so long at least."""

WINDOW_S: Final = 1.0


class ScanWatch:
    """Says when scans become too long on the average of a second, and when they end.

    `worst_s` is the longest single one since the start.
    """

    def __init__(self) -> None:
        self.worst_s = 0.0
        self.last_mean_s = 0.0
        self._is_slow = False
        self._since: float | None = None
        self._sum_s = 0.0
        self._count = 0

    def take(self, scan_s: float, now: float) -> bool | None:
        """Return whether scans are too long from now on; None if nothing changed."""
        self.worst_s = max(self.worst_s, scan_s)
        if self._since is None:
            self._since = now
        self._sum_s += scan_s
        self._count += 1
        if now - self._since < WINDOW_S:
            return None
        self.last_mean_s = self._sum_s / self._count
        self._since, self._sum_s, self._count = None, 0.0, 0
        was_slow, self._is_slow = self._is_slow, self.last_mean_s > SCAN_MAX_S
        return self._is_slow if self._is_slow is not was_slow else None
