"""Readers: short, read-only, and never in the writer's way."""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import reader
from controller.journal.chain import GENESIS
from controller.journal.errors import (
    JournalMissingError,
    JournalWriteError,
    MalformedJournalError,
    NotAJournalError,
    RoundNotFoundError,
)
from controller.journal.records import Record
from controller.journal.store import Store
from controller.journal.verify import verify
from tests.journal.journals import SIMULATION, opened, round_rows, row, tamper, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Opened (1), rounds 1 to 3 of four records (2-13), two of round 4 (14, 15)."""
    return write(tmp_path / "table.journal", rounds=3, left_open=2)


def sequences(records: Sequence[Record]) -> list[int]:
    return [record.sequence for record in records]


def files(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


# --- What is found -----------------------------------------------------------


def test_a_round_begins_after_the_state_before_it_and_ends_with_its_own(
    path: Path,
) -> None:
    assert sequences(reader.round_records(path, 2)) == [6, 7, 8, 9]
    assert sequences(reader.round_records(path, 3)) == [10, 11, 12, 13]


def test_the_first_round_begins_with_the_journal(path: Path) -> None:
    assert sequences(reader.round_records(path, 1)) == [1, 2, 3, 4, 5]


def test_a_round_that_is_open_has_the_records_so_far(path: Path) -> None:
    assert sequences(reader.round_records(path, 4)) == [14, 15]


@pytest.mark.parametrize("number", [0, 5, -1, 2**62])
def test_a_round_that_is_not_there_is_an_error(path: Path, number: int) -> None:
    with pytest.raises(RoundNotFoundError, match=f"no round {number};"):
        reader.round_records(path, number)


def test_what_happens_between_two_rounds_belongs_to_the_next(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        store.append(round_rows(4))
        store.append([row("shift_closed", round_=None), *round_rows(5, cards=1)])
    assert sequences(reader.round_records(path, 5)) == [20, 21, 22]


def test_the_tail_begins_with_the_last_state(path: Path) -> None:
    tail = reader.tail(path)
    assert sequences(tail.records) == [13, 14, 15]
    assert tail.records[0].type == "table_state"
    assert tail.before.sequence == 12


def test_a_tail_whose_predecessor_is_missing_is_an_error(path: Path) -> None:
    tamper(path, "DELETE FROM journal WHERE sequence = 12")
    with pytest.raises(MalformedJournalError, match="record 12 is missing"):
        reader.tail(path)


def test_a_journal_without_records_has_a_tail_without_any(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    Store.open(path, SIMULATION).close()
    assert reader.tail(path) == reader.Tail(GENESIS, ())
    assert reader.head(path) == GENESIS
    assert list(reader.all_records(path)) == []
    assert reader.last_rounds(path, 3) == ()


def test_the_last_rounds_come_oldest_first_and_without_the_open_one(
    path: Path,
) -> None:
    rounds = reader.last_rounds(path, 2)
    assert [one.number for one in rounds] == [2, 3]
    assert [sequences(one.records) for one in rounds] == [
        [6, 7, 8, 9],
        [10, 11, 12, 13],
    ]
    assert len(reader.last_rounds(path, 1)) == 1
    assert [one.number for one in reader.last_rounds(path, 99)] == [1, 2, 3]


def test_one_record_is_found_by_its_sequence(path: Path) -> None:
    found = reader.record_at(path, 9)
    assert found is not None
    assert (found.sequence, found.type) == (9, "table_state")
    assert reader.record_at(path, 0) is None
    assert reader.record_at(path, 16) is None


def test_records_of_some_types_are_found_from_a_sequence_on(path: Path) -> None:
    types = ("journal_opened", "table_state")
    assert sequences(reader.of_types(path, types)) == [1, 5, 9, 13]
    assert sequences(reader.of_types(path, types, 9)) == [9, 13]
    assert reader.of_types(path, ("no_such_type",)) == ()


@pytest.mark.parametrize(("count", "since"), [(1, 9), (2, 5), (3, 1), (99, 1)])
def test_the_last_rounds_begin_after_the_record_that_they_continue(
    count: int, since: int, path: Path
) -> None:
    assert reader.since_rounds(path, count) == since


def test_a_state_without_a_round_begins_a_journal_and_ends_no_round(
    tmp_path: Path,
) -> None:
    path = tmp_path / "successor.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([opened(), row("table_state", round_=None)])
        assert sequences(reader.tail(path).records) == [2]
        assert reader.last_rounds(path, 9) == ()
        store.append(round_rows(41))
        store.append([row("table_state", round_=None), *round_rows(42)])
    assert sequences(reader.round_records(path, 41)) == [1, 2, 3, 4, 5, 6]
    rounds = reader.last_rounds(path, 9)
    assert [one.number for one in rounds] == [41, 42]
    assert sequences(rounds[1].records) == [8, 9, 10, 11]


def test_all_records_come_in_order_across_chunks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chunk in (1, 5, 14, 15, 16):
        monkeypatch.setattr(reader, "CHUNK_RECORDS", chunk)
        assert sequences(list(reader.all_records(path))) == list(range(1, 16))


@pytest.mark.parametrize(
    ("query", "values"),
    [
        (reader.LAST_STATE, ()),
        (reader.STATE_BEFORE, (5,)),
        (reader.ROUND_END, (5,)),
        (reader.LAST_ROUND_ENDS, (5,)),
    ],
)
def test_rounds_are_found_by_an_index_however_long_the_journal(
    path: Path, query: str, values: Sequence[int]
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    assert all("USING INDEX round_ends" in step[-1] for step in plan), plan


# --- How it is read ----------------------------------------------------------


def test_a_reader_sees_what_the_writer_committed(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        store.append([row(round_=4)])
        assert reader.head(path) == store.head
        store.append(round_rows(4))
        assert sequences(reader.round_records(path, 4)) == list(range(14, 21))


def test_a_reader_leaves_no_file_behind_where_nobody_writes(path: Path) -> None:
    before = files(path)
    assert not any(name.endswith(("-wal", "-shm")) for name in before)
    reader.head(path)
    reader.tail(path)
    assert files(path) == before


def test_a_reader_does_not_hold_up_a_checkpoint(path: Path) -> None:
    with Store.open(path, SIMULATION) as store:
        store.append(round_rows(4))
        records = reader.all_records(path)
        next(records)
        assert store.checkpoint().complete
        assert len(list(records)) == 18


def test_a_log_that_a_crash_left_is_read(path: Path, tmp_path: Path) -> None:
    left = tmp_path / "left.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([row(round_=4)])
        shutil.copy(path, left)
        shutil.copy(path.with_name(path.name + "-wal"), tmp_path / "left.journal-wal")
    assert reader.head(left).sequence == 16


def test_what_a_writer_changed_meanwhile_is_read_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    immutable_reads: list[str] = []
    read = reader._fetch  # noqa: SLF001  # The seam at which a writer can come in.

    def slow_read(
        path: Path, mode: str, query: str, values: Sequence[int]
    ) -> reader.Fetched:
        fetched = read(path, mode, query, values)
        if "immutable" in mode:
            immutable_reads.append(query)
            with Store.open(path, SIMULATION) as store:
                store.append([row(round_=4)])
        return fetched

    monkeypatch.setattr(reader, "_fetch", slow_read)
    assert reader.head(path).sequence == 16
    assert len(immutable_reads) == 1


def test_a_name_that_means_something_in_an_address_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "table 7?mode=rw#%41.journal")
    assert reader.head(path).sequence == 10


# --- What cannot be read -----------------------------------------------------


def test_a_journal_that_is_not_there_is_an_error_and_stays_away(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.journal"
    with pytest.raises(JournalMissingError, match="found no file"):
        reader.head(path)
    assert not path.exists()


def test_another_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    path.write_bytes(b"")
    with pytest.raises(NotAJournalError, match="found an empty database"):
        reader.head(path)


def test_a_text_that_is_not_utf_8_is_an_error(path: Path) -> None:
    tamper(path, "UPDATE journal SET body = CAST(x'ff' AS TEXT) WHERE sequence = 3")
    with pytest.raises(MalformedJournalError, match="malformed"):
        list(reader.all_records(path))


def test_a_value_that_no_column_may_hold_is_an_error(path: Path) -> None:
    tamper(path, "UPDATE journal SET clock_synchronised = 2 WHERE sequence = 3")
    with pytest.raises(MalformedJournalError, match="a record is malformed"):
        list(reader.all_records(path))


# --- Copies ------------------------------------------------------------------


def test_a_copy_is_the_journal_as_of_one_moment(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([row(round_=4)])
        reader.copy(path, target)
        head = store.head
        store.append([row(round_=4)])
    assert verify(target).faults == ()
    assert reader.head(target) == head


def test_a_copy_is_of_the_moment_in_which_it_begins(path: Path, tmp_path: Path) -> None:
    """What the table writes between its steps neither comes along nor delays it."""
    target, steps = tmp_path / "copy.journal", []
    with Store.open(path, SIMULATION) as store:
        for _ in range(40):
            store.append([row(round_=4)] * 1_000)
        head = store.head

        def write_more(done: int, pages: int) -> None:
            store.append([row(round_=4)])
            steps.append((done, pages))

        reader.copy(path, target, write_more)
    assert reader.head(target) == head
    assert verify(target).faults == ()
    assert len(steps) > 1
    assert steps[-1][0] == steps[-1][1]
    # Steps go on from one another: none began anew.
    assert steps == sorted(steps)


def test_a_copy_that_fails_leaves_no_file(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.journal"

    def interrupted(_done: int, _pages: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reader.copy(path, target, interrupted)
    assert not target.exists()


def test_a_copy_never_overwrites(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.journal"
    target.write_text("precious")
    with pytest.raises(JournalWriteError, match="expected no file there"):
        reader.copy(path, target)
    assert target.read_text() == "precious"


def test_a_copy_into_no_folder_is_an_error(path: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalWriteError, match="cannot be written: No such"):
        reader.copy(path, tmp_path / "nowhere" / "copy.journal")


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(NotAJournalError, match="found a folder"):
        reader.head(tmp_path)
