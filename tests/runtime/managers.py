"""A stand-in for the service manager: the socket at which it hears its services."""

import contextlib
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

BOUND_S: Final = 30.0
_CREDENTIALS: Final = struct.Struct("3i")
_MESSAGE_MAX: Final = 4096


class Told(msgspec.Struct, frozen=True):
    """What one process said at once."""

    process: int
    facts: tuple[str, ...]

    @property
    def words(self) -> str:
        """The status, empty where none was told."""
        found = (fact for fact in self.facts if fact.startswith("STATUS="))
        return next(found, "").removeprefix("STATUS=")


class Manager:
    """Hears what is told at its socket, and by whom, as the kernel says."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.bind(address.replace("@", "\0", 1))

    def fileno(self) -> int:
        """Return the socket, for a loop that reads it."""
        return self._socket.fileno()

    def environment(self, watchdog_s: float | None = None) -> dict[str, str]:
        """Return the environment of a service that is started by this manager."""
        clean = {
            name: of
            for name, of in os.environ.items()
            if name not in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
        }
        clean["NOTIFY_SOCKET"] = self.address
        if watchdog_s is not None:
            clean["WATCHDOG_USEC"] = str(round(watchdog_s * 1_000_000))
        return clean

    def hears(self, within_s: float = BOUND_S) -> Told | None:
        """Return what is told next; None: nothing within the bound."""
        self._socket.settimeout(within_s)
        room = socket.CMSG_SPACE(_CREDENTIALS.size)
        try:
            words, found, _, _ = self._socket.recvmsg(_MESSAGE_MAX, room)
        except (TimeoutError, BlockingIOError):
            return None
        ((_, _, credentials),) = found
        process, _uid, _gid = _CREDENTIALS.unpack(credentials)
        return Told(process, tuple(words.decode().split("\n")))

    def hears_fact(self, fact: str) -> Told:
        """Return the first that is told with a fact in it."""
        while (told := self.hears()) is not None:
            if fact in told.facts:
                return told
        raise AssertionError(f"nobody told {fact}")

    def forget(self) -> None:
        """Drop what was told so far."""
        while self.hears(0) is not None:
            pass

    def close(self) -> None:
        """Hear no more."""
        self._socket.close()


@contextlib.contextmanager
def managing(folder: Path) -> Iterator[Manager]:
    """Have a manager with its socket in a folder."""
    with contextlib.closing(Manager(str(folder / "notify"))) as manager:
        yield manager
