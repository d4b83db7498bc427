"""The line to the shoe: events once and in order, the gate, and signs of life.

Source: docs/protocol/shoe.md.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final, assert_never

import msgspec

from drivers.errors import DeviceMismatchError, MalformedMessageError
from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    HostBehind,
    ShoeCursor,
    ShoeSessionEvent,
    ShoeStateChanged,
)
from drivers.framing import Frame, FrameReader, stuffed
from drivers.identity import DeviceType, Expected, Identify, Identity, check_identity
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    advance,
    handle_timer,
    new_link,
)
from drivers.presence import Presence
from drivers.shoe.codec import from_frame
from drivers.shoe.messages import (
    GATE_LOCKED,
    SHOE_ADDRESS,
    Acknowledge,
    EventReport,
    Heartbeat,
    NotHeld,
    OpenGate,
    ResendFrom,
    ShoeFlag,
)
from drivers.shoe.order import EventOrder
from drivers.shoe.voice import ShoeTiming, Voice

_DEVICE: Final = Device(DeviceType.SHOE, SHOE_ADDRESS)
_SEQUENCES: Final = 256
_OLD_SEQUENCES: Final = 32
_ORDERS_MAX: Final = 4
# The gate's flag only echoes what we said ourselves.
_OWN_FLAGS: Final = frozenset(ShoeFlag) - {ShoeFlag.GATE_OPEN}


class ShoeSession:
    """The host's side of the line to the shoe; see `drivers.session.Session`."""

    def __init__(
        self,
        expected: Expected,
        cursor: ShoeCursor | None,
        timing: ShoeTiming,
        now: float,
    ) -> None:
        self._expected = expected
        self._start_cursor = cursor
        self._link = new_link(timing.link)
        self._presence = Presence(timing.lost_after_s, now)
        self._reader = FrameReader()
        self._counters = LinkCounters(reopens=-1)
        self._voice = Voice(timing, self._counters)
        self._events: deque[ShoeSessionEvent] = deque()
        self._heard_sequence: int | None = None
        # The last few boot ids, since an identity from before a restart may be late.
        self._orders: dict[int, EventOrder] = {}
        self._order = EventOrder(0, None)
        self._flags: frozenset[ShoeFlag] | None = None
        self._behind_boot_id = 0
        self._mismatch = ""
        # Its numbers went backwards: who it is says nothing until they go on.
        self._distrusted = False

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open; if it is not, open it now."""
        return self._link.wants_port

    @property
    def state(self) -> LinkState:
        """Where the link is."""
        return self._link.state

    @property
    def counters(self) -> LinkCounters:
        """What the link has seen since the start."""
        return msgspec.structs.replace(
            self._counters,
            errors=self._counters.errors + self._reader.errors,
            reopens=max(self._counters.reopens, 0),
        )

    @property
    def deadline(self) -> float | None:
        """When to call `handle_timer` next at the latest."""
        times = (self._link.deadline, self._presence.deadline, self._voice.deadline)
        return min((time for time in times if time is not None), default=None)

    @property
    def cursor(self) -> ShoeCursor:
        """The last event that was handed over, and the card number expected next."""
        return self._order.cursor

    def acknowledge(self, cursor: Cursor | ShoeCursor) -> None:
        """Tell the shoe that all its events up to this one are taken and on disk.

        One of a boot id that the shoe has left behind tells it nothing.

        Raises:
            AcknowledgedAheadError: This event was never handed over.

        """
        order = self._orders.get(cursor.boot_id)
        if order and order.acknowledge(cursor) and self._speaks_under(order):
            self._say_acknowledge()

    def open_gate(self, boot_id: int, up_to: int) -> None:
        """Let cards up to this number out, absolute; 0 locks.

        Ignored under another boot id than the shoe's: the number would mean other
        cards.
        """
        if boot_id != self._order.boot_id or up_to == self._voice.gate_up_to:
            return
        self._voice.gate_up_to = up_to
        if self.state is LinkState.READY:
            self._voice.say(OpenGate(boot_id, up_to))

    def connection_made(self, now: float) -> None:
        """Note that the port is open: the shoe is asked who it is."""
        self._move(LinkEvent.OPENED, now)
        self._reader.clear()
        self._counters.reopens += 1
        self._voice.ask_who_it_is(now)

    def connection_lost(self, now: float) -> None:
        """Note that the port failed, or could not be opened."""
        if self._link.wants_port:
            self._move(LinkEvent.LOST, now)

    def next_event(self) -> ShoeSessionEvent | None:
        """Return the oldest event that was not returned yet."""
        return self._events.popleft() if self._events else None

    def data_to_send(self, now: float) -> bytes:  # noqa: ARG002 - as every session
        """Return all that is to be said, once."""
        return self._voice.take()

    def receive_data(self, data: bytes, now: float) -> None:
        """Take in bytes from the shoe."""
        if not self._link.is_up:
            return
        self._counters.bytes_received += len(data)
        for frame in self._reader.receive_data(data):
            self._counters.frames_received += 1
            self._receive_frame(frame, now)

    def handle_timer(self, now: float) -> None:
        """Say again what is due, and notice silence."""
        was_up = self._link.is_up
        self._link = handle_timer(self._link, now)
        if was_up and not self._link.is_up:
            self._fall_silent(now)
        if self._presence.handle_timer(now):
            self._events.append(DeviceLost(_DEVICE))
        self._voice.handle_timer(self._order, now)
        if self._voice.is_given_up:
            self._move(LinkEvent.LOST, now)

    def _move(self, event: LinkEvent, now: float) -> None:
        self._link = advance(self._link, event, now)
        if not self._link.is_up:
            self._fall_silent(now)

    def _fall_silent(self, now: float) -> None:
        self._presence.went(now)
        self._voice.fall_silent()

    def _speaks_under(self, order: EventOrder) -> bool:
        return order is self._order and self.state is LinkState.READY

    def _say_acknowledge(self) -> None:
        self._voice.say(Acknowledge(self._order.boot_id, self._order.taken))

    def _receive_frame(self, frame: Frame, now: float) -> None:
        try:
            message = from_frame(frame)
        except MalformedMessageError:
            self._counters.errors += 1
            return
        match message:
            case Identity() if self.state is LinkState.IDENTIFYING:
                self._heard_sequence = frame.sequence
                self._receive_identity(message, stuffed(frame), now)
            case Identity() | Heartbeat() | EventReport() | NotHeld():
                if self._is_old(frame.sequence) or self.state is not LinkState.READY:
                    self._counters.strays += 1
                else:
                    self._receive_ready(message, stuffed(frame), now)
            case Identify() | Acknowledge() | ResendFrom() | OpenGate():
                # Our own words come back only over a wrong cable.
                self._counters.strays += 1
            case _:
                assert_never(message)

    def _is_old(self, sequence: int) -> bool:
        """Note a frame's number; return whether the frame came late or twice."""
        last = self._heard_sequence
        if last is not None and (last - sequence) % _SEQUENCES < _OLD_SEQUENCES:
            return True
        if last is not None:
            self._counters.gaps += (sequence - last - 1) % _SEQUENCES
        self._heard_sequence = sequence
        return False

    def _receive_identity(self, identity: Identity, raw: bytes, now: float) -> None:
        try:
            check_identity(self._expected, identity)
        except DeviceMismatchError as error:
            self._refuse(str(error), now)
            return
        self._move(LinkEvent.IDENTIFIED, now)
        self._begin(identity.boot_id, now)
        self._events.append(DeviceIdentified(_DEVICE, identity, raw))
        if not self._distrusted:
            self._is_right()

    def _is_right(self) -> None:
        """Note that it is the shoe that it should be, and goes on where it was."""
        self._mismatch = ""
        self._distrusted = False
        if self._presence.came():
            self._events.append(DeviceBack(_DEVICE))

    def _refuse(self, message: str, now: float) -> None:
        """Leave the device alone, and say why."""
        self._move(LinkEvent.MISMATCHED, now)
        # It is asked again every few seconds; the same words once are enough.
        if message != self._mismatch:
            self._mismatch = message
            self._events.append(DeviceMismatched(_DEVICE, message))

    def _begin(self, boot_id: int, now: float) -> None:
        """Go on with the numbers of a boot id; the gate's belong to one only."""
        if boot_id != self._order.boot_id:
            self._voice.gate_up_to = GATE_LOCKED
        known = self._orders.pop(boot_id, None)
        self._order = known or EventOrder(boot_id, self._start_cursor)
        self._orders[boot_id] = self._order
        if len(self._orders) > _ORDERS_MAX:
            del self._orders[next(iter(self._orders))]
        self._flags = None
        self._voice.keep_gate(self._order, now)

    def _receive_ready(
        self,
        message: Identity | Heartbeat | EventReport | NotHeld,
        raw: bytes,
        now: float,
    ) -> None:
        """Take in what the shoe says, unless it has restarted."""
        if message.boot_id != self._order.boot_id:
            self._move(LinkEvent.RESTARTED, now)
            self._presence.went(now)
            self._voice.ask_who_it_is(now)
            return
        self._move(LinkEvent.HEARD, now)
        before = self._order.handed_over
        match message:
            case Identity():
                pass
            case Heartbeat():
                self._receive_heartbeat(message, raw, now)
            case EventReport():
                self._receive_report(message, raw)
            case NotHeld():
                self._events.extend(self._order.receive_not_held(message, raw))
            case _:
                assert_never(message)
        if self._order.handed_over > before:
            self._voice.note_progress()
        if self.state is LinkState.READY:
            self._voice.ask_for_missing(self._order, now)

    def _receive_report(self, report: EventReport, raw: bytes) -> None:
        if report.number <= self._order.taken:
            # The shoe has not heard that it is taken.
            self._say_acknowledge()
        self._events.extend(self._order.receive_report(report, raw))

    def _receive_heartbeat(self, heartbeat: Heartbeat, raw: bytes, now: float) -> None:
        order = self._order
        self._events.extend(self._behind(heartbeat))
        order.place(heartbeat)
        if order.counts_backwards(heartbeat):
            if order.is_surely_backwards:
                self._distrusted = True
                self._presence.went(now)
                self._refuse(_backwards(self._expected, heartbeat, order), now)
            return
        if self._distrusted:
            self._is_right()
        self._events.extend(order.receive_heartbeat(heartbeat, raw))
        if heartbeat.acknowledged < order.taken:
            self._say_acknowledge()
        if heartbeat.gate_up_to != self._voice.gate_up_to:
            self._voice.keep_gate(order, now)
        self._events.extend(self._state_changed(heartbeat, raw))

    def _behind(self, heartbeat: Heartbeat) -> Iterator[HostBehind]:
        order, acknowledged = self._order, heartbeat.acknowledged
        if acknowledged > order.taken and self._behind_boot_id != order.boot_id:
            self._behind_boot_id = order.boot_id
            yield HostBehind(_DEVICE, order.boot_id, acknowledged, order.taken)

    def _state_changed(
        self, heartbeat: Heartbeat, raw: bytes
    ) -> Iterator[ShoeStateChanged]:
        flags = heartbeat.flags & _OWN_FLAGS
        if flags != self._flags:
            self._flags = flags
            yield ShoeStateChanged(
                heartbeat.boot_id,
                heartbeat.flags,
                heartbeat.next_card_number,
                self._order.cursor,
                raw,
            )


def _backwards(expected: Expected, heartbeat: Heartbeat, order: EventOrder) -> str:
    return (
        f"{expected.place} tells of {heartbeat.last_event} events, "
        f"{order.handed_over} came under the same boot id; "
        "restart the shoe so that it takes a new one"
    )
