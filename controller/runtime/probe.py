"""Asking every device of a hardware file who it is: what `tablectl check` does.

The same sessions and ports as in play, but nothing is lit, opened or acknowledged.
"""

import asyncio
from typing import Final

import msgspec

from controller.core.rules import Rules
from controller.core.state import new_table
from controller.runtime.answers import Answers, Finding
from controller.runtime.desk import Desk
from controller.runtime.device_names import SHOE, named_devices
from controller.runtime.device_pumps import pumps_of
from controller.runtime.links import links_of
from controller.runtime.view import LinkView
from drivers.events import Device, DriverEvent
from hw_config.schema import TableHardware

PATIENCE_S: Final = 1.0
"""How much longer than `panel_lost_after_s` a probe waits for answers."""


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
        desk = Desk(hardware, source, state, loop.time())
        self._pumps = pumps_of(hardware, desk, None, self._told)
        place = self._pumps[0].place
        named = named_devices(hardware, desk.addresses, place)
        self._answers = Answers(hardware, named)
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
        findings = self._answers.findings(self._port_error)
        return Probed(findings, links_of(self._pumps))

    def _told(self, event: DriverEvent) -> None:
        self._answers.take(event)
        if not self._answers.open:
            self._done.set()

    def _port_error(self, device: Device) -> str:
        return self._pumps[device == SHOE].last_error
