"""Who answers at a table's ports, by what the drivers have told so far."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.runtime.device_names import SHOE, NamedDevice
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


class Answers:
    """What each device has answered last."""

    def __init__(self, hardware: TableHardware, named: Iterable[NamedDevice]) -> None:
        self._hardware = hardware
        self._named = tuple(named)
        self._identities: dict[Device, Identity] = {}
        self._problems: dict[Device, str] = {}
        self._nameless: set[Device] = set()
        self._gone: set[Device] = set()
        self.open = {one.device for one in self._named}
        """Of these nothing is known yet, not even that they are lost."""

    def take(self, event: DriverEvent) -> None:
        """Take what a driver tells."""
        match event:
            case DeviceIdentified():
                self._identities[event.device] = event.identity
                self._problems.pop(event.device, None)
                self._gone.discard(event.device)
            case DeviceMismatched():
                self._problems[event.device] = event.message
            case DeviceLost():
                self._gone.add(event.device)
            case DeviceBack():
                self._gone.discard(event.device)
                if not self._is_nameless(event.device):
                    return
                self._nameless.add(event.device)
            case _:
                return
        self.open.discard(event.device)

    def findings(self, port_error: Callable[[Device], str]) -> tuple[Finding, ...]:
        """Return a line for each device; `port_error` is why its port is not open."""
        return tuple(self._finding(one, port_error(one.device)) for one in self._named)

    def _is_silent(self, device: Device) -> bool:
        """Return whether an open port is all that can be known of a device."""
        return device == SHOE and self._hardware.shoe.kind is ShoeKind.LINE

    def _is_nameless(self, device: Device) -> bool:
        """Return whether a device can only answer, and not say who it is."""
        panels = self._hardware.panels
        is_module = panels is not None and panels.kind is PanelKind.MODBUS
        return self._is_silent(device) or (device != SHOE and is_module)

    def _finding(self, one: NamedDevice, port_error: str) -> Finding:
        device = one.device
        known = Finding(device=device, name=one.name, place=one.place)
        problem = self._problems.get(device, "")
        if self._is_silent(device) and not port_error:
            return replace(known, note=SILENT_SHOE)
        is_gone = device in self._gone
        if device in self._nameless and not (problem or is_gone):
            return replace(known, note=NAMELESS_PANEL)
        found = None if is_gone else self._identities.get(device)
        if found is None and not problem and port_error:
            return replace(known, problem=port_error, port_error=True)
        if found is None and not problem:
            problem = "no answer; check its cable and its power"
        return replace(known, found=found, problem=problem)
