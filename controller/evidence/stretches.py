"""A journal cut where rounds end, to find a time in it without reading it all.

Where both clocks agree between two ends of rounds, those bound every record in
between. Where they do not, the clock was set or the computer started, and any time may
be there.
"""

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.evidence.times import clock_ms, moment
from controller.journal import reader, spans
from controller.journal.records import Record as Row
from controller.journal.spans import Mark

_AGREE_MS: Final = 1_000
_NS_PER_MS: Final = 1_000_000
_FOREVER: Final = datetime.max.replace(tzinfo=UTC)


class Stretch(msgspec.Struct, frozen=True):
    """Where one round's records lie: after one sequence, up to and with another."""

    after: int
    until: int
    earliest: datetime
    latest: datetime
    clocks_agree: bool

    def may_hold(self, begin: datetime, end: datetime) -> bool:
        """Say whether a record of a time from `begin` to before `end` may be here."""
        if not self.clocks_agree:
            return True
        return self.earliest < end and begin <= self.latest


def stretches(path: Path) -> tuple[Stretch, ...]:
    """Return the stretches of a journal, in its order.

    The first begins behind record 1. The last one, where a round is not ended, goes on:
    what is open still may be so at any later time.

    Raises:
        JournalError: the journal cannot be read.
    """
    first = reader.record_at(path, 1)
    last = reader.record_at(path, reader.head(path).sequence)
    if first is None or last is None:
        return ()
    ends = (_mark(first), *spans.state_marks(path))
    cut = [_stretch(begin, end) for begin, end in pairwise(ends)]
    if last.sequence > ends[-1].sequence:
        cut.append(replace(_stretch(ends[-1], _mark(last)), latest=_FOREVER))
    return tuple(cut)


def _mark(row: Row) -> Mark:
    return Mark(row.sequence, row.recorded_at, row.boot_id, row.monotonic_ns)


def _stretch(begin: Mark, end: Mark) -> Stretch:
    first, last = moment(begin.recorded_at), moment(end.recorded_at)
    return Stretch(
        after=begin.sequence,
        until=end.sequence,
        earliest=min(first, last),
        latest=max(first, last),
        clocks_agree=_clocks_agree(begin, end),
    )


def _clocks_agree(begin: Mark, end: Mark) -> bool:
    if begin.boot_id != end.boot_id:
        return False
    passed_ms = (end.monotonic_ns - begin.monotonic_ns) // _NS_PER_MS
    shown_ms = clock_ms(end.recorded_at) - clock_ms(begin.recorded_at)
    return abs(shown_ms - passed_ms) < _AGREE_MS
