"""Bytes between a port and its session, over pseudo-terminals in a real loop."""

import asyncio
import contextlib
import os
import tty
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.runtime.pump import Pump
from drivers.errors import PortOpenError
from drivers.events import (
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DriverEvent,
    ShoeEventReceived,
)
from drivers.identity import DeviceType, Expected
from drivers.link import LinkCounters, LinkState, LinkTiming
from drivers.ports import WAITING_MAX_BYTES, SerialPort
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator

BOUND_S = 10.0
BAUD = 115200
QUICK = ShoeTiming(
    lost_after_s=0.2, link=LinkTiming(backoff_min_s=0.02, backoff_max_s=0.05)
)
SHOE = Device(DeviceType.SHOE, 0)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - a terminal's bytes set no event
            await asyncio.sleep(0.001)


# --- A shoe at a port -------------------------------------------------------------


class Table:
    """A shoe's session at a port, and what it told."""

    def __init__(self, path: Path) -> None:
        now = asyncio.get_running_loop().time()
        expected = Expected(DeviceType.SHOE, 0, str(path), "a test")
        self.session = ShoeSession(expected, None, QUICK, now)
        self.events: list[DriverEvent] = []
        self.pump = Pump(path, BAUD, self.session, self.events.append)

    def told(self, kind: type[DriverEvent]) -> int:
        return sum(type(event) is kind for event in self.events)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shoe"


@pytest.fixture
async def table(path: Path) -> AsyncIterator[Table]:
    table = Table(path)
    yield table
    table.pump.stop()


@contextlib.asynccontextmanager
async def served(path: Path, shoe: ShoeSimulator) -> AsyncIterator[Station]:
    station = Station(PtyPort(path), shoe)
    async with DeviceServer([station]):
        yield station


async def test_what_a_device_says_is_told_and_answered(
    table: Table, path: Path
) -> None:
    shoe = ShoeSimulator(Random(7))
    async with served(path, shoe) as station:
        table.pump.start()
        await until(lambda: table.told(DeviceIdentified) == 1)
        shoe.draw("Th")
        station.run_once()
        await until(lambda: table.told(ShoeEventReceived) == 1)
        (card,) = (e for e in table.events if isinstance(e, ShoeEventReceived))
        table.session.acknowledge(card.cursor)
        table.session.open_gate(shoe.memory.boot_id, 9)
        table.pump.run()
        await until(lambda: len(shoe.memory.acknowledged) == 1)
        await until(lambda: shoe.gate_up_to == 9)
        table.pump.stop()


async def test_an_unplugged_device_is_lost_and_a_replugged_one_is_back(
    table: Table, path: Path
) -> None:
    shoe = ShoeSimulator(Random(7))
    async with served(path, shoe) as station:
        table.pump.start()
        await until(lambda: table.told(DeviceBack) == 1)
        for times in (1, 2):
            station.unplug()
            await until(lambda: table.told(DeviceLost) == times)  # noqa: B023 - awaited in the same turn
            assert str(path) in table.pump.last_error
            station.plug_in()
            await until(lambda: table.told(DeviceBack) == times + 1)  # noqa: B023 - same
            assert table.pump.last_error == ""
        assert table.session.state is LinkState.READY
        table.pump.stop()


async def test_a_port_that_is_not_there_is_tried_until_it_is(
    table: Table, path: Path
) -> None:
    table.pump.start()
    assert f"{path} cannot be opened" in table.pump.last_error
    await until(lambda: table.told(DeviceLost) == 1)
    async with served(path, ShoeSimulator(Random(7))):
        await until(lambda: table.told(DeviceBack) == 1)
        table.pump.stop()


async def test_a_stopped_pump_lets_the_port_go_and_does_no_more(
    table: Table, path: Path
) -> None:
    shoe = ShoeSimulator(Random(7))
    async with served(path, shoe):
        table.pump.start()
        await until(lambda: table.told(DeviceIdentified) == 1)
        with pytest.raises(PortOpenError):
            SerialPort(path)
        table.pump.stop()
        table.pump.stop()
        handled = len(table.events)
        # The simulated device answers the hang-up with a fresh terminal.
        await until(lambda: can_be_opened(path))
        assert len(table.events) == handled


async def test_a_pump_that_never_started_can_be_stopped(table: Table) -> None:
    table.pump.stop()
    assert table.events == []


def can_be_opened(path: Path) -> bool:
    try:
        SerialPort(path).close()
    except PortOpenError:
        return False
    return True


# --- A session that a test moves by hand ------------------------------------------


class Words:
    """A session that says and tells what it is given."""

    def __init__(self) -> None:
        self.wants_port = True
        self.deadline: float | None = None
        self.counters = LinkCounters()
        self.to_say: deque[bytes] = deque()
        self.to_tell: deque[DriverEvent] = deque()
        self.heard = b""
        self.handled_at: list[float] = []
        self.made = 0
        self.lost = 0

    def connection_made(self, _now: float) -> None:
        self.made += 1

    def connection_lost(self, _now: float) -> None:
        self.lost += 1
        self.wants_port = False

    def receive_data(self, data: bytes, _now: float) -> None:
        self.heard += data

    def next_event(self) -> DriverEvent | None:
        return self.to_tell.popleft() if self.to_tell else None

    def data_to_send(self, _now: float) -> bytes:
        return self.to_say.popleft() if self.to_say else b""

    def handle_timer(self, now: float) -> None:
        self.handled_at.append(now)
        if self.deadline is not None and now >= self.deadline:
            self.deadline = None


class FarEnd:
    """A terminal whose far side reads only when it is told to."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        self.path = Path(os.ttyname(slave))
        os.close(slave)
        self.heard = b""

    def read(self) -> bytes:
        with contextlib.suppress(BlockingIOError):
            self.heard += os.read(self.master, 65536)
        return self.heard

    def hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


@pytest.fixture
def far_end() -> Iterator[FarEnd]:
    far_end = FarEnd()
    yield far_end
    far_end.hang_up()


class Line:
    """Such a session on such a terminal."""

    def __init__(self, path: Path) -> None:
        self.session = Words()
        self.told: list[DriverEvent] = []
        self.pump = Pump(path, BAUD, self.session, self.told.append)


@pytest.fixture
async def line(far_end: FarEnd) -> AsyncIterator[Line]:
    line = Line(far_end.path)
    yield line
    line.pump.stop()


MOST_CHUNKS = 100


def chunks(count: int, size: int = 1000) -> list[bytes]:
    return [bytes([number % 251]) * size for number in range(count)]


async def fill(line: Line, far_end: FarEnd) -> bytes:
    """Say so much that the terminal takes no more; return all of it."""
    said = b""
    line.pump.start()
    while True:
        for chunk in chunks(2):
            line.session.to_say.append(chunk)
            said += chunk
        line.pump.run()
        await asyncio.sleep(0)
        if line.pump._writing:  # noqa: SLF001 - no other sign tells that bytes wait
            return said
        assert far_end.heard == b""


async def test_a_write_that_blocks_goes_on_when_the_far_side_reads(
    line: Line, far_end: FarEnd
) -> None:
    said = await fill(line, far_end)
    assert line.session.lost == 0
    await until(lambda: len(far_end.read()) == len(said))
    assert far_end.heard == said
    # Nothing waits any more: the loop does not spin on a port that takes bytes.
    await asyncio.sleep(0)
    handled = len(line.session.handled_at)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(line.session.handled_at) == handled
    line.session.to_say.append(b"again")
    line.pump.run()
    await until(lambda: far_end.read().endswith(b"again"))


async def test_a_far_side_that_never_reads_loses_its_link(
    line: Line, far_end: FarEnd
) -> None:
    await fill(line, far_end)
    # The kernel may still move some on; what it holds of one terminal has an end.
    for _ in range(MOST_CHUNKS):
        if line.session.lost:
            break
        line.session.to_say.extend(chunks(WAITING_MAX_BYTES // 1000 + 1))
        line.pump.run()
        await asyncio.sleep(0)
    assert line.session.lost == 1
    assert "takes no bytes" in line.pump.last_error
    assert can_be_opened(far_end.path)


async def test_a_hang_up_is_noticed_without_saying_anything(
    line: Line, far_end: FarEnd
) -> None:
    line.pump.start()
    far_end.hang_up()
    await until(lambda: line.session.lost == 1)
    assert "plug it in again" in line.pump.last_error


async def test_a_hang_up_while_bytes_wait_is_noticed_once(
    line: Line, far_end: FarEnd
) -> None:
    await fill(line, far_end)
    far_end.hang_up()
    await until(lambda: line.session.lost == 1)
    for _ in range(20):
        await asyncio.sleep(0)
    assert line.session.lost == 1


async def test_a_port_that_is_not_wanted_is_closed_and_opened_when_it_is(
    line: Line, far_end: FarEnd
) -> None:
    line.pump.start()
    line.session.wants_port = False
    line.session.to_say.append(b"to nobody")
    line.pump.run()
    assert can_be_opened(far_end.path)
    line.session.wants_port = True
    line.pump.run()
    assert line.session.made == 2
    await until(lambda: far_end.read() == b"to nobody")


async def test_the_timer_is_armed_anew_each_time(line: Line) -> None:
    loop = asyncio.get_running_loop()
    line.session.deadline = loop.time() + 60.0
    line.pump.start()
    handled = len(line.session.handled_at)
    for pause_s in (0.01, 0.02):
        due = loop.time() + pause_s
        line.session.deadline = due
        line.pump.run()
        handled += 1
        await until(lambda: len(line.session.handled_at) == handled + 1)  # noqa: B023 - awaited in the same turn
        handled += 1
        assert line.session.handled_at[-1] >= due - 0.001
    # Nothing is due any more, and the minute of the beginning is forgotten.
    assert line.pump._timer is None  # noqa: SLF001 - what does not come cannot be waited for


async def test_an_error_of_who_is_told_reaches_the_loop(
    far_end: FarEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, found = asyncio.get_running_loop(), list[dict[str, Any]]()
    monkeypatch.setattr(loop, "call_exception_handler", found.append)

    def fail(_event: DriverEvent) -> None:
        raise LookupError

    session = Words()
    pump = Pump(far_end.path, BAUD, session, fail)
    pump.start()
    session.to_tell.append(DeviceLost(SHOE))
    os.write(far_end.master, b"x")
    await until(lambda: bool(found))
    pump.stop()
    assert isinstance(found[0]["exception"], LookupError)
    assert session.heard == b"x"
