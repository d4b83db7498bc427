"""A table that runs over real terminals, with all that its devices do."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Kind
from controller.journal import reader
from controller.journal.fold import state_at_end
from controller.runtime import storms
from drivers.panel.messages import Button
from hw_config.schema import TableHardware
from simulators.rigs.scenario.steps import PanelBack, PanelLost
from simulators.rigs.simulation import Simulation
from tests.runtime.whole_table.running import SHIFT, on_disk, opened, running, until


async def test_a_round_is_played_over_real_terminals(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal()
        await one.lit(2, Button.STAND)
        one.press(2, Button.STAND)
        # 8 and 6: the dealer draws to 17.
        await one.draw("3d")
        await one.lit(0, Button.PICKUP)
        one.press(0, Button.PICKUP)
        await until(lambda: one.state.round == 2)
        await until(lambda: devices.all_taken)
        state = one.state
    assert state_at_end(Path(hardware.journal.path)) == replace(state, running_boot="")
    assert [r for r in on_disk(hardware) if isinstance(r, ev.TableStateRecorded)]


async def test_a_table_comes_up_without_its_devices_and_says_which_are_lost(
    hardware: TableHardware,
) -> None:
    devices = Simulation(hardware, Random(7))
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.happened(ev.PanelLost) == 4)
        await until(lambda: one.state.shoe.lost)
        async with devices:
            await until(lambda: one.happened(ev.PanelBack) == 4)
            await until(lambda: not one.state.shoe.lost)
            one.stop.set()
            await asyncio.wait({one.task})


async def test_a_refused_press_is_acknowledged_and_counts_towards_a_storm(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storms, "REFUSALS_MAX", 2)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(3, Button.BET)
        one.press(3, Button.HIT)
        one.press(3, Button.HIT)
        await until(lambda: one.happened(ev.PressRefused) == 2)
        # Beyond the most a second it waits; then it is taken like the others.
        one.press(3, Button.HIT)
        await until(lambda: one.happened(ev.PressRefused) == 3)
        await until(lambda: devices.all_taken)
        first, _, third = refused_at(hardware)
        assert third - first >= storms.WINDOW_S - 0.1


def refused_at(hardware: TableHardware) -> list[float]:
    """Return when presses were refused, in monotonic seconds."""
    records = reader.all_records(Path(hardware.journal.path))
    return [r.monotonic_ns / 1e9 for r in records if r.type == "press_refused"]


async def test_a_button_held_too_long_is_noticed_by_the_desks_own_timer(
    hardware: TableHardware, devices: Simulation
) -> None:
    now = asyncio.get_running_loop().time()
    devices.panels[2].hold(Button.HIT, now)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.seats[1].stuck == ("hit",))
        devices.panels[2].release(Button.HIT, asyncio.get_running_loop().time())
        await until(lambda: one.state.seats[1].stuck == ())


async def test_a_table_that_stops_waits_for_no_button(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(2, Button.BET)
        devices.panels[2].hold(Button.BET, asyncio.get_running_loop().time())
        await until(lambda: one.table.desk.deadline is not None)
    assert one.happened(cm.ReportStuckButton) == 0


def forget(hardware: TableHardware) -> None:
    """Put a journal in place that was begun long ago and holds nothing since."""
    path = Path(hardware.journal.path)
    for file in path.parent.glob(path.name + "*"):
        file.unlink()
    opened(hardware).journal.close()


async def test_devices_that_another_journal_served_are_adopted_by_a_new_one(
    hardware: TableHardware, devices: Simulation
) -> None:
    shoe, panel = devices.shoe, devices.panels[2]
    for _ in range(5):
        shoe.draw("9s")
        panel.press(Button.BET, 0.0)
        panel.memory.acknowledge(panel.memory.boot_id, panel.memory.pressed)
    shoe.memory.acknowledge(shoe.memory.boot_id, 5)
    shoe.data_to_send(0.0)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.happened(cm.AdoptPanel) == 1)
        await until(lambda: one.state.shoe.boot_id == shoe.memory.boot_id)
        await one.deal()
        assert one.state.shoe.last_card == 4
        assert one.happened(ev.IrregularityFound) == 0
    # The same devices are ahead of a journal that forgot what it took.
    forget(hardware)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        kinds = {found.kind for found in one.state.irregularities}
        assert kinds == {Kind.JOURNAL_BEHIND}


async def test_a_button_that_a_panel_should_not_have_is_refused_on_the_record(
    hardware: TableHardware, devices: Simulation
) -> None:
    devices.panels[2].buttons = frozenset(Button)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(2, Button.BET)
        one.press(2, Button.DEAL)
        await until(lambda: devices.all_taken)
        assert one.happened(cm.PressDealerButton) == 0
        assert one.happened(ev.CommandRefused) == 1
        assert one.state.seats[1].press_number == 1
    # What was acknowledged is on disk, so that no start finds the journal behind.
    async with running(hardware, devices, opened(hardware)) as again:
        await again.lit(2, Button.BET)
        assert not again.state.suspended


async def test_each_loss_of_a_panel_and_each_return_is_a_line_and_a_record(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(3, Button.BET)
        answered = one.count("device answers")
        for times in (1, 2, 3):
            devices.do(PanelLost(2), 0.0)
            await until(lambda: one.happened(ev.PanelLost) == times)  # noqa: B023 - awaited in the same turn
            devices.do(PanelBack(2), 0.0)
            await until(lambda: one.happened(ev.PanelBack) == times)  # noqa: B023 - same
        assert one.count("device lost") == 3
        assert one.count("device answers") == answered + 3
        assert one.count("port lost") == 0
