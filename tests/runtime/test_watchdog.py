"""The watchdog: fed while loop, writer and inbox move, not when one does not."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.ids import Direction, Kind, Phase
from controller.core.state import new_table
from controller.journal.recovery import Recovered
from controller.runtime import engine as under_test
from controller.runtime.engine import Engine
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.notify import READY, STOPPING, WATCHDOG, Notifier
from controller.runtime.owner import Owner, ReadOnlyOwner, read_only_state
from controller.runtime.signs_of_life import (
    INBOX_PATIENCE_S,
    WRITER_PATIENCE_S,
    Stuck,
)
from controller.runtime.watchdog import LOOKS_A_WAIT, Watchdog, status_words
from tests.core.table import DEALER, rules
from tests.runtime.bench import salts
from tests.runtime.clocks import StandingClock
from tests.runtime.managers import Manager, Told, managing
from tests.runtime.sinks import Lines
from tests.runtime.stalling import StallingJournal, begun

WAIT_S = 0.2
"""How long this manager waits for a sign of life: short, on its own real clock."""

BOUND_S = 10.0
SHIFT = cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    with managing(tmp_path) as one:
        yield one


@pytest.fixture(autouse=True)
async def helpers() -> AsyncIterator[None]:
    """Give the loop helper threads that end with the test."""
    with ThreadPoolExecutor(2) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        yield


class Watched:
    """An owner under a watchdog; its patience runs on a clock that a test moves."""

    def __init__(self, owner: Owner, manager: Manager) -> None:
        self.owner = owner
        self.manager = manager
        self.clock = StandingClock()
        self.lines = Lines()
        log = logger_to(self.lines, json_lines(self.clock))
        notifier = Notifier(manager.address, WAIT_S)
        self.watchdog = Watchdog(owner, notifier, self.clock, log)

    async def told(self) -> Told:
        """Return what is told next, however long this machine takes."""
        found = await asyncio.to_thread(self.manager.hears, BOUND_S)
        assert found is not None, "the watchdog does not even look"
        return found

    async def until(self, *, fed: bool) -> Told:
        """Return the first message that feeds, or that does not."""
        async with asyncio.timeout(BOUND_S):
            while (WATCHDOG in (told := await self.told()).facts) is not fed:
                pass
        return told

    def said(self, words: str) -> int:
        return sum(words in line for line in self.lines.kept)


@contextlib.asynccontextmanager
async def watched(
    owner: Owner, manager: Manager, *, runs: bool = True
) -> AsyncIterator[Watched]:
    """Let a watchdog look at an owner, which runs or not, until the block ends."""
    one = Watched(owner, manager)
    looks = asyncio.create_task(one.watchdog.run())
    work = asyncio.create_task(owner.run()) if runs else None
    try:
        yield one
    finally:
        looks.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await looks
        owner.stop()
        if work is not None:
            async with asyncio.timeout(BOUND_S):
                await work


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Recovered]:
    recovered = begun(tmp_path / "journal")
    with recovered.journal:
        yield recovered


def disk(recovered: Recovered) -> threading.Event:
    assert isinstance(recovered.journal, StallingJournal)
    return recovered.journal.disk


def engine(recovered: Recovered) -> Engine:
    return Engine(recovered, StandingClock(), salts())


async def test_the_first_look_says_ready_and_every_look_feeds(
    journal: Recovered, manager: Manager
) -> None:
    async with watched(engine(journal), manager) as one:
        first = await one.told()
        assert {READY, WATCHDOG} < set(first.facts)
        for _ in range(LOOKS_A_WAIT + 1):
            told = await one.told()
            assert WATCHDOG in told.facts
            assert READY not in told.facts
            assert told.words == "T: CLOSED, round 1"


async def test_a_manager_that_did_not_hear_ready_is_told_again(
    journal: Recovered, tmp_path: Path
) -> None:
    folder = tmp_path / "later"
    folder.mkdir()
    with managing(folder) as manager:
        hidden = folder / "notify"
        hidden.rename(folder / "hidden")
        async with watched(engine(journal), manager) as one:
            for _ in range(3):
                await asyncio.sleep(0)  # It looks, and finds nobody there.
            (folder / "hidden").rename(hidden)
            assert {READY, WATCHDOG} < set((await one.told()).facts)


async def test_nothing_is_fed_while_the_loop_does_not_turn(
    journal: Recovered, manager: Manager
) -> None:
    hung, waited = threading.Event(), threading.Event()

    def hang() -> None:
        hung.set()
        waited.wait(BOUND_S)

    def wait_as_the_manager_does() -> Told | None:
        assert hung.wait(BOUND_S)
        manager.forget()
        told = manager.hears(WAIT_S)
        waited.set()
        return told

    loop = asyncio.get_running_loop()
    async with watched(engine(journal), manager) as one:
        await one.until(fed=True)
        told = loop.run_in_executor(None, wait_as_the_manager_does)
        loop.call_soon(hang)
        assert await told is None
        await one.until(fed=True)


async def test_a_commit_that_stalls_is_fed_until_no_card_takes_so_long(
    journal: Recovered, manager: Manager
) -> None:
    async with watched(engine(journal), manager) as one:
        await one.until(fed=True)
        disk(journal).clear()
        one.owner.submit(SHIFT)
        await asked_in_vain(one)
        one.clock.advance(WRITER_PATIENCE_S - 1)
        for _ in range(2 * LOOKS_A_WAIT):
            assert WATCHDOG in (await one.told()).facts
        one.clock.advance(1)
        told = await one.until(fed=False)
        assert told.words.startswith(Stuck.WRITER.value)
        disk(journal).set()
        await one.until(fed=True)
        assert one.said("watchdog not fed") == 1
        assert one.said("watchdog fed again") == 1
        assert one.owner.state.shift is not None


async def asked_in_vain(one: Watched) -> None:
    """Wait until the writer owes an answer, and a look has seen it."""
    async with asyncio.timeout(BOUND_S):
        while (signs := one.owner.signs()).asked == signs.answered or not signs.came_in:
            await one.told()
    await one.told()
    await one.told()


async def test_a_writer_that_hangs_while_nothing_is_written_is_found_too(
    journal: Recovered, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watched(engine(journal), manager) as one:
        released = threading.Event()
        monkeypatch.setattr(under_test, "_answer", lambda: released.wait(BOUND_S))
        await one.until(fed=True)
        async with asyncio.timeout(BOUND_S):
            while (signs := one.owner.signs()).asked == signs.answered:
                await one.told()
        await one.told()
        await one.told()
        one.clock.advance(WRITER_PATIENCE_S)
        await one.until(fed=False)
        released.set()
        await one.until(fed=True)


async def test_an_inbox_from_which_nobody_takes_is_not_fed(
    journal: Recovered, manager: Manager
) -> None:
    async with watched(engine(journal), manager, runs=False) as one:
        one.owner.submit(SHIFT)
        await one.until(fed=True)
        one.clock.advance(INBOX_PATIENCE_S)
        told = await one.until(fed=False)
        assert told.words.startswith(Stuck.INBOX.value)


async def test_a_table_that_only_shows_is_fed_and_says_why_it_stands(
    manager: Manager,
) -> None:
    state = read_only_state(new_table("T", 3, rules()), Kind.JOURNAL_FULL, "no room")
    async with watched(ReadOnlyOwner(state), manager) as one:
        one.clock.advance(WRITER_PATIENCE_S + INBOX_PATIENCE_S)
        told = await one.until(fed=True)
        assert told.words == "T: SUSPENDED, round 1 (journal_full)"


async def test_a_table_that_stops_says_so_and_stays_alive_meanwhile(
    journal: Recovered, manager: Manager
) -> None:
    async with watched(engine(journal), manager) as one:
        await one.until(fed=True)
        manager.forget()
        one.watchdog.stopping()
        told = await one.told()
        while STOPPING not in told.facts:
            told = await one.told()
        assert told.words == (await one.until(fed=True)).words


async def test_every_command_that_came_in_is_counted_as_taken(
    journal: Recovered, manager: Manager
) -> None:
    async with watched(engine(journal), manager) as one:
        for _ in range(3):
            await one.owner.command(SHIFT)
        signs = one.owner.signs()
        assert (signs.came_in, signs.taken) == (3, 3)


def test_the_status_says_who_began_again_and_what_is_stuck() -> None:
    state = replace(new_table("T", 3, rules()), phase=Phase.PLAYING, abrupt_ends=2)
    words = "T: PLAYING, round 1; began again by itself: 2"
    assert status_words(state, None) == words
    assert status_words(state, Stuck.INBOX) == f"{Stuck.INBOX.value}; {words}"
