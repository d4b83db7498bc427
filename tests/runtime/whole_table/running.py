"""A whole table in one process: simulated devices on ptys, a real journal on disk."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from controller.core import commands as cm
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.ids import Direction, Role
from controller.core.software import Component, Software
from controller.core.state import TableState
from controller.journal import reader
from controller.journal.recovery import Recovered
from controller.journal.table_codec import CODEC
from controller.runtime.clock import SystemClock
from controller.runtime.engine import Engine
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.owner import Owner
from controller.runtime.people import people_of
from controller.runtime.table import RunningTable, Site, new_salt, open_journal
from drivers.gpio.lines import Chips
from drivers.panel.messages import Button
from hw_config.schema import Kind as TableKind
from hw_config.schema import TableHardware
from simulators.rigs.scenario.steps import DrawCards
from simulators.rigs.simulation import Simulation
from tests.core.table import rules
from tests.runtime.sinks import Lines

BOUND_S = 15.0
SOURCE = "a.toml"
SOFTWARE = Software((Component("product", "1", "ab" * 32),), "cd" * 32)
D1 = Person("D1", Role.DEALER)
SHIFT = cm.OpenShift(dealer=D1, direction=Direction.RIGHT_TO_LEFT)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - a terminal's bytes set no event
            await asyncio.sleep(0.002)


class Running:
    """A table that runs, its devices, and its log."""

    def __init__(
        self,
        hardware: TableHardware,
        devices: Simulation | None,
        owner: Owner,
        sysfs: Path | None = None,
        *,
        new: bool,
        chips: Chips | None = None,
    ) -> None:
        self._devices = devices
        self.owner = owner
        self.lines = Lines()
        clock = SystemClock()
        people = people_of(TableKind.SIMULATION, None)
        journal = Path(hardware.journal.path)
        site = Site(
            hardware,
            SOURCE,
            journal,
            people,
            SOFTWARE,
            is_new_journal=new,
            chips=chips,
            sysfs=sysfs,
        )
        log = logger_to(self.lines, json_lines(clock))
        self.table = RunningTable(site, owner, clock, log)
        self.stop = asyncio.Event()
        self.records: list[object] = []
        owner.listen(lambda change: self.records.extend(change.records))
        self.task = asyncio.create_task(self.table.run(self.stop))

    @property
    def devices(self) -> Simulation:
        assert self._devices is not None, "this table is wired to pins"
        return self._devices

    @property
    def state(self) -> TableState:
        return self.owner.state

    def happened(self, kind: type) -> int:
        return sum(isinstance(record, kind) for record in self.records)

    def said(self, words: str) -> bool:
        return any(words in line for line in self.lines.kept)

    def count(self, event: str) -> int:
        return sum(f'"event": "{event}"' in line for line in self.lines.kept)

    def press(self, seat: int, button: Button, cents: int = 0) -> None:
        now = asyncio.get_running_loop().time()
        self.devices.press(seat, button, now, cents)

    async def lit(self, seat: int, button: Button) -> None:
        """Wait until a panel shows the current prompt, with this lamp."""
        panel = self.devices.panels[seat]
        await until(
            lambda: (
                button in panel.lamps
                and panel.prompt_number == self.state.prompts[seat].number
            )
        )

    async def do(self, command: cm.Command) -> None:
        taken = await self.owner.command(command)
        assert taken is not None
        assert taken.accepted, taken

    async def open_and_bet(self) -> None:
        await self.do(SHIFT)
        await self.lit(2, Button.BET)
        self.press(2, Button.BET, 2500)
        await self.lit(0, Button.DEAL)

    async def deal(self, cards: str = "9s 8h 7s 6d") -> None:
        await self.open_and_bet()
        self.press(0, Button.DEAL)
        for card in cards.split():
            await self.draw(card)

    async def draw(self, card: str) -> None:
        """Let a due card leave the shoe, and wait until it is taken."""
        await until(lambda: self.devices.cards_due > 0)
        self.devices.do(DrawCards((Card(card),)), 0.0)
        await until(lambda: self.devices.all_taken)


@contextlib.asynccontextmanager
async def running(
    hardware: TableHardware,
    devices: Simulation | None,
    recovered: Recovered,
    sysfs: Path | None = None,
    *,
    chips: Chips | None = None,
) -> AsyncIterator[Running]:
    """Run a table until the end of the block; it must then have run to its end."""
    with recovered.journal:
        engine = Engine(recovered, SystemClock(), new_salt)
        new = recovered.is_new
        one = Running(hardware, devices, engine, sysfs, new=new, chips=chips)
        try:
            yield one
        finally:
            one.stop.set()
            async with asyncio.timeout(BOUND_S):
                await asyncio.wait({one.task})
        one.task.result()


def opened(hardware: TableHardware) -> Recovered:
    path = Path(hardware.journal.path)
    return open_journal(path, hardware, SOURCE, rules(), SystemClock())


def on_disk(hardware: TableHardware) -> list[object]:
    path = Path(hardware.journal.path)
    return [CODEC.decode(row) for row in reader.all_records(path)]
