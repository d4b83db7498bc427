"""What the host says to the shoe, and when it says it again.

Each kind of message waits at most once, in its newest form: all of them are levels
or absolute numbers, so an older one has nothing to add.
"""

from typing import Final

import msgspec

from drivers.framing import encode_frame
from drivers.identity import Identify
from drivers.link import LinkCounters, LinkTiming
from drivers.shoe.codec import to_frame
from drivers.shoe.messages import GATE_LOCKED, HostMessage, OpenGate, ResendFrom
from drivers.shoe.order import EventOrder

_SEQUENCES: Final = 256


class ShoeTiming(msgspec.Struct, frozen=True):
    """The times of the line, in seconds; docs/protocol/shoe.md."""

    identify_interval_s: float = 0.5
    gate_interval_s: float = 0.5
    resend_interval_s: float = 0.25
    resend_tries_max: int = 20
    lost_after_s: float = 3.0
    link: LinkTiming = LinkTiming()


class Voice:
    """The host's outgoing half of the line."""

    def __init__(self, timing: ShoeTiming, counters: LinkCounters) -> None:
        self.gate_up_to = GATE_LOCKED
        self.is_given_up = False
        self._timing = timing
        self._counters = counters
        self._sequence = 0
        self._waiting: dict[type[HostMessage], HostMessage] = {}
        self._identify_at: float | None = None
        self._gate_at: float | None = None
        self._resend_at: float | None = None
        self._tries = 0

    @property
    def deadline(self) -> float | None:
        """When something is to be said again."""
        times = (self._identify_at, self._gate_at, self._resend_at)
        return min((time for time in times if time is not None), default=None)

    def say(self, message: HostMessage) -> None:
        """Say this with the next bytes."""
        self._waiting[type(message)] = message

    def take(self) -> bytes:
        """Return the frames of all that waits."""
        messages, self._waiting = self._waiting, {}
        data = b"".join(map(self._encode, messages.values()))
        self._counters.bytes_sent += len(data)
        return data

    def fall_silent(self) -> None:
        """Forget what was to be said: there is nobody to hear it."""
        self._waiting.clear()
        self._identify_at = self._gate_at = self._resend_at = None
        self._tries = 0
        self.is_given_up = False

    def ask_who_it_is(self, now: float) -> None:
        """Say IDENTIFY, and nothing else until it is answered."""
        self.fall_silent()
        self._identify_at = now + self._timing.identify_interval_s
        self.say(Identify())

    def keep_gate(self, order: EventOrder, now: float) -> None:
        """Say up to which card the gate is open, now and at intervals."""
        self._identify_at = None
        self._gate_at = now + self._timing.gate_interval_s
        self.say(OpenGate(order.boot_id, self.gate_up_to))

    def ask_for_missing(self, order: EventOrder, now: float) -> None:
        """Ask for the first event that is missing, at once and then at intervals."""
        if not order.is_missing_some:
            self._resend_at = None
        elif self._resend_at is None:
            self._ask_again(order, now)

    def note_progress(self) -> None:
        """An event came: asking has helped."""
        self._tries = 0

    def handle_timer(self, order: EventOrder, now: float) -> None:
        """Say again what is due."""
        if self._identify_at is not None and now >= self._identify_at:
            self.ask_who_it_is(now)
        if self._gate_at is not None and now >= self._gate_at:
            self.keep_gate(order, now)
        if self._resend_at is not None and now >= self._resend_at:
            self._ask_again(order, now)

    def _ask_again(self, order: EventOrder, now: float) -> None:
        if self._tries >= self._timing.resend_tries_max:
            self.is_given_up = True
            return
        self._tries += 1
        self._counters.resends += 1
        self._resend_at = now + self._timing.resend_interval_s
        self.say(ResendFrom(order.boot_id, order.handed_over + 1))

    def _encode(self, message: HostMessage) -> bytes:
        self._sequence = (self._sequence + 1) % _SEQUENCES
        self._counters.frames_sent += 1
        return encode_frame(to_frame(message, self._sequence))
