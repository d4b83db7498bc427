"""Moves bytes between a session and its end of a cable in memory."""

from collections.abc import Callable, Iterator

from drivers.events import DriverEvent
from drivers.session import Session
from simulators.devices.memory_port import HostEnd, UnpluggedError

Tap = Callable[[bytes], None]
"""Hears every byte that leaves the host."""


class Pump:
    """One port and the session that speaks over it, on virtual time."""

    def __init__(self, session: Session, end: HostEnd, tap: Tap) -> None:
        self.session = session
        self._end = end
        self._tap = tap
        self._is_open = False

    def run(self, now: float) -> None:
        """Do whatever is due: open or close, hear, keep time, speak."""
        self._open_or_close(now)
        if not self._is_open:
            self.session.handle_timer(now)
            return
        try:
            data = self._end.read(now)
            if data:
                self.session.receive_data(data, now)
            self.session.handle_timer(now)
            self._speak(now)
        except UnpluggedError:
            self._lost(now)

    def speak(self, now: float) -> None:
        """Send what the session has to say."""
        if not self._is_open:
            return
        try:
            self._speak(now)
        except UnpluggedError:
            self._lost(now)

    @property
    def deadline(self) -> float | None:
        """When to run again at the latest."""
        due, arrival = self.session.deadline, self.arrival
        if arrival is None:
            return due
        return arrival if due is None else min(due, arrival)

    @property
    def arrival(self) -> float | None:
        """When the next bytes come; none do while the port is closed."""
        return self._end.deadline if self._is_open else None

    def events(self) -> Iterator[DriverEvent]:
        """Take all that the session has to tell."""
        while (event := self.session.next_event()) is not None:
            yield event

    def _open_or_close(self, now: float) -> None:
        wanted = self.session.wants_port
        if self._is_open and not wanted:
            self._is_open = False
        elif wanted and not self._is_open:
            try:
                self._end.reopen()
            except UnpluggedError:
                self.session.connection_lost(now)
            else:
                self._is_open = True
                self.session.connection_made(now)

    def _speak(self, now: float) -> None:
        while data := self.session.data_to_send(now):
            self._end.write(data, now)
            self._tap(data)

    def _lost(self, now: float) -> None:
        self._is_open = False
        self.session.connection_lost(now)
