"""The last changes of what runs a table, from its journal and the files before it."""

from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Person
from controller.core.ids import Role
from controller.core.software import Component, Software, change_text
from controller.evidence.software_history import software_history
from controller.journal.table_journal import Decided, TableJournal
from controller.runtime.archive import archive
from tests.core.table import SUPERVISOR
from tests.journal.played import STAMP, Played, opening

TECHNICIAN = Person("T1", Role.TECHNICIAN)


def version(number: int) -> Software:
    digest = f"{number:064x}"
    return Software((Component("product", str(number), digest),), digest)


def start(table: Played, number: int, *, live: bool = True) -> None:
    table.do(cm.ReportSelfTest(software=version(number), live=live))


def accept(table: Played, number: int) -> None:
    table.do(
        cm.AcceptSoftware(
            supervisor=SUPERVISOR,
            technician=TECHNICIAN,
            digest=version(number).digest,
            reason=f"update {number}",
        )
    )


def test_the_first_program_is_what_the_journal_begins_with(tmp_path: Path) -> None:
    table = Played(tmp_path / "journal")
    start(table, 1)
    (first,) = software_history(table.path, 10)
    assert (first.changes, first.digest) == ((), version(1).digest)
    assert (first.found_at, first.accepted_at) == (STAMP.recorded_at,) * 2
    table.journal.close()


def test_a_change_says_what_differed_and_who_accepted_it(tmp_path: Path) -> None:
    table = Played(tmp_path / "journal")
    start(table, 1)
    start(table, 2)
    accept(table, 2)
    start(table, 3)
    _, second, third = software_history(table.path, 10)
    (change,) = second.changes
    assert change_text(change) == "product 1 000000000000, now 2 000000000000"
    assert (second.supervisor, second.technician) == ("S1", "T1")
    assert (second.reason, second.live) == ("update 2", True)
    assert (third.accepted_at, third.supervisor, third.digest) == ("", "", "")
    table.journal.close()


def test_a_simulated_tables_change_was_accepted_by_nobody(tmp_path: Path) -> None:
    table = Played(tmp_path / "journal")
    start(table, 1)
    start(table, 2, live=False)
    _, change = software_history(table.path, 10)
    assert (change.live, change.supervisor) == (False, "")
    assert change.accepted_at
    table.journal.close()


def test_of_more_than_ten_the_last_ten_are_told_through_archived_files(
    tmp_path: Path,
) -> None:
    table = Played(tmp_path / "journal")
    for number in range(1, 8):
        start(table, number)
        accept(table, number)
    table.journal.close()
    archive(table.path, opening(), STAMP, None)
    table = Played(table.path, begin=False)
    for number in range(8, 15):
        start(table, number)
        accept(table, number)
    table.journal.close()
    told = [entry.digest for entry in software_history(table.path, 10)]
    assert told == [version(number).digest for number in range(5, 15)]


def test_an_archived_file_that_was_taken_away_is_left_out(tmp_path: Path) -> None:
    table = Played(tmp_path / "journal")
    start(table, 1)
    table.journal.close()
    old = archive(table.path, opening(), STAMP, None)
    table.path.with_name(old.file).unlink()
    assert software_history(table.path, 10) == ()


def test_an_archived_file_is_what_the_next_one_is_held_against(tmp_path: Path) -> None:
    table = Played(tmp_path / "journal")
    start(table, 1)
    table.journal.close()
    archive(table.path, opening(), STAMP, None)
    table = Played(table.path, begin=False)
    start(table, 2)
    assert table.state.suspended
    table.journal.close()


def test_the_first_program_of_a_live_table_is_a_live_one(tmp_path: Path) -> None:
    for kind, live in (("live", True), ("simulation", False)):
        path = tmp_path / kind
        opened = replace(opening(), kind=kind)
        with closing(TableJournal.begin(path, opened, STAMP)) as journal:
            accepted = ev.SoftwareAccepted(software=version(1))
            journal.write([Decided(STAMP, None, (accepted,))])
        (first,) = software_history(path, 10)
        assert first.live is live
