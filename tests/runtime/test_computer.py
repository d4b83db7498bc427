"""What is read of a computer, from files as they lie on a Raspberry Pi."""

from pathlib import Path

import pytest

from controller.core.computer import UsbDevice
from controller.core.ids import UsbFunction
from controller.runtime.computer import (
    SYSFS,
    TEXT_MAX,
    Supply,
    read_clock_battery_v,
    read_supply,
    read_usb,
    sysfs_of,
)
from controller.runtime.computer_probe import ComputerFinding, probe_computer
from hw_config.loader import load_hardware, shipped_hardware
from tests.runtime.sysfs import (
    ACM,
    DATA,
    FIRMWARE,
    FIRMWARE_LATER,
    HUB,
    KEYBOARD,
    MOUSE,
    NETWORK,
    STICK,
    VENDOR,
    FakeSysfs,
)


@pytest.fixture
def sysfs(tmp_path: Path) -> FakeSysfs:
    return FakeSysfs(tmp_path / "sys")


# --- Supply and speed -----------------------------------------------------------------


def test_a_computer_without_these_files_tells_nothing(sysfs: FakeSysfs) -> None:
    for root in (sysfs.root, sysfs.root / "missing"):
        assert read_supply(root) == Supply(None, None)
        assert read_clock_battery_v(root) is None
        assert read_usb(root) is None


@pytest.mark.parametrize("number", [1, 2, 7])
def test_the_sensor_of_the_supply_is_found_by_its_name(
    sysfs: FakeSysfs, number: int
) -> None:
    sysfs.voltage("1", number)
    assert read_supply(sysfs.root) == Supply(under_voltage=True, throttled=None)
    sysfs.voltage("0", number)
    assert read_supply(sysfs.root) == Supply(under_voltage=False, throttled=None)


@pytest.mark.parametrize("firmware", [FIRMWARE, FIRMWARE_LATER])
@pytest.mark.parametrize(
    ("flags", "under_voltage", "throttled"),
    [
        (0x0, False, False),
        (0x1, True, False),
        (0x2, False, True),
        (0x4, False, True),
        (0x8, False, True),
        (0x50005, True, True),
        (0x50000, False, False),
        (0xF0000, False, False),
    ],
)
def test_only_what_the_firmware_says_of_now_counts(
    sysfs: FakeSysfs, firmware: str, flags: int, *, under_voltage: bool, throttled: bool
) -> None:
    sysfs.throttled(flags, firmware)
    assert read_supply(sysfs.root) == Supply(under_voltage, throttled)


def test_either_of_the_two_that_tell_of_the_supply_is_enough(sysfs: FakeSysfs) -> None:
    sysfs.voltage("1")
    sysfs.throttled(0)
    assert read_supply(sysfs.root).under_voltage
    sysfs.voltage("0")
    sysfs.throttled(1)
    assert read_supply(sysfs.root).under_voltage


@pytest.mark.parametrize("text", ["", "on", "12 volts", "\xff"])
def test_a_file_that_says_what_nobody_expects_tells_nothing(
    sysfs: FakeSysfs, text: str
) -> None:
    sysfs.voltage(text)
    sysfs.write(f"{FIRMWARE}/get_throttled", text)
    sysfs.write("class/rtc/rtc0/battery_voltage", text)
    assert read_supply(sysfs.root) == Supply(None, None)
    assert read_clock_battery_v(sysfs.root) is None


def test_the_clock_s_battery_is_told_in_microvolts(sysfs: FakeSysfs) -> None:
    sysfs.battery(3_012_345)
    assert read_clock_battery_v(sysfs.root) == pytest.approx(3.012345)


# --- USB ------------------------------------------------------------------------------


def test_a_computer_s_own_buses_are_no_devices(sysfs: FakeSysfs) -> None:
    sysfs.usb()
    assert read_usb(sysfs.root) == ()


@pytest.mark.parametrize(
    ("parts", "tty", "functions"),
    [
        ((), "", ()),
        ((KEYBOARD,), "", (UsbFunction.KEYBOARD,)),
        ((MOUSE,), "", (UsbFunction.MOUSE,)),
        ((STICK,), "", (UsbFunction.STORAGE,)),
        ((HUB,), "", (UsbFunction.HUB,)),
        ((NETWORK, DATA), "", (UsbFunction.NETWORK,)),
        ((ACM, DATA), "", (UsbFunction.SERIAL,)),
        ((VENDOR,), "ttyUSB0", (UsbFunction.SERIAL,)),
        ((VENDOR,), "", (UsbFunction.OTHER,)),
        (
            (STICK, MOUSE, KEYBOARD, KEYBOARD),
            "",
            (UsbFunction.KEYBOARD, UsbFunction.MOUSE, UsbFunction.STORAGE),
        ),
    ],
)
def test_a_device_is_told_by_what_the_kernel_may_use_it_as(
    sysfs: FakeSysfs,
    parts: tuple[tuple[str, str, str], ...],
    tty: str,
    functions: tuple[UsbFunction, ...],
) -> None:
    sysfs.usb()
    sysfs.plug("1-1.2", "0403:6001", *parts, name="FT232R", serial="A5", tty=tty)
    device = UsbDevice("1-1.2", "0403", "6001", "FT232R", "A5", functions)
    assert read_usb(sysfs.root) == (device,)


def test_the_parts_of_a_device_are_not_those_of_one_behind_it(
    sysfs: FakeSysfs,
) -> None:
    sysfs.plug("1-1", "05e3:0610", HUB)
    sysfs.plug("1-1.2", "046d:c31c", KEYBOARD)
    found = read_usb(sysfs.root)
    assert found is not None
    assert [(one.port, one.functions) for one in found] == [
        ("1-1", (UsbFunction.HUB,)),
        ("1-1.2", (UsbFunction.KEYBOARD,)),
    ]


def test_what_a_device_says_of_itself_is_bounded_and_moves_no_cursor(
    sysfs: FakeSysfs,
) -> None:
    wiped = "\x1b[2J\nall is well " + "x" * 500
    sysfs.plug("1-1", "dead:beef", name=wiped, serial="\r\x07\u202e7")
    (device,) = read_usb(sysfs.root) or ()
    assert device.name.startswith("?[2J all is well x")
    assert len(device.name) == TEXT_MAX
    assert device.serial == "??7"


def test_a_device_that_goes_as_it_is_looked_at_is_not_told(sysfs: FakeSysfs) -> None:
    sysfs.plug("1-1", "0403:6001")
    (sysfs.root / "devices/usb/1-1/idProduct").unlink()
    assert read_usb(sysfs.root) == ()
    (sysfs.root / "bus/usb/devices/1-2").symlink_to(sysfs.root / "gone")
    assert read_usb(sysfs.root) == ()


# --- For a technician -----------------------------------------------------------------


def test_only_a_live_table_listens_to_its_computer() -> None:
    live = load_hardware(shipped_hardware("serial-three"))
    simulated = load_hardware(shipped_hardware("simulation-seven"))
    assert sysfs_of(live) == SYSFS
    assert sysfs_of(simulated) is None
    assert probe_computer(None) == ()


def test_a_check_says_what_a_computer_does_not_tell(sysfs: FakeSysfs) -> None:
    found = probe_computer(sysfs.root)
    assert [one.name for one in found] == ["supply", "speed", "clock battery", "USB"]
    assert not any(one.is_told or one.problem for one in found)


def test_a_check_says_how_a_computer_is(sysfs: FakeSysfs) -> None:
    sysfs.voltage("0")
    sysfs.throttled(0x8)
    sysfs.battery(5_128)
    sysfs.usb()
    supply, speed, battery, usb = probe_computer(sysfs.root)
    assert supply == ComputerFinding("supply", "in order")
    assert speed.problem == "The computer runs slowly, too hot or short of power"
    assert battery.says.endswith("low or absent, 0.01 V")
    assert battery.problem
    assert usb.says == "nothing is plugged in"
    sysfs.battery(2_981_000)
    sysfs.plug("1-1", "0781:5567", STICK, name="Cruzer", serial="77")
    _, _, battery, usb = probe_computer(sysfs.root)
    assert battery == ComputerFinding("clock battery", "in order, 2.98 V")
    assert usb.says == "storage, Cruzer (0781:5567, serial 77) at USB port 1-1"
