"""The devices of a virtual table, their cables, and what goes wrong there."""

from collections.abc import Iterator
from typing import Final

import msgspec

from drivers.identity import ROLE_DEALER
from hw_config.schema import TableHardware
from simulators.devices.fault_chapters import FaultChapters
from simulators.devices.fault_player import Hardware
from simulators.devices.faults import (
    CLEAN,
    LineRates,
    chance,
    every_line_fault,
)
from simulators.devices.memory_port import MemoryCable
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.rigs.virtual.felt import TableShoe

STALL_SHARE: Final = 0.1
"""A line stalls so much more rarely than it suffers anything else: it costs seconds."""


class Faults(msgspec.Struct, frozen=True):
    """How much goes wrong: the chance of each line fault per write, whole devices."""

    line: float = 0.0
    devices_a_second: float = 0.0


class Devices:
    """Panels on their bus, the shoe on its line, and a plan of faults without end."""

    def __init__(
        self, hardware: TableHardware, shoe: TableShoe, seed: int, faults: Faults
    ) -> None:
        rates = line_rates(faults.line)
        self.panel_cable = MemoryCable(seed, rates, name="panels")
        self.shoe_cable = MemoryCable(seed, rates, name="shoe")
        self.bus = panel_bus(hardware, seed)
        self.shoe = shoe
        self.chapters = FaultChapters(
            Hardware(self.bus, shoe, self.panel_cable, self.shoe_cable),
            seed,
            faults.devices_a_second,
        )

    def panel(self, address: int) -> PanelSimulator:
        """Return the panel of an address."""
        return self.bus.panels[address]

    def speak(self, now: float) -> bool:
        """Let the devices hear what has arrived, and answer; say whether they heard."""
        heard = False
        for device, end in (
            (self.bus, self.panel_cable.device),
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
            self.bus.deadline,
            self.shoe.deadline,
        ):
            if due_s is not None:
                yield due_s


def line_rates(rate: float) -> LineRates:
    """Return rates under which every kind of line fault happens."""
    every = every_line_fault(rate)
    return msgspec.structs.replace(every, stall=rate * STALL_SHARE)


def panel_bus(hardware: TableHardware, seed: int) -> PanelBus:
    """Return all panels of a table on their bus, each with a chance of its own."""
    return PanelBus(
        PanelSimulator(address, role, chance(seed, f"panel {address}"))
        for address, role in _roles(hardware)
    )


def _roles(hardware: TableHardware) -> Iterator[tuple[int, int]]:
    for seat, address in enumerate(hardware.bus.seat_addresses, start=1):
        yield address, seat
    yield hardware.bus.dealer_address, ROLE_DEALER
