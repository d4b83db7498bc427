"""The clocks of this machine. Only here does the controller read one.

Waits count on the monotonic clock, which nobody can set. Wall time is only
written beside a record, with the boot that the monotonic count belongs to and
whether the clock is synchronised, so that a reader knows what the time is worth.
"""

import ctypes
import datetime as dt
import time
import uuid
from pathlib import Path
from typing import Final, Protocol

import msgspec

from controller.journal.records import Stamp

_NS_PER_S: Final = 1_000_000_000
_NS_PER_US: Final = 1_000

STEP_MIN_S: Final = 0.5
"""The least jump of the wall clock that counts as a step."""

SLEW_MAX: Final = 0.001
"""How much faster or slower a clock that is being corrected runs; the kernel's own
limit is half of that."""

_READINGS: Final = 3

_BOOT_ID_FILE: Final = Path("/proc/sys/kernel/random/boot_id")


class Reading(msgspec.Struct, frozen=True):
    """Both clocks at one moment, in nanoseconds."""

    wall_ns: int
    monotonic_ns: int


class ClockStep(msgspec.Struct, frozen=True):
    """The wall clock was set: forward by `stepped_s` seconds, or back (negative)."""

    stepped_s: float


class Clock(Protocol):
    """What tells the time; tests bring one that stands still until told."""

    def now_s(self) -> float:
        """Return monotonic seconds, on which every wait runs."""

    def read(self) -> Reading:
        """Return both clocks."""

    def stamp(self) -> Stamp:
        """Return what the journal writes beside a record."""


class SystemClock:
    """The clocks of the operating system."""

    def __init__(self) -> None:
        self._boot_id = boot_id()
        self._adjtimex = _Adjtimex()

    def now_s(self) -> float:
        """Return monotonic seconds, on which every wait runs."""
        return time.monotonic()

    def read(self) -> Reading:
        """Return both clocks.

        A process that is put aside between the two would see a step where there is
        none, so that of a few readings the one that took least counts.
        """
        return min((_read_once() for _ in range(_READINGS)), key=_by_duration)[1]

    def stamp(self) -> Stamp:
        """Return what the journal writes beside a record."""
        return stamp_of(
            self.read(),
            boot=self._boot_id,
            synchronised=self._adjtimex.says_synchronised(),
        )


def _read_once() -> tuple[int, Reading]:
    """Return how many nanoseconds a reading took, and the reading."""
    before_ns = time.monotonic_ns()
    reading = Reading(time.time_ns(), before_ns)
    return time.monotonic_ns() - before_ns, reading


def _by_duration(timed: tuple[int, Reading]) -> int:
    return timed[0]


def stamp_of(reading: Reading, *, boot: str, synchronised: bool) -> Stamp:
    """Return the journal's columns for a reading of the clocks."""
    return Stamp(
        rfc3339(reading.wall_ns),
        clock_synchronised=synchronised,
        boot_id=boot,
        monotonic_ns=reading.monotonic_ns,
    )


def rfc3339(wall_ns: int) -> str:
    """Return nanoseconds since 1970 as UTC, RFC 3339, with microseconds.

    Whole numbers all the way: a float of this size is a microsecond wrong.
    """
    seconds, rest_ns = divmod(wall_ns, _NS_PER_S)
    moment = dt.datetime.fromtimestamp(seconds, dt.UTC)
    moment = moment.replace(microsecond=rest_ns // _NS_PER_US, tzinfo=None)
    return moment.isoformat(timespec="microseconds") + "Z"


def boot_id(file: Path = _BOOT_ID_FILE) -> str:
    """Return the kernel's id of this boot.

    Where the kernel gives none (some containers hide it), a fresh id is made: the
    monotonic counts of two processes can then not be compared, and with different
    ids nobody will.
    """
    try:
        return file.read_text("ascii").strip() or _made_id()
    except (OSError, UnicodeDecodeError):
        return _made_id()


def _made_id() -> str:
    return f"process-{uuid.uuid4()}"


def step_between(before: Reading, now: Reading) -> ClockStep | None:
    """Return how far the wall clock was set between two readings, if it was.

    A clock that is corrected gently drifts from the monotonic one by its slew;
    only what is beyond that is a step.
    """
    passed_ns = now.monotonic_ns - before.monotonic_ns
    stepped_ns = (now.wall_ns - before.wall_ns) - passed_ns
    allowed_ns = STEP_MIN_S * _NS_PER_S + SLEW_MAX * passed_ns
    if abs(stepped_ns) <= allowed_ns:
        return None
    return ClockStep(stepped_ns / _NS_PER_S)


class StepWatch:
    """Notices that the wall clock was set since it was last looked at."""

    def __init__(self, first: Reading) -> None:
        self._last = first

    def look(self, now: Reading) -> ClockStep | None:
        """Return the step since the look before, if there was one."""
        step = step_between(self._last, now)
        self._last = now
        return step


# --- Whether the clock is synchronised --------------------------------------------
#
# The kernel is asked, not a daemon: every one (timesyncd, chrony, ntpd) tells the
# kernel, which takes it back by itself once the error it was told has grown past
# sixteen seconds. The file that timesyncd leaves says only that it once was, and
# only for timesyncd. The call costs about a microsecond.

STA_UNSYNC: Final = 0x0040
TIME_ERROR: Final = 5
_READ_ONLY: Final = 0


def is_synchronised(result: int, status: int) -> bool:
    """Return what adjtimex(2) says: its result and the status bits of the clock."""
    return 0 <= result < TIME_ERROR and not status & STA_UNSYNC


class _Timex(ctypes.Structure):
    """The head of `struct timex`; the kernel fills the rest of the room too."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_char * 256),
    )


class _Adjtimex:
    """Asks the kernel for the state of its clock, and never changes it."""

    def __init__(self) -> None:
        self._call = getattr(ctypes.CDLL(None), "adjtimex", None)

    def says_synchronised(self) -> bool:
        """Return whether the clock is synchronised; if that is unknown, it is not."""
        if self._call is None:
            return False
        timex = _Timex(modes=_READ_ONLY)
        result = int(self._call(ctypes.byref(timex)))
        return is_synchronised(result, timex.status)
