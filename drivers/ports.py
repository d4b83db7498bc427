"""Serial ports: bytes in and out of a device file, and nothing about their meaning.

pyserial opens and configures the port; bytes go by `os.read` and `os.write` on its
descriptor, since a write of pyserial either blocks the loop (with a finite
`write_timeout`) or can spin for ever (with 0). Pseudo-terminals work as well.
"""

import contextlib
import errno
import fcntl
import os
import termios
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import serial

from drivers.errors import PortLostError, PortOpenError, PortOverflowError

READ_MAX_BYTES: Final = 4096
WAITING_MAX_BYTES: Final = 4096
_CC: Final = 6

# What pyserial, the kernel and Python raise when a port is not there, or goes away
# while it is in use; TypeError is pyserial's descriptor being None in mid-call.
_UNPLUGGED: Final = (OSError, TypeError, ValueError, termios.error)

NOT_THERE: Final = "it is not there; check that it is plugged in"
_NOT_ALLOWED: Final = "this user may not; it must be in the port's group"
_IN_USE: Final = "another program has it open; end that one first"
_WHY: Final = {
    errno.ENOENT: NOT_THERE,
    errno.ENXIO: NOT_THERE,
    errno.ENODEV: NOT_THERE,
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EBUSY: _IN_USE,
    errno.EWOULDBLOCK: _IN_USE,
}


def _why(error: Exception) -> str:
    """Return why a port did not open, and what to do about it."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _WHY:
        return _WHY[number]
    if number is None and isinstance(error, serial.SerialException):
        return "it is no serial port; name another in the hardware file"
    return str(error) if number is None else os.strerror(number)


class SerialPort:
    """An open serial port. Its owner waits on `fileno()` and never blocks in here.

    Opening throws away bytes that were waiting: they are from before.
    """

    def __init__(self, path: Path, baud: int = 115200) -> None:
        """Open a port for us alone, raw, 8N1, without flow control.

        Raises:
            PortOpenError: It is not there, in use, or not permitted.

        """
        self.path = path
        self._waiting = bytearray()
        self._serial: serial.Serial | None = None
        try:
            # `exclusive` is an advisory lock, which also stops a second root.
            self._serial = serial.Serial(
                str(path), baud, timeout=0, write_timeout=None, exclusive=True
            )
            _configure(self._serial)
        except _UNPLUGGED as error:
            self.close()
            raise PortOpenError(f"{path} cannot be opened: {_why(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether it was not closed yet."""
        return self._serial is not None

    @property
    def wants_write(self) -> bool:
        """Whether bytes wait that the port did not take yet."""
        return bool(self._waiting)

    def fileno(self) -> int:
        """Return the descriptor to wait on.

        Raises:
            PortLostError: The port is closed.

        """
        if self._serial is None:
            raise PortLostError(f"{self.path} is closed; open it again")
        descriptor: int = self._serial.fileno()
        return descriptor

    def read_available(self) -> bytes:
        """Return what has arrived, at most 4096 bytes; empty if nothing has.

        Raises:
            PortLostError: The port went away.

        """
        try:
            data = os.read(self.fileno(), READ_MAX_BYTES)
        except BlockingIOError:
            return b""
        except _UNPLUGGED as error:
            raise self._lost(error) from error
        if not data:
            # A read waits for at least one byte, so none at all is a hang-up.
            raise PortLostError(f"{self.path} was hung up; plug it in again")
        return data

    def write(self, data: bytes) -> None:
        """Send bytes, now or as soon as the port takes them.

        Raises:
            PortOverflowError: More than 4096 bytes would wait; none of these do.
            PortLostError: The port went away.

        """
        if len(self._waiting) + len(data) > WAITING_MAX_BYTES:
            raise PortOverflowError(
                f"{self.path} takes no bytes, {len(self._waiting)} wait already; "
                "close it and open it again"
            )
        self._waiting += data
        self.flush_some()

    def flush_some(self) -> None:
        """Hand over as many waiting bytes as the port takes without blocking.

        Raises:
            PortLostError: The port went away.

        """
        if not self._waiting:
            return
        try:
            written = os.write(self.fileno(), self._waiting)
        except BlockingIOError:
            return
        except _UNPLUGGED as error:
            raise self._lost(error) from error
        del self._waiting[:written]

    def close(self) -> None:
        """Close the port; closing it again is fine, and so is one that is gone."""
        port, self._serial = self._serial, None
        self._waiting.clear()
        if port is None:
            return
        # The mark may outlive us where somebody else holds the terminal too.
        with contextlib.suppress(*_UNPLUGGED):
            fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
        # The kernel would wait half a minute for an adapter that takes no bytes, and
        # the table with it; whatever was on its way is said again.
        with contextlib.suppress(*_UNPLUGGED):
            termios.tcflush(port.fileno(), termios.TCOFLUSH)
        with contextlib.suppress(*_UNPLUGGED):
            port.close()

    def _lost(self, error: Exception) -> PortLostError:
        if isinstance(error, PortLostError):
            return error
        return PortLostError(f"{self.path} went away ({error}); plug it in again")


def _configure(port: serial.Serial) -> None:
    """Take the port for us alone and make reads tell nothing from gone."""
    descriptor = port.fileno()
    fcntl.ioctl(descriptor, termios.TIOCEXCL)
    os.set_blocking(descriptor, False)
    attributes = termios.tcgetattr(descriptor)
    # With VMIN 0, as pyserial leaves it, both "nothing yet" and a hang-up are b"".
    attributes[_CC][termios.VMIN] = 1
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
    # USB adapters hold bytes back for 16 ms unless told otherwise; not all can be.
    with contextlib.suppress(OSError, ValueError):
        port.set_low_latency_mode(True)
