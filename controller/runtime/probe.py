"""Asking every device of a hardware file who it is: what `tablectl check` does.

The same sessions and ports as in play, but nothing is lit, opened or acknowledged.
"""

import asyncio
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core.rules import Rules
from controller.core.state import new_table
from controller.runtime.desk import Desk
from controller.runtime.device_names import SHOE, NamedDevice, named_devices
from controller.runtime.device_pumps import pumps_of
from controller.runtime.links import panel_link, shoe_link
from controller.runtime.view import LinkView
from drivers.events import (
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
)
from drivers.identity import Identity
from hw_config.schema import PanelKind, ShoeKind, TableHardware

SILENT_SHOE: Final = (
    "its port is open; this shoe cannot say who it is: draw a card and look for it"
)
NAMELESS_PANEL: Final = (
    "answers; a module cannot say who it is: press a button and look where it counts"
)
PATIENCE_S: Final = 1.0
"""How much longer than `panel_lost_after_s` a probe waits for answers."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What one device answered; `problem`: nothing, or it is not who was expected.

    `found` is None there too, and at a device that cannot say who it is; `note` then
    says what is known. `port_error`: the problem is that of its port.
    """

    device: Device
    name: str
    place: str
    found: Identity | None = None
    problem: str = ""
    note: str = ""
    port_error: bool = False


class Probed(msgspec.Struct, frozen=True):
    """What all devices answered, and how the ports fared meanwhile."""

    devices: tuple[Finding, ...]
    links: tuple[LinkView, ...]


class Probe:
    """One round of questions to all devices of a table."""

    def __init__(self, hardware: TableHardware, source: str, rules: Rules) -> None:
        self._hardware = hardware
        loop = asyncio.get_running_loop()
        state = new_table(hardware.table_id, hardware.seats, rules)
        self._desk = Desk(hardware, source, state, loop.time())
        self._pumps = pumps_of(hardware, self._desk, None, self._told)
        self._identities: dict[Device, Identity] = {}
        self._problems: dict[Device, str] = {}
        self._nameless: set[Device] = set()
        self._open = {one.device for one in self._devices()}
        self._done = asyncio.Event()

    async def run(self) -> Probed:
        """Return what every device answered, each in its own line, within a bound."""
        for pump in self._pumps:
            pump.start()
        try:
            bound = self._hardware.lost_after_s + PATIENCE_S
            await asyncio.wait_for(self._done.wait(), bound)
        except TimeoutError:
            pass  # Who has not answered by now is named as such.
        finally:
            for pump in self._pumps:
                pump.stop()
        panels, shoe = self._pumps
        return Probed(
            tuple(self._finding(one) for one in self._devices()),
            (panel_link(panels), shoe_link(shoe)),
        )

    def _told(self, event: DriverEvent) -> None:
        match event:
            case DeviceIdentified():
                self._identities[event.device] = event.identity
            case DeviceMismatched():
                self._problems[event.device] = event.message
            case DeviceLost():
                pass
            case DeviceBack() if self._is_nameless(event.device):
                self._nameless.add(event.device)
            case _:
                return
        self._open.discard(event.device)
        if not self._open:
            self._done.set()

    def _devices(self) -> tuple[NamedDevice, ...]:
        place = self._pumps[0].place
        return named_devices(self._hardware, self._desk.addresses, place)

    def _is_silent(self, device: Device) -> bool:
        """Return whether an open port is all that can be known of a device."""
        return device == SHOE and self._hardware.shoe.kind is ShoeKind.LINE

    def _is_nameless(self, device: Device) -> bool:
        """Return whether a device can only answer, and not say who it is."""
        panels = self._hardware.panels
        is_module = panels is not None and panels.kind is PanelKind.MODBUS
        return self._is_silent(device) or (device != SHOE and is_module)

    def _finding(self, one: NamedDevice) -> Finding:
        device = one.device
        known = Finding(device=device, name=one.name, place=one.place)
        problem = self._problems.get(device, "")
        pump = self._pumps[device == SHOE]
        if self._is_silent(device) and not pump.last_error:
            return replace(known, note=SILENT_SHOE)
        if device in self._nameless and not problem:
            return replace(known, note=NAMELESS_PANEL)
        found = self._identities.get(device)
        if found is None and not problem and pump.last_error:
            return replace(known, problem=pump.last_error, port_error=True)
        if found is None and not problem:
            problem = "no answer; check its cable and its power"
        return replace(known, found=found, problem=problem)
