"""The devices of a virtual table, their cables, and what goes wrong there."""

import math
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from drivers.identity import ROLE_DEALER
from drivers.modbus.wiring import module_wiring
from drivers.panel.messages import Button
from hw_config import schema as hw
from hw_config.schema import PanelKind, TableHardware
from simulators.devices.fault_plans import random_schedule
from simulators.devices.fault_player import FaultPlayer, Hardware
from simulators.devices.faults import (
    CLEAN,
    DeviceFault,
    FaultPlan,
    LineRates,
    PanelReboot,
    chance,
    every_line_fault,
)
from simulators.devices.memory_port import MemoryCable
from simulators.devices.modbus import ModbusBus
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.module import ModuleAtTable

CHAPTER_S: Final = 60.0
"""Faults of devices are drawn for so long at a time, since a soak has no end."""

NOTICED_AFTER_S: Final = 0.7
"""A module that had no power for so long has missed a question."""

STALL_SHARE: Final = 0.1
"""A line stalls so much more rarely than it suffers anything else: it costs seconds."""


class Faults(msgspec.Struct, frozen=True):
    """How much goes wrong: the chance of each line fault per write, whole devices."""

    line: float = 0.0
    devices_a_second: float = 0.0


class Devices:
    """Panels on their bus, the shoe on its line, and a plan of faults without end."""

    def __init__(
        self,
        hardware: TableHardware,
        shoe: TableShoe,
        seed: int,
        faults: Faults,
        bet_step_cents: int,
    ) -> None:
        """Lay the devices out; `bet_step_cents` is what a BET without amount adds."""
        self._seed = seed
        self._faults = faults
        rates = line_rates(faults.line)
        self.shoe_cable = MemoryCable(seed, rates, name="shoe")
        self.any_bus: PanelBus | ModbusBus
        self.any_panels: Mapping[int, PanelSimulator | ModuleAtTable]
        if hardware.bus.kind is PanelKind.MODBUS:
            modules = dict(_modules(hardware.bus, seed, bet_step_cents))
            self.any_panels = modules
            self.any_bus = ModbusBus(modules.values())
            # No Modbus line carries a byte twice, and no number would show it.
            rates = msgspec.structs.replace(rates, repeat=0.0)
        else:
            self.any_bus = PanelBus(_own_panels(hardware.bus, seed))
            self.any_panels = self.any_bus.panels
        self.panel_cable = MemoryCable(seed, rates, name="panels")
        self.shoe = shoe
        self._players: list[FaultPlayer] = []
        self._next_chapter_s = 0.0 if faults.devices_a_second else math.inf
        self._chapter = 0

    @property
    def bus(self) -> PanelBus:
        """The bus of a table whose panels speak the reference protocol."""
        assert isinstance(self.any_bus, PanelBus), "the panels are Modbus modules"
        return self.any_bus

    @property
    def modules(self) -> dict[int, ModuleAtTable]:
        """The panels that are Modbus modules, by address."""
        panels = self.any_panels.items()
        return {at: one for at, one in panels if isinstance(one, ModuleAtTable)}

    def ask(self, address: int, number: int, buttons: frozenset[Button]) -> None:
        """Let the screens say which buttons a panel is asked for: modules cannot."""
        panel = self.any_panels[address]
        if isinstance(panel, ModuleAtTable):
            panel.ask(number, buttons)

    def speak(self, now: float) -> bool:
        """Let the devices hear what has arrived, and answer; say whether they heard."""
        heard = False
        for device, end in (
            (self.any_bus, self.panel_cable.device),
            (self.shoe, self.shoe_cable.device),
        ):
            data = end.read(now)
            if data:
                heard = True
                device.receive_data(data, now)
            # Both do what is due before they speak.
            end.write(device.data_to_send(now), now)
        return heard

    def go_wrong(self, now: float) -> bool:
        """Begin and end what is due of the plan; say whether that was anything."""
        if now >= self._next_chapter_s:
            self._begin_chapter(now)
        wrong = False
        for player in self._players:
            due_s = player.deadline
            if due_s is not None and due_s <= now:
                wrong = True
                player.handle_timer(now)
        return wrong

    def calm(self) -> None:
        """Let nothing more go wrong; what has begun still ends."""
        for cable in (self.panel_cable, self.shoe_cable):
            cable.to_host.rates = CLEAN
            cable.to_device.rates = CLEAN
        self._next_chapter_s = math.inf

    @property
    def deadline(self) -> float:
        """When a device or a line has something to do."""
        return min(self._dues())

    def _dues(self) -> Iterator[float]:
        yield self._next_chapter_s
        for due_s in (
            self.panel_cable.device.deadline,
            self.shoe_cable.device.deadline,
            self.any_bus.deadline,
            self.shoe.deadline,
            *(player.deadline for player in self._players),
        ):
            if due_s is not None:
                yield due_s

    def _begin_chapter(self, now: float) -> None:
        panels = self.any_panels
        buttons = {address: panel.buttons for address, panel in panels.items()}
        self._chapter += 1
        seed = self._seed * 1_000_003 + self._chapter
        mean = self._faults.devices_a_second * CHAPTER_S
        count = chance(seed, "count").randint(0, round(2 * mean))
        schedule = tuple(
            self._fitting(msgspec.structs.replace(fault, at_s=now + fault.at_s))
            for fault in random_schedule(seed, count, CHAPTER_S, buttons)
        )
        hardware = Hardware(panels, self.shoe, self.panel_cable, self.shoe_cable)
        self._players = [p for p in self._players if p.deadline is not None]
        self._players.append(FaultPlayer(FaultPlan(seed, schedule=schedule), hardware))
        self._next_chapter_s = now + CHAPTER_S

    def _fitting(self, fault: DeviceFault) -> DeviceFault:
        """Return a fault as these panels can have it.

        Nobody notices a module that is dark for less than the time between two looks
        (docs/protocol/modbus-panels.md), so none is.
        """
        if isinstance(fault, PanelReboot) and isinstance(self.any_bus, ModbusBus):
            for_s = max(fault.for_s, NOTICED_AFTER_S)
            return msgspec.structs.replace(fault, for_s=for_s)
        return fault


def line_rates(rate: float) -> LineRates:
    """Return rates under which every kind of line fault happens."""
    every = every_line_fault(rate)
    return msgspec.structs.replace(every, stall=rate * STALL_SHARE)


def _own_panels(bus: hw.PanelBus, seed: int) -> Iterator[PanelSimulator]:
    for address, role in _roles(bus):
        yield PanelSimulator(address, role, chance(seed, f"panel {address}"))


def _modules(
    bus: hw.PanelBus, seed: int, bet_step_cents: int
) -> Iterator[tuple[int, ModuleAtTable]]:
    for at, role in _roles(bus):
        wiring, fingers = module_wiring(bus, role), chance(seed, f"fingers {at}")
        yield at, ModuleAtTable(at, role, wiring, fingers, bet_step_cents)


def _roles(bus: hw.PanelBus) -> Iterator[tuple[int, int]]:
    for seat, address in enumerate(bus.seat_addresses, start=1):
        yield address, seat
    yield bus.dealer_address, ROLE_DEALER
