"""One device on a bus, as the host sees it: its link, and when it is to be asked."""

import abc
from typing import Final

from drivers.events import Device, DeviceLost, DeviceMismatched, PanelEvent
from drivers.identity import DeviceType
from drivers.link import (
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.panel.messages import NO_PROMPT, Button
from drivers.presence import Presence

STATION_LINK: Final = LinkTiming(silence_s=None, backoff_min_s=0.25, backoff_max_s=2.0)


class BusStation(abc.ABC):
    """The host's side of one device on a bus: where its link is, when it is asked."""

    def __init__(self, address: int, lost_after_s: float, now: float) -> None:
        self.device = Device(DeviceType.PANEL, address)
        self.misses = 0
        self._link = new_link(STATION_LINK)
        self._presence = Presence(lost_after_s, now)
        self._due = now
        # By how much it goes before polls that are late by less; 0: in its turn.
        self._lead_s = 0.0
        self._mismatch = ""

    @property
    def state(self) -> LinkState:
        """Where the link to this station is."""
        return self._link.state

    @property
    def is_doubtful(self) -> bool:
        """Whether it was silent when last asked, so that asking may cost time."""
        return self._link.backoff_s > STATION_LINK.backoff_min_s

    @property
    def due(self) -> float | None:
        """When it should be asked next; None while nobody should ask it."""
        if not self._link.wants_port:
            return None
        return self._hurried_due() if self._lead_s else self._due

    @property
    def deadline(self) -> float | None:
        """When `handle_timer` has something to do."""
        times = [self._link.deadline, self._presence.deadline]
        return min((time for time in times if time is not None), default=None)

    def lateness_s(self, now: float) -> float:
        """Return by how much the next question is late, to compare with others."""
        late_s = now - self._due
        return max(late_s, self._lead_s) if self._lead_s else late_s

    @abc.abstractmethod
    def set_lamps(self, prompt_number: int, lamps: frozenset[Button]) -> None:
        """Show these lamps for this prompt with the next question."""

    def put_lamps_out(self) -> None:
        """Light nothing any more: the table stops."""
        self.set_lamps(NO_PROMPT, frozenset())

    @property
    def lamps_are_out(self) -> bool:
        """Whether no lamp stays on when nobody speaks to it any more."""
        return True

    @abc.abstractmethod
    def handle_silence(self, now: float) -> None:
        """Note that the question was not answered."""

    @abc.abstractmethod
    def _hurried_due(self) -> float:
        """Return when it may be asked out of its turn."""

    def handle_timer(self, now: float) -> list[PanelEvent]:
        """Do what is due at `now`."""
        self._link = handle_timer(self._link, now)
        return [DeviceLost(self.device)] if self._presence.handle_timer(now) else []

    def port_opened(self, now: float) -> None:
        """Ask it at once, whatever was before: the bus is new."""
        self._link = new_link(STATION_LINK)
        self._due = now
        self.misses = 0

    def port_lost(self, now: float) -> None:
        """Note that it cannot be reached."""
        if self._link.is_up:
            self._move(LinkEvent.LOST, now)

    def _move(self, event: LinkEvent, now: float) -> None:
        """Advance the link; who is not ready is away."""
        self._link = advance(self._link, event, now)
        if self.state is not LinkState.READY:
            self._presence.went(now)

    def _mismatched(self, message: str) -> list[PanelEvent]:
        # It is asked again every few seconds; the same words once are enough.
        if message == self._mismatch:
            return []
        self._mismatch = message
        return [DeviceMismatched(self.device, message)]
