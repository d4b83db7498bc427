"""A whole simulated table that runs: devices here, the controller beside us.

What happens at it is read from its journal, as any display reads it.
"""

import asyncio
import random
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.core.evolve import Record
from controller.core.ids import DEALER_SEAT
from controller.core.state import TableState
from controller.journal.errors import JournalError
from controller.journal.follow import FollowedTable
from controller.rulesets.loader import load_ruleset
from simulators.devices.decks import Decks, fresh_decks
from simulators.rigs.agreement import (
    difference,
    panel_difference,
    shoe_difference,
)
from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.errors import NotSettledError
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import lay_out

START_TIMEOUT_S: Final = 20.0
LOOK_AGAIN_S: Final = 0.005


class LiveTable:
    """One table with its devices and its controller; an asynchronous context.

    Its files are in `folder`, but for a `journal` that is named. On leaving it the
    controller is asked to stop, and must do so cleanly.
    """

    def __init__(
        self,
        folder: Path,
        source: random.Random,
        journal: Path | None = None,
        *,
        at_line_speed: bool = True,
    ) -> None:
        self.files = lay_out(folder, journal=journal)
        hardware = self.files.hardware
        decks = fresh_decks(load_ruleset(hardware.ruleset).decks)
        self.simulation = Simulation(
            hardware, source, Decks(decks, source), at_line_speed=at_line_speed
        )
        self._controller = ControllerProcess(
            self.files.hardware_file, self.files.journal, self.files.log
        )
        self._followed: FollowedTable | None = None
        self._started_s = 0.0

    async def __aenter__(self) -> Self:
        await self.simulation.__aenter__()
        try:
            self._start()
            self._followed = await self._first_reading()
        except BaseException:
            self._controller.kill()
            await self.simulation.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._controller.stop()
        finally:
            self._controller.kill()
            await self.simulation.__aexit__(kind, error, trace)

    @property
    def state(self) -> TableState:
        """The table as its journal said it at the last look."""
        return self._reading.state

    @property
    def starts(self) -> int:
        """How often the controller was started."""
        return self._controller.starts

    @property
    def speaks(self) -> bool:
        """Whether the controller has polled the dealer's panel since its start."""
        polled_at_s = self.simulation.panels[DEALER_SEAT].polled_at_s
        return polled_at_s is not None and polled_at_s >= self._started_s

    def look(self) -> tuple[Record, ...]:
        """Return what happened since the last look.

        Raises:
            ControllerEndedError: The controller ended by itself.

        """
        self._controller.check()
        return self._reading.read_on()

    def restart(self) -> None:
        """Kill the controller as a power cut does, and start it again."""
        self._controller.kill()
        self._start()

    def panel_agrees(self, seat: int) -> bool:
        """Return whether a panel shows what the table said, with nothing to tell."""
        if self.simulation.panels[seat].memory.waiting:
            return False
        return not panel_difference(self.simulation, self.state, seat, self._started_s)

    @property
    def difference(self) -> str:
        """In what the devices differ from what the table said, in words."""
        return difference(self.simulation, self.state, self._started_s)

    @property
    def shoe_agrees(self) -> bool:
        """Whether the gate is as the table said, with nothing to tell."""
        memory = self.simulation.shoe.memory
        if memory.acknowledged_number != memory.last_event:
            return False
        return not shoe_difference(self.simulation, self.state, self._started_s)

    @property
    def _reading(self) -> FollowedTable:
        assert self._followed is not None, "the table is entered first"
        return self._followed

    def _start(self) -> None:
        self._started_s = asyncio.get_running_loop().time()
        self._controller.start()

    async def _first_reading(self) -> FollowedTable:
        """Read the journal as soon as the controller has begun it."""
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                while True:
                    self._controller.check()
                    try:
                        return FollowedTable(self.files.journal)
                    except JournalError:
                        # Not there yet, or not whole yet.
                        await asyncio.sleep(LOOK_AGAIN_S)
        except TimeoutError as error:
            raise NotSettledError(
                f"{self.files.journal}: no journal within {START_TIMEOUT_S:g} s"
            ) from error
