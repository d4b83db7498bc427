"""A Raspberry Pi Pico or its like: the only file that knows pins."""

import binascii
import gc
import os
from time import (  # type: ignore[attr-defined]  # MicroPython's own
    sleep_us,
    ticks_diff,
    ticks_ms,
)

import machine
from machine import UART, WDT, Pin

from .parts import Parts

PIN_SEND = 0
PIN_RECEIVE = 1
PIN_DRIVE = 2
PIN_FIRST_BUTTON = 3
PIN_FIRST_LAMP = 13
PIN_SERVICE = 28

BAUD = 115200
BUFFER_BYTES = 256
WATCHDOG_MS = 1000
TURNAROUND_US = 100
TIDY_AFTER_ANSWERS = 32


def is_in_service() -> bool:
    """Return whether a jumper to ground asks the board not to be a panel.

    The watchdog cannot be stopped once it runs, and would start the board anew in the
    middle of a copy to it.
    """
    return not Pin(PIN_SERVICE, Pin.IN, Pin.PULL_UP).value()


def serial_number() -> str:
    """Return the number that the board was made with, 16 hexadecimal digits."""
    return binascii.hexlify(machine.unique_id()).decode()


def new_boot_id() -> int:
    """Return 32 random bits, never 0."""
    boot_id = 0
    while not boot_id:
        boot_id = int.from_bytes(os.urandom(4), "big")
    return boot_id


class Board(Parts):
    """The pins: one button and one lamp for each code, in order, from 3 and from 13."""

    def __init__(self, codes: range) -> None:
        # Low first: a pin that floats while it is set up must not take the bus.
        self._drive = Pin(PIN_DRIVE, Pin.OUT, value=0)
        self._uart = UART(
            0,
            baudrate=BAUD,
            tx=Pin(PIN_SEND),
            rx=Pin(PIN_RECEIVE),
            txbuf=BUFFER_BYTES,
            rxbuf=BUFFER_BYTES,
            timeout=0,
        )
        self._bits = [1 << (code - 1) for code in codes]
        self._buttons = [
            Pin(PIN_FIRST_BUTTON + place, Pin.IN, Pin.PULL_UP)
            for place in range(len(codes))
        ]
        self._lamps = [
            Pin(PIN_FIRST_LAMP + place, Pin.OUT, value=0) for place in range(len(codes))
        ]
        self._light = Pin("LED", Pin.OUT, value=0)
        self._ticks = ticks_ms()
        self._now_ms = 0
        self._answers = 0
        self._watchdog = WDT(timeout=WATCHDOG_MS)

    def now_ms(self) -> int:
        """Return milliseconds since the start; the ticks alone wrap after 12 days."""
        ticks = ticks_ms()
        self._now_ms += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_ms

    def closed(self) -> int:
        """Return the mask of the buttons whose contacts pull their pins down."""
        mask = 0
        for place in range(len(self._buttons)):
            if not self._buttons[place].value():
                mask |= self._bits[place]
        return mask

    def show(self, lamps: int) -> None:
        """Light exactly the lamps of this mask."""
        for place in range(len(self._lamps)):
            self._lamps[place].value(1 if lamps & self._bits[place] else 0)

    def light(self, on: bool) -> None:  # noqa: FBT001 - a pin's level
        """Switch the board's own light."""
        self._light.value(on)

    def read(self, into: bytearray) -> int:
        """Move bytes that came over the line to `into`; return how many."""
        # No more than is there: a read for more would wait 1 ms for it.
        count = min(self._uart.any(), len(into))
        return (self._uart.readinto(into, count) or 0) if count else 0

    def send(self, frame: bytes) -> None:
        """Take the bus, send a frame, and leave the bus when its last bit is out."""
        sleep_us(TURNAROUND_US)
        self._drive.value(1)
        self._uart.write(frame)
        # Waiting here keeps the bus ours no longer than 0.1 ms after the last bit; a
        # frame takes 8 ms at most, and a contact is looked at again before it settles.
        while not self._uart.txdone():
            pass
        self._drive.value(0)
        # Only an answer takes memory, and right after it nobody asks: tidied here, it
        # is never full in the middle of an answer.
        self._answers = (self._answers + 1) % TIDY_AFTER_ANSWERS
        if not self._answers:
            gc.collect()

    def feed(self) -> None:
        """Tell the watchdog that all is well."""
        self._watchdog.feed()
