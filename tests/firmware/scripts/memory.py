"""Runs under MicroPython: prints how many bytes of memory turns of the loop take."""

from gc import (  # type: ignore[attr-defined]  # MicroPython's own
    collect,
    disable,
    mem_alloc,
)

from panel.loop import Loop
from panel.messages import POLL, Who
from panel.protocol import encode_frame

POLL_FRAME = encode_frame(3, 1, POLL, bytes(14))
FOR_ANOTHER = encode_frame(4, 1, POLL, bytes(14))
NOISE = bytes(range(1, 65))


class Still:
    """Parts that cost nothing themselves."""

    def __init__(self) -> None:
        self.coming = b""
        self.now = 0

    def now_ms(self) -> int:
        return self.now

    def closed(self) -> int:
        return 0b1000010001

    def show(self, lamps: int) -> None:
        pass

    def light(self, on: int) -> None:
        pass

    def read(self, into: bytearray) -> int:
        for place in range(len(self.coming)):
            into[place] = self.coming[place]
        return len(self.coming)

    def send(self, frame: bytes) -> None:
        pass

    def feed(self) -> None:
        pass


def cost(coming: bytes, turns: int) -> int:
    """Return the bytes of memory that turns with this on the line take."""
    parts = Still()
    loop = Loop(parts, Who(3, 3, "RP2040-10", "E660583883724A32"), 7)
    parts.coming = coming
    loop.turn()
    collect()
    disable()
    before = int(mem_alloc())
    for _ in range(turns):
        parts.now += 1
        loop.turn()
    return int(mem_alloc()) - before


print("silence", cost(b"", 200))
print("noise", cost(NOISE, 200))
print("for another", cost(FOR_ANOTHER, 200))
print("polls", cost(POLL_FRAME, 100))
