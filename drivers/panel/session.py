"""The panel bus: one question at a time, to the panel that waits longest.

Half-duplex: nothing is sent while an answer may still come, and an answer counts
only for the question that is open. Source: docs/protocol/panel.md.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias, assert_never

import msgspec

from drivers.bus import Bus, BusTiming, Question
from drivers.errors import MalformedMessageError
from drivers.events import Cursor
from drivers.framing import Frame, FrameReader, encode_frame, stuffed
from drivers.identity import Identify, Identity
from drivers.link import (
    LinkCounters,
    LinkState,
)
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import Poll, Report
from drivers.panel.station import PanelConfig, Station

LONGEST_EXCHANGE_BYTES: Final = 122
"""A question and its answer, where a panel says who it is at the greatest length."""

_BITS_A_BYTE: Final = 10
_TIMING: Final = BusTiming()
_TIMING_IS_FOR_BAUD: Final = 115_200
_SILENT_SHARE: Final = 8
_SEQUENCES: Final = 256
_Question: TypeAlias = Question[Station, int]


def timing_at(baud: int, lost_after_s: float) -> BusTiming:
    """Return the times of a bus at a speed: on a slow one bytes take longer.

    Who is silent costs the others the whole patience, so that on a slow bus such a
    panel is asked more rarely. Source: docs/protocol/panel.md, Timing.
    """
    more_a_byte_s = max(_BITS_A_BYTE / baud - _BITS_A_BYTE / _TIMING_IS_FOR_BAUD, 0.0)
    more_s = LONGEST_EXCHANGE_BYTES * more_a_byte_s
    return msgspec.structs.replace(
        _TIMING,
        answer_s=_TIMING.answer_s + more_s,
        answer_max_s=_TIMING.answer_max_s + more_s,
        byte_s=_TIMING.byte_s + 2 * more_a_byte_s,
        doubtful_spacing_s=_TIMING.doubtful_spacing_s + _SILENT_SHARE * more_s,
        lost_after_s=lost_after_s,
    )


class PanelBusSession(Bus[Station, int]):
    """All panels of a table on one bus; what is asked is known by its number."""

    def __init__(
        self, panels: Iterable[PanelConfig], timing: BusTiming, now: float
    ) -> None:
        stations = {
            panel.address: Station(panel, timing.lost_after_s, now) for panel in panels
        }
        super().__init__(stations, timing, now)
        self._reader = FrameReader()
        self._sequence = 0

    @property
    def counters(self) -> LinkCounters:
        """What the bus has seen since the start."""
        return msgspec.structs.replace(
            self._counters,
            errors=self._counters.errors + self._reader.errors,
            reopens=max(self._counters.reopens, 0),
        )

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Tell a panel that its presses up to this one are taken and on disk.

        Raises:
            AcknowledgedAheadError: This press was never handed over.

        """
        self._station(address).acknowledge(cursor)

    def _put(self, station: Station, now: float) -> tuple[int, bytes]:
        self._sequence = (self._sequence + 1) % _SEQUENCES
        frame = to_frame(station.ask(now), station.device.address, self._sequence)
        return self._sequence, encode_frame(frame)

    def _read(self, data: bytes, now: float) -> None:
        for frame in self._reader.receive_data(data):
            self._receive_frame(frame, now)

    def _forget_bytes(self) -> None:
        self._reader.clear()

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


def _answers(frame: Frame, question: _Question) -> bool:
    """Return whether a frame has address and number of the open question."""
    address = question.station.device.address
    return (frame.address, frame.sequence) == (address, question.asked)
