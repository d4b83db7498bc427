"""A running table and its staff: answered, told of commits, turned away."""

from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Kind, Phase, Reason
from controller.core.state import new_table
from controller.journal import reader
from controller.runtime.owner import ReadOnlyOwner, read_only_state
from controller.runtime.people import people_of
from controller.runtime.staff import Staff
from drivers.panel.messages import Button
from hw_config.schema import Kind as TableKind
from hw_config.schema import TableHardware
from simulators.rigs.control_client import ask
from simulators.rigs.simulation import Simulation
from tests.core.table import rules
from tests.runtime.whole_table.running import (
    SHIFT,
    Running,
    on_disk,
    opened,
    running,
    until,
)


@pytest.fixture
def folder_as_socket(hardware: TableHardware) -> None:
    Path(hardware.control_socket).mkdir(parents=True)


@pytest.mark.usefixtures("folder_as_socket")
async def test_a_socket_that_cannot_be_opened_is_no_reason_to_stop(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.open_and_bet()
        assert one.said("no control socket")


async def test_the_staff_are_answered_once_it_is_on_disk(
    hardware: TableHardware, devices: Simulation
) -> None:
    socket = Path(hardware.control_socket)
    async with running(hardware, devices, opened(hardware)):
        answer = await ask(socket, "shift open D1 right-to-left")
        assert answer.accepted
        records = on_disk(hardware)
        assert isinstance(records[(answer.sequence or 0) - 1], cm.OpenShift)
        refused = await ask(socket, "dealer deal")
        assert (refused.accepted, refused.refused) == (False, Reason.NO_WAGER.value)
        rules_set = "supervisor S1 set-rules wager_min_cents=1000 reason=quiet"
        assert (await ask(socket, rules_set)).accepted
        changed = [r for r in on_disk(hardware) if isinstance(r, ev.RulesetSet)]
        assert [set_.rules.wager_min_cents for set_ in changed] == [1000]
        # Whoever names a ruleset gets that one; what cannot be used is refused.
        assert (
            await ask(socket, "supervisor S1 set-rules electronic reason=late")
        ).accepted
        unknown = await ask(socket, "supervisor S1 set-rules nevada reason=late")
        assert not unknown.accepted


async def test_who_follows_the_table_hears_of_every_commit(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        staff = Staff(one.owner, one.table.watch, tuple)
        heard: list[int] = []
        end = staff.subscribe(heard.append)
        await one.do(SHIFT)
        journal = Path(hardware.journal.path)
        await until(lambda: heard[-1:] == [reader.head(journal).sequence])
        assert b'"betting"' in staff.view()
        end()
        end()
        before = len(heard)
        await one.do(cm.OpenSeat(seat=2))
        assert len(heard) == before


async def test_the_staff_are_told_when_the_table_is_busy(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        one.owner.stop()
        staff = Staff(one.owner, one.table.watch, tuple)
        people = people_of(TableKind.SIMULATION, None)
        outcome = await staff.command(cm.UndoDeal(), people.person)
    assert (outcome.accepted, outcome.reason) == (False, "table_busy")


async def test_a_read_only_table_tells_the_staff_whom_to_call(
    hardware: TableHardware, devices: Simulation
) -> None:
    empty = new_table("T", hardware.seats, rules())
    state = read_only_state(empty, Kind.JOURNAL_DAMAGED, "record 7")
    one = Running(hardware, devices, ReadOnlyOwner(state), new=False)
    answer = await ask(Path(hardware.control_socket), "shift open D1 right-to-left")
    assert (answer.accepted, answer.refused) == (False, "table_suspended")
    assert answer.because == "the table is read-only: call the technician"
    one.stop.set()
    await one.task


async def test_a_read_only_table_shows_nothing_lit_and_takes_nothing(
    hardware: TableHardware, devices: Simulation, journal_path: Path
) -> None:
    words = "no room to write"
    empty = new_table("T", hardware.seats, rules())
    state = read_only_state(empty, Kind.JOURNAL_FULL, words)
    one = Running(hardware, devices, ReadOnlyOwner(state), new=False)
    await until(lambda: devices.panels[2].deadline is not None)
    one.press(2, Button.BET, 2500)
    polled = devices.panels[2].deadline
    await until(lambda: devices.panels[2].deadline != polled)
    assert len(devices.panels[2].memory.waiting) == 1
    assert devices.panels[2].lamps == frozenset()
    assert one.state.phase is Phase.SUSPENDED
    one.stop.set()
    await one.task
    assert list(journal_path.parent.glob("table.journal*")) == []
