"""Trying buttons and lamps by hand at a table that is stopped.

The same sessions and ports as in play, and no journal. No press is acknowledged, and
every lamp is lit for no prompt: what a panel keeps of the trial, a table that starts
later refuses. Nothing is said to the shoe, and nothing of its cards is shown: the hole
card of a stopped round may wait in there.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

from controller.core.ids import DEALER_SEAT, DealerButton
from controller.core.ids import Button as SeatButton
from controller.core.rules import Rules
from controller.core.state import new_table
from controller.runtime.desk import Desk
from controller.runtime.device_names import NamedDevice, named_devices, panel_name
from controller.runtime.device_pumps import pumps_of, put_lamps_out
from controller.words.errors import WordsError
from drivers.events import (
    DeviceAnswered,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    HeldButtonsChanged,
    PressReceived,
)
from drivers.panel.messages import NO_PROMPT, Button
from hw_config.schema import TableHardware

HELP: Final = (
    "press any button to see it here; lamp SEAT BUTTON, lamps SEAT, lamps all, dark; "
    "SEAT may be dealer; end, or the end of the input, puts all lamps out"
)
DARK_WITHIN_S: Final = 0.5
"""For so long panels are still spoken to at the end: a change of lamps goes at once."""

_AT_A_SEAT: Final = frozenset(Button(button.value) for button in SeatButton)
_AT_THE_DEALER: Final = frozenset(Button(button.value) for button in DealerButton)


class Trial:
    """One technician's trial of all panels; `say` takes a line for them each time.

    `presses` counts what the panels made of it, each for no prompt. `is_dark`: in the
    end no panel that answers has a lamp on.
    """

    def __init__(
        self,
        hardware: TableHardware,
        source: str,
        rules: Rules,
        say: Callable[[str], None],
    ) -> None:
        loop = asyncio.get_running_loop()
        state = new_table(hardware.table_id, hardware.seats, rules)
        self._seats = (*range(1, hardware.seats + 1), DEALER_SEAT)
        self._desk = Desk(hardware, source, state, loop.time())
        self._pumps = pumps_of(hardware, self._desk, None, self._told)
        place = self._pumps[0].place
        named = named_devices(hardware, self._desk.addresses, place)
        self._named: dict[object, NamedDevice] = {one.device: one for one in named}
        self._lamps: dict[int, frozenset[Button]] = dict.fromkeys(
            self._seats, frozenset()
        )
        self._held: dict[int, frozenset[Button]] = {}
        self._say = say
        self.presses = 0
        self.is_dark = False

    async def run(self, lines: AsyncIterator[str]) -> None:
        """Show and light until the lines end, then put all lamps out.

        A line that cannot be done is said so, and changes nothing.
        """
        for pump in self._pumps:
            pump.start()
        self._show_pumps()
        try:
            async for line in lines:
                if line.strip() == "end":
                    break
                self._do(line)
        finally:
            self._light(dict.fromkeys(self._seats, frozenset()))
            await asyncio.sleep(DARK_WITHIN_S)
            panels, pump = self._desk.panels, self._pumps[0]
            self.is_dark = await put_lamps_out(panels, pump)
            for pump in self._pumps:
                pump.stop()

    def _show_pumps(self) -> None:
        for pump in self._pumps:
            if pump.last_error:
                self._say(pump.last_error)

    def _do(self, line: str) -> None:
        words = line.split()
        try:
            if words:
                self._light(self._wanted(words))
        except WordsError as error:
            self._say(str(error))

    def _wanted(self, words: list[str]) -> dict[int, frozenset[Button]]:
        """Return the lamps of the panels that a line speaks of.

        Raises:
            WordsError: It is no line of a trial.

        """
        match words:
            case ["dark"]:
                return dict.fromkeys(self._seats, frozenset())
            case ["lamps", "all"]:
                return {seat: _buttons_of(seat) for seat in self._seats}
            case ["lamps", place]:
                seat = self._seat(place)
                return {seat: _buttons_of(seat)}
            case ["lamp", place, word]:
                seat = self._seat(place)
                return {seat: self._lamps[seat] ^ {_button(seat, word)}}
            case _:
                raise WordsError(f"one of: {HELP}", " ".join(words))

    def _seat(self, word: str) -> int:
        by_word: dict[str, int] = {_panel_word(seat): seat for seat in self._seats}
        if word not in by_word:
            raise WordsError(f"one of the panels {' '.join(by_word)}", word)
        return by_word[word]

    def _light(self, lamps: dict[int, frozenset[Button]]) -> None:
        for seat, lit in lamps.items():
            self._lamps[seat] = lit
            address = self._desk.addresses.of_seat(seat)
            self._desk.panels.set_lamps(address, NO_PROMPT, lit)
        for pump in self._pumps:
            pump.run()

    def _told(self, event: DriverEvent) -> None:
        match event:
            case HeldButtonsChanged():
                self._buttons(self._desk.addresses.seat_of(event.address), event.held)
            case PressReceived():
                self.presses += 1
            case DeviceIdentified():
                who = event.identity
                words = f"{who.model} serial {who.serial} firmware {who.firmware}"
                self._say_of(event, f"answers, {words}")
            case DeviceAnswered() | DeviceBack():
                self._say_of(event, "answers")
            case DeviceLost():
                self._say_of(event, "does not answer; look at its cable and its supply")
            case DeviceMismatched():
                self._say(event.message)
            case _:
                pass

    def _say_of(
        self,
        event: DeviceIdentified | DeviceAnswered | DeviceBack | DeviceLost,
        words: str,
    ) -> None:
        one = self._named[event.device]
        self._say(f"{one.name} at {one.place}: {words}")

    def _buttons(self, seat: int, held: frozenset[Button]) -> None:
        before = self._held.get(seat, frozenset())
        self._held[seat] = held
        for buttons, words in ((held - before, "down"), (before - held, "up")):
            for button in _in_order(buttons):
                self._say(f"{panel_name(seat)}: {button.value} {words}")


def _panel_word(seat: int) -> str:
    return str(seat) if seat else "dealer"


def _buttons_of(seat: int) -> frozenset[Button]:
    return _AT_THE_DEALER if seat == DEALER_SEAT else _AT_A_SEAT


def _button(seat: int, word: str) -> Button:
    """Return the button of that name at a panel.

    Raises:
        WordsError: It has none.

    """
    there = {button.value: button for button in _in_order(_buttons_of(seat))}
    if word not in there:
        raise WordsError(f"a button of this panel: {' '.join(there)}", word)
    return there[word]


def _in_order(buttons: Iterable[Button]) -> list[Button]:
    return [button for button in Button if button in buttons]
