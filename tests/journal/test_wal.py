"""Power lost at any byte of the log: whole transactions, in order, or none.

The log is read here by SQLite's file format document, not by SQLite.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from controller.journal import reader
from controller.journal.store import Store
from controller.journal.verify import verify
from tests.journal.journals import SIMULATION, opened, round_rows, row

HEADER_BYTES = 32
FRAME_HEADER_BYTES = 24
MAGIC = {0x377F0682, 0x377F0683}
PAGE_BYTES = 4096
SECTOR_BYTES = 512


class Crash(Struct, frozen=True):
    """The two files as they were, and the head after each transaction in the log.

    `ends` are where in the log the commit frames end; `heads` has one more entry,
    the first: what the file alone holds.
    """

    file: bytes
    log: bytes
    ends: tuple[int, ...]
    heads: tuple[int, ...]

    def head_within(self, length: int) -> int:
        """Return the last sequence whose commit frame lies wholly inside."""
        return self.heads[sum(end <= length for end in self.ends)]


def commit_frame_ends(log: bytes) -> Iterator[int]:
    """Yield where each commit frame ends, up to the first frame of an older log."""
    magic, _, page_bytes, _, *salts = struct.unpack(">6I", log[:24])
    assert magic in MAGIC
    assert page_bytes == PAGE_BYTES
    frame_bytes = FRAME_HEADER_BYTES + page_bytes
    for start in range(HEADER_BYTES, len(log) - frame_bytes + 1, frame_bytes):
        _, pages_after_commit, *frame_salts = struct.unpack_from(">4I", log, start)
        if frame_salts != salts:
            return
        if pages_after_commit:
            yield start + frame_bytes


def play(path: Path, rounds: Sequence[int], store: Store) -> Crash:
    """Append rounds of so many cards, each in some commits; return what is left."""
    heads = [store.head.sequence]
    for number, cards in enumerate(rounds, start=1):
        *dealt, state = round_rows(number, cards)
        for batch in (dealt, [state, row(round_=number + 1)]):
            store.append(batch)
            heads.append(store.head.sequence)
    log = path.with_name(path.name + "-wal").read_bytes()
    ends = tuple(commit_frame_ends(log))
    assert len(ends) == len(heads) - 1
    return Crash(path.read_bytes(), log, ends, tuple(heads))


def short_log(folder: Path, rounds: Sequence[int]) -> Crash:
    """Play into a log that grows as it is written."""
    path = folder / "table.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        store.checkpoint()
        return play(path, rounds, store)


def used_log(folder: Path, rounds: Sequence[int]) -> Crash:
    """Play into a log that still holds frames of its first use behind the new."""
    path = folder / "table.journal"
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        for _ in range(40):
            store.append([row() for _ in range(5)])
        assert store.checkpoint().complete
        return play(path, rounds, store)


def head_after(folder: Path, file: bytes, log: bytes) -> int:
    """Start from the two files as a crash left them; return the last sequence."""
    path = folder / "crashed.journal"
    path.write_bytes(file)
    path.with_name(path.name + "-wal").write_bytes(log)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    return reader.head(path).sequence


def check_prefixes(folder: Path, crash: Crash, lengths: Iterable[int]) -> None:
    for length in lengths:
        found = head_after(folder, crash.file, crash.log[:length])
        assert found == crash.head_within(length), f"of {length} bytes of the log"


def check_zeroed_sectors(folder: Path, crash: Crash, starts: Iterable[int]) -> None:
    for start in starts:
        log = bytearray(crash.log)
        log[start : start + SECTOR_BYTES] = bytes(SECTOR_BYTES)
        found = head_after(folder, crash.file, bytes(log))
        assert found in crash.heads, f"a mixture, sector at {start}"
        assert found >= crash.head_within(start), f"sector at {start}"
        assert verify(folder / "crashed.journal").faults == ()


WAYS = pytest.mark.parametrize("play_into", [short_log, used_log])
Played = Callable[[Path, Sequence[int]], Crash]


@WAYS
def test_a_log_cut_near_a_frames_end_holds_the_whole_commits(
    tmp_path: Path, play_into: Played
) -> None:
    crash = play_into(tmp_path, (3, 40))
    ends = (HEADER_BYTES, *crash.ends)
    near = [end + by for end in ends for by in (-25, -7, -1, 0, 1, 24, 4119)]
    check_prefixes(tmp_path, crash, near)


@WAYS
def test_a_log_cut_anywhere_holds_the_whole_commits(
    tmp_path: Path, play_into: Played
) -> None:
    crash = play_into(tmp_path, (3, 40))
    check_prefixes(tmp_path, crash, range(0, len(crash.log), 7 * 61))


@pytest.mark.prove
@WAYS
def test_a_log_cut_at_every_seventh_byte_holds_the_whole_commits(
    tmp_path: Path, play_into: Played
) -> None:
    crash = play_into(tmp_path, (3, 40, 7))
    check_prefixes(tmp_path, crash, range(0, len(crash.log), 7))


@WAYS
def test_a_zeroed_sector_leaves_a_prefix_of_the_commits(
    tmp_path: Path, play_into: Played
) -> None:
    crash = play_into(tmp_path, (3, 40))
    check_zeroed_sectors(tmp_path, crash, range(0, crash.ends[-1], SECTOR_BYTES))


@WAYS
def test_the_writer_goes_on_where_a_cut_log_ends(
    tmp_path: Path, play_into: Played
) -> None:
    crash = play_into(tmp_path, (3, 40))
    for cut in (-1, 0, 1):
        for end in crash.ends:
            kept = head_after(tmp_path, crash.file, crash.log[: end + cut])
            path = tmp_path / "crashed.journal"
            with Store.open(path, SIMULATION) as store:
                assert store.append([row()]) == range(kept + 1, kept + 2)
            assert verify(path).faults == ()
            assert verify(path).head.sequence == kept + 1


def test_the_log_is_read_here_as_sqlite_wrote_it(tmp_path: Path) -> None:
    crash = used_log(tmp_path, (3, 40))
    # Each commit rewrites the table's last page at least, and old frames follow.
    assert len(crash.ends) == 4
    assert crash.ends[-1] < len(crash.log)
    assert crash.head_within(0) == crash.heads[0]
    assert crash.head_within(len(crash.log)) == crash.heads[-1]
