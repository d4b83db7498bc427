"""The panel bus: one question at a time, to the panel that waits longest.

Half-duplex: nothing is sent while an answer may still come, and an answer counts
only for the question that is open. Source: docs/protocol/panel.md.
"""

import math
from collections import deque
from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from drivers.errors import MalformedMessageError, UnknownAddressError
from drivers.events import Cursor, PanelEvent
from drivers.framing import Frame, FrameReader, encode_frame, stuffed
from drivers.identity import Identify, Identity
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import Button, Poll, Report
from drivers.panel.station import PanelConfig, Station

_SEQUENCES: Final = 256


class BusTiming(msgspec.Struct, frozen=True):
    """The times of the bus, in seconds; docs/protocol/panel.md, Timing.

    `answer_s` is the patience for an answer, `answer_max_s` with bytes still coming,
    `byte_s` the patience after each of those. `quiet_s` is the pause after an answer.
    Among silent panels one is asked every `doubtful_spacing_s`. A bus on which nobody
    answers for `port_silence_s` has its port opened anew.
    """

    answer_s: float = 0.030
    answer_max_s: float = 0.060
    byte_s: float = 0.005
    quiet_s: float = 0.0005
    doubtful_spacing_s: float = 0.25
    port_silence_s: float = 5.0
    lost_after_s: float = 3.0


class _Question(msgspec.Struct):
    """What was asked and until when the answer may come."""

    station: Station
    sequence: int
    asked_at: float
    deadline: float


class PanelBusSession:
    """All panels of a table on one bus; see `drivers.session.Session`."""

    def __init__(
        self, panels: Iterable[PanelConfig], timing: BusTiming, now: float
    ) -> None:
        self._timing = timing
        self._stations = {
            panel.address: Station(panel, timing.lost_after_s, now) for panel in panels
        }
        self._port = new_link(LinkTiming(silence_s=timing.port_silence_s))
        self._reader = FrameReader()
        self._events: deque[PanelEvent] = deque()
        self._counters = LinkCounters(reopens=-1)
        self._sequence = 0
        self._question: _Question | None = None
        self._quiet_until = now
        self._doubtful_from = now

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open; if it is not, open it now."""
        return self._port.wants_port

    @property
    def counters(self) -> LinkCounters:
        """What the bus has seen since the start."""
        return msgspec.structs.replace(
            self._counters,
            errors=self._counters.errors + self._reader.errors,
            reopens=max(self._counters.reopens, 0),
        )

    @property
    def deadline(self) -> float | None:
        """When to call `handle_timer` and `data_to_send` next at the latest."""
        times = [self._port.deadline, self._next_transmission()]
        times += [station.deadline for station in self._stations.values()]
        return min((time for time in times if time is not None), default=None)

    def state(self, address: int) -> LinkState:
        """Return where the link to one panel is."""
        return self._station(address).state

    def set_lamps(
        self, address: int, prompt_number: int, buttons: frozenset[Button]
    ) -> None:
        """Show exactly these lamps on a panel, for this prompt (0: none)."""
        self._station(address).set_lamps(prompt_number, buttons)

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Tell a panel that its presses up to this one are taken and on disk.

        Raises:
            AcknowledgedAheadError: This press was never handed over.

        """
        self._station(address).acknowledge(cursor)

    def connection_made(self, now: float) -> None:
        """Note that the port is open: every panel is asked who it is."""
        self._port = advance(self._port, LinkEvent.OPENED, now)
        self._reader.clear()
        self._counters.reopens += 1
        self._question = None
        self._quiet_until = now
        for station in self._stations.values():
            station.port_opened(now)

    def connection_lost(self, now: float) -> None:
        """Note that the port failed, or could not be opened."""
        if self._port.wants_port:
            self._port = advance(self._port, LinkEvent.LOST, now)
            self._drop(now)

    def next_event(self) -> PanelEvent | None:
        """Return the oldest event that was not returned yet."""
        return self._events.popleft() if self._events else None

    def data_to_send(self, now: float) -> bytes:
        """Return the next question, if the bus is free and somebody is due."""
        if not self._port.is_up or self._question or now < self._quiet_until:
            return b""
        station = self._choose(now)
        if station is None:
            return b""
        if station.is_doubtful:
            self._doubtful_from = now + self._timing.doubtful_spacing_s
        return self._ask(station, now)

    def receive_data(self, data: bytes, now: float) -> None:
        """Take in bytes from the bus."""
        if not self._port.is_up:
            return
        self._counters.bytes_received += len(data)
        for frame in self._reader.receive_data(data):
            self._receive_frame(frame, now)
        if self._question:
            # Somebody is talking: let it end, but not for ever.
            latest = self._question.asked_at + self._timing.answer_max_s
            patient = max(self._question.deadline, now + self._timing.byte_s)
            self._question.deadline = min(latest, patient)

    def handle_timer(self, now: float) -> None:
        """Give up on an answer that did not come, and do what else is due."""
        if self._question and now >= self._question.deadline:
            self._counters.gaps += 1
            self._question.station.handle_silence(now)
            self._end_question(now)
        was_up = self._port.is_up
        self._port = handle_timer(self._port, now)
        if was_up and not self._port.is_up:
            self._drop(now)
        for station in self._stations.values():
            self._events.extend(station.handle_timer(now))

    def _station(self, address: int) -> Station:
        if address not in self._stations:
            known = ", ".join(str(known) for known in sorted(self._stations))
            raise UnknownAddressError(
                f"no panel has address {address}; the bus has {known}"
            )
        return self._stations[address]

    def _drop(self, now: float) -> None:
        self._question = None
        for station in self._stations.values():
            station.port_lost(now)

    def _due(self, station: Station) -> float:
        """Return when a panel may be asked; never while it is to be left alone."""
        if station.due is None:
            return math.inf
        if station.is_doubtful:
            return max(station.due, self._doubtful_from)
        return station.due

    def _choose(self, now: float) -> Station | None:
        due = [s for s in self._stations.values() if self._due(s) <= now]
        return max(due, key=lambda station: station.lateness_s(now), default=None)

    def _next_transmission(self) -> float | None:
        if self._question:
            return self._question.deadline
        if not self._port.is_up:
            return None
        first = min(map(self._due, self._stations.values()), default=math.inf)
        return None if first == math.inf else max(first, self._quiet_until)

    def _ask(self, station: Station, now: float) -> bytes:
        if station.misses:
            self._counters.resends += 1
        self._sequence = (self._sequence + 1) % _SEQUENCES
        frame = to_frame(station.ask(now), station.device.address, self._sequence)
        deadline = now + self._timing.answer_s
        self._question = _Question(station, self._sequence, now, deadline)
        data = encode_frame(frame)
        self._counters.frames_sent += 1
        self._counters.bytes_sent += len(data)
        return data

    def _end_question(self, now: float) -> None:
        self._question = None
        self._quiet_until = now + self._timing.quiet_s

    def _receive_frame(self, frame: Frame, now: float) -> None:
        self._counters.frames_received += 1
        question = self._question
        if question is None or not _answers(frame, question):
            self._counters.strays += 1
            return
        try:
            message = from_frame(frame)
        except MalformedMessageError:
            self._counters.errors += 1
            return
        match message:
            case Identity():
                self._receive_identity(question, message, frame, now)
            case Report():
                self._receive_report(question, message, now)
            case Identify() | Poll():
                # Our own words: some transceivers hear what they say.
                pass
            case _:
                assert_never(message)

    def _receive_identity(
        self, question: _Question, identity: Identity, frame: Frame, now: float
    ) -> None:
        station = question.station
        if station.state is not LinkState.IDENTIFYING:
            self._counters.strays += 1
            return
        self._answered(question, now)
        self._events += station.handle_identity(identity, stuffed(frame), now)

    def _receive_report(self, question: _Question, report: Report, now: float) -> None:
        station = question.station
        if station.state is not LinkState.READY:
            self._counters.strays += 1
            return
        self._answered(question, now)
        self._events += station.handle_report(report, now)

    def _answered(self, question: _Question, now: float) -> None:
        self._counters.answered(now - question.asked_at)
        self._end_question(now)
        identified = self._port.state is LinkState.READY
        event = LinkEvent.HEARD if identified else LinkEvent.IDENTIFIED
        self._port = advance(self._port, event, now)


def _answers(frame: Frame, question: _Question) -> bool:
    """Return whether a frame has address and number of the open question."""
    address = question.station.device.address
    return (frame.address, frame.sequence) == (address, question.sequence)
