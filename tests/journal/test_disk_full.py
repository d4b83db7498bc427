"""A disk without room: the commit fails whole, and what was committed stays."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal.errors import JournalFullError, JournalWriteError
from controller.journal.store import Store
from controller.journal.verify import verify
from tests.journal.journals import SIMULATION, opened, round_rows, row
from tests.journal.small_disks import mounted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as a quota would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("spare", [0, 1, 23, 24, 100, 4119, 4121, 9000])
def test_a_commit_that_finds_no_room_leaves_nothing_half_written(
    path: Path, spare: int
) -> None:
    log = path.with_name(path.name + "-wal")
    with Store.open(path, SIMULATION) as store:
        store.append([opened(), row()])
        before = store.head
        long_round = round_rows(1, cards=200)
        with (
            files_limited_to(log.stat().st_size + spare),
            pytest.raises((JournalFullError, JournalWriteError)),
        ):
            store.append(long_round)
        assert store.head == before
        with pytest.raises(JournalWriteError, match="start again"):
            store.append([row()])
    assert verify(path).head == before
    with Store.open(path, SIMULATION) as store:
        store.append(long_round)
    assert verify(path).faults == ()
    assert verify(path).head.sequence == 2 + len(long_round)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "256k") as folder:
        yield folder


def _fill(store: Store) -> None:
    for number in range(1, 1000):
        store.append(round_rows(number, cards=20))


def test_a_full_disk_stops_the_writer_with_every_commit_kept(small_disk: Path) -> None:
    path = small_disk / "table.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        with pytest.raises(JournalFullError, match="the disk is full"):
            _fill(store)
        committed = store.head
    assert committed.sequence > 20
    verification = verify(path)
    assert verification.faults == ()
    assert verification.head == committed
