"""Runs simulated devices on their pseudo-terminals, all in one event loop.

The only place of the devices that waits and knows the hour: it reads the loop's
clock and hands it to devices and ports as an argument.
"""

import asyncio
from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from simulators.devices.pty_port import PtyPort


class Device(Protocol):
    """Whatever sits at the far end of a line: a shoe, or a bus full of panels."""

    def receive_data(self, data: bytes, now: float) -> None:
        """Take bytes that the host sent."""

    def data_to_send(self, now: float) -> bytes:
        """Give the bytes that are due to go to the host."""

    def handle_timer(self, now: float) -> None:
        """Do what has become due."""

    @property
    def deadline(self) -> float | None:
        """When `handle_timer` wants to be called next, or None."""


class Station:
    """One device at one port, woken by bytes and by its own deadlines."""

    def __init__(self, port: PtyPort, device: Device) -> None:
        self.port = port
        self.device = device
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watched = -1
        self._timer: asyncio.TimerHandle | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Plug the device in and begin to answer."""
        self._loop = loop
        self.port.plug_in()
        self.run_once()

    def stop(self) -> None:
        """Unplug the device and stop answering; twice is fine."""
        self.unplug()
        self._set_timer(None)
        self._loop = None

    def unplug(self) -> None:
        """Pull the cable; the device goes on behind it."""
        # The loop lets go first: the number of a closed descriptor is used again.
        self._watch(-1)
        self.port.unplug()
        self.run_once()

    def plug_in(self, *, mid_frame: bool = False) -> None:
        """Put the cable back, perhaps while the device is speaking."""
        self.port.plug_in(mid_frame=mid_frame)
        self.run_once()

    def stall(self, until_s: float) -> None:
        """Let nothing through in either direction before `until_s`."""
        self.port.stall(until_s)
        self.run_once()

    def block(self, until_s: float) -> None:
        """Take no bytes from the host before `until_s`."""
        self.port.block(until_s)
        self.run_once()

    def run_once(self) -> None:
        """Move every byte that can move and arrange to be woken again.

        To be called after anything was done to the device from outside, such as
        a press.
        """
        if self._loop is None:
            return
        now = self._loop.time()
        self.device.receive_data(self.port.read(now), now)
        self.device.handle_timer(now)
        self.port.write(self.device.data_to_send(now), now)
        self.port.handle_timer(now)
        self._watch(self.port.fileno())
        dues = (self.device.deadline, self.port.deadline)
        self._set_timer(min((due for due in dues if due is not None), default=None))

    def _watch(self, descriptor: int) -> None:
        """Wait on this descriptor and on no other; a replugged port has a new one."""
        if self._loop is None or descriptor == self._watched:
            return
        if self._watched >= 0:
            self._loop.remove_reader(self._watched)
        if descriptor >= 0:
            self._loop.add_reader(descriptor, self.run_once)
        self._watched = descriptor

    def _set_timer(self, due_s: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._loop is not None and due_s is not None:
            self._timer = self._loop.call_at(due_s, self.run_once)


class DeviceServer:
    """All devices of a simulated table; use it as an asynchronous context."""

    def __init__(self, stations: Iterable[Station]) -> None:
        self.stations = tuple(stations)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        for station in self.stations:
            station.start(loop)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for station in self.stations:
            station.stop()

    def run_once(self) -> None:
        """Let all devices send what was done to them from outside."""
        for station in self.stations:
            station.run_once()
