"""Which round was open at a time, found among the ends of rounds.

A round is open from when its bets are closed until its pickup is complete. Where both
clocks agree between two ends of rounds, those bound every record in between; where
they do not, the clock was set or the computer started, and each record is looked at.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core import events as ev
from controller.evidence.spoken_time import Interval
from controller.evidence.times import clock_ms, moment
from controller.journal import reader, spans
from controller.journal.records import Record as Row
from controller.journal.spans import Mark

_AGREE_MS: Final = 1_000
_BEGAN: Final = str(ev.BetsClosed.__struct_config__.tag)
_ENDED: Final = frozenset(
    str(event.__struct_config__.tag) for event in (ev.RoundClosed, ev.DealUndone)
)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_FOREVER: Final = datetime.max.replace(tzinfo=UTC)


class RoundTimes(msgspec.Struct, frozen=True):
    """When a round was open; `ended_at` is None while it is."""

    round: int
    started_at: str
    ended_at: str | None


class RoundsAt(msgspec.Struct, frozen=True):
    """The rounds that were open at a time, else the ones before and after it."""

    open: tuple[RoundTimes, ...]
    before: RoundTimes | None = None
    after: RoundTimes | None = None


class _Stretch(msgspec.Struct, frozen=True):
    """Where one round's records lie: after one sequence, up to and with another."""

    after: int
    until: int
    earliest: datetime
    latest: datetime
    clocks_agree: bool


def last_time(path: Path) -> datetime:
    """Return when the last record was written.

    Raises:
        JournalError: the journal cannot be read.
    """
    last = reader.record_at(path, reader.head(path).sequence)
    return moment(last.recorded_at) if last is not None else _NEVER


def rounds_at(path: Path, sought: Sequence[Interval]) -> RoundsAt:
    """Return which rounds were open in any of these intervals.

    Raises:
        JournalError: the journal cannot be read.
    """
    stretches = tuple(_stretches(path))
    found = [
        times
        for stretch in stretches
        if any(_may_hold(stretch, each) for each in sought)
        for times in _open_in(path, stretch, sought)
    ]
    if found:
        return RoundsAt(tuple(found))
    before, after = _neighbours(path, stretches, sought[0])
    return RoundsAt((), before, after)


def _stretches(path: Path) -> Iterator[_Stretch]:
    first = reader.record_at(path, 1)
    if first is None:
        return
    ends = (_mark(first), *spans.state_marks(path))
    for begin, end in pairwise(ends):
        yield _stretch(begin, end)
    last = reader.record_at(path, reader.head(path).sequence)
    if last is not None and last.sequence > ends[-1].sequence:
        # What is open still may be so at any later time.
        yield replace(_stretch(ends[-1], _mark(last)), latest=_FOREVER)


def _stretch(begin: Mark, end: Mark) -> _Stretch:
    first, last = moment(begin.recorded_at), moment(end.recorded_at)
    return _Stretch(
        after=begin.sequence,
        until=end.sequence,
        earliest=min(first, last),
        latest=max(first, last),
        clocks_agree=_clocks_agree(begin, end),
    )


def _mark(row: Row) -> Mark:
    return Mark(row.sequence, row.recorded_at, row.boot_id, row.monotonic_ns)


def _clocks_agree(begin: Mark, end: Mark) -> bool:
    if begin.boot_id != end.boot_id:
        return False
    passed_ms = (end.monotonic_ns - begin.monotonic_ns) // 1_000_000
    shown_ms = clock_ms(end.recorded_at) - clock_ms(begin.recorded_at)
    return abs(shown_ms - passed_ms) < _AGREE_MS


def _may_hold(stretch: _Stretch, sought: Interval) -> bool:
    if not stretch.clocks_agree:
        return True
    return stretch.earliest < sought.end and sought.begin <= stretch.latest


def _open_in(
    path: Path, stretch: _Stretch, sought: Sequence[Interval]
) -> Iterator[RoundTimes]:
    """Yield the round of a stretch, if it was open in one of the intervals."""
    rows = _open_rows(path, stretch)
    if not rows:
        return
    shown = [moment(row.recorded_at) for row in rows]
    ended = rows[-1].type in _ENDED
    steps = [*pairwise(shown), *([] if ended else [(shown[-1], _FOREVER)])]
    if any(_meet(step, each) for step in steps for each in sought):
        yield _times(rows)


def _meet(step: tuple[datetime, datetime], sought: Interval) -> bool:
    return min(step) < sought.end and sought.begin <= max(step)


def _open_rows(path: Path, stretch: _Stretch) -> list[Row]:
    """Return a round's records from DEAL to its end; those two where that is enough."""
    types = (_BEGAN, *_ENDED) if stretch.clocks_agree else None
    rows: list[Row] = []
    for row in spans.between(path, types, stretch.after, stretch.until):
        if rows or row.type == _BEGAN:
            rows.append(row)
        if row.type in _ENDED:
            break
    return rows


def _times(rows: Sequence[Row]) -> RoundTimes:
    first, last = rows[0], rows[-1]
    assert first.round is not None, "bets are closed in a round"
    ended = last.recorded_at if last.type in _ENDED else None
    return RoundTimes(first.round, first.recorded_at, ended)


def _neighbours(
    path: Path, stretches: Sequence[_Stretch], sought: Interval
) -> tuple[RoundTimes | None, RoundTimes | None]:
    """Return the last round before and the first after; none was open in between."""
    at = next(
        (i for i, each in enumerate(stretches) if each.latest >= sought.begin),
        len(stretches),
    )
    near = [
        _times(rows)
        for stretch in stretches[max(0, at - 1) : at + 2]
        if (rows := _open_rows(path, stretch))
    ]
    before = [each for each in near if moment(each.started_at) < sought.begin]
    after = [each for each in near if moment(each.started_at) >= sought.end]
    return (before[-1] if before else None), (after[0] if after else None)
