"""What the computer tells of itself in the files below /sys, and how it is read.

Nothing here waits for a disk, but for a device's driver perhaps: it belongs into a
thread. A file that is not there, or says what nobody expects, tells nothing.

Sources: the kernel's documents of hwmon (`raspberrypi-hwmon`), of `sysfs-bus-usb`, of
the classes of USB; the Raspberry Pi's drivers of its firmware and of its clock.
"""

import os
from pathlib import Path
from typing import Final

import msgspec

from controller.core.computer import UsbDevice
from controller.core.ids import UsbFunction
from hw_config.schema import Kind, TableHardware

SYSFS: Final = Path("/sys")

_READ_MAX_BYTES: Final = 256
TEXT_MAX: Final = 64
"""So much of what a device says of itself is kept: it may say anything."""

_UV_PER_V: Final = 1_000_000
_VOLTAGE_CHIP: Final = "rpi_volt"
_UNDER_VOLTAGE_NOW: Final = 0x1
_SLOW_NOW: Final = 0x2 | 0x4 | 0x8
"""Capped, throttled, at the soft limit of temperature; higher bits tell of the past."""


def sysfs_of(hardware: TableHardware) -> Path | None:
    """Return where the computer of a live table tells of itself.

    A simulated table stands on whatever computer somebody works at: what is plugged in
    there is no concern of its journal.
    """
    return SYSFS if hardware.kind is Kind.LIVE else None


class Supply(msgspec.Struct, frozen=True):
    """How the computer's supply and speed are; None: it does not tell."""

    under_voltage: bool | None
    throttled: bool | None


def read_supply(sysfs: Path) -> Supply:
    """Return how the supply and the speed are now."""
    alarm, flags = _voltage_alarm(sysfs), _throttled_flags(sysfs)
    if flags is None:
        return Supply(alarm, None)
    under_voltage = bool(alarm) or bool(flags & _UNDER_VOLTAGE_NOW)
    return Supply(under_voltage, bool(flags & _SLOW_NOW))


def _voltage_alarm(sysfs: Path) -> bool | None:
    """Return what the sensor of the supply says; its number is another each time."""
    for chip in _entries(sysfs / "class/hwmon"):
        if _text(chip / "name") == _VOLTAGE_CHIP:
            return {"0": False, "1": True}.get(_text(chip / "in0_lcrit_alarm"))
    return None


def _throttled_flags(sysfs: Path) -> int | None:
    """Return the firmware's flags, which the file has in hex.

    The kernel takes them from the firmware each time that its own sensor asks. Where
    the firmware stands among the devices differs from kernel to kernel.
    """
    for part in _entries(sysfs / "devices/platform", "soc"):
        for firmware in _entries(part, "soc"):
            flags = _number(_text(firmware / "get_throttled"), 16)
            if flags is not None:
                return flags
    return None


def read_clock_battery_v(sysfs: Path) -> float | None:
    """Return the volts of the battery behind the clock; the file has microvolts."""
    for clock in _entries(sysfs / "class/rtc"):
        microvolts = _number(_text(clock / "battery_voltage"), 10)
        if microvolts is not None:
            return microvolts / _UV_PER_V
    return None


def _number(text: str, base: int) -> int | None:
    try:
        return int(text, base)
    except ValueError:
        return None


# --- USB ------------------------------------------------------------------------------


def read_usb(sysfs: Path) -> tuple[UsbDevice, ...] | None:
    """Return every device at a USB port; None: this computer has no USB to tell of."""
    folder = sysfs / "bus/usb/devices"
    if not folder.is_dir():
        return None
    parts = _entries(folder)
    # `usb1` is a bus of the computer itself, `1-1:1.0` a function of a device.
    ports = (part for part in parts if ":" not in part.name and part.name[:1].isdigit())
    devices = (_device(port, _functions(port, parts)) for port in ports)
    return tuple(device for device in devices if device is not None)


def _device(at: Path, functions: tuple[UsbFunction, ...]) -> UsbDevice | None:
    """Return a device; None: it goes as it is looked at."""
    vendor, product = _text(at / "idVendor"), _text(at / "idProduct")
    if not vendor or not product:
        return None
    called = f"{_text(at / 'manufacturer')} {_text(at / 'product')}".strip()
    serial = _text(at / "serial")
    return UsbDevice(at.name, vendor, product, called[:TEXT_MAX], serial, functions)


def _functions(port: Path, parts: list[Path]) -> tuple[UsbFunction, ...]:
    """Return what the kernel may use a device as, each once, in a fixed order."""
    own = (part for part in parts if part.name.startswith(f"{port.name}:"))
    found = {_function(part) for part in own}
    return tuple(function for function in UsbFunction if function in found)


def _function(part: Path) -> UsbFunction | None:
    """Return what one part of a device is for; None: it only carries data."""
    kind = _text(part / "bInterfaceClass")
    match kind, _text(part / "bInterfaceSubClass"), _text(part / "bInterfaceProtocol"):
        case "03", _, "01":
            return UsbFunction.KEYBOARD
        case "03", _, "02":
            return UsbFunction.MOUSE
        case "02", "06" | "0d", _:
            return UsbFunction.NETWORK
        case "02", _, _:
            return UsbFunction.SERIAL
        case "08", _, _:
            return UsbFunction.STORAGE
        case "09", _, _:
            return UsbFunction.HUB
        case "0a", _, _:
            return None
        case _:
            serial = _entries(part, "ttyUSB")
            return UsbFunction.SERIAL if serial else UsbFunction.OTHER


# --- Files ----------------------------------------------------------------------------


def _entries(folder: Path, beginning: str = "") -> list[Path]:
    """Return what is in a folder, by name; nothing where it goes meanwhile."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - iterdir() raises as late as it likes
    except OSError:
        return []
    return [folder / name for name in names if name.startswith(beginning)]


def _text(file: Path) -> str:
    """Return what a file says, on one line, without what a terminal would obey."""
    try:
        with file.open("rb") as opened:
            read = opened.read(_READ_MAX_BYTES)
    except OSError:
        return ""
    words = " ".join(read.decode("utf-8", "replace").split())
    return "".join(c if c.isprintable() else "?" for c in words)[:TEXT_MAX]
