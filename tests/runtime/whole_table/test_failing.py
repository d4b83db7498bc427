"""A disk that stalls or is full, and errors of ours, under a table that runs."""

import asyncio
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Kind
from controller.journal.errors import JournalFullError
from controller.journal.fold import state_at_end
from controller.journal.recovery import Recovered
from controller.runtime.watch import Watch
from drivers.panel.messages import Button
from hw_config.schema import TableHardware
from simulators.rigs.simulation import Simulation
from tests.journal.journals import tamper
from tests.runtime.stalling import StallingJournal, begun
from tests.runtime.whole_table.running import on_disk, opened, running, until


@pytest.fixture
def stalling(journal_path: Path) -> Recovered:
    return begun(journal_path)


def journal_of(recovered: Recovered) -> StallingJournal:
    assert isinstance(recovered.journal, StallingJournal)
    return recovered.journal


async def test_a_stalled_disk_changes_no_lamp_and_darkens_none(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    disk = journal_of(stalling).disk
    async with running(hardware, devices, stalling) as one:
        await one.deal()
        await one.lit(2, Button.HIT)
        panel = devices.panels[2]
        lamps, gate = panel.lamps, devices.shoe.gate_up_to
        disk.clear()
        one.press(2, Button.HIT)
        seen: set[frozenset[Button]] = set()
        dark_at: set[float] = set()

        def was_polled_for_three_seconds() -> bool:
            seen.add(panel.lamps)
            # Each poll puts off the moment at which the panel turns dark.
            dark_at.add(panel.deadline or 0.0)
            return max(dark_at) - min(dark_at) >= 3.0

        await until(was_polled_for_three_seconds)
        assert seen == {lamps}
        assert devices.shoe.gate_up_to == gate
        assert len(panel.memory.waiting) == 1
        assert one.said("journal stalls")
        disk.set()
        await until(lambda: devices.cards_due == 1)
        await until(lambda: devices.all_taken)
        assert panel.lamps == frozenset()


async def test_a_full_disk_ends_the_table_before_anything_is_shown(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    journal = journal_of(stalling)
    with pytest.raises(JournalFullError):  # noqa: PT012 - the error ends the block
        async with running(hardware, devices, stalling) as one:
            await one.open_and_bet()
            lamps = devices.panels[2].lamps
            journal.is_full = True
            one.press(2, Button.CLEAR)
            await asyncio.wait({one.task})
            assert len(devices.panels[2].memory.waiting) == 1
            assert devices.panels[2].lamps == lamps
    assert state_at_end(journal.path).wagers


async def test_a_stop_during_a_stall_waits_for_the_disk(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    disk = journal_of(stalling).disk
    async with running(hardware, devices, stalling) as one:
        await one.open_and_bet()
        disk.clear()
        one.press(2, Button.CLEAR)
        await until(lambda: one.owner.committing_since is not None)
        one.stop.set()
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert not one.task.done()
        disk.set()
    assert state_at_end(journal_of(stalling).path).wagers == ()


async def test_an_error_outside_the_engine_ends_the_table_with_it(
    hardware: TableHardware, devices: Simulation
) -> None:
    with pytest.raises(LookupError):  # noqa: PT012 - the error ends the block
        async with running(hardware, devices, opened(hardware)) as one:
            await one.open_and_bet()
            asyncio.get_running_loop().call_soon(_fail)
            asyncio.get_running_loop().call_soon(_fail)
            await asyncio.wait({one.task})
    assert one.said("unhandled error")
    # What was decided is on disk all the same.
    assert state_at_end(Path(hardware.journal.path)).wagers


def _fail() -> None:
    raise LookupError("an error of ours")


async def test_a_complaint_of_the_loop_ends_the_table_too(
    hardware: TableHardware, devices: Simulation
) -> None:
    with pytest.raises(RuntimeError, match="something leaked"):  # noqa: PT012 - same
        async with running(hardware, devices, opened(hardware)) as one:
            loop = asyncio.get_running_loop()
            await until(lambda: one.happened(ev.ControlResumed) == 1)
            loop.call_exception_handler({"message": "something leaked"})
            await asyncio.wait({one.task})


async def test_a_watch_that_fails_ends_the_table_with_all_on_disk(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_self: object) -> None:
        raise LookupError("the watch is broken")

    monkeypatch.setattr(Watch, "run", fail)
    with pytest.raises(LookupError, match="the watch is broken"):
        async with running(hardware, devices, opened(hardware)) as one:
            await asyncio.wait({one.task})
    assert [r for r in on_disk(hardware) if isinstance(r, cm.ResumeControl)]


async def test_a_journal_damaged_long_ago_stops_the_table_in_the_background(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal("9s Th 7s Td")
        await one.lit(2, Button.STAND)
        one.press(2, Button.STAND)
        await one.lit(0, Button.PICKUP)
        one.press(0, Button.PICKUP)
        await until(lambda: one.state.round == 2)
    tamper(
        Path(hardware.journal.path), "UPDATE journal SET body = '{}' WHERE sequence = 5"
    )
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        (found,) = one.state.irregularities
        assert found.kind is Kind.JOURNAL_DAMAGED
        assert "record 5" in found.words
