"""The real sessions and ports meet the simulated devices on pseudo-terminals."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from drivers.bus import BusTiming
from drivers.errors import PortError
from drivers.events import (
    Cursor,
    DeviceIdentified,
    DriverEvent,
    PressReceived,
    ShoeEventReceived,
)
from drivers.identity import DeviceType, Expected
from drivers.panel.messages import Button
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig
from drivers.ports import SerialPort
from drivers.session import Session
from drivers.shoe.messages import CardDrawn
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import Device, DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator

BOUND_S = 10.0
SEATS = (1, 2, 3)


class Line:
    """A session on a real port, moved by hand until something is so."""

    def __init__(self, path: Path, session: Session) -> None:
        self.session = session
        self.events: list[DriverEvent] = []
        self._path = path
        self._port: SerialPort | None = None

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(BOUND_S):
            while not condition():
                self._run_once(asyncio.get_running_loop().time())
                await asyncio.sleep(0.001)

    def close(self) -> None:
        if self._port is not None:
            self._port.close()

    def _run_once(self, now: float) -> None:
        try:
            self._move_bytes(now)
        except PortError:
            self.close()
            self._port = None
            self.session.connection_lost(now)
        while (event := self.session.next_event()) is not None:
            self.events.append(event)

    def _move_bytes(self, now: float) -> None:
        if self._port is None and self.session.wants_port:
            self._port = SerialPort(self._path)
            self.session.connection_made(now)
        if self._port is not None:
            self.session.receive_data(self._port.read_available(), now)
        self.session.handle_timer(now)
        while data := self.session.data_to_send(now):
            if self._port is not None:
                self._port.write(data)


@contextlib.asynccontextmanager
async def served(path: Path, device: Device) -> AsyncIterator[Station]:
    station = Station(PtyPort(path), device)
    async with DeviceServer([station]):
        yield station


def bus_session(now: float, cursors: dict[int, Cursor]) -> PanelBusSession:
    panels = [
        PanelConfig(
            seat, Expected(DeviceType.PANEL, seat, "a pty", "a test"), cursors.get(seat)
        )
        for seat in SEATS
    ]
    return PanelBusSession(panels, BusTiming(answer_s=0.2, answer_max_s=0.3), now)


def presses(line: Line) -> list[PressReceived]:
    return [event for event in line.events if isinstance(event, PressReceived)]


def identified(line: Line) -> int:
    return sum(isinstance(event, DeviceIdentified) for event in line.events)


async def test_a_press_on_a_terminal_is_taken_once_by_two_hosts(tmp_path: Path) -> None:
    now = asyncio.get_running_loop().time
    source = random.Random(7)
    bus = PanelBus(PanelSimulator(seat, seat, source) for seat in SEATS)
    panel = bus.panels[2]
    async with served(tmp_path / "panels", bus):
        first_session = bus_session(now(), {})
        first_session.set_lamps(2, 5, frozenset({Button.HIT}))
        first = Line(tmp_path / "panels", first_session)
        await first.until(lambda: panel.lamps == {Button.HIT})
        panel.press(Button.HIT, now())
        panel.press(Button.STAND, now())
        await first.until(lambda: len(presses(first)) == 2)
        one, two = presses(first)
        assert (one.press.button, one.press.prompt_number) == (Button.HIT, 5)
        first_session.acknowledge(2, one.cursor)
        await first.until(lambda: len(panel.memory.waiting) == 1)
        # The host dies here; only the first press is in its journal.
        first.close()
        second_session = bus_session(now(), {2: one.cursor})
        second = Line(tmp_path / "panels", second_session)
        await second.until(lambda: bool(presses(second)))
        assert [event.cursor for event in presses(second)] == [two.cursor]
        second_session.acknowledge(2, two.cursor)
        await second.until(lambda: not panel.memory.waiting)
        second.close()
    assert [made.press.number for made in panel.memory.acknowledged] == [1, 2]


async def test_a_card_on_a_terminal_survives_a_pulled_cable(tmp_path: Path) -> None:
    now = asyncio.get_running_loop().time
    shoe = ShoeSimulator(random.Random(7))
    session = ShoeSession(
        Expected(DeviceType.SHOE, 0, "a pty", "a test"), None, ShoeTiming(), now()
    )
    line = Line(tmp_path / "shoe", session)
    async with served(tmp_path / "shoe", shoe) as station:
        await line.until(lambda: identified(line) == 1)
        station.unplug()
        shoe.draw("Th")
        await line.until(lambda: not session.wants_port)
        station.plug_in()
        await line.until(lambda: identified(line) == 2)
        shoe.draw("As")
        station.run_once()
        await line.until(lambda: len(cards(line)) == 2)
        taken = cards(line)
        session.acknowledge(taken[-1].cursor)
        await line.until(lambda: len(shoe.memory.acknowledged) == 2)
        line.close()
    assert [event.event for event in taken] == [CardDrawn(1, "Th"), CardDrawn(2, "As")]


def cards(line: Line) -> list[ShoeEventReceived]:
    return [event for event in line.events if isinstance(event, ShoeEventReceived)]
