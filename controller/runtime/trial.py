"""Trying buttons and lamps by hand at a table that is stopped.

The same sessions and ports as in play, and no journal. No press is acknowledged, and
every lamp is lit for a prompt that no play has: what a panel keeps of the trial, a
table that starts later refuses. Nothing is said to the shoe, and nothing of its cards
is shown.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final, Protocol

from controller.core.ids import BY_HAND
from controller.core.rules import Rules
from controller.core.state import new_table
from controller.runtime.desk import Desk
from controller.runtime.device_names import named_devices
from controller.runtime.device_pumps import pumps_of, put_lamps_out
from controller.runtime.lamp_board import LINKS, LampBoard, Lamps
from controller.runtime.links import links_of
from controller.runtime.seen import Seen, Sight
from controller.runtime.view import LinkView
from controller.words.errors import WordsError
from drivers.events import DriverEvent, PressReceived
from hw_config.schema import TableHardware

DARK_WITHIN_S: Final = 0.5
"""For so long panels are still spoken to at the end: a change of lamps goes at once."""


class Telling(Protocol):
    """How a technician is told."""

    def see(self, seen: Seen) -> None:
        """Tell what was seen of a device."""

    def say(self, words: str) -> None:
        """Tell them something in words."""

    def links(self, links: Iterable[LinkView]) -> None:
        """Tell how the ports fare."""


class Trial:
    """One technician's trial of all panels, who is told what is seen and said.

    `presses` counts what the panels made of it, each for no prompt of play. `is_dark`:
    in the end no panel that answers has a lamp on.
    """

    def __init__(
        self,
        hardware: TableHardware,
        source: str,
        rules: Rules,
        telling: Telling,
    ) -> None:
        loop = asyncio.get_running_loop()
        state = new_table(hardware.table_id, hardware.seats, rules)
        self._desk = Desk(hardware, source, state, loop.time())
        self._pumps = pumps_of(hardware, self._desk, None, self._told)
        place = self._pumps[0].place
        named = named_devices(hardware, self._desk.addresses, place)
        self._sight = Sight(named, self._desk.addresses)
        self._board = LampBoard(hardware.seats)
        self._telling = telling
        self.presses = 0
        self.is_dark = False

    async def run(self, lines: AsyncIterator[str]) -> None:
        """Show and light until the lines end, then put all lamps out.

        A line that cannot be done is said so, and changes nothing.
        """
        for pump in self._pumps:
            pump.start()
        self._light(self._board.dark())
        self._show_pumps()
        try:
            async for line in lines:
                if line.strip() == "end":
                    break
                self._do(line)
        finally:
            self._light(self._board.dark())
            await asyncio.sleep(DARK_WITHIN_S)
            panels, pump = self._desk.panels, self._pumps[0]
            self.is_dark = await put_lamps_out(panels, pump)
            for pump in self._pumps:
                pump.stop()

    def _show_pumps(self) -> None:
        for pump in self._pumps:
            if pump.last_error:
                self._telling.say(pump.last_error)

    def _do(self, line: str) -> None:
        if line.strip() == LINKS:
            self._telling.links(links_of(self._pumps))
            return
        try:
            self._light(self._board.after(line))
        except WordsError as error:
            self._telling.say(str(error))

    def _light(self, lamps: Lamps) -> None:
        for seat, lit in lamps.items():
            address = self._desk.addresses.of_seat(seat)
            self._desk.panels.set_lamps(address, BY_HAND, lit)
        for pump in self._pumps:
            pump.run()

    def _told(self, event: DriverEvent) -> None:
        for seen in self._sight.see(event):
            self._telling.see(seen)
        self.presses += isinstance(event, PressReceived)
