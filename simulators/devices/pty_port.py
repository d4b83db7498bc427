"""The device's end of a serial line on a pseudo-terminal, for a whole simulated table.

The controller opens a path, as it would open a real adapter, and finds a terminal
that behaves like one: raw, non-blocking, gone when it is unplugged.
"""

import array
import errno
import fcntl
import os
import termios
import tty
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators.devices.faults import CLEAN, LineRates, chance
from simulators.devices.line import Line

READ_SIZE: Final = 4096
XOFF: Final = b"\x13"
_IFLAG: Final = 0
"""Where the settings of a terminal, as Python lists them, have its input's."""

TIOCSPTLCK: Final = 0x40045431
TIOCGPTN: Final = 0x80045430
"""From asm-generic/ioctls.h; Python's termios has no names for the two."""


class PtyPort:
    """A pseudo-terminal behind a symbolic link, seen from the device.

    The far side is never held open here: a terminal that somebody holds keeps the
    exclusive mark that its last user set, and the next controller could not open
    it. When the controller closes its end the terminal is therefore replaced, and
    the link points at the fresh one.
    """

    def __init__(
        self,
        path: Path,
        seed: int = 0,
        rates: LineRates = CLEAN,
        baud: int | None = None,
    ) -> None:
        self.path = path
        self.lost_bytes = 0
        """Bytes the terminal had no room for, since nobody read them."""
        self._inward = Line(chance(seed, f"{path.name}/to-device"), rates, baud)
        self._outward = Line(chance(seed, f"{path.name}/to-host"), rates, baud)
        self._descriptor: int | None = None
        self._begins_mid_frame = False
        self._blocked_until_s: float | None = None

    def __enter__(self) -> Self:
        self.plug_in()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.unplug()

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 while unplugged."""
        return -1 if self._descriptor is None else self._descriptor

    @property
    def plugged(self) -> bool:
        """Whether there is a terminal at the path."""
        return self._descriptor is not None

    @property
    def rates(self) -> LineRates:
        """How often bytes suffer, in either direction."""
        return self._outward.rates

    @rates.setter
    def rates(self, rates: LineRates) -> None:
        self._inward.rates = self._outward.rates = rates

    def plug_in(self, *, mid_frame: bool = False) -> None:
        """Make the terminal and point the link at it; twice is fine.

        With `mid_frame` the first that the controller hears is the end of a frame.
        """
        if self._descriptor is not None:
            return
        self._begins_mid_frame = mid_frame
        self._descriptor, terminal = open_terminal()
        point_link(self.path, terminal)

    def unplug(self) -> None:
        """Remove the link and hang the terminal up; twice is fine."""
        self._inward.clear()
        self._outward.clear()
        self._blocked_until_s = None
        if self._descriptor is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._descriptor)
        self._descriptor = None

    def read(self, now: float) -> bytes:
        """Take the bytes that the controller sent and that have arrived by `now`."""
        said = self._read_terminal()
        if said and self._begins_mid_frame:
            # Before it opened its end, and threw away what lay there, nobody listened.
            self._begins_mid_frame = False
            self._outward.begin_mid_frame()
        self._inward.write(said, now)
        return self._inward.read(now)

    def write(self, data: bytes, now: float) -> None:
        """Send bytes to the controller; without a terminal they are lost."""
        if self._descriptor is None:
            return
        self._outward.write(data, now)
        self.handle_timer(now)

    def handle_timer(self, now: float) -> None:
        """Pass on what has become due to the controller; take its bytes again."""
        if self._blocked_until_s is not None and now >= self._blocked_until_s:
            self._blocked_until_s = None
            self._let_write(may=True)
        self._write_terminal(self._outward.read(now))

    def stall(self, until_s: float) -> None:
        """Let nothing through in either direction before `until_s`."""
        self._inward.stall(until_s)
        self._outward.stall(until_s)

    def block(self, until_s: float) -> None:
        """Let the controller's writes block until `until_s`, or until it reopens."""
        if self._descriptor is not None:
            self._blocked_until_s = until_s
            self._let_write(may=False)

    @property
    def deadline(self) -> float | None:
        """When the next bytes are due in either direction, or None."""
        dues = (self._inward.deadline, self._outward.deadline, self._blocked_until_s)
        return min((due for due in dues if due is not None), default=None)

    def _read_terminal(self) -> bytes:
        if self._descriptor is None:
            return b""
        try:
            return os.read(self._descriptor, READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            self._replace_terminal(self._descriptor)
            return b""

    def _write_terminal(self, data: bytes) -> None:
        if not data or self._descriptor is None:
            return
        try:
            written = os.write(self._descriptor, data)
        except BlockingIOError:
            written = 0
        # A serial line has no flow control: what nobody takes is gone.
        self.lost_bytes += len(data) - written

    def _let_write(self, *, may: bool) -> None:
        """Stop what the controller writes at its own end of the terminal, or let it go.

        The kernel would hold tens of thousands of bytes before a write blocks. A
        terminal that minds XOFF blocks at once, and goes on when it no longer does.
        """
        if self._descriptor is None:
            return
        # Through our end the kernel gives and takes the settings of the other.
        attributes = termios.tcgetattr(self._descriptor)
        attributes[_IFLAG] &= ~termios.IXON
        if not may:
            attributes[_IFLAG] |= termios.IXON
        termios.tcsetattr(self._descriptor, termios.TCSANOW, attributes)
        if not may:
            self._write_terminal(XOFF)

    def _replace_terminal(self, old: int) -> None:
        """Answer the controller's hang-up with a fresh terminal at the same path."""
        self._blocked_until_s = None
        self._descriptor, terminal = open_terminal()
        point_link(self.path, terminal)
        # Last, so that the fresh descriptor has another number to be waited on.
        os.close(old)


def open_terminal() -> tuple[int, str]:
    """Open a raw, non-blocking pseudo-terminal.

    Returns:
        The descriptor of the device's end and the path of the controller's.
    """
    flags = os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open("/dev/ptmx", flags)
    fcntl.ioctl(descriptor, TIOCSPTLCK, array.array("i", [0]))
    number = array.array("i", [0])
    fcntl.ioctl(descriptor, TIOCGPTN, number)
    tty.setraw(descriptor, termios.TCSANOW)
    return descriptor, f"/dev/pts/{number[0]}"


def point_link(path: Path, target: str) -> None:
    """Make `path` a link to `target` in one step, so that it is never half there.

    Raises:
        FileExistsError: something that is no link lies at the path.
    """
    if path.exists() and not path.is_symlink():
        raise FileExistsError(
            f"{path} is not a link; a simulated device needs that place, move it away"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.fresh")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(path)
