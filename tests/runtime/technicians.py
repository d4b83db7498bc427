"""What a table without devices does for its technician."""

import asyncio
from collections.abc import Callable

from controller.runtime.answers import Finding
from controller.runtime.by_hand import ByHand
from controller.runtime.commander import Commander
from controller.runtime.device_names import SHOE
from controller.runtime.lamp_board import Lamps
from controller.runtime.seen import ButtonSeen
from drivers.panel.messages import Button
from tests.runtime.engines import CoreEngine

NO_ANSWER = Finding(device=SHOE, name="shoe", place="/dev/table/shoe", problem="none")


class NoDevices:
    """A technician's part of a table that has an engine and no devices."""

    def __init__(
        self, commander: Commander, now: Callable[[], float] | None = None
    ) -> None:
        self.found = (NO_ANSWER,)
        self.lit: dict[int, frozenset[Button]] = {}
        self.held: list[ButtonSeen] = []
        clock = now or asyncio.get_running_loop().time
        self.by_hand = ByHand(commander.report, self._light, lambda: self.held, clock)
        if isinstance(commander, CoreEngine):
            commander.readers.append(self.by_hand.follow)

    def findings(self) -> tuple[Finding, ...]:
        return self.found

    def _light(self, lamps: Lamps) -> None:
        self.lit.update(lamps)
