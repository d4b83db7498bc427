"""A half-duplex bus: one question at a time, to the station that waits longest.

Nothing is sent while an answer may still come, and an answer counts only for the
question that is open. What the questions and answers are, each protocol says.
"""

import abc
import math
from collections import deque
from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec

from drivers.bus_station import BusStation
from drivers.errors import UnknownAddressError
from drivers.events import PanelEvent
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.panel.messages import Button


class BusTiming(msgspec.Struct, frozen=True):
    """The times of a bus, in seconds; docs/protocol, Timing.

    `answer_s` is the patience for an answer, `answer_max_s` with bytes still coming,
    `byte_s` the patience after each of those. `quiet_s` is the pause after an answer.
    Among silent stations one is asked every `doubtful_spacing_s`. A bus on which nobody
    answers for `port_silence_s` has its port opened anew.
    """

    answer_s: float = 0.030
    answer_max_s: float = 0.060
    byte_s: float = 0.005
    quiet_s: float = 0.0005
    doubtful_spacing_s: float = 0.25
    port_silence_s: float = 5.0
    lost_after_s: float = 3.0


StationT = TypeVar("StationT", bound=BusStation)
AskedT = TypeVar("AskedT")


class Question(msgspec.Struct, Generic[StationT, AskedT]):
    """What was asked and until when the answer may come."""

    station: StationT
    asked: AskedT
    asked_at: float
    deadline: float


class Bus(abc.ABC, Generic[StationT, AskedT]):
    """All panels of a table on one bus; see `drivers.session.BusLink`.

    A protocol says how a question is put (`_put`), how bytes are read (`_read`), and
    what is to be forgotten of them when the port is another (`_forget_bytes`).
    """

    def __init__(
        self, stations: Mapping[int, StationT], timing: BusTiming, now: float
    ) -> None:
        self._timing = timing
        self._stations = stations
        self._port = new_link(LinkTiming(silence_s=timing.port_silence_s))
        self._events: deque[PanelEvent] = deque()
        self._counters = LinkCounters(reopens=-1)
        self._question: Question[StationT, AskedT] | None = None
        self._quiet_until = now
        self._doubtful_from = now

    @abc.abstractmethod
    def _put(self, station: StationT, now: float) -> tuple[AskedT, bytes]:
        """Return the station's next question, and its bytes."""

    @abc.abstractmethod
    def _read(self, data: bytes, now: float) -> None:
        """Take in bytes, and whatever frames end with them."""

    @abc.abstractmethod
    def _forget_bytes(self) -> None:
        """Forget what has begun to arrive."""

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open; if it is not, open it now."""
        return self._port.wants_port

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

    def put_lamps_out(self) -> None:
        """Put out what would stay on when nobody speaks any more; ask nothing else."""
        for station in self._stations.values():
            station.put_lamps_out()

    @property
    def lamps_are_out(self) -> bool:
        """Whether the lamps are out, at every panel that can be told."""
        stations = self._stations.values()
        return not self._port.is_up or all(one.lamps_are_out for one in stations)

    def connection_made(self, now: float) -> None:
        """Note that the port is open: every panel is asked anew."""
        self._port = advance(self._port, LinkEvent.OPENED, now)
        self._forget_bytes()
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
        if not self._port.is_up or not data:
            return
        self._counters.bytes_received += len(data)
        self._read(data, now)
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

    def _station(self, address: int) -> StationT:
        if address not in self._stations:
            known = ", ".join(str(known) for known in sorted(self._stations))
            raise UnknownAddressError(
                f"no panel has address {address}; the bus has {known}"
            )
        return self._stations[address]

    def _answered(self, question: Question[StationT, AskedT], now: float) -> None:
        """Note that the open question was answered, by whom it was put to."""
        self._counters.answered(now - question.asked_at)
        self._end_question(now)
        identified = self._port.state is LinkState.READY
        event = LinkEvent.HEARD if identified else LinkEvent.IDENTIFIED
        self._port = advance(self._port, event, now)

    def _ask(self, station: StationT, now: float) -> bytes:
        if station.misses:
            self._counters.resends += 1
        asked, data = self._put(station, now)
        deadline = now + self._timing.answer_s
        self._question = Question(station, asked, now, deadline)
        self._counters.frames_sent += 1
        self._counters.bytes_sent += len(data)
        return data

    def _end_question(self, now: float) -> None:
        self._question = None
        self._quiet_until = now + self._timing.quiet_s

    def _drop(self, now: float) -> None:
        self._question = None
        for station in self._stations.values():
            station.port_lost(now)

    def _due(self, station: StationT) -> float:
        """Return when a panel may be asked; never while it is to be left alone."""
        due = station.due
        if due is None:
            return math.inf
        return max(due, self._doubtful_from) if station.is_doubtful else due

    def _choose(self, now: float) -> StationT | None:
        due = [s for s in self._stations.values() if self._due(s) <= now]
        return max(due, key=lambda station: station.lateness_s(now), default=None)

    def _next_transmission(self) -> float | None:
        if self._question:
            return self._question.deadline
        if not self._port.is_up:
            return None
        first = min(map(self._due, self._stations.values()), default=math.inf)
        return None if first == math.inf else max(first, self._quiet_until)
