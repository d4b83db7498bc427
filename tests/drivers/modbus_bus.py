"""A bus of Modbus modules on virtual time: what each answers, and when."""

from collections.abc import Callable
from typing import Final

from drivers.bus import BusTiming
from drivers.events import (
    Cursor,
    DriverEvent,
    PressReceived,
)
from drivers.modbus.codec import (
    REQUEST_LENGTHS,
    decode_request,
    encode_reply,
)
from drivers.modbus.framing import FrameFinder
from drivers.modbus.messages import (
    CoilsWritten,
    InputsRead,
    ReadInputs,
    Reply,
    Request,
    WriteCoils,
)
from drivers.modbus.session import ModbusSession, timing_at
from drivers.modbus.station import (
    ModuleConfig,
)
from drivers.modbus.wiring import SEAT
from drivers.panel.messages import Button

START: Final = 100.0
THINKS_S: Final = 0.003
BAUD: Final = 115_200
FIRST_DECISION: Final = frozenset(
    {Button.HIT, Button.STAND, Button.DOUBLE, Button.SPLIT, Button.SURRENDER}
)
INPUT: Final = {button: key.input for key in SEAT.keys for button in key.does}


def down(*buttons: Button) -> int:
    return sum(1 << INPUT[button] for button in buttons)


class Module:
    """The far side of one address: levels, and how a test wants it to answer.

    `late_s` is when it answers after a question; None: never. `answer` may say
    something else than the truth.
    """

    def __init__(self) -> None:
        self.closed = 0
        self.coils = 0
        self.late_s: float | None = THINKS_S
        self.last_at = 0.0
        self.asked: list[Request] = []
        self.answer: Callable[[Request], Reply] = self.truth

    def truth(self, request: Request) -> Reply:
        if isinstance(request, ReadInputs):
            return InputsRead(request.address, self.closed)
        return CoilsWritten(request.address, request.first, request.count)

    def hear(self, request: Request) -> Reply:
        self.asked.append(request)
        if isinstance(request, WriteCoils):
            mask = (1 << request.count) - 1
            self.coils = self.coils & ~mask | request.coils
        return self.answer(request)


class Bus:
    """A session and its modules on virtual time; answers come when they are due."""

    def __init__(
        self,
        addresses: tuple[int, ...] = (1, 2, 3),
        *,
        absent: tuple[int, ...] = (),
        cursor: Cursor | None = None,
        timing: BusTiming | None = None,
    ) -> None:
        self.now = START
        self.modules = {at: Module() for at in addresses if at not in absent}
        configs = [
            ModuleConfig(at, SEAT, f"bus address {at}", "a.toml", cursor=cursor)
            for at in addresses
        ]
        self.session = ModbusSession(configs, timing or timing_at(BAUD, 3.0), self.now)
        self.session.connection_made(self.now)
        self._is_open = True
        self.coming: list[tuple[float, bytes]] = []
        self.told: list[DriverEvent] = []
        self.sent: list[tuple[float, Request]] = []

    def run(self, for_s: float) -> list[DriverEvent]:
        """Let time pass and return what was told in it."""
        before, until = len(self.told), self.now + for_s
        while True:
            self._step()
            waits = [self.session.deadline, *(at for at, _ in self.coming), until]
            self.now = max(self.now, min(at for at in waits if at is not None))
            if self.now >= until:
                return self.told[before:]

    def _step(self) -> None:
        self.session.handle_timer(self.now)
        if self.session.wants_port and not self._is_open:
            self.session.connection_made(self.now)
        self._is_open = self.session.wants_port
        due = sorted(one for one in self.coming if one[0] <= self.now)
        self.coming = [one for one in self.coming if one[0] > self.now]
        for _, data in due:
            self.session.receive_data(data, self.now)
        while data := self.session.data_to_send(self.now):
            self._hear(data)
        self.told += iter(self.session.next_event, None)

    def _hear(self, data: bytes) -> None:
        (content,) = FrameFinder(REQUEST_LENGTHS).receive_data(data)
        request = decode_request(content)
        self.sent.append((self.now, request))
        module = self.modules.get(request.address)
        if module is None:
            return
        reply = module.hear(request)
        if module.late_s is not None:
            # A module answers one question after the other.
            module.last_at = max(self.now + module.late_s, module.last_at)
            self.coming.append((module.last_at, encode_reply(reply)))

    def times_of(self, address: int, kind: type[Request] = ReadInputs) -> list[float]:
        return [
            at
            for at, request in self.sent
            if request.address == address and isinstance(request, kind)
        ]

    def light(self, address: int, prompt: int, lamps: frozenset[Button]) -> None:
        self.session.set_lamps(address, prompt, lamps)


def presses(told: list[DriverEvent]) -> list[tuple[int, Button, int]]:
    return [
        (one.address, one.press.button, one.press.prompt_number)
        for one in told
        if isinstance(one, PressReceived)
    ]


def ready_bus(address: int = 1, **kinds: tuple[int, ...]) -> Bus:
    bus = Bus(**kinds)  # type: ignore[arg-type] # only tuples of addresses are named
    bus.light(address, 7, FIRST_DECISION)
    bus.run(0.5)
    return bus
