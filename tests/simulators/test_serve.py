import asyncio
import contextlib
import functools
import os
import random
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from simulators.devices.fault_player import FaultPlayer, Hardware
from simulators.devices.faults import Cable, FaultPlan, ShoeGap, Unplug
from simulators.devices.panel import PanelBus
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator

TICK_S = 0.01
BOUND_S = 5.0


class Parrot:
    """Repeats what it hears in capitals and says a dot from time to time."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self.heard = b""
        self.heard_at_s = 0.0
        self._due = b""

    def receive_data(self, data: bytes, now: float) -> None:
        if self.deadline is None:
            self.deadline = now + TICK_S
        if data:
            self.heard_at_s = now
        self.heard += data
        self._due += data.upper()

    def data_to_send(self, now: float) -> bytes:
        del now
        due, self._due = self._due, b""
        return due

    def handle_timer(self, now: float) -> None:
        if self.deadline is not None and now >= self.deadline:
            self.deadline = now + TICK_S
            self._due += b"."


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - another process's bytes set no event
            await asyncio.sleep(0.001)


def target(path: Path) -> Path | None:
    return path.readlink() if path.is_symlink() else None


def is_moved(path: Path, before: Path | None) -> bool:
    return target(path) != before


@contextlib.asynccontextmanager
async def served(path: Path) -> AsyncIterator[tuple[Station, Parrot]]:
    parrot = Parrot()
    station = Station(PtyPort(path), parrot)
    async with DeviceServer([station]):
        yield station, parrot


@contextlib.contextmanager
def opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def reader(descriptor: int, wanted: bytes) -> Callable[[], bool]:
    heard = bytearray()

    def has_come() -> bool:
        with contextlib.suppress(BlockingIOError):
            heard.extend(os.read(descriptor, 4096))
        return wanted in heard

    return has_come


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shoe"


async def test_a_served_device_answers(path: Path) -> None:
    async with served(path):
        with opened(path) as host:
            os.write(host, b"hello")
            await until(reader(host, b"HELLO"))


async def test_a_served_device_speaks_by_itself_when_its_time_comes(path: Path) -> None:
    async with served(path):
        with opened(path) as host:
            await until(reader(host, b"."))


async def test_a_served_device_outlives_its_host(path: Path) -> None:
    async with served(path) as (_, parrot):
        for word in (b"one", b"two", b"three"):
            before = target(path)
            with opened(path) as host:
                os.write(host, word)
                await until(reader(host, word.upper()))
            await until(functools.partial(is_moved, path, before))
        assert parrot.heard == b"onetwothree"


async def test_a_device_unplugged_and_plugged_in_again_answers(path: Path) -> None:
    async with served(path) as (station, _):
        with opened(path):
            station.unplug()
            assert target(path) is None
        station.plug_in()
        with opened(path) as host:
            os.write(host, b"back")
            await until(reader(host, b"BACK"))


async def test_a_device_sends_at_once_what_was_done_to_it(path: Path) -> None:
    async with served(path) as (station, parrot):
        with opened(path) as host:
            parrot.receive_data(b"pressed", 0.0)
            station.run_once()
            await until(reader(host, b"PRESSED"))


async def test_a_stopped_server_leaves_nothing_behind(path: Path) -> None:
    async with served(path) as (station, _):
        pass
    station.stop()
    station.run_once()
    assert target(path) is None
    assert station.port.fileno() == -1


async def test_a_plan_of_faults_is_played_on_served_devices(path: Path) -> None:
    bus, shoe = PanelBus([]), ShoeSimulator(random.Random(1))
    panels = Station(PtyPort(path.with_name("panels")), bus)
    station = Station(PtyPort(path), shoe)
    async with DeviceServer([panels, station]) as server:
        schedule = (
            Unplug(0.0, 1.0, Cable.SHOE),
            ShoeGap(2.0, 1, can_resend=False),
        )
        plan = FaultPlan(1, schedule=schedule)
        player = FaultPlayer(plan, Hardware(bus.panels, shoe, panels, station))
        player.handle_timer(0.0)
        assert target(path) is None
        player.handle_timer(1.0)
        assert target(path) is not None
        with opened(path) as host:
            player.handle_timer(2.0)
            server.run_once()
            await until(reader(host, b"\x00"))


async def test_a_stalled_device_hears_nothing_until_the_stall_ends(path: Path) -> None:
    async with served(path) as (station, parrot):
        stalled_until_s = asyncio.get_running_loop().time() + 0.1
        with opened(path) as host:
            station.stall(stalled_until_s)
            os.write(host, b"hello")
            await until(reader(host, b"HELLO"))
        assert parrot.heard_at_s >= stalled_until_s
