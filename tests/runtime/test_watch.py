"""The watch over disk, clocks and journal: what it tells, when, and how it ends."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.commands import Command
from controller.core.ids import Kind
from controller.core.state import TableState, new_table
from controller.journal.chain import Link
from controller.journal.reader import Columns
from controller.journal.verify import Verification
from controller.runtime import watch as under_test
from controller.runtime.health import Count
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.owner import Change, ReadOnlyOwner
from controller.runtime.watch import Watch
from hw_config.schema import JournalFile
from tests.core.table import rules
from tests.journal.journals import tamper, write
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines

BOUND_S = 10.0
MIB = 1_048_576
LIMITS = JournalFile(path="unused", stall_notice_after_s=1.0, disk_free_min_mib=256)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - a thread's work sets no event
            await asyncio.sleep(0.001)


class Asked(ReadOnlyOwner):
    """An owner that keeps what it was asked, and knows what a disk report says."""

    def __init__(self, state: TableState) -> None:
        super().__init__(state)
        self.commands: list[Command] = []
        self.listeners: list[Callable[[Change], None]] = []

    def listen(self, listener: Callable[[Change], None]) -> None:
        self.listeners.append(listener)

    def submit(self, command: Command, taken: object = None) -> None:
        del taken
        self.commands.append(command)
        if isinstance(command, cm.ReportDisk):
            full = command.nearly_full
            self.state = replace(self.state, disk_nearly_full=full)
        if isinstance(command, cm.ReportMirror):
            self.state = replace(self.state, mirror_fault=command.fault)


class Room:
    """A watch, what stands around it, and what it told."""

    def __init__(self, journal: Path) -> None:
        self.clock = StandingClock()
        self.owner = Asked(new_table("T", 3, rules()))
        self.lines = Lines()
        log = logger_to(self.lines, json_lines(self.clock))
        self.watch = Watch(self.owner, journal, LIMITS, self.clock, log)
        self.changes = 0
        self.watch.on_change(self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def count(self, what: Count) -> int:
        return self.watch.counters.snapshot()[what.value]

    def said(self, words: str) -> int:
        return sum(words in line for line in self.lines.kept)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Say how many MiB are free, by the first entry; the watch looks all the time."""
    room = [1000]
    monkeypatch.setattr(under_test, "free_bytes", lambda _: room[0] * MIB)
    monkeypatch.setattr(under_test, "LOOK_EVERY_S", 0.001)
    return room


@contextlib.asynccontextmanager
async def watching(journal: Path) -> AsyncIterator[Room]:
    with ThreadPoolExecutor(2) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        room = Room(journal)
        task = asyncio.create_task(room.watch.run())
        try:
            yield room
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return write(tmp_path / "table.journal")


async def test_a_disk_that_fills_and_empties_is_told_once_each(
    journal: Path, free: list[int]
) -> None:
    async with watching(journal) as room:
        free[0] = 100
        await until(lambda: len(room.owner.commands) == 1)
        free[0] = 300  # more than the least, not enough to be roomy again
        room.owner.commands.clear()
        free[0] = 1000
        await until(lambda: bool(room.owner.commands))
        (roomy,) = room.owner.commands
        assert roomy == cm.ReportDisk(nearly_full=False, free_bytes=1000 * MIB)
        assert room.said("disk") == 2


@pytest.mark.usefixtures("free")
async def test_a_clock_that_was_set_is_told(journal: Path) -> None:
    async with watching(journal) as room:
        await asyncio.sleep(0)
        room.clock.set_wall(-3600.0)
        await until(lambda: bool(room.owner.commands))
        room.clock.advance(5.0)
        assert room.owner.commands == [cm.ReportClockStep(stepped_ms=-3_600_000)]
        assert room.count(Count.CLOCK_STEPS) == 1
        assert room.said("clock stepped") == 1


@pytest.mark.usefixtures("free")
async def test_secrets_that_cannot_be_deleted_are_said_until_they_are(
    journal: Path,
) -> None:
    async with watching(journal) as room:
        room.owner.escrow_fault = "another program reads it"
        await until(lambda: room.changes == 1)
        (notice,) = room.watch.notices()
        assert notice.words == "Call the technician: another program reads it"
        assert room.said("opened secrets remain") == 1
        room.owner.escrow_fault = ""
        await until(lambda: room.changes == 2)
        assert room.watch.notices() == ()
        assert room.said("opened secrets are deleted") == 1


@pytest.mark.usefixtures("free")
async def test_a_commit_that_stalls_is_noticed_until_it_is_over(journal: Path) -> None:
    async with watching(journal) as room:
        assert room.watch.notices() == ()
        room.owner.committing_since = room.clock.now_s()
        room.clock.advance(1.0)
        await until(lambda: room.changes == 1)
        assert len(room.watch.notices()) == 2
        assert room.said("journal stalls") == 1
        assert room.count(Count.COMMIT_STALLS) == 1
        room.owner.committing_since = None
        await until(lambda: room.changes == 2)
        assert room.watch.notices() == ()
        assert room.said("journal writes again") == 1
        assert room.owner.commands == []


@pytest.mark.usefixtures("free")
async def test_a_bad_record_anywhere_stops_the_table(journal: Path) -> None:
    tamper(journal, "UPDATE journal SET spot = 7 WHERE sequence = 3")
    async with watching(journal) as room:
        await until(lambda: bool(room.owner.commands))
        (found,) = room.owner.commands
    assert isinstance(found, cm.ReportFault)
    assert found.kind is Kind.JOURNAL_DAMAGED
    assert "record 3" in found.words
    assert room.said("journal damaged") == 1


@pytest.mark.usefixtures("free")
async def test_a_good_journal_and_one_that_is_not_there_are_nothing_to_tell(
    journal: Path, tmp_path: Path
) -> None:
    for path in (journal, tmp_path / "missing"):
        async with watching(path) as room:
            await until(lambda: not verifying())
            assert room.owner.commands == []


def verifying() -> bool:
    return any(task.get_name() == "verification" for task in asyncio.all_tasks())


@pytest.mark.usefixtures("free")
async def test_a_verification_under_way_ends_with_the_watch(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[int] = []

    def endless(
        _path: Path, progress: Callable[[Link, Sequence[Columns]], None]
    ) -> Verification:
        while True:
            reached.append(1)
            progress(Link(1, b""), ())

    monkeypatch.setattr(under_test, "verify", endless)
    async with watching(journal):
        await until(lambda: bool(reached))
    # The helper threads are gone: the block would not have ended otherwise.
    assert reached
