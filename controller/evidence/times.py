"""When something was written down, as the people at the table read their clock."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from controller.core import events as ev
from controller.evidence.account import RoundAccount
from controller.journal import reader
from controller.journal.table_codec import CODEC

_UTC = "UTC"


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
    at = datetime.fromisoformat(recorded_at).astimezone(zone)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def time_of_day(recorded_at: str, zone: ZoneInfo) -> str:
    """Return a record's time in that time zone, to the tenth of a second."""
    at = datetime.fromisoformat(recorded_at).astimezone(zone)
    return f"{at:%H:%M:%S}.{at.microsecond // 100_000}"


def round_times(account: RoundAccount, zone: ZoneInfo) -> str:
    """Return from when to when a round was played, or how far it is."""
    if account.started_at is None:
        return "the bets are open"
    began = day_and_time(account.started_at, zone)
    if account.ended_at is None:
        return f"{began}, still open"
    how = "DEAL was taken back" if account.undone else "to"
    return f"{began} {how} {day_and_time(account.ended_at, zone)}"
