"""What happened at the devices is told once and in order, over five transports.

The count is taken on the devices' side: what was pressed and drawn there must be
what the host took, no more and no less, also when the host restarts in between.
"""

import itertools
import random
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bus import BusTiming
from drivers.events import (
    Cursor,
    PressReceived,
    ShoeCursor,
    ShoeEventReceived,
    ShoeGapFound,
)
from drivers.framing import Frame, encode_frame
from drivers.identity import DeviceType, Expected, Identity
from drivers.panel.codec import to_frame as panel_frame
from drivers.panel.messages import Button, Press, Report
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig
from drivers.session import Session
from drivers.shoe.codec import to_frame as shoe_frame
from drivers.shoe.messages import (
    CardDrawn,
    EventReport,
    Heartbeat,
    LidOpened,
    NotHeld,
    ShoeMessage,
)
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.shoe import ShoeSimulator
from tests.drivers.transports import TRANSPORTS, Pipe, Transport

START = 100.0
BOOT = 7


class Device(Protocol):
    """What the simulated bus and the simulated shoe have in common."""

    def receive_data(self, data: bytes, now: float) -> None: ...
    def data_to_send(self, now: float) -> bytes: ...
    def handle_timer(self, now: float) -> None: ...
    @property
    def deadline(self) -> float | None: ...


class Line:
    """A session and a device with a transport between them, on virtual time."""

    def __init__(self, device: Device, transport: Transport, seed: int) -> None:
        source = random.Random(seed)
        self.now = START
        self.device = device
        self.outward = Pipe(transport, source)
        self.inward = Pipe(transport, source)

    def run(self, session: Session, until: float) -> None:
        """Let time pass; the port is opened and closed as the session wants it."""
        while self.now < until:
            self.step(session)
            waits = (
                session.deadline,
                self.device.deadline,
                self.outward.deadline,
                self.inward.deadline,
            )
            later = [at for at in waits if at is not None]
            assert min(later, default=until) > self.now
            self.now = min([*later, until])

    def step(self, session: Session) -> None:
        """Do all that is due now."""
        session.handle_timer(self.now)
        self.device.handle_timer(self.now)
        self.device.receive_data(self.outward.read(self.now), self.now)
        session.receive_data(self.inward.read(self.now), self.now)
        self.inward.write(self.device.data_to_send(self.now), self.now)
        self.flush(session)

    def flush(self, session: Session) -> None:
        while data := session.data_to_send(self.now):
            self.outward.write(data, self.now)


def place(device_type: DeviceType, role: int) -> Expected:
    return Expected(device_type, role, f"place {role}", "a.toml")


def bus_session(cursors: dict[int, Cursor], now: float) -> PanelBusSession:
    configs = [
        PanelConfig(seat, place(DeviceType.PANEL, seat), cursors.get(seat))
        for seat in (1, 2, 3)
    ]
    session = PanelBusSession(configs, BusTiming(), now)
    session.connection_made(now)
    return session


@pytest.mark.parametrize("restarts", [0, 5], ids=["one host", "restarting host"])
@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
def test_every_press_is_taken_once_and_in_order(
    transport: Transport, restarts: int
) -> None:
    source = random.Random(transport.name)
    panels = {
        seat: PanelSimulator(seat, seat, random.Random(seat)) for seat in (1, 2, 3)
    }
    line = Line(PanelBus(panels.values()), transport, seed=1)
    restart_at = {START + 1.8 * n for n in range(1, restarts + 1)}
    cursors: dict[int, Cursor] = {}
    taken: dict[int, list[Press]] = {1: [], 2: [], 3: []}
    session = bus_session(cursors, line.now)

    for turn in range(140):
        line.run(session, line.now + 0.1)
        for event in iter(session.next_event, None):
            if isinstance(event, PressReceived) and source.random() < 0.9:
                taken[event.address].append(event.press)
                cursors[event.address] = event.cursor
                session.acknowledge(event.address, event.cursor)
            elif isinstance(event, PressReceived):
                # Not taken: this host dies before it wrote it down.
                restart_at.add(line.now)
                break
        if any(at <= line.now for at in restart_at):
            restart_at = {at for at in restart_at if at > line.now}
            session = bus_session(cursors, line.now)
        seat = source.choice((1, 2, 3))
        session.set_lamps(seat, turn, frozenset({Button.HIT, Button.STAND}))
        if turn < 90:
            panels[seat].press(source.choice((Button.HIT, Button.STAND)), line.now)

    for seat, panel in panels.items():
        made = panel.memory.acknowledged
        assert panel.memory.waiting == ()
        assert [m.press.number for m in made] == [p.number for p in taken[seat]]
        assert [(m.press.button, m.press.prompt_number) for m in made] == [
            (p.button, p.prompt_number) for p in taken[seat]
        ]
        assert len(made) + panel.memory.without_room == panel.memory.pressed
        assert len(made) > 20


@pytest.mark.parametrize("restarts", [0, 5], ids=["one host", "restarting host"])
@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
def test_every_event_of_the_shoe_is_taken_once_and_in_order(
    transport: Transport, restarts: int
) -> None:
    source = random.Random(transport.name)
    shoe = ShoeSimulator(random.Random(9))
    line = Line(shoe, transport, seed=2)
    cursor: ShoeCursor | None = None
    taken: list[EventReport] = []
    restart_at = {START + 3.0 * n for n in range(1, restarts + 1)}
    session = ShoeSession(place(DeviceType.SHOE, 0), cursor, ShoeTiming(), line.now)
    session.connection_made(line.now)

    for turn in range(200):
        line.run(session, line.now + 0.1)
        for event in iter(session.next_event, None):
            assert not isinstance(event, ShoeGapFound)
            if not isinstance(event, ShoeEventReceived):
                continue
            cursor = event.cursor
            taken.append(EventReport(cursor.boot_id, cursor.number, event.event))
            session.acknowledge(cursor)
        if any(at <= line.now for at in restart_at):
            restart_at = {at for at in restart_at if at > line.now}
            expected = place(DeviceType.SHOE, 0)
            session = ShoeSession(expected, cursor, ShoeTiming(), line.now)
            session.connection_made(line.now)
        if turn < 150:
            act_at(shoe, source)

    assert taken == shoe.memory.happened
    assert shoe.memory.acknowledged == shoe.memory.happened
    assert len(taken) > 100


def act_at(shoe: ShoeSimulator, source: random.Random) -> None:
    """Do one of the things that people do at a shoe."""
    match source.randrange(6):
        case 0:
            shoe.read_again(shoe.draw_unread(), "9c")
        case 1:
            shoe.open_lid()
            shoe.close_lid()
        case 2:
            shoe.return_card("2d")
        case _:
            shoe.draw("Th")


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
def test_the_gate_stands_as_the_host_said_last(transport: Transport) -> None:
    shoe = ShoeSimulator(random.Random(9))
    line = Line(shoe, transport, seed=3)
    session = ShoeSession(place(DeviceType.SHOE, 0), None, ShoeTiming(), line.now)
    session.connection_made(line.now)
    line.run(session, line.now + 3.0)
    for up_to in (1, 0, 3, 0, 5, 2):
        session.open_gate(shoe.memory.boot_id, up_to)
        line.run(session, line.now + 2.5)
        assert shoe.gate_up_to == up_to


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
def test_the_lamps_are_as_the_host_said_last(transport: Transport) -> None:
    panel = PanelSimulator(1, 1, random.Random(1))
    line = Line(PanelBus([panel]), transport, seed=4)
    session = bus_session({}, line.now)
    line.run(session, line.now + 1.0)
    buttons = (Button.HIT, Button.PASS, Button.BET)
    for number in (1, 2, 3):
        lamps = frozenset(buttons[1:number])
        session.set_lamps(1, number, lamps)
        line.run(session, line.now + 2.0)
        assert (panel.prompt_number, panel.lamps) == (number, lamps)


def told_by(session: ShoeSession, pieces: list[bytes]) -> list[object]:
    for piece in pieces:
        session.receive_data(piece, START)
    return list(iter(session.next_event, None))


@given(st.lists(st.integers(0, 400), max_size=20))
def test_any_split_of_what_a_shoe_says_tells_the_same(cuts: list[int]) -> None:
    messages: list[ShoeMessage] = [
        Identity(1, DeviceType.SHOE, 0, BOOT, "RS-6", "000007", "1.0"),
        Heartbeat(BOOT, frozenset(), 1, 0, 0, 0),
        EventReport(BOOT, 1, CardDrawn(1, "Th")),
        EventReport(BOOT, 3, LidOpened()),
        NotHeld(BOOT, 3, 3),
        EventReport(BOOT, 3, LidOpened()),
    ]
    wire = b"".join(
        encode_frame(shoe_frame(message, sequence))
        for sequence, message in enumerate(messages)
    )
    places = sorted({0, *(cut % len(wire) for cut in cuts), len(wire)})
    pieces = [wire[a:b] for a, b in itertools.pairwise(places)]
    sessions = [
        ShoeSession(place(DeviceType.SHOE, 0), None, ShoeTiming(), START)
        for _ in range(2)
    ]
    for session in sessions:
        session.connection_made(START)
    told = told_by(sessions[0], pieces)
    assert told == told_by(sessions[1], [wire])
    assert len(told) == 6


NUMBERS = st.integers(0, 5) | st.just(0xFFFF_FFFF)
IDENTITIES = st.builds(
    Identity,
    st.just(1),
    st.sampled_from(DeviceType),
    st.integers(0, 2),
    st.integers(1, 2),
    *(st.just("x"),) * 3,
)
SHOE_SAYS = st.one_of(
    IDENTITIES,
    st.builds(EventReport, st.integers(1, 2), st.integers(1, 9), st.just(LidOpened())),
    st.builds(
        EventReport,
        st.integers(1, 2),
        st.integers(1, 9),
        st.builds(CardDrawn, st.integers(1, 9), st.just("Th")),
    ),
    st.builds(NotHeld, st.integers(1, 2), st.integers(1, 9), st.integers(1, 9)),
    st.builds(
        Heartbeat,
        st.integers(1, 2),
        st.just(frozenset[object]()),
        st.integers(1, 9),
        st.integers(5, 9),
        st.integers(0, 5),
        NUMBERS,
    ),
)
SHOE_FRAMES = st.builds(shoe_frame, SHOE_SAYS, st.integers(0, 255)).map(encode_frame)
NOISE = st.binary(max_size=30)


def exercise(session: Session, chunks: list[tuple[bytes, float]]) -> None:
    """Feed a session anything at any time: it never raises and never spins."""
    now, is_open = START, True
    for data, step in chunks:
        session.receive_data(data, now)
        now += step
        session.handle_timer(now)
        if session.wants_port and not is_open:
            session.connection_made(now)
        is_open = session.wants_port
        for _ in range(10):
            if not session.data_to_send(now):
                break
        else:
            raise AssertionError("it never has said all")
        list(iter(session.next_event, None))
        assert session.deadline is None or session.deadline > now


STEPS = st.sampled_from([0.0, 0.001, 0.03, 0.3, 2.5])


@given(st.lists(st.tuples(SHOE_FRAMES | NOISE, STEPS), max_size=40))
def test_a_shoe_session_survives_anything(chunks: list[tuple[bytes, float]]) -> None:
    session = ShoeSession(place(DeviceType.SHOE, 0), None, ShoeTiming(), START)
    session.connection_made(START)
    exercise(session, chunks)


PANEL_SAYS = st.one_of(
    IDENTITIES,
    st.builds(
        Report,
        st.integers(1, 2),
        st.integers(0, 3),
        st.frozensets(st.sampled_from(Button), max_size=2),
        st.integers(0, 2),
        st.lists(
            st.builds(Press, st.integers(4, 5), st.just(Button.HIT), NUMBERS),
            max_size=2,
            unique_by=lambda press: press.number,
        ).map(lambda presses: tuple(sorted(presses, key=lambda p: p.number))),
    ),
)
PANEL_FRAMES = st.builds(
    panel_frame, PANEL_SAYS, st.integers(1, 3), st.integers(0, 12)
).map(encode_frame)
FOREIGN = st.builds(
    Frame, st.integers(0, 4), st.integers(0, 12), st.integers(0, 255), NOISE
).map(encode_frame)


@given(st.lists(st.tuples(PANEL_FRAMES | FOREIGN | NOISE, STEPS), max_size=40))
def test_a_bus_session_survives_anything(chunks: list[tuple[bytes, float]]) -> None:
    exercise(bus_session({}, START), chunks)
