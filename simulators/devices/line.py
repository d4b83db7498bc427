"""One direction of a serial line: bytes go in, and come out later and perhaps worse.

Runs on the time its caller passes in, so a test plays hours in a moment and a pty
plays the same faults in real time.
"""

import collections
import random
from typing import Final

import msgspec

from simulators.devices.faults import CLEAN, LineRates

BITS_PER_BYTE: Final = 10
"""8N1: a start bit, eight data bits, a stop bit."""

JOIN_S: Final = 0.02
"""How long a write is held back so that the next one can catch up with it."""


class Arrival(msgspec.Struct, frozen=True):
    """Bytes that reach the far end together at `at_s`."""

    at_s: float
    data: bytes


class Line:
    """Carries bytes one way, in order, under the faults of its `rates`."""

    def __init__(
        self,
        source: random.Random,
        rates: LineRates = CLEAN,
        baud: int | None = None,
    ) -> None:
        self._source = source
        self.rates = rates
        self._baud = baud
        self._in_flight: collections.deque[Arrival] = collections.deque()
        self._busy_until_s = 0.0
        self._begins_mid_frame = False

    def write(self, data: bytes, now: float) -> None:
        """Put bytes on the line at `now`."""
        if not data:
            return
        if self._begins_mid_frame:
            self._begins_mid_frame = False
            data = data[len(data) // 2 :]
        data = self._spoil(data)
        start_s = max(now + self._hold_s(), self._busy_until_s)
        cut = self._cut(data)
        self._arrive(data[:cut], start_s)
        if cut < len(data):
            late_s = self._source.uniform(0, self.rates.delay_max_s)
            self._arrive(data[cut:], self._busy_until_s + late_s)

    def read(self, now: float) -> bytes:
        """Take every byte that has arrived by `now`."""
        arrived: list[bytes] = []
        while self._in_flight and self._in_flight[0].at_s <= now:
            arrived.append(self._in_flight.popleft().data)
        return b"".join(arrived)

    def clear(self) -> None:
        """Lose what is on the way, as an unplugged cable does."""
        self._in_flight.clear()
        self._busy_until_s = 0.0

    def begin_mid_frame(self) -> None:
        """Lose the first half of what is written next: it was said already."""
        self._begins_mid_frame = True

    def stall(self, until_s: float) -> None:
        """Let nothing more arrive before `until_s`; then all of it comes at once."""
        self._busy_until_s = max(self._busy_until_s, until_s)
        self._in_flight = collections.deque(
            Arrival(max(arrival.at_s, until_s), arrival.data)
            for arrival in self._in_flight
        )

    @property
    def deadline(self) -> float | None:
        """When the next bytes arrive, or None while the line is empty."""
        return self._in_flight[0].at_s if self._in_flight else None

    def _arrive(self, data: bytes, start_s: float) -> None:
        pace_s = BITS_PER_BYTE / self._baud if self._baud else 0.0
        self._busy_until_s = start_s + len(data) * pace_s
        if data:
            self._in_flight.append(Arrival(self._busy_until_s, data))

    def _happens(self, rate: float) -> bool:
        return rate > 0.0 and self._source.random() < rate

    def _hold_s(self) -> float:
        """Return for how long the start of this write is held back."""
        hold_s = 0.0
        if self._happens(self.rates.join):
            hold_s += JOIN_S
        if self._happens(self.rates.delay):
            hold_s += self._source.uniform(0, self.rates.delay_max_s)
        if self._happens(self.rates.stall):
            hold_s += self._source.uniform(0, self.rates.stall_max_s)
        return hold_s

    def _cut(self, data: bytes) -> int:
        """Return after how many bytes the write breaks in two, if it does."""
        if len(data) > 1 and self._happens(self.rates.split):
            return self._source.randrange(1, len(data))
        return len(data)

    def _spoil(self, data: bytes) -> bytes:
        """Return what is left of a write after what the line does to its bytes."""
        rates, source = self.rates, self._source
        if self._happens(rates.drop_all):
            return b""
        if self._happens(rates.repeat):
            data += data
        if self._happens(rates.corrupt):
            data = flip_one_bit(data, source)
        if self._happens(rates.drop):
            lost = source.randrange(len(data))
            data = data[:lost] + data[lost + 1 :]
        if self._happens(rates.noise):
            data = source.randbytes(source.randint(1, rates.noise_max_bytes)) + data
        return data


def flip_one_bit(data: bytes, source: random.Random) -> bytes:
    """Return the bytes with one bit changed."""
    place = source.randrange(len(data))
    flipped = data[place] ^ (1 << source.randrange(8))
    return data[:place] + bytes([flipped]) + data[place + 1 :]
