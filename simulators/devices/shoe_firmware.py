"""The inside of a simulated shoe: its numbers, its gate and its line to the host.

Source: docs/protocol/shoe.md. Time is an argument; nothing here waits.
"""

import random
from typing import Final, assert_never

from drivers.errors import MalformedMessageError
from drivers.framing import FrameReader, encode_frame
from drivers.identity import (
    PROTOCOL_VERSION,
    ROLE_DEALER,
    DeviceType,
    Identify,
    Identity,
)
from drivers.shoe.codec import from_frame, to_frame
from drivers.shoe.messages import (
    GATE_LOCKED,
    Acknowledge,
    EventReport,
    Heartbeat,
    Message,
    NotHeld,
    OpenGate,
    ResendFrom,
    ShoeEvent,
    ShoeFlag,
)
from simulators.devices.panel import new_boot_id
from simulators.devices.shoe_memory import HeldEvent, ShoeMemory

HEARTBEAT_S: Final = 0.5
LOCKS_AFTER_S: Final = 2.0
"""A shoe that hears nothing from the host for this long locks its gate."""

SEQUENCES: Final = 256
"""Frames are counted modulo this."""

OLD_SEQUENCES: Final = 31
"""A frame this far or less behind the latest is an old one that came late or twice."""


class ShoeFirmware:
    """Reports what happens, repeats it when asked, and minds the gate.

    `flags_standing` are the flags that hands at the shoe set; those of the gate
    are its own. `gate_told_at_s` is when the host last said how far it is open.
    """

    def __init__(self, source: random.Random, *, has_gate: bool) -> None:
        self.has_gate = has_gate
        self.powered = True
        self.malformed = 0
        self.next_card_number = 1
        self.gate_up_to = GATE_LOCKED
        self.gate_told_at_s: float | None = None
        self.flags_standing: frozenset[ShoeFlag] = frozenset()
        self.reader = FrameReader()
        self.memory = ShoeMemory(new_boot_id(source))
        self._says_type = DeviceType.SHOE
        self._source = source
        self._withheld = 0
        self._sequence = 0
        self._heard_sequence: int | None = None
        self._due = bytearray()
        self._heartbeat_due_s = 0.0
        self._locks_at_s: float | None = None
        self._send(self._identity())

    def receive_data(self, data: bytes, now: float) -> None:
        """Hear bytes that the host sent."""
        for frame in self.reader.receive_data(data):
            if not self.powered:
                continue
            try:
                message = from_frame(frame)
            except MalformedMessageError:
                self.malformed += 1
                continue
            if self._is_news(message, frame.sequence):
                self._locks_at_s = now + LOCKS_AFTER_S
                self._obey(message, now)

    def data_to_send(self, now: float) -> bytes:
        """Give the bytes that are due to go to the host."""
        self.handle_timer(now)
        due = bytes(self._due)
        self._due.clear()
        return due

    def handle_timer(self, now: float) -> None:
        """Lock the gate if the host is silent, and send a heartbeat when it is due."""
        if not self.powered:
            return
        if self._locks_at_s is not None and now >= self._locks_at_s:
            self._locks_at_s = None
            self._set_gate(GATE_LOCKED)
        if now >= self._heartbeat_due_s:
            self._heartbeat_due_s = now + HEARTBEAT_S
            self._send_heartbeat()
            self._repeat_oldest()

    @property
    def deadline(self) -> float | None:
        """When the next heartbeat or the locking of the gate is due."""
        if not self.powered:
            return None
        if self._locks_at_s is None:
            return self._heartbeat_due_s
        return min(self._heartbeat_due_s, self._locks_at_s)

    @property
    def gate_is_open(self) -> bool:
        """Whether the next card could leave the shoe."""
        return not self.has_gate or self.next_card_number <= self.gate_up_to

    @property
    def flags(self) -> frozenset[ShoeFlag]:
        """What is so at the shoe right now."""
        gate = {ShoeFlag.HAS_GATE} if self.has_gate else set()
        if self.has_gate and self.gate_is_open:
            gate.add(ShoeFlag.GATE_OPEN)
        return self.flags_standing | gate

    def withhold(self, count: int) -> None:
        """Lose the next `count` reports on their way; the shoe still holds them."""
        self._withheld = count

    def lose(self) -> None:
        """Take the power of a shoe that forgets its counters: new numbers after it."""
        if self.powered:
            self._stop()
            self.memory.lose_power(new_boot_id(self._source))
            self.next_card_number = 1

    def pause(self) -> None:
        """Take the power of a shoe that keeps counters and waiting events."""
        if self.powered:
            self._stop()

    def come_back(self) -> None:
        """Give the power back; the shoe says by itself who it is."""
        if not self.powered:
            self.powered = True
            self._send(self._identity())
            self._heartbeat_due_s = 0.0

    def be_taken_for(self, device_type: DeviceType) -> None:
        """Say after a moment without power what kind of device this is."""
        self.pause()
        self._says_type = device_type
        self.come_back()

    def happen(self, event: ShoeEvent, next_card_number: int) -> None:
        """Number an event, report it and say how things stand after it."""
        if not self.powered:
            return
        report = self.memory.record(event, self.next_card_number)
        self.next_card_number = next_card_number
        if self._withheld:
            self._withheld -= 1
        else:
            self._send(report)
            self._send_heartbeat()

    def _stop(self) -> None:
        self.powered = False
        self.gate_up_to = GATE_LOCKED
        self._locks_at_s = None
        self._heard_sequence = None
        self._due.clear()

    def _is_news(self, message: Message, sequence: int) -> bool:
        """Whether a frame is no old one; with IDENTIFY the counting begins anew."""
        last = self._heard_sequence
        if last is not None and not isinstance(message, Identify):
            behind = (last - sequence) % SEQUENCES
            if behind <= OLD_SEQUENCES:
                return False
        self._heard_sequence = sequence
        return True

    def _obey(self, message: Message, now: float) -> None:
        match message:
            case Identify():
                self._send(self._identity())
                self._send_heartbeat()
            case Acknowledge(boot_id, number):
                self.memory.acknowledge(boot_id, number)
            case ResendFrom(boot_id, number):
                if boot_id == self.memory.boot_id:
                    self._resend(number)
            case OpenGate(boot_id, up_to):
                if boot_id == self.memory.boot_id:
                    self.gate_told_at_s = now
                    self._set_gate(up_to)
            case Identity() | Heartbeat() | EventReport() | NotHeld():
                # The shoe's own words, heard back over a bad line.
                self.malformed += 1
            case _:
                assert_never(message)

    def _resend(self, number: int) -> None:
        """Give all events from this number on; first say it if some are not held."""
        wanted = [held for held in self.memory.held if held.report.number >= number]
        missing = self.memory.last_event + 1 - number - len(wanted)
        if missing > 0:
            self._send(self._not_held(wanted))
        for held in wanted:
            self._send(held.report)

    def _not_held(self, wanted: list[HeldEvent]) -> NotHeld:
        memory = self.memory
        if not wanted:
            return NotHeld(memory.boot_id, memory.last_event + 1, self.next_card_number)
        first = wanted[0]
        return NotHeld(memory.boot_id, first.report.number, first.next_card_number)

    def _repeat_oldest(self) -> None:
        oldest = self.memory.oldest_not_taken
        if oldest is not None:
            self._send(oldest.report)

    def _set_gate(self, up_to: int) -> None:
        if up_to != self.gate_up_to:
            self.gate_up_to = up_to
            self._send_heartbeat()

    def _send_heartbeat(self) -> None:
        memory = self.memory
        self._send(
            Heartbeat(
                boot_id=memory.boot_id,
                flags=self.flags,
                next_card_number=self.next_card_number,
                last_event=memory.last_event,
                acknowledged=memory.acknowledged_number,
                gate_up_to=self.gate_up_to,
            )
        )

    def _send(self, message: Message) -> None:
        self._due += encode_frame(to_frame(message, self._sequence))
        self._sequence = (self._sequence + 1) % SEQUENCES

    def _identity(self) -> Identity:
        return Identity(
            protocol_version=PROTOCOL_VERSION,
            device_type=self._says_type,
            role=ROLE_DEALER,
            boot_id=self.memory.boot_id,
            model="simulated shoe",
            serial="SIM-S1",
            firmware="simulator",
        )
