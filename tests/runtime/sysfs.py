"""A folder that looks as /sys does on a Raspberry Pi, as far as a table reads it."""

import shutil
from pathlib import Path

KEYBOARD = ("03", "01", "01")
MOUSE = ("03", "01", "02")
STICK = ("08", "06", "50")
HUB = ("09", "00", "00")
NETWORK = ("02", "06", "00")
DATA = ("0a", "00", "00")
ACM = ("02", "02", "01")
VENDOR = ("ff", "ff", "ff")

FIRMWARE = "devices/platform/soc/soc:firmware"
FIRMWARE_LATER = "devices/platform/soc@107c000000/soc@107c000000:firmware"


class FakeSysfs:
    """The files of one computer; what was never set is not there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def write(self, file: str, text: str) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def voltage(self, alarm: str, number: int = 1) -> None:
        self.write("class/hwmon/hwmon0/name", "cpu_thermal\n")
        self.write(f"class/hwmon/hwmon{number}/name", "rpi_volt\n")
        self.write(f"class/hwmon/hwmon{number}/in0_lcrit_alarm", f"{alarm}\n")

    def throttled(self, flags: int, firmware: str = FIRMWARE) -> None:
        self.write(f"{firmware}/get_throttled", f"{flags:x}\n")

    def battery(self, microvolts: int) -> None:
        self.write("class/rtc/rtc0/battery_voltage", f"{microvolts}\n")

    def usb(self) -> None:
        """Let there be USB, with the computer's own buses and nothing at them."""
        for bus in ("usb1", "usb2"):
            self.write(f"bus/usb/devices/{bus}/idVendor", "1d6b\n")
            self.write(f"bus/usb/devices/{bus}/idProduct", "0002\n")
            self.write(f"bus/usb/devices/{bus[-1]}-0:1.0/bInterfaceClass", "09\n")

    def plug(
        self,
        port: str,
        numbers: str,
        *parts: tuple[str, str, str],
        name: str = "",
        serial: str = "",
        tty: str = "",
    ) -> None:
        """Plug a device in, whose parts are of these classes."""
        real, link = f"devices/usb/{port}", self.root / "bus/usb/devices" / port
        vendor, product = numbers.split(":")
        self.write(f"{real}/idVendor", f"{vendor}\n")
        self.write(f"{real}/idProduct", f"{product}\n")
        if name:
            self.write(f"{real}/product", f"{name}\n")
        if serial:
            self.write(f"{real}/serial", f"{serial}\n")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.root / real)
        for number, (kind, sub, protocol) in enumerate(parts):
            part = f"bus/usb/devices/{port}:1.{number}"
            self.write(f"{part}/bInterfaceClass", f"{kind}\n")
            self.write(f"{part}/bInterfaceSubClass", f"{sub}\n")
            self.write(f"{part}/bInterfaceProtocol", f"{protocol}\n")
            if tty:
                (self.root / part / tty).mkdir()

    def unplug(self, port: str) -> None:
        folder = self.root / "bus/usb/devices"
        (folder / port).unlink()
        for part in folder.glob(f"{port}:*"):
            shutil.rmtree(part)
        shutil.rmtree(self.root / "devices/usb" / port)
