"""Pins and the loop: edges of other threads, lamps in time, chips that go away."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Final

import pytest
from gpiozero.exc import BadPinFactory
from msgspec.structs import replace

from controller.runtime.pin_pump import EDGES_MAX, PinPump
from drivers.events import DeviceBack, DeviceLost, DriverEvent, PressReceived
from drivers.gpio.chips import MockChips
from drivers.gpio.lines import Untyped
from drivers.gpio.panel import PinPanel
from drivers.gpio.session import PinSession
from drivers.gpio.wiring import Key, Line, wiring_of
from drivers.link import LinkState
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, shipped_hardware

BOUND_S: Final = 10.0
SEAT: Final = 1
HIT: Final = frozenset({Button.HIT})


class BreakableChips(MockChips):
    """Mock chips of which all may be gone for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.gone = False

    def open(self, label: str) -> Untyped:
        if self.gone:
            raise BadPinFactory(f"{label} is gone")
        return super().open(label)


class Bench:
    """A pump over mock chips, whose seat shows HIT for prompt 1."""

    def __init__(self) -> None:
        board = load_hardware(shipped_hardware("simulation-gpio")).pins
        assert board is not None
        board = replace(board, seats=board.seats[:1])
        self.loop = asyncio.get_running_loop()
        self.wiring = wiring_of(board)
        self.chips = BreakableChips()
        self.chips.release(self.wiring.contacts, board.button_active)
        panels = [
            PinPanel(panel, panel.seat or 8, None) for panel in self.wiring.panels
        ]
        self.session = PinSession(self.wiring, panels, 0.5, self.loop.time())
        self.session.set_lamps(SEAT, 1, HIT)
        self.events: list[DriverEvent] = []
        self.pump = PinPump(board, self.chips, self.session, self.events.append)

    @property
    def hit(self) -> Key:
        keys = self.wiring.panels[SEAT].keys
        return next(key for key in keys if Button.HIT in key.does)

    def pin(self, line: Line) -> Untyped:
        return self.chips.open(line.chip).pin(line.number)

    @property
    def presses(self) -> list[PressReceived]:
        return [event for event in self.events if isinstance(event, PressReceived)]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - pins set no event
            await asyncio.sleep(0.002)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bench = Bench()
    bench.pump.start()
    yield bench
    bench.pump.stop()


async def test_lamps_are_lit_as_soon_as_the_pins_are_held(bench: Bench) -> None:
    assert bool(bench.pin(bench.hit.lamp).state)
    assert bench.session.state is LinkState.READY
    assert len([e for e in bench.events if isinstance(e, DeviceBack)]) == 2


async def test_a_press_in_another_thread_is_told_in_the_loop(bench: Bench) -> None:
    thread = threading.Thread(target=bench.pin(bench.hit.button).drive_low)
    thread.start()
    thread.join()
    assert bench.presses == [], "the pins' thread hands over, and no more"
    await until(lambda: bool(bench.presses))
    (press,) = bench.presses
    assert (press.press.button, press.press.prompt_number) == (Button.HIT, 1)


async def test_an_edge_before_the_lamps_is_for_the_prompt_before(bench: Bench) -> None:
    bench.pin(bench.hit.button).drive_low()
    # The loop comes to the edge only after it has shown the next prompt.
    bench.session.set_lamps(SEAT, 2, HIT)
    bench.pump.run()
    await until(lambda: bool(bench.presses))
    assert bench.presses[0].press.prompt_number == 1


async def test_an_edge_after_the_lamps_is_for_their_prompt(bench: Bench) -> None:
    bench.session.set_lamps(SEAT, 2, HIT)
    bench.pump.run()
    bench.pin(bench.hit.button).drive_low()
    await until(lambda: bool(bench.presses))
    assert bench.presses[0].press.prompt_number == 2


async def test_a_line_that_rattles_does_not_fill_the_loop(bench: Bench) -> None:
    pin = bench.pin(bench.hit.button)
    for _ in range(2 * EDGES_MAX):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    # The last edges found no place; that the button is down is seen by looking.
    await until(lambda: bool(bench.presses))
    await asyncio.sleep(0)
    assert len(bench.presses) == 1
    assert bench.pump.counters.frames_received <= EDGES_MAX
    assert bench.pump.counters.gaps == 1


async def test_pins_that_go_away_are_lost_and_come_back(bench: Bench) -> None:
    lamp = bench.hit.lamp
    bench.pin(lamp).function = "input"
    bench.chips.gone = True
    bench.session.set_lamps(SEAT, 2, frozenset())
    bench.pump.run()
    assert bench.session.state is LinkState.BACKOFF
    assert "the pins went away" in bench.pump.last_error
    await until(lambda: any(isinstance(e, DeviceLost) for e in bench.events))
    assert "cannot be opened" in bench.pump.last_error
    bench.chips.gone = False
    await until(lambda: bench.session.state is LinkState.READY)
    assert bench.pump.last_error == ""
    assert not bench.pin(lamp).state


async def test_a_chip_that_is_missing_at_the_start_is_waited_for() -> None:
    bench = Bench()
    bench.chips.gone = True
    bench.pump.start()
    assert "pin chip table cannot be opened" in bench.pump.last_error
    bench.chips.gone = False
    await until(lambda: bench.session.state is LinkState.READY)
    bench.pump.stop()


async def test_a_stopped_pump_lets_every_line_go_and_twice_is_fine() -> None:
    bench = Bench()
    bench.pump.start()
    bench.pump.stop()
    bench.pump.stop()
    assert bench.pin(bench.hit.lamp).function == "input"
    bench.pin(bench.hit.button).drive_low()
    await asyncio.sleep(0)
    assert bench.presses == []


async def test_lamps_and_relay_are_off_before_the_lines_are_let_go(
    bench: Bench,
) -> None:
    gate = bench.wiring.shoe_gate
    assert gate is not None
    bench.session.set_house(table_lamp=True, gate_open=True)
    bench.pump.run()
    lamp, relay = bench.pin(bench.hit.lamp), bench.pin(gate)
    assert bool(lamp.state)
    assert bool(relay.state)
    bench.session.put_lamps_out()
    assert not bench.session.lamps_are_out
    assert await bench.pump.run_until(lambda: bench.session.lamps_are_out, BOUND_S)
    assert not bool(lamp.state)
    assert not bool(relay.state)


async def test_lines_that_are_lost_hold_nobody_up(bench: Bench) -> None:
    bench.session.connection_lost(bench.loop.time())
    bench.session.put_lamps_out()
    assert bench.session.lamps_are_out
