"""The journal: appending, verifying, starting from it, finding a round in it."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from bench import floors
from bench.measure import Better, Goal, Measure, compared, rate, seconds
from bench.rounds import TABLE, ScriptedTable, opening
from controller.core.decide import Decision
from controller.core.state import TableState
from controller.evidence.reconstruct import reconstruct
from controller.evidence.verify import verify as verify_all
from controller.journal import reader
from controller.journal.notes import SecretKey
from controller.journal.records import JournalKind, Row, Stamp
from controller.journal.recovery import recover
from controller.journal.signing import Signing
from controller.journal.store import Store
from controller.journal.table_journal import Decided, TableJournal, decided
from controller.journal.verify import verify
from controller.rulesets.loader import load_ruleset

_SEATS: Final = 7
_SEED: Final = 21
_LONG_EVENTS: Final = 300_000
_SHORT_EVENTS: Final = 3_000
_APPENDED: Final = 2_000
_CHECKPOINT_COMMITS: Final = 500
_BATCH: Final = 2_000
_READS: Final = 20
_ROUNDS: Final = 8
STAMP: Final = Stamp(
    recorded_at="2026-01-31T18:00:00.000000Z",
    clock_synchronised=True,
    boot_id="3f0c6a52-9d1e-4b7a-8f42-6a1d0c9b7e55",
    monotonic_ns=81_230_045_112,
)


def measures() -> Iterator[Measure]:
    """Yield what the journal costs, with journals of real rounds."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        long, short = place / "long.journal", place / "short.journal"
        write_journal(long, _LONG_EVENTS)
        write_journal(short, _SHORT_EVENTS)
        yield _append(place, _rows(short, _APPENDED))
        yield _verify(long)
        yield _verify_all(long)
        yield _start(long, short)
        yield _round(long, short)


def write_journal(path: Path, events: int) -> None:
    """Write a signed journal of whole rounds with at least so many events.

    Every round is played: nothing is copied, so that each has its own cards, chain,
    commitments and signed head.
    """
    rules = load_ruleset("colorado")
    waiting: list[Decided] = []

    def keep(before: TableState, decision: Decision) -> None:
        waiting.append(decided(STAMP, before, decision))

    with TableJournal.begin(path, opening(rules, _SEATS), STAMP) as journal:
        journal.sign_with(Signing(TABLE, SecretKey.new(TABLE)), STAMP)
        table = ScriptedTable(rules, _SEATS, _SEED, keep)
        while journal.next_sequence <= events:
            table.play(1)
            if len(waiting) >= _BATCH or journal.next_sequence + 1000 > events:
                journal.write(waiting)
                waiting.clear()
                journal.tidy()
                journal.checkpoint()


def _rows(path: Path, count: int) -> Sequence[Row]:
    records = reader.all_records(path)
    rows = [
        Row(*msgspec.structs.astuple(record)[1:-1])
        for record, _ in zip(records, range(count), strict=False)
    ]
    assert len(rows) == count
    return rows


def _append(place: Path, rows: Sequence[Row]) -> Measure:
    bare_rows = [
        (sequence, *msgspec.structs.astuple(row), b"h" * 32)
        for sequence, row in enumerate(rows, start=1)
    ]

    def ours() -> float:
        with fresh(place / "append.journal") as path:
            return rate(len(rows), lambda: _append_one_by_one(path, rows))

    def floor() -> float:
        with fresh(place / "append.bare") as path:
            return floors.bare_append_rate(path, bare_rows, 1)

    goal = Goal(better=Better.HIGHER, ratio=0.8)
    return compared(
        "journal append, one event a commit", "events/s", goal, ours=ours, floor=floor
    )


def _append_one_by_one(path: Path, rows: Sequence[Row]) -> None:
    with Store.open(path, JournalKind.SIMULATION) as store:
        for number, row in enumerate(rows, start=1):
            store.append((row,))
            if number % _CHECKPOINT_COMMITS == 0:
                store.checkpoint()


@contextlib.contextmanager
def fresh(path: Path) -> Iterator[Path]:
    """Give a path without a file, and leave it so."""
    try:
        yield path
    finally:
        for beside in path.parent.glob(path.name + "*"):
            beside.unlink()


def _verify(path: Path) -> Measure:
    events = reader.head(path).sequence

    def ours() -> float:
        return rate(events, lambda: _require_good(path))

    goal = Goal(better=Better.HIGHER, ratio=0.5)
    return compared(
        f"verify without replay, {events} events",
        "events/s",
        goal,
        ours=ours,
        floor=lambda: floors.bare_verify_rate(path),
    )


def _require_good(path: Path) -> None:
    assert not verify(path).faults


def _verify_all(path: Path) -> Measure:
    events = reader.head(path).sequence

    def ours() -> float:
        return rate(events, lambda: _require_all_good(path))

    return compared(
        f"verify with heads and commitments, {events} events",
        "events/s",
        Goal(better=Better.HIGHER, ratio=0.45),
        ours=ours,
        floor=lambda: floors.bare_verify_rate(path),
        note="one signed head a round, every hidden card against its reveal",
    )


def _require_all_good(path: Path) -> None:
    report = verify_all(path)
    assert report.good
    assert report.heads


def _start(long: Path, short: Path) -> Measure:
    return compared(
        f"start on a journal of {_LONG_EVENTS} events, against {_SHORT_EVENTS}",
        "s",
        Goal(better=Better.LOWER, ratio=1.5),
        ours=lambda: seconds(lambda: _start_on(long)),
        floor=lambda: seconds(lambda: _start_on(short)),
    )


def _start_on(path: Path) -> None:
    for _ in range(_READS):
        recover(path, JournalKind.SIMULATION).journal.close()


def _round(long: Path, short: Path) -> Measure:
    return compared(
        f"a round rebuilt out of {_LONG_EVENTS} events, against {_SHORT_EVENTS}",
        "s/record",
        Goal(better=Better.LOWER, ratio=1.5),
        ours=lambda: a_record_s(long, reconstruct),
        floor=lambda: a_record_s(short, reconstruct),
    )


def a_record_s(path: Path, action: Callable[[Path, int], object]) -> float:
    """Return what an action costs for each record of the rounds that it is about.

    It is done for some rounds in the middle of the journal. No two rounds have the
    same number of records, so the time for a round would depend on which they are.
    """
    (last,) = reader.last_rounds(path, 1)
    middle = last.number // 2
    rounds = range(middle, middle + _ROUNDS)
    records = sum(len(reader.round_records(path, number)) for number in rounds)
    return seconds(lambda: [action(path, number) for number in rounds]) / records
