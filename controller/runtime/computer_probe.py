"""What the computer tells of itself, for a technician: `tablectl check`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from controller.core.computer import COMPUTER_WORDS, usb_words
from controller.core.ids import ComputerFault
from controller.runtime.computer import read_clock_battery_v, read_supply, read_usb
from controller.runtime.computer_watch import BATTERY_LOW_V

NOT_TOLD: Final = "not told by this computer"


class ComputerFinding(msgspec.Struct, frozen=True):
    """One thing of the computer: what it says; `problem`: what is wrong with it.

    `is_told`: the computer tells of it at all, so that its fault would be noticed.
    """

    name: str
    says: str
    is_told: bool = True
    problem: str = ""


def probe_computer(sysfs: Path | None) -> tuple[ComputerFinding, ...]:
    """Return each thing that a computer may tell of itself; None: nobody listens."""
    return () if sysfs is None else tuple(_findings(sysfs))


def _findings(sysfs: Path) -> Iterator[ComputerFinding]:
    supply = read_supply(sysfs)
    weak, slow = supply.under_voltage, supply.throttled
    yield _finding("supply", ComputerFault.UNDER_VOLTAGE, is_failing=weak)
    yield _finding("speed", ComputerFault.THROTTLED, is_failing=slow)
    volts = read_clock_battery_v(sysfs)
    low = None if volts is None else volts < BATTERY_LOW_V
    battery = _finding("clock battery", ComputerFault.CLOCK_BATTERY, is_failing=low)
    measured = battery.says if volts is None else f"{battery.says}, {volts:.2f} V"
    yield msgspec.structs.replace(battery, says=measured)
    devices = read_usb(sysfs)
    if devices is None:
        yield ComputerFinding("USB", NOT_TOLD, is_told=False)
        return
    for device in devices:
        yield ComputerFinding("USB", usb_words(device))
    if not devices:
        yield ComputerFinding("USB", "nothing is plugged in")


def _finding(
    name: str, fault: ComputerFault, *, is_failing: bool | None
) -> ComputerFinding:
    if is_failing is None:
        return ComputerFinding(name, NOT_TOLD, is_told=False)
    if not is_failing:
        return ComputerFinding(name, "in order")
    words = COMPUTER_WORDS[fault]
    return ComputerFinding(name, words, problem=words)
