"""What the table makes of its mirror: what it believes, and how long it waits."""

import asyncio
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core.commands import ReportMirror
from controller.core.ids import MirrorFault
from controller.core.state import new_table
from controller.journal import reader
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.mirror_status import (
    SIZE_MAX,
    MirrorStatus,
    read_status,
    status_file,
    write_status,
)
from controller.runtime.mirror_watch import (
    IN_ORDER,
    MirrorJudge,
    MirrorWatch,
    Seen,
    Verdict,
    see,
)
from controller.runtime.owner import Change
from tests.core.table import rules
from tests.journal.journals import write
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines
from tests.runtime.test_watch import Asked

LATE_S = 30.0
STATUS = MirrorStatus(folder="/there", beat=1, at="", sequence=0, hash="")
SILENT = Verdict(MirrorFault.SILENT)
BEHIND = Verdict(MirrorFault.BEHIND)
MISMATCH = Verdict(MirrorFault.MISMATCH)


def seen(beat: int, sequence: int, *, is_ours: bool = True) -> Seen:
    return Seen(replace(STATUS, beat=beat, sequence=sequence), is_ours)


# --- The judge ------------------------------------------------------------------------


def test_a_mirror_that_keeps_up_is_in_order() -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    assert judge.judge(seen(1, 5), 10, 1.0) is None
    for beat in range(2, 100):
        at = beat * 10
        assert judge.judge(seen(beat, at), at + 3, float(at)) == IN_ORDER


def test_a_mirror_that_never_starts_is_silent_after_its_time() -> None:
    judge = MirrorJudge(LATE_S, 100.0)
    assert judge.judge(None, 5, 129.9) is None
    assert judge.judge(None, 5, 130.0) == SILENT


def test_a_mirror_that_dies_is_silent_though_it_had_everything() -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    assert judge.judge(seen(7, 5), 5, 1.0) == IN_ORDER
    assert judge.judge(seen(7, 5), 5, 30.9) == IN_ORDER
    assert judge.judge(seen(7, 5), 5, 31.0) == SILENT
    assert judge.judge(seen(8, 5), 5, 40.0) == IN_ORDER


def test_a_mirror_that_copies_too_slowly_is_behind() -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    assert judge.judge(seen(1, 10), 10, 0.0) == IN_ORDER
    verdicts = [judge.judge(seen(at, 10), 20, float(at)) for at in range(1, 31)]
    assert verdicts[0] == IN_ORDER  # the goal of the look before was reached
    assert set(verdicts[1:]) == {None}
    assert judge.judge(seen(31, 19), 1_000, 31.0) == BEHIND
    assert judge.judge(seen(32, 20), 1_000, 32.0) == IN_ORDER


def test_what_a_dead_process_left_behind_counts_for_nothing() -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    # The table has written since: that record was never mirrored.
    assert judge.judge(seen(7, 5), 6, 0.0) is None
    assert judge.judge(seen(7, 5), 6, 30.0) == SILENT


@pytest.mark.parametrize("fault", MirrorFault)
def test_a_fault_that_it_says_of_itself_counts_at_once_and_for_as_long(
    fault: MirrorFault,
) -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    bad = Seen(replace(STATUS, fault=fault), is_ours=True)
    assert judge.judge(bad, 5, 0.0) == Verdict(fault)
    assert judge.judge(bad, 5, 1_000_000.0) == Verdict(fault)


def test_a_mirror_of_another_journal_is_a_mismatch_once_it_had_its_time() -> None:
    judge = MirrorJudge(LATE_S, 0.0)
    assert judge.judge(seen(1, 900, is_ours=False), 5, 1.0) is None
    assert judge.judge(seen(2, 901, is_ours=False), 5, 29.0) is None
    assert judge.judge(seen(3, 902, is_ours=False), 5, 30.0) == MISMATCH
    assert judge.judge(seen(4, 5), 5, 31.0) == IN_ORDER


# --- What is believed -----------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return write(tmp_path / "journal")


def test_the_journal_bears_out_what_the_mirror_says(
    tmp_path: Path, journal: Path
) -> None:
    file = tmp_path / "status"
    head = reader.head(journal)
    good = replace(STATUS, sequence=head.sequence, hash=head.hash.hex())
    invented = (
        replace(good, hash="00" * 32),
        replace(good, sequence=head.sequence + 1),
        replace(good, sequence=head.sequence - 1),
        replace(good, sequence=-1),
    )
    for status, is_ours in ((good, True), *((each, False) for each in invented)):
        write_status(file, status)
        assert see(file, journal) == Seen(status, is_ours)
    assert see(file, tmp_path / "gone") == Seen(invented[-1], is_ours=False)


def test_a_status_that_cannot_be_understood_is_none(tmp_path: Path) -> None:
    file = tmp_path / "status"
    assert read_status(file) is None
    for text in (b"", b"{}", b"\xff", b'{"beat": "1"}', b" " * SIZE_MAX + b"{}"):
        file.write_bytes(text)
        assert read_status(file) is None
    file.unlink()
    file.mkdir()
    assert read_status(file) is None


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    assert read_status(pipe) is None
    write_status(tmp_path / "status", STATUS)
    link.symlink_to(tmp_path / "status")
    assert read_status(link) is None


def test_a_status_with_many_words_can_be_read(tmp_path: Path) -> None:
    write_status(tmp_path / "status", replace(STATUS, words="é" * 10_000))
    status = read_status(tmp_path / "status")
    assert status is not None
    assert set(status.words) == {"é"}


# --- The watch ------------------------------------------------------------------------


class Room:
    """A table with a mirror, and what it was told."""

    def __init__(self, journal: Path, *, has_mirror: bool = True) -> None:
        self.clock = StandingClock()
        self.owner = Asked(new_table("T", 3, rules()))
        self.status = status_file(journal.with_name("control"))
        self.head = reader.head(journal)
        self.lines = Lines()
        self.watch = MirrorWatch(
            self.owner,
            self.clock,
            logger_to(self.lines, json_lines(self.clock)),
            journal=journal,
            status=self.status if has_mirror else None,
            late_after_s=LATE_S,
        )

    def commit(self) -> None:
        last = self.head.sequence
        change = Change(self.owner.state, last, last, ())
        for listener in self.owner.listeners:
            listener(change)

    def say(self, beat: int, fault: MirrorFault | None = None) -> None:
        sequence, digest = self.head.sequence, self.head.hash.hex()
        status = replace(STATUS, beat=beat, sequence=sequence, hash=digest, fault=fault)
        write_status(self.status, status)

    def told(self) -> list[object]:
        told, self.owner.commands = self.owner.commands, []
        return list(told)


@pytest.fixture
async def threads() -> AsyncIterator[None]:
    with ThreadPoolExecutor(1) as pool:
        asyncio.get_running_loop().set_default_executor(pool)
        yield


@pytest.mark.usefixtures("threads")
async def test_a_lost_mirror_is_told_once_and_its_return_too(journal: Path) -> None:
    room = Room(journal)
    room.commit()
    room.say(1, MirrorFault.FULL)
    await room.watch.look()
    await room.watch.look()
    held = room.head.sequence
    assert room.told() == [ReportMirror(fault=MirrorFault.FULL, sequence=held)]
    room.say(2)
    await room.watch.look()
    await room.watch.look()
    assert room.told() == [ReportMirror(fault=None, sequence=held)]
    assert sum("mirror lost" in line for line in room.lines.kept) == 1
    assert sum("mirror in order" in line for line in room.lines.kept) == 1


@pytest.mark.usefixtures("threads")
async def test_a_mirror_that_was_never_started_is_told(journal: Path) -> None:
    room = Room(journal)
    room.commit()
    await room.watch.look()
    assert room.told() == []
    room.clock.advance(LATE_S)
    await room.watch.look()
    assert room.told() == [ReportMirror(fault=MirrorFault.SILENT, sequence=0)]


async def test_a_table_that_cannot_write_says_nothing_of_its_mirror(
    journal: Path,
) -> None:
    room = Room(journal)
    room.clock.advance(2 * LATE_S)
    await room.watch.look()
    assert room.told() == []


async def test_a_mirror_that_is_no_longer_wanted_is_lost_no_more(journal: Path) -> None:
    room = Room(journal, has_mirror=False)
    room.commit()
    await room.watch.look()
    assert room.told() == []
    room.owner.state = replace(room.owner.state, mirror_fault=MirrorFault.SILENT)
    await room.watch.look()
    assert room.told() == [ReportMirror(fault=None, sequence=0)]
