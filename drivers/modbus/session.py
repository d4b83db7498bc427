"""The bus of modules: one question at a time, to the module that waits longest.

Half-duplex: nothing is sent while an answer may still come, and an answer counts only
for the question that is open. Source: docs/protocol/modbus-panels.md.
"""

import math
from collections import deque
from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from drivers.errors import MalformedMessageError, UnknownAddressError
from drivers.events import Cursor, PanelEvent, ScanChanged
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.modbus.codec import REPLY_LENGTHS, decode_reply, encode_request
from drivers.modbus.framing import FrameFinder
from drivers.modbus.messages import (
    CoilsWritten,
    InputsRead,
    Refused,
    Reply,
    Request,
    answers,
)
from drivers.modbus.scans import ScanWatch
from drivers.modbus.station import ModuleConfig, ModuleStation, Scan
from drivers.panel.messages import Button

BITS_A_BYTE: Final = 10
QUIET_BYTES: Final = 3.5
QUIET_MIN_S: Final = 0.00175
"""The pause between frames above 19200 bit/s (MODBUS over Serial Line, 2.5.1.1)."""

_LONGEST_EXCHANGE_BYTES: Final = 18


class ModbusTiming(msgspec.Struct, frozen=True):
    """The times of the bus, in seconds; docs/protocol/modbus-panels.md, Timing.

    `answer_s` is the patience for an answer, `answer_max_s` with bytes still coming,
    `byte_s` the patience after each of those. `quiet_s` is the pause between frames.
    Among silent modules one is asked every `doubtful_spacing_s`. A bus on which nobody
    answers for `port_silence_s` has its port opened anew.
    """

    answer_s: float = 0.050
    answer_max_s: float = 0.100
    byte_s: float = 0.005
    quiet_s: float = QUIET_MIN_S
    doubtful_spacing_s: float = 0.25
    port_silence_s: float = 5.0
    lost_after_s: float = 3.0


def timing_at(
    baud: int, lost_after_s: float, answer_s: float = ModbusTiming().answer_s
) -> ModbusTiming:
    """Return the times of a bus at a speed: on a slow one bytes take longer.

    `answer_s` is how long a module may take to answer, without its bytes' time.
    """
    byte_s = BITS_A_BYTE / baud
    on_the_wire_s = _LONGEST_EXCHANGE_BYTES * byte_s
    return ModbusTiming(
        answer_s=answer_s + on_the_wire_s,
        answer_max_s=2 * answer_s + on_the_wire_s,
        byte_s=ModbusTiming().byte_s + 2 * byte_s,
        quiet_s=max(QUIET_BYTES * byte_s, QUIET_MIN_S),
        lost_after_s=lost_after_s,
    )


class _Question(msgspec.Struct):
    """What was asked and until when the answer may come."""

    station: ModuleStation
    request: Request
    asked_at: float
    deadline: float


class ModbusSession:
    """All panels of a table as modules on one bus; see `drivers.session.PanelLink`."""

    def __init__(
        self, modules: Iterable[ModuleConfig], timing: ModbusTiming, now: float
    ) -> None:
        self._timing = timing
        self._stations = {
            module.address: ModuleStation(module, timing.lost_after_s, now)
            for module in modules
        }
        self._port = new_link(LinkTiming(silence_s=timing.port_silence_s))
        self._finder = FrameFinder(REPLY_LENGTHS)
        self._events: deque[PanelEvent] = deque()
        self._counters = LinkCounters(reopens=-1)
        self._scans = ScanWatch()
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
            errors=self._counters.errors + self._finder.errors,
            reopens=max(self._counters.reopens, 0),
            worst_scan_s=self._scans.worst_s,
        )

    @property
    def deadline(self) -> float | None:
        """When to call `handle_timer` and `data_to_send` next at the latest."""
        times = [self._port.deadline, self._next_transmission()]
        times += [station.deadline for station in self._stations.values()]
        return min((time for time in times if time is not None), default=None)

    def state(self, address: int) -> LinkState:
        """Return where the link to one module is."""
        return self._station(address).state

    def set_lamps(
        self, address: int, prompt_number: int, buttons: frozenset[Button]
    ) -> None:
        """Show exactly these lamps on a module, for this prompt (0: none)."""
        self._station(address).set_lamps(prompt_number, buttons)

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Do nothing: a module remembers no press, so none is to be forgotten."""

    def connection_made(self, now: float) -> None:
        """Note that the port is open: every module is asked for a sign of life."""
        self._port = advance(self._port, LinkEvent.OPENED, now)
        self._finder.clear()
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
        for content in self._finder.receive_data(data):
            self._receive_frame(content, now)
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

    def _station(self, address: int) -> ModuleStation:
        if address not in self._stations:
            known = ", ".join(str(known) for known in sorted(self._stations))
            raise UnknownAddressError(
                f"no module has address {address}; the bus has {known}"
            )
        return self._stations[address]

    def _drop(self, now: float) -> None:
        self._question = None
        for station in self._stations.values():
            station.port_lost(now)

    def _due(self, station: ModuleStation) -> float:
        """Return when a module may be asked; never while it is to be left alone."""
        if station.due is None:
            return math.inf
        if station.is_doubtful:
            return max(station.due, self._doubtful_from)
        return station.due

    def _choose(self, now: float) -> ModuleStation | None:
        due = [s for s in self._stations.values() if self._due(s) <= now]
        return max(due, key=lambda station: station.lateness_s(now), default=None)

    def _next_transmission(self) -> float | None:
        if self._question:
            return self._question.deadline
        if not self._port.is_up:
            return None
        first = min(map(self._due, self._stations.values()), default=math.inf)
        return None if first == math.inf else max(first, self._quiet_until)

    def _ask(self, station: ModuleStation, now: float) -> bytes:
        if station.misses:
            self._counters.resends += 1
        # Half an old answer must not be joined to the new one.
        self._finder.clear()
        request = station.ask(now)
        deadline = now + self._timing.answer_s
        self._question = _Question(station, request, now, deadline)
        data = encode_request(request)
        self._counters.frames_sent += 1
        self._counters.bytes_sent += len(data)
        return data

    def _end_question(self, now: float) -> None:
        self._question = None
        self._quiet_until = now + self._timing.quiet_s

    def _receive_frame(self, content: bytes, now: float) -> None:
        self._counters.frames_received += 1
        try:
            reply = decode_reply(content)
        except MalformedMessageError:
            self._counters.errors += 1
            return
        question = self._question
        if question is None or not answers(reply, question.request):
            self._counters.strays += 1
            return
        self._counters.answered(now - question.asked_at)
        self._end_question(now)
        identified = self._port.state is LinkState.READY
        event = LinkEvent.HEARD if identified else LinkEvent.IDENTIFIED
        self._port = advance(self._port, event, now)
        self._take(question.station, reply, now)

    def _take(self, station: ModuleStation, reply: Reply, now: float) -> None:
        match reply:
            case InputsRead():
                for told in station.handle_read(reply, now):
                    if isinstance(told, Scan):
                        self._time_scan(told, now)
                    else:
                        self._events.append(told)
            case CoilsWritten():
                station.handle_written(now)
            case Refused():
                self._events += station.handle_refusal(reply, now)
            case _:
                assert_never(reply)

    def _time_scan(self, scan: Scan, now: float) -> None:
        slow = self._scans.take(scan.took_s, now)
        if slow is not None:
            self._events.append(ScanChanged(slow, self._scans.last_mean_s))
