"""The devices of a table on pseudo-terminals, and what goes wrong there."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from hw_config.schema import TableHardware
from simulators.devices.fault_chapters import FaultChapters
from simulators.devices.fault_plans import ALL_KINDS
from simulators.devices.fault_player import Hardware
from simulators.devices.faults import CLEAN, LineRates, every_line_fault
from simulators.devices.panel import PanelSimulator
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import DeviceServer, Station
from simulators.rigs.virtual.devices import panel_bus
from simulators.rigs.virtual.felt import TableShoe

CHAPTER_S: Final = 10.0
"""Faults are drawn for so long at a time: once no more are, all is over soon."""

STALL_SHARE: Final = 0.05
"""A line stalls so much more rarely than it suffers anything else: it costs seconds."""


class LiveDevices:
    """Panels on their bus, the shoe on its line, both at the speed of real ones.

    An asynchronous context; `chapters` are the faults of whole devices.
    """

    def __init__(
        self,
        hardware: TableHardware,
        shoe: TableShoe,
        seed: int,
        *,
        line_faults: float,
        devices_a_second: float,
    ) -> None:
        rates = line_rates(line_faults)
        bus, line = hardware.bus, hardware.shoe
        self.bus = panel_bus(bus, seed)
        self.shoe = shoe
        self._ports = (
            PtyPort(Path(bus.port), seed, rates, bus.baud),
            PtyPort(Path(line.port), seed, rates, line.baud),
        )
        panels = Station(self._ports[0], self.bus)
        stand = Station(self._ports[1], shoe)
        self._server = DeviceServer([panels, stand])
        self.chapters = FaultChapters(
            Hardware(self.bus.panels, shoe, panels, stand),
            seed,
            devices_a_second,
            ALL_KINDS,
            chapter_s=CHAPTER_S,
        )

    async def __aenter__(self) -> Self:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._server.__aexit__(kind, error, trace)

    @property
    def any_panels(self) -> Mapping[int, PanelSimulator]:
        """The panels by address."""
        return self.bus.panels

    def go_on(self, now: float) -> None:
        """Let faults begin and end that are due, and devices say what they have."""
        self.chapters.handle_timer(now)
        self._server.run_once()

    def calm(self) -> None:
        """Let nothing more go wrong but what was planned already, which also ends."""
        for port in self._ports:
            port.rates = CLEAN
        self.chapters.end()

    @property
    def lost_bytes(self) -> int:
        """How many bytes found no room in a terminal, since nobody read them."""
        return sum(port.lost_bytes for port in self._ports)


def line_rates(rate: float) -> LineRates:
    """Return rates under which every kind of line fault happens."""
    return msgspec.structs.replace(every_line_fault(rate), stall=rate * STALL_SHARE)
