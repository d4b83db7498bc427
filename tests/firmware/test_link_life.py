"""The whole life of a link, over a pseudo-terminal, with the host's own session.

On the other side of the wire is the firmware, run by CPython and by MicroPython.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

import pytest

from drivers.bus import BusTiming
from drivers.events import (
    Cursor,
    DeviceIdentified,
    HeldButtonsChanged,
    PanelEvent,
    PressesDropped,
    PressReceived,
)
from drivers.framing import encode_frame
from drivers.identity import DeviceType, Expected, Identity
from drivers.panel.codec import to_frame
from drivers.panel.messages import Button, Poll
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig
from drivers.ports import SerialPort
from simulators.devices.pty_port import open_terminal
from tests.firmware.bench import ADDRESS
from tests.firmware.boards import Board, BoardHere
from tests.firmware.micropython import BoardProcess, needs_micropython

BOUND_S: Final = 10.0
BOOT: Final = 7
HIT: Final = 1 << 3
STAND: Final = 1 << 4
LIT: Final = frozenset({Button.HIT, Button.STAND})

PowerOn = Callable[[int, int], Board]


class Host:
    """A session on a real port; it can be silent, or have its questions lost."""

    def __init__(self, path: str, now: float, cursor: Cursor | None = None) -> None:
        expected = Expected(DeviceType.PANEL, ADDRESS, "a pty", "a test")
        panel = PanelConfig(ADDRESS, expected, cursor)
        timing = BusTiming(answer_s=0.1, answer_max_s=0.2)
        self.session = PanelBusSession([panel], timing, now)
        self.port = SerialPort(Path(path))
        self.session.connection_made(now)
        self.events: list[PanelEvent] = []
        self.loses_questions = False

    def run_once(self, now: float) -> None:
        self.session.receive_data(self.port.read_available(), now)
        self.session.handle_timer(now)
        while data := self.session.data_to_send(now):
            if not self.loses_questions:
                self.port.write(data)
        self.events.extend(iter(self.session.next_event, None))

    @property
    def presses(self) -> list[PressReceived]:
        return [event for event in self.events if isinstance(event, PressReceived)]

    @property
    def held(self) -> frozenset[Button] | None:
        """What it was told last to be held."""
        told = [e.held for e in self.events if isinstance(e, HeldButtonsChanged)]
        return told[-1] if told else None

    def acknowledge(self, press: PressReceived) -> None:
        self.session.acknowledge(ADDRESS, press.cursor)


class Table:
    """A host and a board on one line, moved by hand until something is so."""

    def __init__(self, descriptor: int, path: str, power_on: PowerOn) -> None:
        self._descriptor = descriptor
        self._path = path
        self._power_on = power_on
        self.board = power_on(descriptor, BOOT)
        self.host = Host(path, self.now())
        self.host.session.set_lamps(ADDRESS, 58, LIT)

    @staticmethod
    def now() -> float:
        return asyncio.get_running_loop().time()

    async def until(self, condition: Callable[[], bool], *, polls: bool = True) -> None:
        """Let both sides run until something is so; without `polls` the panel alone."""
        async with asyncio.timeout(BOUND_S):
            while not condition():
                if polls:
                    self.host.run_once(self.now())
                self.board.turn()
                await asyncio.sleep(0.001)

    async def ready(self) -> None:
        await self.until(lambda: self.board.shown[-1:] == [HIT | STAND])

    async def answers(self, count: int) -> None:
        """Wait for so many frames more, all of which repeat what is not taken."""
        counters = self.host.session.counters
        enough = counters.frames_received + count
        await self.until(lambda: self.host.session.counters.frames_received >= enough)

    async def press(self, mask: int) -> None:
        """Press buttons and let them go, as soon as the host knows of either."""
        self.board.close_contacts(mask)
        await self.until(lambda: bool(self.host.held))
        self.board.close_contacts(0)
        await self.until(lambda: not self.host.held)

    def restart_board(self, boot_id: int) -> None:
        self.board.kill()
        self.board = self._power_on(self._descriptor, boot_id)

    def restart_host(self, cursor: Cursor | None) -> None:
        self.host.port.close()
        self.host = Host(self._path, self.now(), cursor)
        self.host.session.set_lamps(ADDRESS, 58, LIT)

    def close(self) -> None:
        self.board.kill()
        self.host.port.close()
        os.close(self._descriptor)


def power_on_here(descriptor: int, boot_id: int) -> Board:
    return BoardHere(descriptor, boot_id, Table.now)


@pytest.fixture(
    params=[
        pytest.param(power_on_here, id="cpython"),
        pytest.param(BoardProcess, id="micropython", marks=needs_micropython),
    ]
)
async def table(request: pytest.FixtureRequest) -> AsyncIterator[Table]:
    table = Table(*open_terminal(), request.param)
    with contextlib.closing(table):
        yield table


async def test_a_press_is_repeated_until_taken_and_counts_once(table: Table) -> None:
    await table.ready()
    await table.press(HIT)
    await table.answers(3)
    (first,) = table.host.presses
    assert first.cursor == Cursor(BOOT, 1)
    assert (first.press.button, first.press.prompt_number) == (Button.HIT, 58)

    # The first polls that say it is taken are lost; reports go on repeating it.
    table.host.acknowledge(first)
    table.host.loses_questions = True
    misses = table.host.session.counters.gaps
    await table.until(lambda: table.host.session.counters.gaps > misses)
    table.host.loses_questions = False
    await table.press(STAND)
    assert [event.cursor.number for event in table.host.presses] == [1, 2]

    # The host restarts, having written down the first alone.
    table.restart_host(first.cursor)
    await table.until(lambda: bool(table.host.presses))
    await table.answers(3)
    (again,) = table.host.presses
    assert again.cursor == Cursor(BOOT, 2)
    assert again.press.age_ms > 0


async def test_four_presses_wait_and_a_fifth_is_reported_as_dropped(
    table: Table,
) -> None:
    await table.ready()
    for mask in (HIT, STAND, HIT, STAND, HIT):
        await table.press(mask)
    await table.answers(2)
    assert [event.cursor.number for event in table.host.presses] == [1, 2, 3, 4]
    dropped = [e for e in table.host.events if isinstance(e, PressesDropped)]
    assert dropped == [PressesDropped(ADDRESS, BOOT, 1)]

    table.host.acknowledge(table.host.presses[-1])
    await table.press(STAND)
    assert table.host.presses[-1].cursor.number == 5


async def test_a_panel_that_restarts_counts_from_one_under_another_boot_id(
    table: Table,
) -> None:
    await table.ready()
    await table.press(HIT)
    table.restart_board(BOOT + 1)
    await table.until(lambda: len(identities(table.host)) == 2)
    await table.ready()
    await table.press(STAND)
    assert [event.cursor for event in table.host.presses] == [
        Cursor(BOOT, 1),
        Cursor(BOOT + 1, 1),
    ]
    assert [identity.boot_id for identity in identities(table.host)] == [7, 8]


def identities(host: Host) -> list[Identity]:
    return [e.identity for e in host.events if isinstance(e, DeviceIdentified)]


async def test_a_panel_goes_dark_when_the_host_is_silent_and_keeps_what_waits(
    table: Table,
) -> None:
    await table.ready()
    await table.press(HIT)
    await table.until(lambda: table.board.shown[-1] == 0, polls=False)
    table.restart_host(None)
    await table.ready()
    await table.until(lambda: bool(table.host.presses))
    assert table.host.presses[0].press.prompt_number == 58


async def test_noise_and_words_for_others_cost_nothing_but_themselves(
    table: Table,
) -> None:
    await table.ready()
    port = table.host.port
    everything = Poll(99, frozenset(Button), 0, 0)
    port.write(encode_frame(to_frame(everything, ADDRESS + 1, 1)))
    port.write(b"\x55" * 300)
    port.write(b"\0\x05\x03\x01\x01\xb6\xdc\0")
    port.write(bytes(range(1, 60)))
    await table.answers(3)
    await table.press(HIT)
    assert len(table.host.presses) == 1
    assert set(table.board.shown) <= {0, HIT | STAND}
    assert table.host.session.counters.errors == 0
