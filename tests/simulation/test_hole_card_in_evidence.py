"""What is made from a journal tells the hole card no earlier than the table does.

The pairs of tables of `test_hole_card`, with their journals on disk: whatever has been
commanded since the deal, an export, a page, a round retold and a report differ in
nothing but the commitment and, behind it, the hashes (SECRET-2).
"""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.commands import Command
from controller.core.decide import Decision
from controller.core.rules import Rules
from controller.evidence.export import Rounds, Times, Whole, export
from controller.evidence.page.page import page
from controller.evidence.reconstruct import replayed
from controller.evidence.report import report_of_day, report_of_shift
from controller.evidence.summaries import summaries
from controller.journal.records import Stamp
from controller.journal.table_journal import TableJournal, decided
from tests.journal.played import STAMP
from tests.simulation.test_hole_card import (
    UPCARDS,
    Twin,
    told_too_early,
    twins_of,
)

DAY = date.fromisoformat(STAMP.recorded_at[:10])


class Written(Twin):
    """One of two tables, with its journal on disk as long as nothing may be known."""

    def __init__(self, rules: Rules, seats: int, hole: str, path: Path) -> None:
        super().__init__(rules, seats, hole)
        self.path = path
        self.journal = TableJournal.begin(path, self.rig.opening_record, STAMP)

    def send(self, command: Command) -> Decision:
        before = self.rig.state
        decision = super().send(command)
        if decision.records and not self.may_be_known(decision):
            self.journal.write([decided(self.stamp(), before, decision)])
        return decision

    def stamp(self) -> Stamp:
        """Return when something is written down: always at the same time."""
        return STAMP

    def evidence(self) -> Iterator[str]:
        """Yield everything that can be made of the journal, commitments put aside."""
        for selection in (Whole(), Rounds(1, 1), Times(None, None)):
            about, *lines = (
                json.loads(e) for e in export(self.path, selection).lines()
            )
            assert about.pop("file") == self.path.name
            about.pop("before_hash")
            yield self._without_commitments(json.dumps(about))
            for line in lines:
                assert len(line.pop("hash")) == 64
                yield self._without_commitments(json.dumps(line))
        for seat in (None, 1):
            rebuilt = replayed(self.path, 1, seat)
            yield msgspec.json.encode(rebuilt.account).decode()
            yield page(rebuilt)
        reports = (report_of_shift(self.path, 1), report_of_day(self.path, DAY))
        yield msgspec.json.encode((*reports, summaries(self.path))).decode()

    def _without_commitments(self, text: str) -> str:
        for commitment in self.commitments:
            text = text.replace(commitment, "(commitment)")
        return text


class Telltale(Written):
    """A table that writes the hole card where nobody looks for it."""

    def stamp(self) -> Stamp:
        return replace(STAMP, boot_id=f"{STAMP.boot_id}-{self.hole}")


def written_pair(
    folder: Path, seed: int, kind: type[Written] = Written
) -> tuple[Written, Written]:
    """Play a pair of tables with their journals, until the hole card may be known."""
    first, second = (
        kind(twin.rig.state.rules, twin.rig.state.seat_count, twin.hole, folder / side)
        for twin, side in zip(twins_of(seed), ("first", "second"), strict=True)
    )
    upcard = UPCARDS[seed % len(UPCARDS)]
    assert told_too_early((first, second), Random(seed), upcard) == []
    for table in (first, second):
        table.journal.close()
    return first, second


@pytest.mark.parametrize("seed", range(24))
def test_no_evidence_tells_the_hole_card_before_its_time(
    tmp_path: Path, seed: int
) -> None:
    one, other = written_pair(tmp_path, seed)
    for said, said_too in zip(one.evidence(), other.evidence(), strict=True):
        assert said == said_too
    assert one.commitments != other.commitments


def test_a_table_that_tells_is_found(tmp_path: Path) -> None:
    one, other = written_pair(tmp_path, 1, Telltale)
    differing = zip(one.evidence(), other.evidence(), strict=True)
    assert any(said != said_too for said, said_too in differing)
