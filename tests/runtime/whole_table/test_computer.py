"""A table that runs tells what its computer does and what is plugged into it."""

from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.outputs import outputs
from controller.runtime import computer_watch, watch
from hw_config.schema import TableHardware
from simulators.rigs.simulation import Simulation
from tests.runtime.sysfs import KEYBOARD, FakeSysfs
from tests.runtime.whole_table.running import opened, running, until


async def test_what_is_plugged_in_at_a_running_table_is_on_the_record_and_shown(
    hardware: TableHardware,
    devices: Simulation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(computer_watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(computer_watch, "AT_REST_AFTER_S", 0.05)
    sysfs = FakeSysfs(tmp_path / "sys")
    sysfs.usb()
    async with running(hardware, devices, opened(hardware), sysfs.root) as one:
        await until(lambda: one.happened(ev.UsbDevicesFound) == 1)
        sysfs.plug("1-1.3", "046d:c31c", KEYBOARD, name="Keyboard K120")
        sysfs.voltage("1")
        await until(lambda: one.happened(ev.UsbDeviceInserted) == 1)
        await until(lambda: one.happened(ev.ComputerFaultFound) == 1)
        shown = " / ".join(note.words for note in outputs(one.state).notices)
        assert "keyboard, Keyboard K120 (046d:c31c) at USB port 1-1.3" in shown
        assert "supply is too weak" in shown
        await one.deal()


async def test_a_simulated_table_is_told_of_no_computer(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_watch, "AT_REST_AFTER_S", 0.0)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal()
        assert one.happened(cm.ReportUsb) == 0
