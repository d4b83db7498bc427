"""Five ways in which a line carries what is written to it, as data.

The suite over them holds that what is told does not depend on the way it travels.
"""

import heapq
import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

BYTE_S: Final = 10 / 115200
Deliveries = Iterator[tuple[float, bytes]]


class Transport(msgspec.Struct, frozen=True):
    """`deliver` turns a write at `now` into what arrives, and when."""

    name: str
    deliver: Callable[[bytes, float, random.Random], Deliveries]


def whole(data: bytes, now: float, _: random.Random) -> Deliveries:
    """Every write arrives as it was made."""
    yield now + len(data) * BYTE_S, data


def byte_at_a_time(data: bytes, now: float, _: random.Random) -> Deliveries:
    """Every byte arrives alone."""
    for place in range(len(data)):
        yield now + (place + 1) * BYTE_S, data[place : place + 1]


def joined(data: bytes, now: float, _: random.Random) -> Deliveries:
    """What is written within 10 ms arrives together."""
    yield math.ceil(now * 100 + 1e-6) / 100, data


def lossy(data: bytes, now: float, source: random.Random) -> Deliveries:
    """Writes vanish, bits flip, bytes are lost, noise comes in."""
    at = now + len(data) * BYTE_S
    place = source.randrange(len(data))
    match source.randrange(40):
        case 0:
            return
        case 1:
            flipped = bytes([data[place] ^ (1 << source.randrange(8))])
            data = data[:place] + flipped + data[place + 1 :]
        case 2:
            data = data[:place] + data[place + 1 :]
        case 3:
            data = source.randbytes(source.randint(1, 20)) + data
        case _:
            pass
    yield at, data


def delayed_and_doubled(data: bytes, now: float, source: random.Random) -> Deliveries:
    """Writes come late, twice, and past each other."""
    for _ in range(source.choice((1, 1, 2))):
        yield now + source.uniform(0.0, 0.02), data
    if source.random() < 0.05:
        yield now + source.uniform(0.03, 0.2), data


TRANSPORTS: Final = (
    Transport("whole", whole),
    Transport("byte at a time", byte_at_a_time),
    Transport("joined", joined),
    Transport("lossy", lossy),
    Transport("delayed and doubled", delayed_and_doubled),
)


class Pipe:
    """One direction of a line over a transport."""

    def __init__(self, transport: Transport, source: random.Random) -> None:
        self._transport = transport
        self._source = source
        self._order = itertools.count()
        self._coming: list[tuple[float, int, bytes]] = []
        self._busy_until = 0.0

    @property
    def deadline(self) -> float | None:
        return self._coming[0][0] if self._coming else None

    def write(self, data: bytes, now: float) -> None:
        if not data:
            return
        # A line carries one byte after the other, also those of two writes.
        start = max(now, self._busy_until)
        self._busy_until = start + len(data) * BYTE_S
        for at, piece in self._transport.deliver(data, start, self._source):
            heapq.heappush(self._coming, (at, next(self._order), piece))

    def read(self, now: float) -> bytes:
        arrived = b""
        while self._coming and self._coming[0][0] <= now:
            arrived += heapq.heappop(self._coming)[2]
        return arrived
