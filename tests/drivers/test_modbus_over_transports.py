"""Modbus modules over the transports of the other panels, where they fit.

A Modbus line never carries a byte past another or twice, and no number in its frames
would show it: the transport that does both is not for it. In its place stands one that
is late and keeps the order. The count is taken at the modules: what fingers pushed.
"""

import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import PanelEvent, PressReceived
from drivers.modbus.codec import encode_reply
from drivers.modbus.messages import CoilsWritten, Function, InputsRead, Refused
from drivers.modbus.session import ModbusSession, timing_at
from drivers.modbus.station import ModuleConfig
from drivers.modbus.wiring import SEAT
from drivers.panel.messages import NO_PROMPT, Button
from simulators.devices.modbus import MadeTap, ModbusBus, ModbusModule
from tests.drivers.test_over_transports import START, STEPS, Line, exercise
from tests.drivers.transports import (
    BYTE_S,
    TRANSPORTS,
    Deliveries,
    Pipe,
    Transport,
)

SEATS = (1, 2, 3)
BUTTONS = (Button.HIT, Button.STAND)


def late_in_order(data: bytes, now: float, source: random.Random) -> Deliveries:
    """Writes are late, now and then later than any patience, and keep their order."""
    late_s = source.uniform(0.0, 0.02) if source.random() < 0.98 else 0.2
    yield now + len(data) * BYTE_S + late_s, data


class OrderedPipe(Pipe):
    """A pipe in which nothing arrives before what was written earlier."""

    def write(self, data: bytes, now: float) -> None:
        if self._coming:
            now = max(now, *(at for at, _, _ in self._coming))
        super().write(data, now)


FITTING = (
    *(one for one in TRANSPORTS if one.name != "delayed and doubled"),
    Transport("late, in order", late_in_order),
)
CLEAN = {"whole", "byte at a time", "joined"}


def line_of(bus: ModbusBus, transport: Transport, seed: int) -> Line:
    line = Line(bus, transport, seed)
    source = random.Random(seed)
    line.outward = OrderedPipe(transport, source)
    line.inward = OrderedPipe(transport, source)
    return line


def session_of(now: float) -> ModbusSession:
    configs = [ModuleConfig(at, SEAT, f"place {at}", "a.toml") for at in SEATS]
    session = ModbusSession(configs, timing_at(115_200, 3.0), now)
    session.connection_made(now)
    return session


def lamps_of(prompt: int) -> frozenset[Button]:
    return frozenset({BUTTONS[prompt % 2]})


def presses(told: Iterable[PanelEvent], address: int) -> list[tuple[Button, int]]:
    return [
        (one.press.button, one.press.prompt_number)
        for one in told
        if isinstance(one, PressReceived) and one.address == address
    ]


def is_told_of(tap: MadeTap, button: Button, prompt: int) -> bool:
    """Return whether a press that was told can be this push, and for lamps it saw."""
    saw = prompt == NO_PROMPT or tap.coils == SEAT.coils(lamps_of(prompt))
    return tap.button is button and saw


@pytest.mark.parametrize("transport", FITTING, ids=lambda one: one.name)
def test_a_push_is_told_once_in_order_and_only_for_lamps_that_were_lit(
    transport: Transport,
) -> None:
    source = random.Random(transport.name)
    modules = {at: ModbusModule(at, at) for at in SEATS}
    line = line_of(ModbusBus(modules.values()), transport, seed=1)
    session = session_of(line.now)
    told: list[PanelEvent] = []
    for turn in range(1, 120):
        seat = source.choice(SEATS)
        if turn < 110:
            session.set_lamps(seat, turn, lamps_of(turn))
            modules[seat].tap(source.choice(BUTTONS))
        line.run(session, line.now + source.uniform(0.05, 0.4))
        told += iter(session.next_event, None)
    line.run(session, line.now + 10.0)
    told += iter(session.next_event, None)

    for at, module in modules.items():
        heard = presses(told, at)
        pushed: Iterator[MadeTap] = iter(module.taps)
        for button, prompt in heard:
            assert any(is_told_of(tap, button, prompt) for tap in pushed)
        assert len(module.taps) > 20
        assert len(heard) > 0.75 * len(module.taps)
        if transport.name in CLEAN:
            assert len(heard) == len(module.taps)
            assert all(prompt != NO_PROMPT for _, prompt in heard)


@pytest.mark.parametrize("transport", FITTING, ids=lambda one: one.name)
def test_the_lamps_are_as_the_host_said_last(transport: Transport) -> None:
    module = ModbusModule(1, 1)
    line = line_of(ModbusBus([module]), transport, seed=4)
    session = session_of(line.now)
    for prompt in range(1, 6):
        session.set_lamps(1, prompt, lamps_of(prompt))
        line.run(session, line.now + 3.0)
        assert module.coils == SEAT.coils(lamps_of(prompt))


REPLIES = st.one_of(
    st.builds(InputsRead, st.integers(1, 4), st.integers(0, 255)),
    st.builds(CoilsWritten, st.integers(1, 4), st.just(0), st.integers(1, 8)),
    st.builds(
        Refused, st.integers(1, 4), st.sampled_from(Function), st.integers(1, 11)
    ),
).map(encode_reply)


@given(st.lists(st.tuples(REPLIES | st.binary(max_size=30), STEPS), max_size=40))
def test_a_session_survives_anything(chunks: list[tuple[bytes, float]]) -> None:
    exercise(session_of(START), chunks)
