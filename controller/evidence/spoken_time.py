"""A time as somebody reads it from a camera's clock, and which instants it may mean.

`20:41` is the whole minute and `20:41:07` the whole second, since that is how long a
clock shows it. Without an offset it is local time; in the hour that is gone through
twice when summer ends, it means both.
"""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

_WRITTEN: Final = re.compile(
    r"(?:(?P<day>\d{4}-\d{2}-\d{2})[T ])?"
    r"(?P<time>\d{2}:\d{2}(?P<seconds>:\d{2}(?P<fraction>\.\d{1,6})?)?)"
    r"(?P<offset>Z|[+-]\d{2}:\d{2})?"
)
_LAST: Final = datetime.max.replace(tzinfo=UTC)
_EXPECTED: Final = (
    "expected HH:MM or HH:MM:SS in local time, with YYYY-MM-DD before it for another "
    "day than the last, or RFC 3339 such as 2026-01-31T20:41:07Z"
)


_NOT_WRITTEN_YET: Final = timedelta(hours=1)
"""A clock may show a time after the last record: nothing has happened since."""


class SpokenTimeError(ValueError):
    """A text is no time, or one that no clock ever showed."""


class Interval(msgspec.Struct, frozen=True):
    """From one instant up to, and without, another; both in UTC.

    The text is what it was said as, with the day and the zone.
    """

    begin: datetime
    end: datetime
    text: str


def intervals_of(text: str, zone: ZoneInfo, latest: datetime) -> tuple[Interval, ...]:
    """Return the instants that a text may mean; usually there is one interval.

    Without a day the last time is meant that a clock in `zone` showed it, up to an
    hour after `latest`.

    Raises:
        SpokenTimeError: it is none.
    """
    written = _WRITTEN.fullmatch(text.strip())
    if written is None or (written["offset"] and not written["day"]):
        raise SpokenTimeError(f"{text!r} is no time: {_EXPECTED}")
    length = _length(written)
    try:
        at = time.fromisoformat(written["time"])
        if written["offset"]:
            exact = datetime.fromisoformat(text.strip().replace(" ", "T"))
            return (_interval(exact.astimezone(UTC), length, zone),)
        day = date.fromisoformat(written["day"]) if written["day"] else None
        if day is None:
            day = _last_day(at, zone, latest + _NOT_WRITTEN_YET)
        begins = _instants(day, at, zone)
    except (ValueError, OverflowError) as error:
        raise SpokenTimeError(f"{text!r} is no time ({error}): {_EXPECTED}") from error
    if not begins:
        raise SpokenTimeError(
            f"{day} {at} was on no clock in {zone.key}: the clocks were set forward "
            "over it; name another time"
        )
    return tuple(_interval(begin, length, zone) for begin in begins)


def _length(written: re.Match[str]) -> timedelta:
    """Return for how long a clock shows what was written."""
    if written["fraction"]:
        return timedelta(seconds=10.0 ** (1 - len(written["fraction"])))
    return timedelta(seconds=1) if written["seconds"] else timedelta(minutes=1)


def _last_day(at: time, zone: ZoneInfo, latest: datetime) -> date:
    last = latest.astimezone(zone)
    return last.date() if at <= last.time() else last.date() - timedelta(days=1)


def _instants(day: date, at: time, zone: ZoneInfo) -> list[datetime]:
    """Return when a clock in that zone showed this: once, twice, or never."""
    local = datetime.combine(day, at)
    if day == date.max and _is_behind_the_last(local, zone):
        return [_LAST]
    both = {local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(
        instant
        for instant in both
        if instant.astimezone(zone).replace(tzinfo=None) == local
    )


def _is_behind_the_last(local: datetime, zone: ZoneInfo) -> bool:
    """Say whether a local time lies behind the calendar's end in UTC."""
    offset = local.replace(tzinfo=zone).utcoffset() or timedelta()
    return _LAST.replace(tzinfo=None) - local < -offset


def _interval(begin: datetime, length: timedelta, zone: ZoneInfo) -> Interval:
    local = begin.astimezone(zone)
    shown = "%H:%M" if length >= timedelta(minutes=1) else "%H:%M:%S"
    end = begin + min(length, _LAST - begin)  # The calendar has an end.
    return Interval(begin, end, f"{local:%Y-%m-%d {shown}} {local:%Z}")
