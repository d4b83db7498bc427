"""What can go wrong between a device and the table, written down as data.

A plan is a seed, rates for what happens to bytes on the line, and a schedule of
what happens to whole devices. One seed gives one run, byte for byte.
"""

import random
from typing import Final

import msgspec


class LineRates(msgspec.Struct, frozen=True):
    """How often bytes on a line suffer; each rate is per write, from 0 to 1.

    A serial line never changes the order of bytes: what is late makes all that
    follows late as well.
    """

    split: float = 0.0
    """The write arrives in two parts, the second one late."""
    join: float = 0.0
    """The write is held back so that it arrives together with what follows."""
    drop: float = 0.0
    """One byte is lost."""
    drop_all: float = 0.0
    """The whole write is lost."""
    repeat: float = 0.0
    """The write arrives twice."""
    corrupt: float = 0.0
    """One bit of one byte is flipped."""
    delay: float = 0.0
    """The write is late by up to `delay_max_s`."""
    noise: float = 0.0
    """Up to `noise_max_bytes` bytes that nobody sent arrive before the write."""
    stall: float = 0.0
    """The line is silent for up to `stall_max_s`; then all of it comes in a burst."""
    delay_max_s: float = 0.05
    stall_max_s: float = 2.0
    noise_max_bytes: int = 12

    def __post_init__(self) -> None:
        """Refuse a rate that is no probability."""
        for name in RATE_NAMES:
            rate: float = getattr(self, name)
            if not 0.0 <= rate <= 1.0:
                raise ValueError(f"{name}: expected a rate from 0 to 1, got {rate}")


RATE_NAMES: Final = (
    "split",
    "join",
    "drop",
    "drop_all",
    "repeat",
    "corrupt",
    "delay",
    "noise",
    "stall",
)
"""The faults that a write may suffer, in the order in which they are described."""

CLEAN: Final = LineRates()
"""A line on which nothing ever goes wrong."""


def every_line_fault(rate: float) -> LineRates:
    """Return rates under which each kind of line fault happens at `rate` per write."""
    return msgspec.structs.replace(CLEAN, **dict.fromkeys(RATE_NAMES, rate))


def only(fault: str, rate: float) -> LineRates:
    """Return rates under which one named kind of line fault happens alone.

    Raises:
        ValueError: `fault` is none of `RATE_NAMES`.
    """
    if fault not in RATE_NAMES:
        raise ValueError(f"expected one of {', '.join(RATE_NAMES)}, got {fault!r}")
    return msgspec.structs.replace(CLEAN, **{fault: rate})


def chance(seed: int, name: str) -> random.Random:
    """Return the source of chance for one named part of a seeded run.

    Each part draws from its own source, so that one more draw in one place does
    not change what happens everywhere else.
    """
    return random.Random(f"{seed}/{name}")
