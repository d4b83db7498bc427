"""Faults of whole devices without an end, for runs that nobody knows the length of."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from drivers.panel.messages import Button
from simulators.devices.fault_plans import KINDS, Draw, random_schedule
from simulators.devices.fault_player import FaultPlayer, Hardware
from simulators.devices.faults import DeviceFault, FaultPlan, chance

CHAPTER_S: Final = 60.0
"""Faults are drawn for so long at a time, since a soak has no end."""

_CHAPTERS_A_SEED_MAX: Final = 1_000_003


class FaultChapters:
    """Draws a plan, plays it, draws the next; `a_second` faults of `kinds`, on average.

    `counts` says how many of each kind were planned so far, by name.
    """

    def __init__(
        self,
        hardware: Hardware,
        seed: int,
        a_second: float,
        kinds: Sequence[Draw] = KINDS,
        *,
        chapter_s: float = CHAPTER_S,
        fitting: Callable[[DeviceFault], DeviceFault] = lambda fault: fault,
    ) -> None:
        """Draw for `hardware`; `fitting` returns a fault as its devices can have it."""
        self.counts: Counter[str] = Counter()
        self._hardware = hardware
        self._seed = seed
        self._a_second = a_second
        self._kinds = kinds
        self._fitting = fitting
        self._chapter_s = chapter_s
        self._players: list[FaultPlayer] = []
        self._chapter = 0
        self._next_chapter_s = 0.0 if a_second else math.inf

    def add(self, schedule: Sequence[DeviceFault], now: float) -> None:
        """Let these happen too, their hours counted from `now`."""
        self.counts.update(name_of(fault) for fault in schedule)
        moved = tuple(
            msgspec.structs.replace(fault, at_s=now + fault.at_s) for fault in schedule
        )
        plan = FaultPlan(self._seed, schedule=moved)
        self._players = [p for p in self._players if p.deadline is not None]
        self._players.append(FaultPlayer(plan, self._hardware))

    def handle_timer(self, now: float) -> bool:
        """Begin and end what is due of the plan; say whether that was anything."""
        if now >= self._next_chapter_s:
            self._begin_chapter(now)
        wrong = False
        for player in self._players:
            due_s = player.deadline
            if due_s is not None and due_s <= now:
                wrong = True
                player.handle_timer(now)
        return wrong

    def end(self) -> None:
        """Draw no more; what was drawn already still happens, and ends."""
        self._next_chapter_s = math.inf

    @property
    def deadline(self) -> float:
        """When the next fault begins or ends, or the next plan is drawn."""
        dues = (player.deadline for player in self._players)
        known = (due for due in dues if due is not None)
        return min((self._next_chapter_s, *known))

    @property
    def _buttons(self) -> Mapping[int, frozenset[Button]]:
        panels = self._hardware.panels
        return {address: panel.buttons for address, panel in panels.items()}

    def _begin_chapter(self, now: float) -> None:
        self._chapter += 1
        seed = self._seed * _CHAPTERS_A_SEED_MAX + self._chapter
        mean = self._a_second * self._chapter_s
        count = chance(seed, "count").randint(0, round(2 * mean))
        self._next_chapter_s = now + self._chapter_s
        buttons, kinds = self._buttons, self._kinds
        drawn = random_schedule(seed, count, self._chapter_s, buttons, kinds)
        self.add(tuple(map(self._fitting, drawn)), now)


def name_of(fault: DeviceFault) -> str:
    """Return what a kind of fault is called where faults are counted."""
    name = str(fault.__struct_config__.tag)
    return f"{name}_mid_frame" if getattr(fault, "mid_frame", False) else name
