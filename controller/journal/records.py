"""The shapes that cross this layer's border: rows go in, records come out."""

import enum
from typing import Final

from msgspec import Struct

TAKEN_OVER: Final = 2
"""Where the `table_state` of an earlier journal stands that this one continues."""


class JournalKind(enum.StrEnum):
    """Whether real cards and money stand behind a journal."""

    LIVE = "live"
    SIMULATION = "simulation"


class Stamp(Struct, frozen=True):
    """When something was written down, as the journal's columns say it."""

    recorded_at: str
    clock_synchronised: bool
    boot_id: str
    monotonic_ns: int


class Row(Struct, frozen=True):
    """One fact to be written down, complete but for its place in the chain.

    `recorded_at` is UTC as RFC 3339 with microseconds; `monotonic_ns` counts
    nanoseconds since the boot that `boot_id` names. `cause` is the sequence of
    the input that led to the fact. `body` is JSON without the type.
    """

    recorded_at: str
    clock_synchronised: bool
    boot_id: str
    monotonic_ns: int
    cause: int | None
    round: int | None
    spot: int | None
    type: str
    version: int
    body: str


class Record(Struct, frozen=True, array_like=True, gc=False):
    """One fact as it stands in the journal, columns in the table's order.

    `array_like`, so that a row of the table converts, checked, as it stands. Not
    tracked by the garbage collector: numbers, texts and bytes make no cycles, and
    whoever reads a journal has thousands of records at a time.
    """

    sequence: int
    recorded_at: str
    clock_synchronised: bool
    boot_id: str
    monotonic_ns: int
    cause: int | None
    round: int | None
    spot: int | None
    type: str
    version: int
    body: str
    hash: bytes
