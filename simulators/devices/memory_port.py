"""A serial cable in memory: what one end writes the other reads, on virtual time."""

import errno

from simulators.devices.faults import CLEAN, LineRates, chance
from simulators.devices.line import Line


class UnpluggedError(OSError):
    """The cable is out; the kernel reports a vanished serial adapter alike."""

    def __init__(self) -> None:
        super().__init__(errno.EIO, "the cable is unplugged; plug it in and reopen")


class MemoryCable:
    """A cable with a host end and a device end, and faults in both directions."""

    def __init__(
        self,
        seed: int = 0,
        rates: LineRates = CLEAN,
        baud: int | None = None,
        name: str = "cable",
    ) -> None:
        self.to_host = Line(chance(seed, f"{name}/to-host"), rates, baud)
        self.to_device = Line(chance(seed, f"{name}/to-device"), rates, baud)
        self.plugged = True
        self.host = HostEnd(self)
        self.device = DeviceEnd(self)

    def unplug(self) -> None:
        """Pull the cable; everything on the way is lost."""
        self.plugged = False
        self.to_host.clear()
        self.to_device.clear()

    def plug_in(self, *, mid_frame: bool = False) -> None:
        """Put the cable back; what was lost stays lost."""
        self.plugged = True
        if mid_frame:
            self.to_host.begin_mid_frame()

    def stall(self, until_s: float) -> None:
        """Let nothing through in either direction before `until_s`."""
        self.to_host.stall(until_s)
        self.to_device.stall(until_s)

    def block(self, until_s: float) -> None:
        """Take no bytes from the host before `until_s`; there is room on the way."""
        self.to_device.stall(until_s)


class HostEnd:
    """The controller's end; it is told when the cable is out, as by the kernel."""

    def __init__(self, cable: MemoryCable) -> None:
        self._cable = cable

    def read(self, now: float) -> bytes:
        """Take the bytes that have arrived by `now`, perhaps none.

        Raises:
            UnpluggedError: the cable is out.
        """
        self._check()
        return self._cable.to_host.read(now)

    def write(self, data: bytes, now: float) -> None:
        """Send bytes to the device.

        Raises:
            UnpluggedError: the cable is out.
        """
        self._check()
        self._cable.to_device.write(data, now)

    def reopen(self) -> None:
        """Open the port again, which throws away the bytes that were waiting.

        Raises:
            UnpluggedError: the cable is out.
        """
        self._check()
        self._cable.to_host.clear()

    @property
    def deadline(self) -> float | None:
        """When the next bytes reach this end, or None if none are on the way."""
        return self._cable.to_host.deadline

    def _check(self) -> None:
        if not self._cable.plugged:
            raise UnpluggedError


class DeviceEnd:
    """The device's end; it cannot tell a loose cable from a silent host."""

    def __init__(self, cable: MemoryCable) -> None:
        self._cable = cable

    def read(self, now: float) -> bytes:
        """Take the bytes that have arrived by `now`, perhaps none."""
        return self._cable.to_device.read(now)

    def write(self, data: bytes, now: float) -> None:
        """Send bytes to the host; with the cable out they are lost."""
        if self._cable.plugged:
            self._cable.to_host.write(data, now)

    @property
    def deadline(self) -> float | None:
        """When the next bytes reach this end, or None if none are on the way."""
        return self._cable.to_device.deadline
