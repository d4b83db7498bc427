"""When a device counts as lost, and when as back.

A device that is away for a moment is nobody's business; one that is away for
`lost_after_s` is, also after a start at which it never came.
"""

import enum


class _Said(enum.Enum):
    NOTHING = "nothing"
    BACK = "back"
    LOST = "lost"


class Presence:
    """What was last said about a device, and since when it is away."""

    def __init__(self, lost_after_s: float, now: float) -> None:
        self._lost_after_s = lost_after_s
        self._away_since: float | None = now
        self._said = _Said.NOTHING

    @property
    def deadline(self) -> float | None:
        """When the device will count as lost if it does not come."""
        if self._away_since is None or self._said is _Said.LOST:
            return None
        return self._away_since + self._lost_after_s

    def came(self) -> bool:
        """Note that it is ready; return whether that is news.

        It is news at the first time too: a record from before a start may say that
        the device is lost.
        """
        self._away_since = None
        is_news = self._said is not _Said.BACK
        self._said = _Said.BACK
        return is_news

    def went(self, now: float) -> None:
        """Note that it is not ready any more, as of `now` if it was until then."""
        if self._away_since is None:
            self._away_since = now

    def handle_timer(self, now: float) -> bool:
        """Return whether it counts as lost from now on; said once."""
        if self.deadline is None or now < self.deadline:
            return False
        self._said = _Said.LOST
        return True
