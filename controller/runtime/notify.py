"""Tells the service manager how the table fares, as sd_notify(3) describes it.

A few words in one datagram, to the socket that the manager names in NOTIFY_SOCKET.
Who starts the table by hand names none, and then nobody is told.
"""

import os
import socket
from collections.abc import Mapping
from typing import Final, Self

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
WATCHDOG: Final = "WATCHDOG=1"

STATUS_MAX: Final = 200
"""The longest status, in characters: one line on a technician's terminal."""

_SOCKET: Final = "NOTIFY_SOCKET"
_WATCHDOG_US: Final = "WATCHDOG_USEC"
_WATCHDOG_PID: Final = "WATCHDOG_PID"
_US_PER_S: Final = 1_000_000


class Notifier:
    """Tells one service manager, which may be gone or slow: it is never waited for.

    `watchdog_s` is how long the manager waits for a sign of life before it kills the
    process, None where it does not wait for any.
    """

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        self._address = os.fsencode(address)
        self.watchdog_s = watchdog_s

    @classmethod
    def of(cls, environment: Mapping[str, str], process: int) -> Self:
        """Return who tells the manager that started this process, if one did."""
        address = environment.get(_SOCKET, "")
        return cls(address, watchdog_of(environment, process))

    def tell(self, *facts: str) -> bool:
        """Tell some facts at once; return whether the manager has them.

        A socket a time: there is nothing to close, and nothing that stays broken.
        """
        if not self._address:
            return False
        words = "\n".join(facts).encode("utf-8", "replace")
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
                told.settimeout(0)
                told.sendto(words, _place(self._address))
        except OSError:
            # The game goes on, whether or not anybody hears how.
            return False
        return True


def watchdog_of(environment: Mapping[str, str], process: int) -> float | None:
    """Return how long the manager waits for a sign of life of this process, seconds.

    What is meant for another process, or is no time, counts as none.
    """
    named = environment.get(_WATCHDOG_PID, "")
    waits_us = environment.get(_WATCHDOG_US, "")
    if named not in ("", str(process)) or not _is_time(waits_us):
        return None
    return int(waits_us) / _US_PER_S


def status(words: str) -> str:
    """Return the fact that shows these words beside the service's name."""
    line = " ".join(words.split())
    return f"STATUS={line[:STATUS_MAX]}"


def _is_time(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) > 0


def _place(address: bytes) -> bytes:
    """Return the socket's name for the kernel: an abstract one begins with a zero."""
    return b"\0" + address[1:] if address.startswith(b"@") else address
