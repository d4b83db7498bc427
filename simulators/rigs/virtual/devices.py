"""The devices of a virtual table, their cables, and what goes wrong there."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from drivers.identity import ROLE_DEALER
from drivers.modbus.wiring import module_wiring
from drivers.panel.messages import Button
from hw_config import schema as hw
from hw_config.schema import PanelKind, TableHardware
from simulators.devices.fault_chapters import FaultChapters
from simulators.devices.fault_player import Hardware
from simulators.devices.faults import (
    CLEAN,
    Cable,
    DeviceFault,
    LineRates,
    PanelReboot,
    ShoeGap,
    Unplug,
    chance,
    every_line_fault,
)
from simulators.devices.memory_port import MemoryCable
from simulators.devices.modbus import ModbusBus
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.module import ModuleAtTable

GLITCH_S: Final = 0.2
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
        shoe: TableShoe | LineShoeAtTable,
        seed: int,
        faults: Faults,
        bet_step_cents: int,
    ) -> None:
        """Lay the devices out; `bet_step_cents` is what a BET without amount adds."""
        rates = line_rates(faults.line)
        is_line = isinstance(shoe, LineShoeAtTable)
        shoe_rates = _without_silent_losses(rates) if is_line else rates
        self.shoe_cable = MemoryCable(seed, shoe_rates, name="shoe")
        self.any_bus: PanelBus | ModbusBus
        self.any_panels: Mapping[int, PanelSimulator | ModuleAtTable]
        if hardware.bus.kind is PanelKind.MODBUS:
            modules = dict(_modules(hardware.bus, seed, bet_step_cents))
            self.any_panels = modules
            self.any_bus = ModbusBus(modules.values())
            # No Modbus line carries a byte twice, and no number would show it.
            rates = msgspec.structs.replace(rates, repeat=0.0)
        else:
            self.any_bus = panel_bus(hardware.bus, seed)
            self.any_panels = self.any_bus.panels
        self.panel_cable = MemoryCable(seed, rates, name="panels")
        self.shoe = shoe
        self.chapters = FaultChapters(
            Hardware(self.any_panels, shoe, self.panel_cable, self.shoe_cable),
            seed,
            faults.devices_a_second,
            fitting=self._fitting,
        )

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
        return self.chapters.handle_timer(now)

    def calm(self) -> None:
        """Let nothing more go wrong; what has begun still ends."""
        for cable in (self.panel_cable, self.shoe_cable):
            cable.to_host.rates = CLEAN
            cable.to_device.rates = CLEAN
        self.chapters.end()

    @property
    def deadline(self) -> float:
        """When a device or a line has something to do."""
        return min(self._dues())

    def _dues(self) -> Iterator[float]:
        yield self.chapters.deadline
        for due_s in (
            self.panel_cable.device.deadline,
            self.shoe_cable.device.deadline,
            self.any_bus.deadline,
            self.shoe.deadline,
        ):
            if due_s is not None:
                yield due_s

    def _fitting(self, fault: DeviceFault) -> DeviceFault:
        """Return a fault as these panels can have it.

        Nobody notices a module that is dark for less than the time between two looks
        (docs/protocol/modbus-panels.md), so none is. A line shoe has no numbers that
        could be missing: its plug is pulled instead, in the middle of a line.
        """
        if isinstance(fault, PanelReboot) and isinstance(self.any_bus, ModbusBus):
            for_s = max(fault.for_s, NOTICED_AFTER_S)
            return msgspec.structs.replace(fault, for_s=for_s)
        if isinstance(fault, ShoeGap) and isinstance(self.shoe, LineShoeAtTable):
            return Unplug(fault.at_s, GLITCH_S, Cable.SHOE, mid_frame=True)
        return fault


def line_rates(rate: float) -> LineRates:
    """Return rates under which every kind of line fault happens."""
    every = every_line_fault(rate)
    return msgspec.structs.replace(every, stall=rate * STALL_SHARE)


def _without_silent_losses(rates: LineRates) -> LineRates:
    """Leave out what no host can see at a shoe that prints.

    A wrong bit can make another card of a card; a line that comes twice is two cards,
    and one of which nothing comes is none.
    """
    return msgspec.structs.replace(rates, corrupt=0.0, repeat=0.0, drop_all=0.0)


def panel_bus(bus: hw.PanelBus, seed: int) -> PanelBus:
    """Return all panels of a table on their bus, each with a chance of its own."""
    return PanelBus(
        PanelSimulator(address, role, chance(seed, f"panel {address}"))
        for address, role in _roles(bus)
    )


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
