"""The store: one writer, next sequences only, all of a batch or nothing."""

import multiprocessing
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import reader
from controller.journal.chain import GENESIS
from controller.journal.errors import (
    JournalError,
    JournalLockedError,
    JournalWriteError,
    MalformedJournalError,
    NotAJournalError,
    RowError,
    WrongKindError,
)
from controller.journal.records import JournalKind
from controller.journal.store import Store
from controller.journal.verify import verify
from tests.journal.journals import (
    SIMULATION,
    opened,
    row,
    tamper,
    write,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


# --- Appending ---------------------------------------------------------------


def test_rows_get_the_next_sequences_in_order(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        assert store.head == GENESIS
        assert store.append([opened(), row()]) == range(1, 3)
        assert store.next_sequence == 3
        assert store.append([row(cause=2)]) == range(3, 4)
    assert [record.sequence for record in reader.all_records(path)] == [1, 2, 3]


def test_a_record_holds_what_the_row_said(path: Path) -> None:
    said = row("press_refused", round_=8, cause=1, spot=3, version=2, body='{"ä":1}')
    with Store.open(path, SIMULATION) as store:
        store.append([opened(), said])
    record = list(reader.all_records(path))[1]
    assert record.recorded_at == said.recorded_at
    assert record.clock_synchronised is True
    assert record.boot_id == said.boot_id
    assert record.monotonic_ns == said.monotonic_ns
    assert (record.cause, record.round, record.spot) == (1, 8, 3)
    assert (record.type, record.version, record.body) == ("press_refused", 2, '{"ä":1}')


def test_the_chain_goes_on_after_the_journal_is_opened_again(path: Path) -> None:
    write(path)
    with Store.open(path, SIMULATION) as store:
        before = store.head
        assert store.append([row()]) == range(before.sequence + 1, before.sequence + 2)
        after = store.head
    verification = verify(path)
    assert verification.faults == ()
    assert verification.head == after == reader.head(path)


def test_a_batch_without_rows_writes_nothing(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        assert store.append([]) == range(1, 1)
        assert store.head == GENESIS


@pytest.mark.parametrize(
    "first",
    [row(), opened(JournalKind.LIVE), row("journal_opened", body="{}")],
    ids=["another type", "the other kind", "no kind"],
)
def test_the_first_record_says_what_the_journal_is(path: Path, first: object) -> None:
    assert isinstance(first, type(row()))
    with Store.open(path, SIMULATION) as store:
        with pytest.raises((RowError, MalformedJournalError), match="kind"):
            store.append([first])
        assert store.append([opened()]) == range(1, 2)


@pytest.mark.parametrize(
    "bad", [row(cause=2**63), row(body='"\ud800"')], ids=["integer", "text"]
)
def test_a_row_that_sqlite_cannot_hold_leaves_the_batch_unwritten(
    path: Path, bad: object
) -> None:
    assert isinstance(bad, type(row()))
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        with pytest.raises(RowError, match=r"row 3 \(card_dealt\)"):
            store.append([row(), bad])
        assert store.append([row()]) == range(2, 3)
    assert verify(path).faults == ()


# --- What the table refuses from anyone --------------------------------------

COPY_OF_1 = """INTO journal SELECT {sequence}, recorded_at, clock_synchronised, boot_id,
monotonic_ns, cause, round, spot, type, version, body, hash FROM journal
WHERE sequence = 1"""


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET body = '{}' WHERE sequence = 2",
        "UPDATE OR REPLACE journal SET sequence = 1 WHERE sequence = 2",
        "DELETE FROM journal WHERE sequence = 2",
        "DELETE FROM journal",
        "INSERT " + COPY_OF_1.format(sequence=2),
        "INSERT OR REPLACE " + COPY_OF_1.format(sequence=2),
        "INSERT OR IGNORE " + COPY_OF_1.format(sequence=2),
        "REPLACE " + COPY_OF_1.format(sequence=10),
        "INSERT " + COPY_OF_1.format(sequence=12),
        "INSERT " + COPY_OF_1.format(sequence=0),
        "INSERT " + COPY_OF_1.format(sequence="NULL"),
    ],
)
def test_no_statement_changes_a_record_or_leaves_a_gap(
    path: Path, statement: str
) -> None:
    write(path, rounds=2, left_open=1)
    before = list(reader.all_records(path))
    assert before[-1].sequence == 10
    with closing(sqlite3.connect(path)) as other:
        with pytest.raises(sqlite3.IntegrityError, match="a record"):
            other.execute(statement)
        other.rollback()
    assert list(reader.all_records(path)) == before


def test_a_record_slipped_in_by_another_program_stops_the_writer(path: Path) -> None:
    write(path, rounds=2, left_open=1)
    with Store.open(path, SIMULATION) as store:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("INSERT " + COPY_OF_1.format(sequence=11))
        with pytest.raises(JournalWriteError, match="next sequence"):
            store.append([row()])
        with pytest.raises(JournalWriteError, match="an earlier commit failed"):
            store.append([row()])
    fault = verify(path).faults[0]
    assert fault.sequence == 11


# --- One writer --------------------------------------------------------------


def test_a_second_writer_gets_one_clear_error(path: Path) -> None:
    with (
        Store.open(path, SIMULATION),
        pytest.raises(JournalLockedError, match=f"process {os.getpid()} writes this"),
    ):
        Store.open(path, SIMULATION)
    Store.open(path, SIMULATION).close()


def test_a_second_writer_is_found_under_another_name_too(path: Path) -> None:
    alias = path.with_name("alias.journal")
    alias.symlink_to(path)
    with Store.open(path, SIMULATION), pytest.raises(JournalLockedError):
        Store.open(alias, SIMULATION)


def _try_to_open(path: Path) -> str:
    try:
        Store.open(path, SIMULATION).close()
    except JournalError as error:
        return type(error).__name__
    return "opened"


def test_a_writer_in_another_process_is_kept_out(path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with Store.open(path, SIMULATION):
            assert pool.apply(_try_to_open, (path,)) == "JournalLockedError"
        assert pool.apply(_try_to_open, (path,)) == "opened"


def test_a_writer_keeps_sqlites_locks_when_a_second_one_is_turned_away(
    path: Path,
) -> None:
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        with pytest.raises(JournalLockedError):
            Store.open(path, SIMULATION)
        # Had the attempt dropped SQLite's locks, this last close of another
        # connection would take the log away under the writer.
        with closing(sqlite3.connect(path)) as other:
            other.execute("SELECT count(*) FROM journal").fetchall()
        assert path.with_name(path.name + "-wal").exists()
        store.append([row()])
    assert verify(path).head.sequence == 2


def test_closing_twice_is_fine(path: Path) -> None:
    store = Store.open(path, SIMULATION)
    store.close()
    store.close()


# --- What is no journal of ours ----------------------------------------------


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("a shopping list, somewhat longer than a header " * 20)
    with pytest.raises(NotAJournalError, match="no SQLite database"):
        Store.open(path, SIMULATION)


def test_another_programs_database_is_refused_and_stays_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(NotAJournalError, match="found another database"):
        Store.open(path, SIMULATION)
    assert path.read_bytes() == before


def test_a_newer_format_is_refused(path: Path) -> None:
    write(path)
    tamper(path, "PRAGMA user_version = 2")
    with pytest.raises(NotAJournalError, match="format 1, found 2"):
        Store.open(path, SIMULATION)


def test_a_live_table_refuses_a_simulated_journal(path: Path) -> None:
    write(path)
    with pytest.raises(WrongKindError, match="kind live, found simulation"):
        Store.open(path, JournalKind.LIVE)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE journal SET type = 'card_dealt' WHERE sequence = 1", "found card_d"),
        ("UPDATE journal SET body = '{\"kind\"' WHERE sequence = 1", "record 1"),
        ("UPDATE journal SET body = '{}' WHERE sequence = 1", "record 1"),
        ("CREATE TABLE note (text TEXT)", "note was added"),
        ("DROP INDEX round_ends", "round_ends is missing"),
        ("ALTER TABLE journal ADD COLUMN note TEXT", "journal was changed"),
    ],
)
def test_a_journal_that_someone_altered_is_not_written_on(
    path: Path, change: str, said: str
) -> None:
    write(path)
    tamper(path, change)
    with pytest.raises(MalformedJournalError, match=said):
        Store.open(path, SIMULATION)


def test_a_file_cut_off_in_its_first_page_is_malformed(path: Path) -> None:
    write(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises((MalformedJournalError, NotAJournalError)):
        Store.open(path, SIMULATION)


def test_a_start_that_was_cut_off_leaves_a_file_that_can_be_begun(path: Path) -> None:
    with closing(sqlite3.connect(path)) as begun:
        begun.execute("PRAGMA journal_mode = WAL")
    with Store.open(path, SIMULATION) as store:
        assert store.append([opened()]) == range(1, 2)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalWriteError, match="nowhere"):
        Store.open(tmp_path / "nowhere" / "table.journal", SIMULATION)


def test_a_folder_in_place_of_the_file_is_named(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalWriteError, match=r"table\.journal"):
        Store.open(path, SIMULATION)


def test_a_writer_that_waits_in_vain_for_sqlite_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.journal.store.BUSY_TIMEOUT_S", 0.01)
    write(path)
    with (
        Store.open(path, SIMULATION) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalLockedError, match="another program holds"):
            store.append([row()])
        other.execute("ROLLBACK")


# --- Checkpoints -------------------------------------------------------------


def test_a_checkpoint_lets_the_log_be_used_anew(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        for _ in range(20):
            store.append([row()])
        assert store.checkpoint().complete
        size = log.stat().st_size
        for _ in range(10):
            store.append([row()])
        assert log.stat().st_size == size


def test_no_checkpoint_happens_by_itself(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        before = path.read_bytes()
        store.append([opened()])
        for _ in range(1100):
            store.append([row()])
        assert path.read_bytes() == before


def test_a_checkpoint_does_not_wait_for_a_reader(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM journal").fetchall()
            store.append([row()])
            assert not store.checkpoint().complete
        assert store.checkpoint().complete
