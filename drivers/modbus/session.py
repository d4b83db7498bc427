"""The bus of modules: one question at a time, to the module that waits longest.

Half-duplex: nothing is sent while an answer may still come, and an answer counts only
for the question that is open. Source: docs/protocol/modbus-panels.md.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from msgspec.structs import replace

from drivers.bus import Bus, BusTiming
from drivers.errors import MalformedMessageError
from drivers.events import Cursor, ScanChanged
from drivers.link import (
    LinkCounters,
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

BITS_A_BYTE: Final = 10
QUIET_BYTES: Final = 3.5
QUIET_MIN_S: Final = 0.00175
"""The pause between frames above 19200 bit/s (MODBUS over Serial Line, 2.5.1.1)."""

_LONGEST_EXCHANGE_BYTES: Final = 18


MODBUS_TIMING: Final = BusTiming(
    answer_s=0.050, answer_max_s=0.100, quiet_s=QUIET_MIN_S
)
"""At a speed at which bytes take no time; docs/protocol/modbus-panels.md, Scan time."""


def timing_at(
    baud: int, lost_after_s: float, answer_s: float = MODBUS_TIMING.answer_s
) -> BusTiming:
    """Return the times of a bus at a speed: on a slow one bytes take longer.

    `answer_s` is how long a module may take to answer, without its bytes' time.
    """
    byte_s = BITS_A_BYTE / baud
    on_the_wire_s = _LONGEST_EXCHANGE_BYTES * byte_s
    return replace(
        MODBUS_TIMING,
        answer_s=answer_s + on_the_wire_s,
        answer_max_s=2 * answer_s + on_the_wire_s,
        byte_s=MODBUS_TIMING.byte_s + 2 * byte_s,
        quiet_s=max(QUIET_BYTES * byte_s, QUIET_MIN_S),
        lost_after_s=lost_after_s,
    )


class ModbusSession(Bus[ModuleStation, Request]):
    """All panels of a table as modules on one bus."""

    def __init__(
        self, modules: Iterable[ModuleConfig], timing: BusTiming, now: float
    ) -> None:
        stations = {
            module.address: ModuleStation(module, timing.lost_after_s, now)
            for module in modules
        }
        super().__init__(stations, timing, now)
        self._finder = FrameFinder(REPLY_LENGTHS)
        self._scans = ScanWatch()

    @property
    def counters(self) -> LinkCounters:
        """What the bus has seen since the start."""
        return replace(
            self._counters,
            errors=self._counters.errors + self._finder.errors,
            reopens=max(self._counters.reopens, 0),
            worst_scan_s=self._scans.worst_s,
        )

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Do nothing: a module remembers no press, so none is to be forgotten."""

    def _put(self, station: ModuleStation, now: float) -> tuple[Request, bytes]:
        # Half an old answer must not be joined to the new one.
        self._forget_bytes()
        request = station.ask(now)
        return request, encode_request(request)

    def _read(self, data: bytes, now: float) -> None:
        for content in self._finder.receive_data(data):
            self._receive_frame(content, now)

    def _forget_bytes(self) -> None:
        self._finder.clear()

    def _receive_frame(self, content: bytes, now: float) -> None:
        self._counters.frames_received += 1
        try:
            reply = decode_reply(content)
        except MalformedMessageError:
            self._counters.errors += 1
            return
        question = self._question
        if question is None or not answers(reply, question.asked):
            self._counters.strays += 1
            return
        self._answered(question, now)
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
