"""Evidence: signing a round's end, and finding one round in a very long journal."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from bench.journals import STAMP, a_record_s, fresh, write_journal
from bench.measure import Better, Goal, Measure, compared, seconds
from bench.rounds import TABLE, ScriptedTable, opening
from controller.core.decide import Decision
from controller.core.events import TableStateRecorded
from controller.core.state import TableState
from controller.evidence.bundle.write import bundle
from controller.evidence.page.page import page
from controller.evidence.reconstruct import replayed
from controller.journal.notes import SecretKey
from controller.journal.signing import Signing
from controller.journal.table_journal import Decided, TableJournal, decided
from controller.rulesets.loader import load_ruleset

_SEATS: Final = 7
_SEED: Final = 21
_SIGNED_ROUNDS: Final = 200
_LONG_EVENTS: Final = 3_000_000
_SHORT_EVENTS: Final = 30_000
_PERCENTILE: Final = 0.99


def measures() -> Iterator[Measure]:
    """Yield what evidence costs while a table plays, and a year later."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        yield _last_commit(place)
        long, short = place / "long.journal", place / "short.journal"
        write_journal(long, _LONG_EVENTS)
        write_journal(short, _SHORT_EVENTS)
        yield _found("bundle", long, short)
        yield _found("page", long, short)


def _found(what: str, long: Path, short: Path) -> Measure:
    make = {"bundle": bundle, "page": _page}[what]
    return compared(
        f"{what} of a round out of {_LONG_EVENTS} events, against {_SHORT_EVENTS}",
        "s/record",
        Goal(better=Better.LOWER, ratio=1.5),
        ours=lambda: a_record_s(long, make),
        floor=lambda: a_record_s(short, make),
        note="for each record of the round, rounds from the middle of the journal",
    )


def _page(path: Path, number: int) -> str:
    return page(replayed(path, number))


def _last_commit(place: Path) -> Measure:
    signing = Signing(TABLE, SecretKey.new(TABLE))
    return compared(
        f"a round's last commit with signing, p99 of {_SIGNED_ROUNDS}",
        "s",
        Goal(better=Better.LOWER, ratio=1.5),
        ours=lambda: _last_commit_p99_s(place, signing),
        floor=lambda: _last_commit_p99_s(place, None),
        note="against one without; the head's note is kept in a file beside",
    )


def _last_commit_p99_s(place: Path, signing: Signing | None) -> float:
    """Return how long the commit that ends a round takes, in 99 of 100 rounds."""
    rules = load_ruleset("colorado")
    taken: list[float] = []
    waiting: list[Decided] = []

    def keep(before: TableState, decision: Decision) -> None:
        waiting.append(decided(STAMP, before, decision))

    with (
        fresh(place / "rounds.journal") as path,
        TableJournal.begin(path, opening(rules, _SEATS), STAMP) as journal,
    ):
        if signing is not None:
            journal.sign_with(signing, STAMP)
        table = ScriptedTable(rules, _SEATS, _SEED, keep)
        for _ in range(_SIGNED_ROUNDS):
            table.play(1)
            last = next(at for at, one in enumerate(waiting) if _ends_a_round(one))
            journal.write(waiting[:last])
            taken.append(seconds(partial(journal.write, (waiting[last],))))
            del waiting[: last + 1]
            journal.tidy()
            journal.checkpoint()
    return sorted(taken)[int(len(taken) * _PERCENTILE)]


def _ends_a_round(one: Decided) -> bool:
    return isinstance(one.records[-1], TableStateRecorded)
