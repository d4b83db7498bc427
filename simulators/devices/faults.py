"""What can go wrong between a device and the table, written down as data.

A plan is a seed, rates for what happens to bytes on the line, and a schedule of
what happens to whole devices. One seed gives one run, byte for byte.
"""

import enum
import random
from typing import Final

import msgspec

from drivers.panel.messages import Button


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


class Cable(enum.Enum):
    """One of the two lines of a table."""

    PANELS = "panels"
    SHOE = "shoe"


class Stall(msgspec.Struct, frozen=True, tag="stall"):
    """A line is silent in both directions; then everything comes in a burst."""

    at_s: float
    for_s: float
    cable: Cable


class Block(msgspec.Struct, frozen=True, tag="block"):
    """The far side of a line takes no bytes: the host's writes block."""

    at_s: float
    for_s: float
    cable: Cable


class Unplug(msgspec.Struct, frozen=True, tag="unplug"):
    """A cable is pulled and put back, `mid_frame` while a device is speaking.

    Then the first that arrives over it is the end of a frame.
    """

    at_s: float
    for_s: float
    cable: Cable
    mid_frame: bool = False


class PanelReboot(msgspec.Struct, frozen=True, tag="panel_reboot"):
    """A panel loses its power and gets it back."""

    at_s: float
    for_s: float
    address: int


class OtherPanel(msgspec.Struct, frozen=True, tag="other_panel"):
    """A panel of another seat hangs in a panel's place for a while."""

    at_s: float
    for_s: float
    address: int
    role: int


class StuckButton(msgspec.Struct, frozen=True, tag="stuck_button"):
    """A button goes down and does not come up for a while."""

    at_s: float
    for_s: float
    address: int
    button: Button


class PressStorm(msgspec.Struct, frozen=True, tag="press_storm"):
    """Several panels are pressed at once, each `presses` times.

    More than four presses between two polls overflow a panel.
    """

    at_s: float
    addresses: tuple[int, ...]
    button: Button
    presses: int


class ShoeReboot(msgspec.Struct, frozen=True, tag="shoe_reboot"):
    """The shoe loses its power and gets it back, with or without its numbers."""

    at_s: float
    for_s: float
    keeps_numbers: bool


class OtherShoe(msgspec.Struct, frozen=True, tag="other_shoe"):
    """What hangs at the shoe's line says for a while that it is no shoe."""

    at_s: float
    for_s: float


class ShoeGap(msgspec.Struct, frozen=True, tag="shoe_gap"):
    """Reports of the shoe are missing.

    Those it can send again are its next ones, whatever they are; those it cannot
    are cards drawn at this moment.
    """

    at_s: float
    reports: int
    can_resend: bool


DeviceFault = (
    Stall
    | Block
    | Unplug
    | PanelReboot
    | OtherPanel
    | StuckButton
    | PressStorm
    | ShoeReboot
    | OtherShoe
    | ShoeGap
)


class FaultPlan(msgspec.Struct, frozen=True):
    """All that goes wrong in one run: on the lines by rate, at the devices by hour."""

    seed: int
    rates: LineRates = CLEAN
    schedule: tuple[DeviceFault, ...] = ()
