"""What the table is told of its computer, and how often."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core.commands import Command, ReportComputer, ReportUsb
from controller.core.computer import UsbDevice
from controller.core.decide import decide
from controller.core.ids import ComputerFault
from controller.core.secrets import Secrets
from controller.core.state import TableState, new_table
from controller.runtime.computer import Supply
from controller.runtime.computer_watch import (
    AT_REST_AFTER_S,
    BATTERY_EVERY_S,
    ENDS_AFTER_S,
    LOOK_EVERY_S,
    USB_MOST,
    ComputerJudge,
    ComputerWatch,
    Seen,
)
from controller.runtime.lasting import Lasting
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.owner import Change
from tests.core.table import rules
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines
from tests.runtime.sysfs import KEYBOARD, STICK, FakeSysfs
from tests.runtime.test_watch import Asked

GOOD = Supply(under_voltage=False, throttled=False)
WEAK = Supply(under_voltage=True, throttled=False)
ADAPTER = UsbDevice("1-1.1", "0403", "6001", "FT232R", "A1")
SHOE = UsbDevice("1-1.2", "0403", "6001", "FT232R", "A2")
DUCKY = UsbDevice("1-1.4", "2341", "8036", "Keyboard")
NEW = new_table("T", 3, rules())
LOOKED = replace(NEW, usb_devices=(ADAPTER, SHOE), usb_own=(ADAPTER, SHOE))


class Table:
    """A judge and the core behind it, looked at once a second."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.now_s = 1000.0
        self.judge = ComputerJudge(state, self.now_s)
        self.told: list[Command] = []
        self.records: list[str] = []

    def look(
        self,
        supply: Supply = GOOD,
        usb: tuple[UsbDevice, ...] | None = (ADAPTER, SHOE),
        battery_v: float | None = None,
        *,
        for_s: float = 1.0,
    ) -> None:
        for _ in range(int(for_s)):
            self.now_s += 1.0
            reports = self.judge.judge(Seen(supply, battery_v, usb), self.now_s)
            for report in reports:
                decision = decide(self.state, Secrets(), report)
                self.state = decision.state
                self.records += [
                    str(type(one).__struct_config__.tag) for one in decision.records[1:]
                ]
            self.told += reports


# --- Faults ---------------------------------------------------------------------------


def test_a_weak_supply_is_told_at_once_and_good_after_a_minute() -> None:
    table = Table(LOOKED)
    table.look(WEAK)
    fault = ComputerFault.UNDER_VOLTAGE
    assert table.told == [ReportComputer(fault=fault, present=True)]
    table.look(for_s=ENDS_AFTER_S - 1)
    assert table.state.computer_faults == (fault,)
    table.look()
    assert table.told[1:] == [ReportComputer(fault=fault, present=False)]
    assert table.records == ["computer_fault_found", "computer_fault_ended"]


def test_a_supply_that_flaps_for_an_hour_is_two_records() -> None:
    table = Table(LOOKED)
    for _ in range(200):
        table.look(WEAK, for_s=4)
        table.look(GOOD, for_s=14)
    table.look(for_s=ENDS_AFTER_S)
    assert table.records == ["computer_fault_found", "computer_fault_ended"]


@given(st.lists(st.integers(1, 200), max_size=40))
def test_however_a_supply_flaps_it_is_a_pair_a_minute_at_most(spans: list[int]) -> None:
    table = Table(LOOKED)
    for number, span in enumerate(spans):
        table.look((WEAK, GOOD)[number % 2], for_s=span)
    assert len(table.records) <= 2 * (1 + sum(spans) // ENDS_AFTER_S)
    presents = [one.present for one in table.told if isinstance(one, ReportComputer)]
    assert presents == [number % 2 == 0 for number in range(len(presents))]


def test_a_fault_that_was_known_before_a_start_is_not_told_again() -> None:
    known = replace(LOOKED, computer_faults=(ComputerFault.UNDER_VOLTAGE,))
    table = Table(known)
    table.look(WEAK, for_s=300)
    assert table.told == []
    table.look(for_s=ENDS_AFTER_S)
    assert table.records == ["computer_fault_ended"]


def test_a_computer_that_tells_nothing_is_told_of_nothing() -> None:
    table = Table(LOOKED)
    table.look(Supply(None, None), None, for_s=300)
    assert table.told == []


def test_a_battery_at_its_end_is_told_once_however_its_voltage_trembles() -> None:
    table = Table(LOOKED)
    table.look(battery_v=2.5, for_s=100)
    assert table.told == []
    for _ in range(20):
        table.look(battery_v=2.49, for_s=70)
        table.look(battery_v=2.55, for_s=70)
    assert table.records == ["computer_fault_found"]
    table.look(battery_v=3.0, for_s=ENDS_AFTER_S)
    assert table.records == ["computer_fault_found", "computer_fault_ended"]


# --- USB ------------------------------------------------------------------------------


def test_what_is_plugged_in_at_the_start_is_the_table_s_own() -> None:
    table = Table(NEW)
    table.look(usb=(), for_s=3)
    table.look(usb=(ADAPTER,), for_s=5)
    table.look(for_s=AT_REST_AFTER_S)
    assert table.told == []
    table.look(for_s=3)
    assert table.told == [ReportUsb(devices=(ADAPTER, SHOE))]
    assert table.records == ["usb_devices_found"]
    assert table.state.usb_own == (ADAPTER, SHOE)


def test_a_device_that_is_plugged_in_is_told_and_when_it_is_gone() -> None:
    table = Table(LOOKED)
    table.look(usb=(ADAPTER, SHOE, DUCKY), for_s=2)
    assert table.records == ["usb_device_inserted"]
    table.look(usb=(ADAPTER, SHOE, DUCKY), for_s=300)
    table.look(for_s=ENDS_AFTER_S - 1)
    assert table.records == ["usb_device_inserted"]
    table.look()
    assert table.records == ["usb_device_inserted", "usb_device_removed"]


def test_a_device_is_told_as_it_is_when_it_has_told_all() -> None:
    table = Table(LOOKED)
    table.look(usb=(ADAPTER, SHOE, replace(DUCKY, name="")))
    table.look(usb=(ADAPTER, SHOE, DUCKY), for_s=100)
    (told,) = table.told
    assert isinstance(told, ReportUsb)
    assert set(told.devices) == {ADAPTER, SHOE, DUCKY}


def test_a_loose_plug_is_one_presence() -> None:
    table = Table(LOOKED)
    for _ in range(100):
        table.look(usb=(SHOE,), for_s=20)
        table.look(for_s=2)
    assert table.told == []


def test_what_changed_over_a_power_cut_is_told() -> None:
    table = Table(LOOKED)
    table.look(usb=(ADAPTER, DUCKY), for_s=ENDS_AFTER_S)
    assert sorted(table.records) == ["usb_device_inserted", "usb_device_removed"]
    assert set(table.state.usb_devices) == {ADAPTER, DUCKY}


def test_what_invents_devices_all_the_time_does_not_fill_the_journal() -> None:
    table = Table(LOOKED)
    invented = [replace(DUCKY, serial=str(number)) for number in range(2000)]
    for first in range(0, 2000, 20):
        table.look(usb=(ADAPTER, SHOE, *invented[first : first + 20]), for_s=2)
    assert len(table.state.usb_devices) <= USB_MOST
    assert len(table.records) <= 2 * USB_MOST * (1 + 200 / ENDS_AFTER_S)
    assert {ADAPTER, SHOE} <= set(table.state.usb_devices)


@given(st.lists(st.sets(st.integers(0, 5), max_size=4), max_size=200))
def test_what_lasts_was_seen_within_its_time_and_what_is_seen_lasts(
    looks: list[set[int]],
) -> None:
    lasting = Lasting[int]((), 0.0, ends_after_s=10.0)
    seen_s: dict[int, int] = {}
    for now_s, seen in enumerate(looks):
        present = lasting.look(seen, float(now_s))
        seen_s.update(dict.fromkeys(seen, now_s))
        assert seen <= set(present)
        assert {one for one in seen_s if now_s - seen_s[one] < 10} == set(present)


# --- The watch ------------------------------------------------------------------------


class Room:
    def __init__(self, folder: Path) -> None:
        self.sysfs = FakeSysfs(folder)
        self.clock = StandingClock()
        self.owner = Asked(LOOKED)
        self.lines = Lines()
        log = logger_to(self.lines, json_lines(self.clock))
        self.watch = ComputerWatch(self.owner, self.clock, log, folder)

    def begin(self) -> None:
        for listener in self.owner.listeners:
            listener(Change(self.owner.state, 1, 1, ()))

    async def look(self, times: int = 1) -> list[Command]:
        before = len(self.owner.commands)
        for _ in range(times):
            self.clock.advance(LOOK_EVERY_S)
            await self.watch.look()
        return self.owner.commands[before:]

    def said(self, words: str) -> int:
        return sum(words in line for line in self.lines.kept)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    with ThreadPoolExecutor(1) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        yield Room(tmp_path / "sys")


async def test_a_table_that_has_written_nothing_is_not_told(room: Room) -> None:
    room.sysfs.voltage("1")
    assert await room.look(3) == []
    room.begin()
    fault = ComputerFault.UNDER_VOLTAGE
    assert await room.look() == [ReportComputer(fault=fault, present=True)]
    assert room.said('"fault": "under-voltage"') == 1


async def test_between_two_looks_nothing_is_read(room: Room) -> None:
    room.begin()
    await room.look()
    room.sysfs.voltage("1")
    await room.watch.look()
    assert room.owner.commands == []
    assert len(await room.look()) == 1


async def test_a_commit_that_stalls_does_not_let_it_be_told_twice(room: Room) -> None:
    # The owner's state stands still here, as while the disk stalls.
    room.begin()
    room.sysfs.throttled(0x4)
    assert len(await room.look(30)) == 1
    assert room.said("computer fault") == 1


async def test_the_battery_is_asked_once_a_minute(room: Room) -> None:
    room.begin()
    room.sysfs.battery(3_000_000)
    await room.look()
    room.sysfs.battery(1_000_000)
    assert await room.look(int(BATTERY_EVERY_S / LOOK_EVERY_S) - 1) == []
    fault = ComputerFault.CLOCK_BATTERY
    assert await room.look() == [ReportComputer(fault=fault, present=True)]
    assert room.said('"volts": 1.0') == 1


async def test_a_keyboard_and_a_stick_are_told_with_their_ports(room: Room) -> None:
    room.owner.state = replace(LOOKED, usb_devices=(), usb_own=())
    room.sysfs.usb()
    room.begin()
    assert await room.look(5) == []
    room.sysfs.plug("1-1.3", "046d:c31c", KEYBOARD, name="Keyboard K120")
    room.sysfs.plug("2-1", "0781:5567", STICK, name="Cruzer", serial="77")
    (report,) = await room.look(5)
    assert isinstance(report, ReportUsb)
    assert [one.port for one in report.devices] == ["1-1.3", "2-1"]
    assert room.said("2-1 0781:5567") == 1
    room.sysfs.unplug("1-1.3")
    (report,) = await room.look(int(ENDS_AFTER_S))
    assert isinstance(report, ReportUsb)
    assert [one.port for one in report.devices] == ["2-1"]
