"""What a start writes down before anything is driven: its program above all."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.decide import decide
from controller.core.ids import Kind, Reason
from controller.core.secrets import Secrets
from controller.core.software import Component, Software
from controller.core.state import new_table
from controller.journal.errors import JournalError
from controller.journal.recovery import Recovered
from controller.journal.table_journal import Decided, decided
from controller.runtime.clock import SystemClock
from controller.runtime.engine import Engine
from controller.runtime.owner import Taken
from controller.runtime.planner import Asked
from controller.runtime.table import new_salt
from hw_config.schema import Kind as TableKind
from hw_config.schema import TableHardware
from simulators.rigs.simulation import Simulation
from tests.core.table import rules
from tests.runtime.whole_table.running import (
    SHIFT,
    SOURCE,
    Running,
    on_disk,
    opened,
    running,
    until,
)


async def test_each_start_says_which_software_went_on(
    hardware: TableHardware, devices: Simulation
) -> None:
    for starts in (1, 2):
        async with running(hardware, devices, opened(hardware)) as one:
            await until(lambda: one.happened(ev.ControlResumed) == 1)
        resumed = [r for r in on_disk(hardware) if isinstance(r, cm.ResumeControl)]
        assert len(resumed) == starts
        assert resumed[-1].hardware == SOURCE
        assert len(resumed[-1].code_digest) == 64


def is_heard(hardware: TableHardware) -> bool:
    return Path(hardware.control_socket).exists()


class SlowToTest(Engine):
    """An engine whose self-test is not on disk before somebody lets it."""

    def __init__(self, recovered: Recovered) -> None:
        super().__init__(recovered, SystemClock(), new_salt)
        self.asked, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def command(self, command: Asked) -> Taken | None:
        if isinstance(command, cm.ReportSelfTest):
            self.asked.set()
            await self.may_go_on.wait()
        return await super().command(command)


async def test_nothing_is_driven_and_nobody_heard_before_the_self_test_is_on_disk(
    hardware: TableHardware, devices: Simulation
) -> None:
    recovered = opened(hardware)
    with recovered.journal:
        owner = SlowToTest(recovered)
        one = Running(hardware, devices, owner, new=True)
        await owner.asked.wait()
        await until(lambda: one.happened(ev.ControlResumed) == 1)
        for _ in range(100):
            # Turns enough for a table that did not wait: it opens its ports at once.
            await asyncio.sleep(0)
        assert [pump.counters.bytes_sent for pump in one.table.pumps] == [0, 0]
        assert not is_heard(hardware)
        assert not any(panel.lamps for panel in devices.panels.values())
        owner.may_go_on.set()
        await until(lambda: all(pump.counters.bytes_sent for pump in one.table.pumps))
        await until(lambda: is_heard(hardware))
        one.stop.set()
        await asyncio.wait({one.task})
    one.task.result()
    kinds = [type(record) for record in on_disk(hardware)]
    assert kinds[:5] == [
        ev.JournalOpened,
        cm.ResumeControl,
        ev.ControlResumed,
        cm.ReportSelfTest,
        ev.SoftwareAccepted,
    ]


async def test_a_live_table_that_another_program_runs_is_shown_and_stands_still(
    hardware: TableHardware, devices: Simulation
) -> None:
    with opened(hardware).journal as journal:
        journal.write([accepted_before(hardware)])
    live = replace(hardware, kind=TableKind.LIVE)
    async with running(live, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        await until(lambda: all(p.counters.frames_received for p in one.table.pumps))
        refused = await one.owner.command(SHIFT)
        assert refused is not None
        assert refused.reason == Reason.TABLE_SUSPENDED.value
        assert not devices.panels[2].lamps
        (found,) = one.state.irregularities
        assert found.kind is Kind.SOFTWARE_CHANGED
        assert one.said("product 0 ffffffffffff, now 1 abababababab")


def accepted_before(hardware: TableHardware) -> Decided:
    """Return that this table has accepted another program."""
    older = Software((Component("product", "0", "f" * 64),), "e" * 64)
    state = new_table(hardware.table_id, hardware.seats, rules())
    report = cm.ReportSelfTest(software=older, live=True)
    return decided(SystemClock().stamp(), state, decide(state, Secrets(), report))


async def test_a_self_test_that_cannot_be_written_ends_the_table_undriven(
    hardware: TableHardware, devices: Simulation
) -> None:
    recovered = opened(hardware)
    recovered.journal.close()
    one = Running(
        hardware, devices, Engine(recovered, SystemClock(), new_salt), new=True
    )
    with pytest.raises(JournalError):
        await one.task
    assert [pump.counters.bytes_sent for pump in one.table.pumps] == [0, 0]
    assert not is_heard(hardware)
