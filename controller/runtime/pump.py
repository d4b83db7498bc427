"""Moving bytes between one port and its session: nearly all of asyncio is here.

The session says what to send, when to come back and whether the port should be open;
the pump does it, and hands on what the session tells.
"""

import abc
import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from drivers.errors import DriverError
from drivers.events import DriverEvent
from drivers.link import LinkCounters
from drivers.ports import SerialPort
from drivers.session import Link, Session

LinkT = TypeVar("LinkT", bound=Link)


class AnyPump(abc.ABC, Generic[LinkT]):
    """What moves a device's bytes, or the edges of pins, as its session says.

    `last_error` is why the device cannot be reached; empty where it can.
    """

    def __init__(self, session: LinkT, told: Callable[[DriverEvent], None]) -> None:
        self.last_error = ""
        self._session = session
        self._told = told
        self._timer: asyncio.TimerHandle | None = None
        self._ran = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._port_changed: Callable[[], None] = _tell_nobody

    @property
    @abc.abstractmethod
    def place(self) -> str:
        """Where the device is, as a technician would look for it."""

    @property
    def counters(self) -> LinkCounters:
        """What the link has seen since the start."""
        return self._session.counters

    def on_port(self, listener: Callable[[], None]) -> None:
        """Call `listener` once when the device's place cannot be used, once when again.

        `last_error` then says which; tries in vain between the two are not told.
        """
        self._port_changed = listener

    def start(self) -> None:
        """Begin as soon as the session wants it."""
        self.run()

    async def run_until(self, is_over: Callable[[], bool], within_s: float) -> bool:
        """Run on until something is so; return whether it was, within that time."""
        self.run()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while not is_over():
                    self._ran.clear()
                    await self._ran.wait()
        return is_over()

    def stop(self) -> None:
        """Let the device go and do no more; twice is fine."""
        self._cancel()
        self._close()

    @abc.abstractmethod
    def run(self) -> None:
        """Do whatever is due, and arrange to be called again."""

    @abc.abstractmethod
    def _close(self) -> None:
        """Let the device go."""

    def _lost(self, error: DriverError) -> None:
        self._note(str(error))
        self._close()
        self._session.connection_lost(self._loop.time())

    def _note(self, error: str) -> None:
        """Keep why the device cannot be reached; empty: it can."""
        changed = bool(error) is not bool(self.last_error)
        self.last_error = error
        if changed:
            self._port_changed()

    def _tell(self) -> None:
        while (event := self._session.next_event()) is not None:
            self._told(event)

    def _schedule(self) -> None:
        self._cancel()
        due = self._session.deadline
        if due is not None:
            self._timer = self._loop.call_at(due, self.run)
        self._ran.set()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Pump(AnyPump[Session]):
    """One port and the session that speaks over it."""

    def __init__(
        self,
        path: Path,
        baud: int,
        session: Session,
        told: Callable[[DriverEvent], None],
    ) -> None:
        super().__init__(session, told)
        self.path = path
        self._baud = baud
        self._port: SerialPort | None = None
        self._writing = False

    @property
    def place(self) -> str:
        """The port, as a technician would look for it."""
        return str(self.path)

    def run(self) -> None:
        """Do whatever is due, and arrange to be called again."""
        now = self._loop.time()
        self._session.handle_timer(now)
        self._match_port(now)
        self._send(now)
        self._tell()
        self._schedule()

    def _match_port(self, now: float) -> None:
        if self._port is not None and not self._session.wants_port:
            self._close()
        elif self._port is None and self._session.wants_port:
            self._open(now)

    def _open(self, now: float) -> None:
        try:
            self._port = SerialPort(self.path, self._baud)
        except DriverError as error:
            self._note(str(error))
            self._session.connection_lost(now)
            return
        self._note("")
        self._loop.add_reader(self._port.fileno(), self._readable)
        self._session.connection_made(now)

    def _close(self) -> None:
        if self._port is None:
            return
        # The loop lets go first: the number of a closed descriptor is used again.
        self._loop.remove_reader(self._port.fileno())
        self._watch_writable(wanted=False)
        self._port.close()
        self._port = None

    def _readable(self) -> None:
        # To let go of a port also cancels what the loop was about to call.
        assert self._port is not None
        try:
            data = self._port.read_available()
        except DriverError as error:
            self._lost(error)
        else:
            self._session.receive_data(data, self._loop.time())
        self.run()

    def _send(self, now: float) -> None:
        if self._port is None:
            return
        try:
            while data := self._session.data_to_send(now):
                self._port.write(data)
            self._port.flush_some()
        except DriverError as error:
            self._lost(error)
            return
        self._watch_writable(wanted=self._port.wants_write)

    def _watch_writable(self, *, wanted: bool) -> None:
        if wanted is self._writing or self._port is None:
            return
        self._writing = wanted
        if wanted:
            self._loop.add_writer(self._port.fileno(), self.run)
        else:
            self._loop.remove_writer(self._port.fileno())


def _tell_nobody() -> None:
    """Where nobody wants to know."""
