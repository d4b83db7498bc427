"""Which round was open at a time, found among the ends of rounds.

A round is open from when its bets are closed until its pickup is complete. Where the
clocks do not agree over a round, each of its records is looked at.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from controller.core import events as ev
from controller.evidence.spoken_time import Interval
from controller.evidence.stretches import Stretch, stretches
from controller.evidence.times import moment
from controller.journal import reader, spans
from controller.journal.records import Record as Row

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
    found_in = stretches(path)
    found = [
        times
        for stretch in found_in
        if any(stretch.may_hold(each.begin, each.end) for each in sought)
        for times in _open_in(path, stretch, sought)
    ]
    if found:
        return RoundsAt(tuple(found))
    before, after = _neighbours(path, found_in, sought[0])
    return RoundsAt((), before, after)


def _open_in(
    path: Path, stretch: Stretch, sought: Sequence[Interval]
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


def _open_rows(path: Path, stretch: Stretch) -> list[Row]:
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
    path: Path, found_in: Sequence[Stretch], sought: Interval
) -> tuple[RoundTimes | None, RoundTimes | None]:
    """Return the last round before and the first after; none was open in between."""
    at = next(
        (i for i, each in enumerate(found_in) if each.latest >= sought.begin),
        len(found_in),
    )
    near = [
        _times(rows)
        for stretch in found_in[max(0, at - 1) : at + 2]
        if (rows := _open_rows(path, stretch))
    ]
    before = [each for each in near if moment(each.started_at) < sought.begin]
    after = [each for each in near if moment(each.started_at) >= sought.end]
    return (before[-1] if before else None), (after[0] if after else None)
