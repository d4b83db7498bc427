"""Runs under CPython and MicroPython: prints what the board does with its pins.

`machine` is a stand-in that notes down what it is told.
"""

import sys

said: list[str] = []
levels: dict[object, int] = {}
receiving = bytearray()
CLOSED = [3, 7]
FEEDS_MAX = 4


class Pin:
    """A pin that remembers its level; buttons 3 and 7 are pressed."""

    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number: object, *_: int, value: int | None = None) -> None:
        self.number = number
        levels[number] = 0 if number in CLOSED else 1
        if value is not None:
            levels[number] = value

    def value(self, level: int | None = None) -> int:
        if level is not None:
            if levels[self.number] != level:
                said.append(f"pin {self.number} {int(level)}")
            levels[self.number] = level
        return levels[self.number]


class UART:
    """A line that needs three looks until the last bit is out."""

    def __init__(self, number: int, **settings: object) -> None:
        baud = settings["baudrate"]
        said.append(f"uart {number} {baud}")
        self.looks = 0

    def any(self) -> int:
        return len(receiving)

    def readinto(self, into: bytearray, count: int) -> int:
        if count > len(receiving):
            said.append("waited for more")
        for place in range(count):
            into[place] = receiving[place]
        return count

    def write(self, frame: bytes) -> None:
        said.append(f"write {len(frame)}")

    def txdone(self) -> bool:
        self.looks += 1
        said.append("look")
        return self.looks % 3 == 0


class PowerCutError(Exception):
    """The board loses its power."""


class WDT:
    """A watchdog."""

    def __init__(self, timeout: int) -> None:
        said.append(f"watchdog {timeout}")

    def feed(self) -> None:
        said.append("fed")
        if said.count("fed") == FEEDS_MAX:
            raise PowerCutError


class Machine:
    """What `import machine` finds."""

    Pin = Pin
    UART = UART
    WDT = WDT

    @staticmethod
    def unique_id() -> bytes:
        return b"\xe6\x60\x58\x38\x83\x72\x4a\x32"


TICKS_END = 1 << 30
ticks = [TICKS_END - 5]


def ticks_diff(later: int, earlier: int) -> int:
    half = TICKS_END // 2
    return (later - earlier + half) % TICKS_END - half


class Time:
    """A clock of ticks that the script sets."""

    sleep_us = staticmethod(lambda us: said.append(f"sleep {us}"))
    ticks_ms = staticmethod(lambda: ticks[0])
    ticks_diff = staticmethod(ticks_diff)


drawn = [bytes(4), b"\x5e\xa7\x00\x03", b"\x5e\xa7\x00\x03"]


class Os:
    """An operating system that draws a zero first."""

    urandom = staticmethod(lambda _: drawn.pop(0))


stand_ins = {"machine": Machine, "time": Time, "os": Os}
real = {name: sys.modules.get(name) for name in stand_ins}
sys.modules.update(stand_ins)  # type: ignore[arg-type]  # classes do as modules
from panel.board import Board, new_boot_id, serial_number  # noqa: E402 - see above
from panel.main import run  # noqa: E402 - see above

for name, module in real.items():
    if module is not None:
        sys.modules[name] = module

print("serial", serial_number())
print("boot id", hex(new_boot_id()))
board = Board(range(1, 11))
board.show(0b1000000001)
print("closed", board.closed())
ticks[0] = 3
print("now", board.now_ms())
into = bytearray(4)
print("read", board.read(into))
receiving.extend(b"\x00\x01\x02")
print("read", board.read(into), list(into))
board.light(on=True)
board.send(b"\x00\x02\x11\x00")
board.feed()
for line in said:
    print(line)

said.clear()
CLOSED.append(28)
run()
print("in service", said)
CLOSED.remove(28)
try:
    run()
except PowerCutError:
    print("it ran", said)
