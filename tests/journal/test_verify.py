"""Every way to alter a journal that a chain can see, and who is named."""

# ruff: noqa: S608  # Altering the table, column by column, is what this is about.

import itertools
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.journal import reader
from controller.journal.chain import GENESIS, record_hash
from controller.journal.errors import JournalError, NotAJournalError
from controller.journal.records import Record
from controller.journal.store import Store
from controller.journal.verify import Fault, FaultKind, tail_fault, verify
from tests.journal.journals import SIMULATION, opened, round_rows, row, tamper, write

DOCUMENT = Path(__file__).parents[2] / "docs" / "journal.md"
RECORDS = 8
COLUMNS = list(Record.__struct_fields__)
TEXTS = {"recorded_at", "boot_id", "type", "body"}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of eight records: opened, a round with its state, an open one."""
    path = tmp_path_factory.mktemp("verify") / "table.journal"
    return write(path, rounds=1, left_open=3)


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    copied = tmp_path / "table.journal"
    copied.write_bytes(written.read_bytes())
    return copied


def first_fault(path: Path) -> Fault:
    faults = verify(path).faults
    assert faults, "the journal verifies"
    return faults[0]


def changes(column: str) -> Iterator[str]:
    """Say in SQL how the value of a column can become another of its type."""
    if column in TEXTS:
        yield f"{column} || ' '"
        yield "''"
        yield "CAST(x'ff' AS TEXT)"
    elif column == "hash":
        yield "zeroblob(32)"
        yield "x''"
        yield "substr(hash, 1, 31)"
        yield "CAST(hash || x'00' AS BLOB)"
    else:
        yield f"coalesce({column}, 0) + 100"
        yield f"-1 - coalesce({column}, 0)"
        if column in {"cause", "round", "spot"}:
            yield f"CASE WHEN {column} IS NULL THEN 0 END"


def test_an_untouched_journal_verifies(path: Path) -> None:
    verification = verify(path)
    assert verification.faults == ()
    assert verification.head == reader.head(path)
    assert verification.head.sequence == RECORDS


def test_a_journal_without_records_verifies(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    write(path, rounds=0, left_open=0)
    assert verify(path).head.sequence == 1


@pytest.mark.parametrize("sequence", range(1, RECORDS + 1))
@pytest.mark.parametrize("column", COLUMNS)
def test_any_column_changed_names_its_record(
    path: Path, column: str, sequence: int
) -> None:
    before = path.read_bytes()
    for change in changes(column):
        path.write_bytes(before)
        tamper(
            path, f"UPDATE journal SET {column} = {change} WHERE sequence = {sequence}"
        )
        fault = first_fault(path)
        if column == "sequence" and change.startswith("-"):
            # It now stands before record 1, where nothing may stand.
            assert fault.sequence == 1
            assert fault.kind is FaultKind.OUT_OF_ORDER
        elif column == "sequence":
            assert fault.sequence == sequence
            assert fault.kind is FaultKind.MISSING
        else:
            assert fault.sequence == sequence
            assert str(sequence) in fault.text


@pytest.mark.parametrize("sequence", range(1, RECORDS))
def test_any_record_but_the_last_deleted_is_named(path: Path, sequence: int) -> None:
    tamper(path, f"DELETE FROM journal WHERE sequence = {sequence}")
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.MISSING, sequence)


@pytest.mark.parametrize("sequence", range(1, RECORDS))
def test_a_record_deleted_and_the_rest_moved_up_is_named(
    path: Path, sequence: int
) -> None:
    tamper(
        path,
        f"DELETE FROM journal WHERE sequence = {sequence}",
        f"UPDATE journal SET sequence = -sequence WHERE sequence > {sequence}",
        "UPDATE journal SET sequence = -sequence - 1 WHERE sequence < 0",
    )
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.HASH_MISMATCH, sequence)


@pytest.mark.parametrize(
    ("one", "other"), list(itertools.combinations(range(1, RECORDS + 1), 2))
)
def test_any_two_records_swapped_name_the_first(
    path: Path, one: int, other: int
) -> None:
    tamper(
        path,
        f"UPDATE journal SET sequence = -1 WHERE sequence = {one}",
        f"UPDATE journal SET sequence = {one} WHERE sequence = {other}",
        f"UPDATE journal SET sequence = {other} WHERE sequence = -1",
    )
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.HASH_MISMATCH, one)


@pytest.mark.parametrize("sequence", range(1, RECORDS + 1))
@pytest.mark.parametrize("copied", [1, RECORDS])
def test_a_record_inserted_before_any_is_named(
    path: Path, sequence: int, copied: int
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT * FROM journal WHERE sequence = ?"
        columns = connection.execute(query, (copied,)).fetchone()
    tamper(
        path,
        f"UPDATE journal SET sequence = -sequence WHERE sequence >= {sequence}",
        "UPDATE journal SET sequence = 1 - sequence WHERE sequence < 0",
        "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values=(sequence, *columns[1:]),
    )
    fault = first_fault(path)
    # A record before itself is in its place: what is too many comes after it.
    expected = sequence + 1 if copied == sequence else sequence
    assert (fault.kind, fault.sequence) == (FaultKind.HASH_MISMATCH, expected)


@pytest.mark.parametrize("sequence", [0, -1, -(2**63)])
def test_a_record_put_before_the_first_is_found(path: Path, sequence: int) -> None:
    tamper(
        path,
        f"INSERT INTO journal SELECT {sequence}, recorded_at, clock_synchronised, "
        "boot_id, monotonic_ns, cause, round, spot, type, version, body, hash "
        "FROM journal WHERE sequence = 4",
    )
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.OUT_OF_ORDER, 1)
    assert f"found {sequence}" in fault.text


@pytest.mark.parametrize("column", [name for name in COLUMNS if name != "sequence"])
def test_a_column_of_another_type_is_named(path: Path, column: str) -> None:
    # STRICT refuses this, so whoever does it takes STRICT away first.
    other = "NULL" if column in {"hash", *TEXTS} else "'seven'"
    others = ", ".join(COLUMNS[1:])
    tamper(
        path,
        "ALTER TABLE journal RENAME TO old",
        f"CREATE TABLE journal (sequence INTEGER PRIMARY KEY, {others})",
        "INSERT INTO journal SELECT * FROM old",
        "DROP TABLE old",
        f"UPDATE journal SET {column} = {other} WHERE sequence = 4",
    )
    fault, *around = verify(path).faults
    assert fault.sequence == 4
    assert fault.kind in {FaultKind.MALFORMED, FaultKind.HASH_MISMATCH}
    assert FaultKind.SCHEMA_CHANGED in {other.kind for other in around}


def test_whether_the_clock_was_synchronised_is_yes_or_no(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    columns = msgspec.structs.astuple(opened())
    forged = (1, columns[0], 7, *columns[2:])
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
    # STRICT takes any number there, and who can compute hashes has the chain fit.
    tamper(
        path,
        "UPDATE journal SET clock_synchronised = 7, hash = ?",
        values=(record_hash(GENESIS.hash, *forged),),
    )
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.MALFORMED, 1)
    assert "clock_synchronised is 7" in fault.text


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP INDEX round_ends", "round_ends is missing"),
        ("CREATE TABLE note (text TEXT)", "note was added"),
        ("ALTER TABLE journal ADD COLUMN note TEXT", "journal was changed"),
    ],
)
def test_an_altered_schema_is_reported_though_the_records_hold(
    path: Path, statement: str, said: str
) -> None:
    tamper(path, statement)
    verification = verify(path)
    assert verification.head.sequence == RECORDS
    assert [fault.kind for fault in verification.faults] == [FaultKind.SCHEMA_CHANGED]
    assert said in verification.faults[0].text


def test_a_dropped_trigger_is_reported(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER journal_is_never_updated")
    assert "journal_is_never_updated is missing" in first_fault(path).text


def test_a_journal_without_its_table_is_reported(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE journal")
    fault = first_fault(path)
    assert (fault.kind, fault.sequence) == (FaultKind.UNREADABLE, 1)
    assert "no such table" in fault.text


def test_an_index_that_leads_astray_is_reported(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'round_ends'"
        (page,) = connection.execute(query).fetchone()
    content = bytearray(path.read_bytes())
    content[page * 4096 - 1] ^= 1
    path.write_bytes(content)
    faults = verify(path).faults
    assert {fault.kind for fault in faults} == {FaultKind.FILE_DAMAGED}


def test_a_long_journal_is_followed_across_the_readers_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "CHUNK_RECORDS", 4)
    path = write(tmp_path / "table.journal", rounds=3, left_open=3)
    assert verify(path).head == reader.head(path)
    assert verify(path).head.sequence == 16
    tamper(path, "UPDATE journal SET spot = 7 WHERE sequence = 11")
    verification = verify(path)
    assert verification.head.sequence == 10
    assert first_fault(path).sequence == 11


def test_the_records_before_a_page_that_cannot_be_read_count(tmp_path: Path) -> None:
    path = write(tmp_path / "table.journal", rounds=60)
    content = bytearray(path.read_bytes())
    # The last page holds the newest records, since the table only grows.
    content[-4096:-4088] = bytes(8)
    path.write_bytes(content)
    verification = verify(path)
    fault = verification.faults[0]
    assert fault.kind is FaultKind.UNREADABLE
    assert fault.sequence == verification.head.sequence + 1
    assert verification.head.sequence > 100


# --- The tail, at a start ----------------------------------------------------


def test_a_good_tail_has_no_fault(path: Path) -> None:
    tail = reader.tail(path)
    assert [record.sequence for record in tail.records] == [5, 6, 7, 8]
    assert tail.before.sequence == 4
    assert tail_fault(tail) is None


def test_a_tail_without_a_round_begins_with_record_1(tmp_path: Path) -> None:
    path = write(tmp_path / "table.journal", rounds=0)
    tail = reader.tail(path)
    assert tail.before == GENESIS
    assert [record.sequence for record in tail.records] == [1, 2]
    assert tail_fault(tail) is None


@pytest.mark.parametrize("sequence", [5, 6, 7, 8])
def test_a_bad_record_in_the_tail_is_named(path: Path, sequence: int) -> None:
    tamper(path, f"UPDATE journal SET body = '[]' WHERE sequence = {sequence}")
    fault = tail_fault(reader.tail(path))
    assert fault is not None
    assert fault.sequence == sequence


# --- Bytes of the file -------------------------------------------------------


def faults_or_refusal(path: Path) -> tuple[Fault, ...] | JournalError:
    """Verify a file that may be anything; a refusal is one line."""
    try:
        return verify(path).faults
    except JournalError as error:
        refusal = error
    assert "\n" not in str(refusal)
    assert str(path) in str(refusal)
    return refusal


def outcome(path: Path, unchanged: list[reader.Columns]) -> str:
    """Say how a damaged file is met; anything but these three is a failure."""
    found = faults_or_refusal(path)
    if isinstance(found, JournalError):
        return "refused"
    if found:
        return "reported"
    rows = [row for fetched in reader.chunks(path) for row in fetched.whole()]
    assert rows == unchanged, "a change went by"
    return "unchanged"


def _check_random_bytes(path: Path, places: int, seed: int) -> None:
    whole = path.read_bytes()
    unchanged = [row for fetched in reader.chunks(path) for row in fetched.whole()]
    chance = random.Random(seed)
    met = {"reported": 0, "refused": 0, "unchanged": 0}
    for _ in range(places):
        place = chance.randrange(len(whole))
        content = bytearray(whole)
        content[place] ^= chance.randrange(1, 256)
        path.write_bytes(content)
        met[outcome(path, unchanged)] += 1
    assert min(met["reported"], met["unchanged"]) > 0, met


def _longer(tmp_path: Path) -> Path:
    return write(tmp_path / "table.journal", rounds=25, left_open=4)


def test_each_byte_of_the_header_changed_is_reported_or_harmless(path: Path) -> None:
    whole = path.read_bytes()
    unchanged = [row for fetched in reader.chunks(path) for row in fetched.whole()]
    met = set()
    for place in range(100):
        content = bytearray(whole)
        content[place] ^= 0xFF
        path.write_bytes(content)
        met.add(outcome(path, unchanged))
    assert met == {"reported", "refused", "unchanged"}


def test_a_byte_changed_anywhere_is_reported_or_harmless(tmp_path: Path) -> None:
    _check_random_bytes(_longer(tmp_path), places=300, seed=1)


@pytest.mark.prove
def test_bytes_changed_at_2000_places_are_reported_or_harmless(tmp_path: Path) -> None:
    _check_random_bytes(_longer(tmp_path), places=2000, seed=2)


@pytest.mark.parametrize("length", [1, 99, 100, 512, 4095, 4096, 6000, 8192, 16383])
def test_a_file_cut_off_is_reported(path: Path, length: int) -> None:
    content = path.read_bytes()
    assert length < len(content)
    path.write_bytes(content[:length])
    assert faults_or_refusal(path)


def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    path.write_text("not a journal, though long enough to look for a header " * 20)
    assert isinstance(faults_or_refusal(path), NotAJournalError)


def test_what_the_writer_just_committed_is_verified_too(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([opened(), row()])
        store.append(round_rows(1))
        assert verify(path).head == store.head


def test_every_kind_of_fault_is_explained_in_the_document() -> None:
    text = DOCUMENT.read_text()
    assert all(f"| `{kind}` |" in text for kind in FaultKind)
