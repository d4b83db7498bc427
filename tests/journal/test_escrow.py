"""The escrow keeps what nobody may know, and forgets it for good."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.errors import (
    EscrowDamagedError,
    EscrowError,
    EscrowMissingError,
    JournalError,
)
from controller.journal.escrow import Escrow, Sealed

HOLE = Sealed("hole_card", 4, 7, "QUEEN-OF-SPADES", b"S" * 32, b"RAW-FRAME-OF-HOLE")
HELD = Sealed("held_card", 9, 7, "TEN-OF-HEARTS", b"T" * 32, b"RAW-FRAME-OF-HELD")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.escrow"


@pytest.fixture
def escrow(path: Path) -> Iterator[Escrow]:
    with Escrow.create(path) as escrow:
        yield escrow


def files(path: Path) -> list[Path]:
    return sorted(path.parent.glob(path.name + "*"))


def everything(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in files(path))


def test_what_is_put_is_there_after_a_restart(path: Path, escrow: Escrow) -> None:
    escrow.put([HELD, HOLE])
    escrow.close()
    with Escrow.open(path) as again:
        assert again.rows() == (HOLE, HELD)


def test_what_is_put_is_there_though_the_process_dies(
    path: Path, escrow: Escrow, tmp_path: Path
) -> None:
    escrow.put([HOLE])
    # The files as they are at this moment are what a killed process leaves.
    left = tmp_path / "left"
    left.mkdir()
    for file in (path, path.with_name(path.name + "-wal")):
        (left / file.name).write_bytes(file.read_bytes())
    with Escrow.open(left / path.name) as again:
        assert again.rows() == (HOLE,)


def test_a_row_put_twice_is_there_once(escrow: Escrow) -> None:
    escrow.put([HOLE])
    escrow.put([HOLE])
    assert escrow.rows() == (HOLE,)


def test_a_card_read_again_under_its_number_has_two_rows(escrow: Escrow) -> None:
    unread = Sealed("hole_card", 4, 7, "", b"U" * 32, b"RAW-FRAME-UNREAD")
    escrow.put([unread])
    escrow.put([HOLE])
    escrow.delete([unread])
    assert escrow.rows() == (HOLE,)


def test_a_deleted_secret_is_in_no_byte_on_disk(path: Path, escrow: Escrow) -> None:
    escrow.put([HOLE, HELD])
    for secret in (HOLE.face.encode(), HOLE.salt, HOLE.raw):
        assert secret in everything(path)
    escrow.delete([HOLE])
    for secret in (HOLE.face.encode(), HOLE.salt, HOLE.raw):
        assert secret not in everything(path)
    assert escrow.rows() == (HELD,)
    assert HELD.raw in everything(path)


def test_deleting_what_is_not_there_is_fine(escrow: Escrow) -> None:
    escrow.delete([HOLE])
    assert escrow.rows() == ()


def test_rows_without_a_record_are_dropped_at_start(path: Path, escrow: Escrow) -> None:
    escrow.put([HOLE, HELD])
    assert escrow.drop_unknown(lambda row: row == HOLE) == (HELD,)
    assert escrow.rows() == (HOLE,)
    assert HELD.raw not in everything(path)


def test_a_start_empties_the_log_that_a_crash_left(path: Path, escrow: Escrow) -> None:
    escrow.put([HOLE])
    assert escrow.drop_unknown(lambda _: True) == ()
    assert path.with_name(path.name + "-wal").stat().st_size == 0
    assert escrow.rows() == (HOLE,)


def test_only_the_owner_reads_any_of_its_files(path: Path, escrow: Escrow) -> None:
    escrow.put([HOLE])
    assert len(files(path)) == 3
    assert {file.stat().st_mode & 0o777 for file in files(path)} == {0o600}


def test_a_file_put_back_with_anyones_mode_is_closed_again(
    path: Path, escrow: Escrow
) -> None:
    escrow.close()
    path.chmod(0o644)
    with Escrow.open(path):
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_secret_is_in_no_representation() -> None:
    assert repr(HOLE) == "Sealed(kind='hole_card', number=4, round=7)"
    assert "QUEEN" not in f"{HOLE} {[HOLE]}"


def test_a_missing_escrow_is_an_error_of_its_own(path: Path) -> None:
    with pytest.raises(EscrowMissingError, match="counts as unread"):
        Escrow.open(path)


@pytest.mark.parametrize("place", [0, 30, 100, 4096, 4100])
def test_a_damaged_escrow_is_an_error_of_its_own(
    path: Path, escrow: Escrow, place: int
) -> None:
    escrow.put([HOLE])
    escrow.close()
    content = bytearray(path.read_bytes())
    content[place : place + 40] = b"\xff" * 40
    path.write_bytes(content)
    with pytest.raises(EscrowDamagedError, match="counts as unread"):
        Escrow.open(path)


def test_another_database_is_no_escrow(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    with pytest.raises(EscrowDamagedError):
        Escrow.open(path)


def test_an_escrow_without_its_table_is_damaged(path: Path, escrow: Escrow) -> None:
    escrow.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE escrow")
    with pytest.raises(EscrowDamagedError, match="no such table"):
        Escrow.open(path)


def test_a_new_escrow_takes_the_place_of_a_damaged_one(path: Path) -> None:
    path.write_bytes(b"damaged" * 1000)
    path.with_name(path.name + "-wal").write_bytes(b"an old log" * 1000)
    with Escrow.create(path) as escrow:
        assert escrow.rows() == ()
    assert b"damaged" not in everything(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EscrowError, match="nowhere"):
        Escrow.create(tmp_path / "nowhere" / "table.escrow")


def test_a_reader_that_keeps_deleted_secrets_in_the_log_is_told_of(
    path: Path, escrow: Escrow
) -> None:
    escrow.put([HOLE])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM escrow").fetchall()
        with pytest.raises(EscrowError, match="another program reads"):
            escrow.delete([HOLE])
    # The row itself is gone; the next deletion empties the log.
    assert escrow.rows() == ()
    escrow.delete([])
    assert HOLE.raw not in everything(path)


def test_rows_that_cannot_be_written_are_refused_whole(
    path: Path, escrow: Escrow
) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON escrow WHEN NEW.number = 9 "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    with pytest.raises(EscrowError, match="no room"):
        escrow.put([HOLE, HELD])
    assert escrow.rows() == ()


def test_closing_twice_is_fine(escrow: Escrow) -> None:
    escrow.close()
    escrow.close()


def test_every_error_of_the_escrow_is_one_of_the_durable_record() -> None:
    assert issubclass(EscrowError, JournalError)
