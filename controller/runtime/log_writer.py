"""Writes log lines without ever holding up whoever has something to say.

Lines wait in a bounded queue; one thread writes them. A line that finds no room,
or that cannot be written, is dropped and counted, and a later line says how many.
"""

import os
import queue
import select
import threading
from collections.abc import Callable
from typing import Final, Protocol

CAPACITY_LINES: Final = 1_000
LINE_MAX_BYTES: Final = 8_192
CLOSE_TIMEOUT_S: Final = 1.0

# A pipe that is ready takes this much without blocking (POSIX, PIPE_BUF).
_CHUNK_BYTES: Final = select.PIPE_BUF
# How often a writer that waits for a stalled reader looks whether to give up.
_LOOK_MS: Final = 50
_CUT: Final = "…".encode()
_READY: Final = select.POLLOUT | select.POLLERR | select.POLLHUP | select.POLLNVAL


class LineSink(Protocol):
    """What takes finished lines; it neither waits nor raises."""

    def put(self, line: str) -> None:
        """Take one line, or drop and count it."""

    def drop(self) -> None:
        """Count a line that could not even be made."""


class _Gap:
    """Stands in the queue where lines are missing from it."""


class _Stop:
    """Stands in the queue behind the last line."""


class LogWriter:
    """Takes lines at any time from any thread; writes them to a descriptor.

    After the first line that finds no room, none is taken until those that wait
    are written: so the gap is one, and its report stands where it was.

    Args:
        descriptor: where lines go. It stays open, and its flags are left alone,
            since other programs may share it.
        report: makes the line that tells of a number of dropped ones.
        capacity_lines: how many may wait.
    """

    def __init__(
        self,
        descriptor: int,
        report: Callable[[int], str],
        capacity_lines: int = CAPACITY_LINES,
    ) -> None:
        self._descriptor = descriptor
        self._report = report
        self._capacity = capacity_lines
        # Its put is re-entrant, which a lock is not: a finaliser may log while its
        # own thread is in the middle of logging.
        self._queue: queue.SimpleQueue[str | _Gap | _Stop] = queue.SimpleQueue()
        self._count = threading.RLock()
        self._dropped = 0
        self._untold = 0
        self._refusing = False
        self._torn = False
        self._closed = False
        self._give_up = threading.Event()
        # A daemon, so that a reader that never reads cannot keep the process alive.
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        """How many lines were dropped so far."""
        return self._dropped

    def put(self, line: str) -> None:
        """Take one line, or drop and count it where there is no room."""
        if self._refusing or self._closed or self._queue.qsize() >= self._capacity:
            self.drop()
            self._refuse()
        else:
            self._queue.put(line)

    def drop(self) -> None:
        """Count a line that could not even be made."""
        with self._count:
            self._dropped += 1
            self._untold += 1

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> bool:
        """Write what waits, within a bound; return whether the writer came to an end.

        What is not written within the bound counts as dropped.
        """
        if not self._closed:
            self._closed = True
            self._queue.put(_Stop())
        self._thread.join(timeout_s)
        self._give_up.set()
        self._thread.join(_LOOK_MS / 1000 * 4)
        return not self._thread.is_alive()

    def _refuse(self) -> None:
        with self._count:
            first, self._refusing = not self._refusing, True
        if first:
            self._queue.put(_Gap())

    # --- In the thread ------------------------------------------------------------

    def _run(self) -> None:
        while not isinstance(entry := self._queue.get(), _Stop):
            if isinstance(entry, _Gap):
                self._refusing = False
                self._tell()
            elif not self._write(entry):
                self.drop()
            elif not self._refusing:
                self._tell()
        self._tell()

    def _tell(self) -> None:
        """Report the lines dropped so far; if that fails, a later line will."""
        untold = self._untold
        if untold and self._write(self._report(untold)):
            with self._count:
                self._untold -= untold

    def _write(self, line: str) -> bool:
        start = b"\n" if self._torn else b""
        left = memoryview(start + _bytes_of(line))
        whole = len(left)
        try:
            while left and self._is_ready():
                left = left[os.write(self._descriptor, left[:_CHUNK_BYTES]) :]
        except OSError:
            # Nobody reads any more, or there is no room: not the game's concern.
            pass
        if len(left) < whole:
            self._torn = bool(left)
        return not left

    def _is_ready(self) -> bool:
        """Wait until a write will not block; give up when told to."""
        poll = select.poll()
        poll.register(self._descriptor, _READY)
        while not poll.poll(0 if self._give_up.is_set() else _LOOK_MS):
            if self._give_up.is_set():
                return False
        return True


def _bytes_of(line: str) -> bytes:
    encoded = line.encode("utf-8", errors="backslashreplace")
    if len(encoded) > LINE_MAX_BYTES:
        encoded = encoded[: LINE_MAX_BYTES - len(_CUT)] + _CUT
    return encoded + b"\n"
