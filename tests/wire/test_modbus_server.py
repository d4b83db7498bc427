"""The Modbus driver against a server that is not ours, over pseudo-terminals.

Pump and port are those of the product; the modules are the server of pymodbus, which
knows the specification and nothing of this project.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from pymodbus.constants import ExcCodes
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

from controller.runtime.pump import Pump
from drivers.events import (
    DeviceBack,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    HeldButtonsChanged,
    PressReceived,
)
from drivers.link import LinkState
from drivers.modbus.messages import Function
from drivers.modbus.session import ModbusSession, timing_at
from drivers.modbus.station import ModuleConfig
from drivers.modbus.wiring import DEALER, SEAT, Wiring
from drivers.panel.messages import Button
from simulators.devices.pty_port import open_terminal

BAUD: Final = 115_200
DEALER_ADDRESS: Final = 32
# A loaded machine stalls for longer than a real module may take.
PATIENT: Final = timing_at(BAUD, lost_after_s=0.5, answer_s=0.25)
TOO_LATE_S: Final = 0.45
LOADED_MACHINE_S: Final = 20.0
HIT_OR_STAND: Final = frozenset({Button.HIT, Button.STAND})
HIT, STAND = 3, 4


class Module:
    """One device of the server: its levels, and how long it takes to answer.

    `first_input` is where its inputs begin; the driver asks for those from 0.
    """

    def __init__(self, address: int, first_input: int = 0) -> None:
        self.address = address
        self.closed = 0
        self.coils = 0
        self.thinks_s = 0.0
        self.thinking = 0
        self.looks = 0
        levels = SimData(first_input, values=[False] * 16, datatype=DataType.BITS)
        coils = SimData(0, values=[False] * 16, datatype=DataType.BITS)
        unused = SimData(0, values=0, datatype=DataType.REGISTERS)
        self.device = SimDevice(
            address,
            simdata=([coils], [levels], [unused], [unused]),
            action=self._touched,
        )

    async def _touched(
        self,
        function_code: int,
        _start: int,
        address: int,
        _count: int,
        registers: list[int],
        values: list[int] | list[bool] | None,
    ) -> ExcCodes | None:
        self.thinking += 1
        await asyncio.sleep(self.thinks_s)
        self.thinking -= 1
        if function_code == Function.READ_DISCRETE_INPUTS:
            self.looks += 1
            registers[0] = self.closed
        elif values is not None:
            for place, is_lit in enumerate(values, start=address):
                self.coils = self.coils & ~(1 << place) | bool(is_lit) << place
        return None


class Table:
    """The driver at one end of the line, the server's modules at the other."""

    def __init__(self, modules: Iterable[Module], addresses: Iterable[int]) -> None:
        self.modules = {module.address: module for module in modules}
        self.told: list[DriverEvent] = []
        self.session = ModbusSession(
            [
                ModuleConfig(at, wiring_of(at), f"line address {at}", "a.toml")
                for at in addresses
            ],
            PATIENT,
            asyncio.get_running_loop().time(),
        )

    def tell(self, event: DriverEvent) -> None:
        self.told.append(event)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(LOADED_MACHINE_S):
            while not holds():  # noqa: ASYNC110 - the other end sets no event
                await asyncio.sleep(0.002)

    async def until_ready(self) -> None:
        def all_looked_at() -> bool:
            return all(module.looks for module in self.modules.values())

        await self.until(all_looked_at)

    async def until_looked_at(self, module: Module) -> None:
        """Wait until the module was asked, and the answer taken, since now."""
        enough = module.looks + 2

        def looked_at() -> bool:
            return module.looks >= enough

        await self.until(looked_at)

    async def light(self, address: int, prompt: int, lamps: frozenset[Button]) -> None:
        self.session.set_lamps(address, prompt, lamps)
        module, coils = self.modules[address], wiring_of(address).coils(lamps)
        await self.until(lambda: module.coils == coils)
        await self.until_looked_at(module)

    async def tap(self, address: int, place: int) -> None:
        """Push a button until it was looked at, as a person does, and let it go."""
        module = self.modules[address]
        module.closed |= 1 << place
        await self.until_looked_at(module)
        module.closed &= ~(1 << place)
        await self.until_looked_at(module)

    @property
    def presses(self) -> list[tuple[int, Button, int]]:
        return [
            (one.address, one.press.button, one.press.prompt_number)
            for one in self.told
            if isinstance(one, PressReceived)
        ]


def wiring_of(address: int) -> Wiring:
    return DEALER if address == DEALER_ADDRESS else SEAT


@contextlib.contextmanager
def line() -> Iterator[tuple[str, str]]:
    """Return the paths of two terminals with a line between them."""
    loop = asyncio.get_running_loop()
    (here, near), (there, far) = open_terminal(), open_terminal()
    # A terminal that nobody holds would be hung up before it is opened.
    held = [os.open(path, os.O_RDWR | os.O_NOCTTY) for path in (near, far)]
    loop.add_reader(here, lambda: os.write(there, os.read(here, 4096)))
    loop.add_reader(there, lambda: os.write(here, os.read(there, 4096)))
    try:
        yield near, far
    finally:
        for descriptor in (here, there):
            loop.remove_reader(descriptor)
        for descriptor in (here, there, *held):
            os.close(descriptor)


@contextlib.asynccontextmanager
async def running(
    modules: Iterable[Module], absent: Iterable[int] = ()
) -> AsyncIterator[Table]:
    """Start the server's modules and the driver; `absent` addresses answer nothing."""
    modules = tuple(modules)
    with line() as (near, far):
        server = ModbusSerialServer(
            [module.device for module in modules],
            port=far,
            baudrate=BAUD,
            ignore_missing_devices=True,
        )
        await server.serve_forever(background=True)
        addresses = (*(module.address for module in modules), *absent)
        table = Table(modules, addresses)
        pump = Pump(Path(near), BAUD, table.session, table.tell)
        pump.start()
        try:
            yield table
        finally:
            pump.stop()
            await table.until(lambda: not any(one.thinking for one in modules))
            await server.shutdown()  # type: ignore[no-untyped-call] # theirs


async def test_seven_modules_and_the_dealers_answer_light_and_tell() -> None:
    modules = [Module(address) for address in (*range(1, 8), DEALER_ADDRESS)]
    async with running(modules) as table:
        await table.until_ready()
        back = {one.device.address for one in table.told if isinstance(one, DeviceBack)}
        await table.light(1, 7, HIT_OR_STAND)
        await table.light(DEALER_ADDRESS, 3, frozenset({Button.CALL}))
        await table.tap(1, HIT)
        await table.tap(DEALER_ADDRESS, 4)
        await table.light(1, 8, frozenset())
        assert table.presses == [
            (1, Button.HIT, 7),
            (DEALER_ADDRESS, Button.CALL, 3),
        ]
        assert back <= set(table.modules)
        counters = table.session.counters
        assert (counters.errors, counters.strays) == (0, 0)


async def test_four_presses_are_four() -> None:
    async with running([Module(1)]) as table:
        await table.until_ready()
        await table.light(1, 7, HIT_OR_STAND)
        for _ in range(2):
            await table.tap(1, HIT)
            await table.tap(1, STAND)
        assert table.presses == [(1, Button.HIT, 7), (1, Button.STAND, 7)] * 2


async def test_a_button_held_as_its_module_comes_up_is_no_press() -> None:
    module = Module(1)
    module.closed = 1 << HIT
    async with running([module]) as table:
        await table.until_ready()
        await table.light(1, 7, HIT_OR_STAND)
        assert HeldButtonsChanged(1, frozenset({Button.HIT})) in table.told
        assert table.presses == []


async def test_a_module_that_answers_too_late_disturbs_no_other() -> None:
    slow, quick = Module(1), Module(2)
    async with running([slow, quick]) as table:
        await table.until_ready()
        await table.light(2, 9, HIT_OR_STAND)
        slow.thinks_s = TOO_LATE_S
        slow.closed = 1 << STAND
        await table.until(lambda: table.session.counters.strays > 0)
        await table.tap(2, HIT)
        assert [press for press in table.presses if press[0] == 2] == [
            (2, Button.HIT, 9)
        ]
        slow.thinks_s = 0.0
        await table.until(lambda: table.session.state(1) is LinkState.READY)


async def test_a_missing_module_is_lost_and_the_rest_plays_on() -> None:
    async with running([Module(1)], absent=(2,)) as table:
        await table.until(
            lambda: any(
                isinstance(one, DeviceLost) and one.device.address == 2
                for one in table.told
            )
        )
        await table.light(1, 7, HIT_OR_STAND)
        await table.tap(1, HIT)
        assert table.presses == [(1, Button.HIT, 7)]


async def test_a_stop_puts_out_the_lamps_of_all_that_answer() -> None:
    async with running([Module(1), Module(2)], absent=(3,)) as table:
        await table.until_ready()
        for address in table.modules:
            await table.light(address, 7, HIT_OR_STAND)
        table.session.put_lamps_out()
        await table.until(lambda: table.session.lamps_are_out)
        assert [module.coils for module in table.modules.values()] == [0, 0]


async def test_a_module_without_such_inputs_is_named() -> None:
    async with running([Module(1, first_input=64)]) as table:
        await table.until(
            lambda: any(isinstance(one, DeviceMismatched) for one in table.told)
        )
        (mismatch,) = [one for one in table.told if isinstance(one, DeviceMismatched)]
        assert "refused function 2 with exception 2" in mismatch.message
        assert table.session.state(1) is LinkState.FAULTED
