"""What comes and goes, taken as one presence: a supply that flaps, a loose plug.

Pure: the caller passes `now_s`, monotonic.
"""

from collections.abc import Collection, Hashable, Iterable
from typing import Generic, TypeVar

OneT = TypeVar("OneT", bound=Hashable)


class Lasting(Generic[OneT]):
    """What is present: from when it is seen until it has been away for long enough.

    So each begins and ends at most once in `ends_after_s`, however it flaps.

    Args:
        known: what is present already.
        now_s: when that was so.
        ends_after_s: how long something must be away.
        looks: in so many looks one after the other it must be seen to begin.
        most: so many are present at once; others wait until one has ended.
    """

    def __init__(
        self,
        known: Iterable[OneT],
        now_s: float,
        *,
        ends_after_s: float,
        looks: int = 1,
        most: int = 32,
    ) -> None:
        self._ends_after_s = ends_after_s
        self._looks = looks
        self._most = most
        self._seen_s = dict.fromkeys(known, now_s)
        self._new: dict[OneT, int] = {}

    def look(self, seen: Collection[OneT], now_s: float) -> tuple[OneT, ...]:
        """Return what is present now that these were seen, the oldest first."""
        for one, at_s in tuple(self._seen_s.items()):
            if one in seen:
                self._seen_s[one] = now_s
            elif now_s - at_s >= self._ends_after_s:
                del self._seen_s[one]
        new = (one for one in seen if one not in self._seen_s)
        self._new = {one: self._new.get(one, 0) + 1 for one in new}
        for one, looks in self._new.items():
            if looks >= self._looks and len(self._seen_s) < self._most:
                self._seen_s[one] = now_s
        return tuple(self._seen_s)
