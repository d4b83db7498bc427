"""Buttons that are held down: at their panel's start, or for too long.

Such a button says nothing until it was released for a second (rules.md, Faults). Pure:
the caller passes `now` in monotonic seconds and comes back at `deadline`.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

HELD_TOO_LONG_S: Final = 10.0
RELEASED_FOR_S: Final = 1.0


class StuckChange(msgspec.Struct, frozen=True):
    """A button of a seat's panel became stuck, or counts again."""

    seat: int
    button: str
    stuck: bool


class _Held(msgspec.Struct):
    since: float | None
    released: float | None = None
    stuck: bool = False


class HeldButtons:
    """Which buttons of all panels are down, and since when."""

    def __init__(self, stuck: Iterable[tuple[int, str]] = (), now: float = 0.0) -> None:
        """Begin with the seats and buttons that counted as stuck before a restart.

        They count as down until their panel says otherwise.
        """
        self._held = {button: _Held(now, stuck=True) for button in stuck}
        self._started: set[int] = set()

    @property
    def deadline(self) -> float | None:
        """When a button will count as stuck, or as released."""
        return min(
            (due for held in self._held.values() if (due := _due(held)) is not None),
            default=None,
        )

    def panel_started(self, seat: int) -> None:
        """Note that a panel came up: what it holds down at first was held before."""
        self._started.add(seat)

    def report(self, seat: int, buttons: frozenset[str], now: float) -> None:
        """Take the buttons that a panel says are down."""
        at_start = seat in self._started
        self._started.discard(seat)
        for button in buttons:
            held = self._held.setdefault((seat, button), _Held(now))
            held.released = None
            if held.since is None:
                held.since = now
            if at_start:
                held.since = now - HELD_TOO_LONG_S
        for (of_seat, button), held in self._held.items():
            if of_seat == seat and button not in buttons and held.released is None:
                held.since, held.released = None, now

    def handle_timer(self, now: float) -> tuple[StuckChange, ...]:
        """Return what changed by `now`."""
        changes = []
        for (seat, button), held in tuple(self._held.items()):
            due = _due(held)
            if due is None or due > now:
                continue
            if held.since is not None:
                held.stuck = True
                changes.append(StuckChange(seat, button, stuck=True))
            else:
                del self._held[seat, button]
                if held.stuck:
                    changes.append(StuckChange(seat, button, stuck=False))
        return tuple(changes)


def _due(held: _Held) -> float | None:
    if held.since is not None:
        return None if held.stuck else held.since + HELD_TOO_LONG_S
    assert held.released is not None
    return held.released + (RELEASED_FOR_S if held.stuck else 0.0)
