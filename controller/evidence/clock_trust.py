"""How far the times of a round can be trusted.

Each record says whether the clock was known to be right, and a clock that was set is
a record of its own. Where the computer ran through, the monotonic clock, which nobody
can set, must have counted as much as the wall clock did.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from controller.core import events as ev
from controller.evidence.times import clock_ms, wait_between
from controller.journal import spans
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC

_STEPPED: Final = (str(ev.ClockStepped.__struct_config__.tag),)


class SetClock(msgspec.Struct, frozen=True):
    """The clock was set by so much, found at this time, in this or a round beside."""

    sequence: int
    at: str
    round: int | None
    stepped_ms: int


class ClockAccount(msgspec.Struct, frozen=True):
    """What speaks for and against the times of a round.

    `unsynchronised` of its `records` were written while the clock was not known to
    be right. `drift_ms` is how much longer it took by the wall clock than by the
    monotonic one, None where the computer was started in between.
    """

    records: int
    unsynchronised: int
    drift_ms: int | None
    steps: tuple[SetClock, ...] = ()


def clock_account(path: Path, rows: Sequence[Row]) -> ClockAccount:
    """Return how far the clock can be trusted in a round, from its records.

    Raises:
        JournalError: the journal cannot be read.
    """
    return ClockAccount(
        records=len(rows),
        unsynchronised=sum(not row.clock_synchronised for row in rows),
        drift_ms=_drift_ms(rows),
        steps=_steps(path, rows[0].sequence),
    )


def _drift_ms(rows: Sequence[Row]) -> int | None:
    first, last = rows[0], rows[-1]
    if any(row.boot_id != first.boot_id for row in rows):
        return None
    passed = wait_between(first, last).ms
    return clock_ms(last.recorded_at) - clock_ms(first.recorded_at) - passed


def _steps(path: Path, sequence: int) -> tuple[SetClock, ...]:
    """Return where the clock was set in a round and in its neighbours."""
    after, until = spans.around(path, sequence)
    found = []
    for row in spans.between(path, _STEPPED, after, until):
        fact = CODEC.decode(row)
        assert isinstance(fact, ev.ClockStepped)
        at = (row.sequence, row.recorded_at, row.round)
        found.append(SetClock(*at, fact.stepped_ms))
    return tuple(found)
