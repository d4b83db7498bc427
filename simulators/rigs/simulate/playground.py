"""What a person does at simulated devices, and what they see there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from controller.core.ids import DEALER_SEAT
from controller.words.errors import WordsError
from controller.words.reading import Reader
from drivers.panel.messages import Button
from simulators.devices.shoe import ShoeSimulator
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.step_grammar import parse_step
from simulators.rigs.simulation import DeviceStep, Simulation

LOOK_EVERY_S: Final = 0.05
UNTIL_TIMEOUT_S: Final = 15.0

HELP: Final = """\
press 3 hit        a button: bet clear rebet hit stand double split …
bet 3 25           BET with an amount
dealer deal        a button of the dealer: deal next pickup close-insurance call
draw [N]           N cards, or as many as the gate lets out, from the decks inside
card Th 9c         these cards, whatever lies in the shoe; ?? cannot be read
shuffle            put the discards in and shuffle
panel 3 lost       and: panel 3 back
shoe lid-open      and: lid-closed jam cleared cut-card empty
until seat 3 hit   wait until that lamp is lit; and: until dealer deal, until gate open
wait 0.5           do nothing for a while
everything else of the staff (a shift, a decision, cash): tablectl console"""


class Playground:
    """The devices of a table, worked by lines of text.

    `say` gets a line for whatever changes on the devices, `complain` one for each
    line that could not be done.
    """

    def __init__(
        self,
        simulation: Simulation,
        say: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:
        self._simulation = simulation
        self._say = say
        self._complain = complain
        self._seen: dict[str, str] = {}

    async def play(self, lines: AsyncIterator[str]) -> None:
        """Do what each line says, until there are no more."""
        async for line in lines:
            try:
                await self._do(line)
            except (WordsError, DeviceStepError) as error:
                self._complain(str(error))

    async def watch(self) -> None:
        """Tell what changes on the devices, for ever."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    def look(self) -> None:
        """Tell what has changed since the last look."""
        for device, shows in seen(self._simulation).items():
            if self._seen.get(device, "") != shows:
                self._seen[device] = shows
                self._say(f"{device}: {shows or 'dark'}")

    async def _do(self, line: str) -> None:
        reader = Reader(line)
        first = "" if reader.next is None else reader.next.raw
        match first:
            case "":
                return
            case "help":
                self._say(HELP)
            case "draw":
                self._draw(reader)
            case "shuffle":
                self._simulation.shuffle()
            case "until":
                await self._wait_until(reader)
            case _:
                await self._take(parse_step(line))

    async def _take(self, step: st.Step) -> None:
        if isinstance(step, st.Wait):
            await asyncio.sleep(step.duration_ms / 1000)
        elif isinstance(step, st.PowerCut):
            raise DeviceStepError(
                "the controller is another process: end and start it yourself"
            )
        elif isinstance(step, DeviceStep):
            self._simulation.do(step, asyncio.get_running_loop().time())
        else:
            raise DeviceStepError(
                "no device says this: a line of the staff goes to tablectl console"
            )

    async def _wait_until(self, reader: Reader) -> None:
        _, *device, word = ("", "", *(said.raw for said in reader.take_all()[1:]))
        name = " ".join(device).strip()
        if name not in seen(self._simulation):
            raise DeviceStepError("until: expected such as seat 3 hit, or gate open")
        try:
            async with asyncio.timeout(UNTIL_TIMEOUT_S):
                while word not in seen(self._simulation)[name].split():  # noqa: ASYNC110 - another process sets no event
                    await asyncio.sleep(LOOK_EVERY_S)
        except TimeoutError as error:
            raise DeviceStepError(
                f"{name}: no {word} within {UNTIL_TIMEOUT_S:g} s"
            ) from error

    def _draw(self, reader: Reader) -> None:
        reader.take("draw")
        count = self._simulation.cards_due
        if reader.next is not None:
            count = reader.read("how many cards", _count_of)
        reader.end()
        if not count:
            raise DeviceStepError("no card is due; draw N takes some nevertheless")
        for _ in range(count):
            card = self._simulation.draw_next()
            if card is None:
                raise DeviceStepError("the shoe is empty; shuffle")
            self._say(f"drawn: {card}")


def seen(simulation: Simulation) -> dict[str, str]:
    """Return what each device shows: the lit lamps of panels, the gate if any."""
    shown = {
        f"seat {seat}" if seat != DEALER_SEAT else "dealer": " ".join(
            button.value for button in Button if button in panel.lamps
        )
        for seat, panel in simulation.any_panels.items()
    }
    if isinstance(simulation.any_shoe, ShoeSimulator):
        due = simulation.cards_due
        shown["gate"] = f"open for {due}" if due else "locked"
    return shown


def _count_of(text: str) -> int | None:
    return int(text) if text.isdecimal() and 0 < int(text) <= 99 else None  # noqa: PLR2004 - two digits of cards
