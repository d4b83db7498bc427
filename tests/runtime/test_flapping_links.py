"""A cable that comes and goes: the log has each loss once, and each return once."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.runtime.link_log import LinkLog
from controller.runtime.links import SHOE, shoe_link
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.pump import Pump
from controller.runtime.translate import Addresses
from controller.runtime.view import LinkView
from drivers.events import DeviceBack, DeviceLost, DriverEvent
from drivers.identity import DeviceType, Expected
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines
from tests.runtime.test_pump import BAUD, QUICK, until

FLAPS = 5
SEEN_THROUGH = replace(QUICK, lost_after_s=60.0)


class Said:
    """A pump of a shoe, with the log of its link."""

    def __init__(self, path: Path, timing: ShoeTiming) -> None:
        now = asyncio.get_running_loop().time()
        expected = Expected(DeviceType.SHOE, 0, str(path), "a test")
        self.session = ShoeSession(expected, None, timing, now)
        self.events: list[DriverEvent] = []
        self.pump = Pump(path, BAUD, self.session, self._told)
        self.lines = Lines()
        log = logger_to(self.lines, json_lines(StandingClock()))
        self.log = LinkLog(log, self._links, Addresses((), 1), 0.0)
        self.pump.on_port(lambda: self.log.port_changed(SHOE))

    def _links(self) -> tuple[LinkView, ...]:
        return (shoe_link(self.pump),)

    def _told(self, event: DriverEvent) -> None:
        self.events.append(event)
        self.log.heard(event)

    def told(self, kind: type[DriverEvent]) -> int:
        return sum(type(event) is kind for event in self.events)

    def said(self, event: str) -> int:
        return sum(f'"event": "{event}"' in line for line in self.lines.kept)


@pytest.mark.parametrize(
    ("timing", "losses"), [(QUICK, FLAPS), (SEEN_THROUGH, 0)], ids=["long", "short"]
)
async def test_each_loss_and_each_return_is_said_once(
    tmp_path: Path, timing: ShoeTiming, losses: int
) -> None:
    path = tmp_path / "shoe"
    link = Said(path, timing)
    station = Station(PtyPort(path), ShoeSimulator(Random(7)))
    async with DeviceServer([station]):
        link.pump.start()
        await until(lambda: link.told(DeviceBack) == 1)
        for flap in range(1, FLAPS + 1):
            station.unplug()
            await until(lambda: link.said("port lost") == flap)  # noqa: B023 - awaited in the same turn
            if losses:
                # Until then the port was tried in vain, again and again.
                await until(lambda: link.told(DeviceLost) == flap)  # noqa: B023 - same
            station.plug_in()
            await until(lambda: link.said("port open again") == flap)  # noqa: B023 - same
            if losses:
                await until(lambda: link.told(DeviceBack) == flap + 1)  # noqa: B023 - same
        link.pump.stop()
    assert link.said("port lost") == FLAPS
    assert link.said("port open again") == FLAPS
    assert link.said("device lost") == losses == link.told(DeviceLost)
    assert link.said("device answers") == losses + 1 == link.told(DeviceBack)


async def test_a_port_that_is_never_there_is_said_once(tmp_path: Path) -> None:
    link = Said(tmp_path / "shoe", QUICK)
    link.pump.start()
    await until(lambda: link.told(DeviceLost) == 1)
    link.pump.stop()
    assert link.said("port lost") == 1
    assert link.said("device lost") == 1
