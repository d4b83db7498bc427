"""Finds the round that a camera's clock means."""

from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from controller.cli.failures import AnswerIsNoError, MisuseError
from controller.evidence.round_at import RoundTimes, last_time, rounds_at
from controller.evidence.spoken_time import Interval, SpokenTimeError, intervals_of
from controller.evidence.times import day_and_time, span_of_time, time_zone


def round_by_time(journal: Path, text: str) -> tuple[int, str]:
    """Return the round that was open at a time, and that time in full.

    Raises:
        MisuseError: the text is no time.
        AnswerIsNoError: no round was open then, or several were.
        JournalError: the journal cannot be read.
    """
    zone = time_zone(journal)
    last = last_time(journal)
    try:
        sought = intervals_of(text, zone, last)
    except SpokenTimeError as error:
        raise MisuseError(f"tablectl round --at: {error}") from error
    found = rounds_at(journal, sought)
    said = " or ".join(interval.text for interval in sought)
    match found.open:
        case (one,) if one.ended_at is None and sought[0].begin > last:
            when = f"{last.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
            return one.round, f"{said}, after all that is written: at {when}"
        case (one,):
            return one.round, said
        case ():
            near = _near(found.before, found.after, zone)
            raise AnswerIsNoError(f"{journal}: at {said} no round was open; {near}")
        case several:
            named = "; ".join(_named(each, zone) for each in several)
            finer = _with_offset(sought) if len(sought) > 1 else "by the second"
            raise AnswerIsNoError(
                f"{journal}: at {said} more than one round was open ({named}); "
                f"name one by its number, or the time {finer}"
            )


def _with_offset(sought: Sequence[Interval]) -> str:
    """Return how to say which of the hours is meant that a clock goes through twice."""
    times = (f"{each.begin:%Y-%m-%dT%H:%M:%SZ}" for each in sought)
    return f"in UTC: {' or '.join(times)}"


def _near(before: RoundTimes | None, after: RoundTimes | None, zone: ZoneInfo) -> str:
    earlier = f"before it {_named(before, zone)}" if before else "none came before it"
    later = f"after it {_named(after, zone)}" if after else "none came after it"
    return f"{earlier}; {later}"


def _named(times: RoundTimes, zone: ZoneInfo) -> str:
    if times.ended_at is None:
        when = f"{day_and_time(times.started_at, zone)}, still open"
    else:
        when = span_of_time(times.started_at, times.ended_at, zone)
    return f"round {times.round}, {when}"
