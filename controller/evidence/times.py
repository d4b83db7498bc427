"""When something was written down, as the people at the table read their clock.

And how long something took: by the monotonic clock, which nobody can set, as long as
the computer was not started in between.
"""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from controller.core import events as ev
from controller.journal import reader
from controller.journal.errors import MalformedJournalError
from controller.journal.records import Record
from controller.journal.table_codec import CODEC

_UTC = "UTC"
_NS_PER_MS = 1_000_000
_MS_PER_S = 1_000
_MS_PER_MINUTE = 60_000


class Wait(msgspec.Struct, frozen=True):
    """How long something took, in milliseconds.

    `by_clock` says that the computer was started in between: only the wall clock
    tells then, which may have been set.
    """

    ms: int
    by_clock: bool = False


def wait_between(first: Record, then: Record) -> Wait:
    """Return the time from one record to a later one."""
    if first.boot_id == then.boot_id:
        return Wait((then.monotonic_ns - first.monotonic_ns) // _NS_PER_MS)
    return Wait(clock_ms(then.recorded_at) - clock_ms(first.recorded_at), by_clock=True)


def clock_ms(recorded_at: str) -> int:
    """Return a recorded time as milliseconds, for differences."""
    at = moment(recorded_at)
    return int(at.timestamp()) * _MS_PER_S + at.microsecond // _MS_PER_S


def moment(recorded_at: str) -> datetime:
    """Return a recorded time, in UTC.

    Raises:
        MalformedJournalError: it is none.
    """
    try:
        return datetime.fromisoformat(recorded_at).astimezone(UTC)
    except ValueError as error:
        raise MalformedJournalError(
            f"expected recorded_at as RFC 3339 in UTC, found {recorded_at!r}; "
            "verify the journal"
        ) from error


def wait_text(wait: Wait) -> str:
    """Return `4.5 s`, and what it was measured with if not as usual."""
    text = duration_text(wait.ms)
    return f"{text} by the wall clock" if wait.by_clock else text


def duration_text(ms: int) -> str:
    """Return `4.5 s`, or from two minutes on `2 min 3 s`."""
    if ms < 2 * _MS_PER_MINUTE:
        return f"{round(ms / _MS_PER_S, 1):g} s"
    minutes, rest = divmod(ms, _MS_PER_MINUTE)
    return f"{minutes} min {rest // _MS_PER_S} s"


def time_zone(path: Path) -> ZoneInfo:
    """Return the time zone that a journal's first record names, else UTC.

    Raises:
        JournalError: the journal cannot be read.
    """
    first = reader.record_at(path, 1)
    opened = CODEC.decode(first) if first is not None else None
    name = opened.time_zone if isinstance(opened, ev.JournalOpened) else ""
    try:
        return ZoneInfo(name or _UTC)
    except (KeyError, ValueError, OSError):
        # A name that this machine does not know is no reason to show nothing.
        return ZoneInfo(_UTC)


def day_and_time(recorded_at: str, zone: ZoneInfo) -> str:
    """Return day and time of a record, to the second, in that time zone."""
    at = moment(recorded_at).astimezone(zone)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def time_of_day(recorded_at: str, zone: ZoneInfo) -> str:
    """Return a record's time in that time zone, to the tenth of a second."""
    at = moment(recorded_at).astimezone(zone)
    return f"{at:%H:%M:%S}.{at.microsecond // 100_000}"


def span_of_time(began_at: str, ended_at: str, zone: ZoneInfo) -> str:
    """Return `2026-01-31 11:00:02 to 11:00:06 MST`, the day twice if there are two."""
    began, ended = (moment(at).astimezone(zone) for at in (began_at, ended_at))
    until = "%H:%M:%S" if began.date() == ended.date() else "%Y-%m-%d %H:%M:%S"
    # Where the clocks were set for summer or winter in between, each has its own.
    first = "" if began.tzname() == ended.tzname() else f" {began.tzname()}"
    return f"{began:%Y-%m-%d %H:%M:%S}{first} to {ended:{until}} {ended.tzname()}"
