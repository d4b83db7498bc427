"""Buttons and lamps tried by hand, with simulated panels on ptys."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from random import Random

import pytest

from controller.core.ids import BY_HAND, DEALER_SEAT
from controller.rulesets.loader import load_ruleset
from controller.runtime.seen import Seen, seen_words
from controller.runtime.trial import Trial
from controller.runtime.view import LinkView
from drivers.panel.messages import Button
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import TableFolder, lay_out

PATIENCE_S = 10.0
AT_A_SEAT = [Button.BET, Button.CLEAR, Button.HIT, Button.STAND, Button.PASS]


class Hands:
    """A technician at the keyboard, whose colleague is at the panels."""

    def __init__(self, folder: TableFolder, devices: Simulation) -> None:
        self.devices = devices
        self.said: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        file = str(folder.hardware_file)
        rules = load_ruleset("colorado")
        self.ports: list[LinkView] = []
        self.trial = Trial(folder.hardware, file, rules, self)
        self.work = asyncio.create_task(self.trial.run(self._lines()))

    async def _lines(self) -> AsyncIterator[str]:
        while True:
            yield await self._typed.get()

    def see(self, seen: Seen) -> None:
        self.said.append(seen_words(seen))

    def say(self, words: str) -> None:
        self.said.append(words)

    def links(self, links: Iterable[LinkView]) -> None:
        self.ports += links

    def type(self, line: str) -> None:
        self._typed.put_nowait(line)

    def lit(self, seat: int) -> frozenset[Button]:
        return self.devices.panels[seat].lamps

    async def end(self) -> None:
        self.type("end")
        await asyncio.wait_for(self.work, PATIENCE_S)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - devices set no event
            await asyncio.sleep(0.005)


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[Hands]:
    folder = lay_out(tmp_path, seats=2, panel_lost_after_s=0.5)
    async with Simulation(folder.hardware, Random(1)) as devices:
        there = Hands(folder, devices)
        await until(lambda: sum("answers, " in line for line in there.said) == 4)
        yield there
        if not there.work.done():
            await there.end()


async def test_each_button_is_shown_as_it_goes_down_and_up(hands: Hands) -> None:
    panel = hands.devices.panels[2]
    for button in AT_A_SEAT:
        panel.hold(button, asyncio.get_running_loop().time())
        await until(lambda: f"seat 2: {button.value} down" in hands.said)  # noqa: B023 - awaited in the same turn
        panel.release(button, asyncio.get_running_loop().time())
        await until(lambda: f"seat 2: {button.value} up" in hands.said)  # noqa: B023 - same


async def test_a_press_too_short_to_be_seen_going_down_is_shown(hands: Hands) -> None:
    hands.devices.panels[2].press(Button.HIT, asyncio.get_running_loop().time())
    await until(lambda: "seat 2: hit is press 1" in hands.said)
    assert "seat 2: hit down" not in hands.said


async def test_each_lamp_is_lit_by_a_line_and_put_out_by_the_same(hands: Hands) -> None:
    hands.type("lamp 1 hit")
    await until(lambda: hands.lit(1) == {Button.HIT})
    hands.type("lamp 1 stand")
    await until(lambda: hands.lit(1) == {Button.HIT, Button.STAND})
    hands.type("lamp 1 hit")
    await until(lambda: hands.lit(1) == {Button.STAND})
    hands.type("lamps dealer")
    await until(lambda: Button.CLOSE_INSURANCE in hands.lit(DEALER_SEAT))
    hands.type("lamps all")
    await until(lambda: len(hands.lit(2)) == 10)
    hands.type("dark")
    await until(lambda: not any(map(hands.lit, (0, 1, 2))))


async def test_the_panels_are_dark_again_and_nothing_was_taken(hands: Hands) -> None:
    hands.type("lamps all")
    await until(lambda: bool(hands.lit(1)))
    panel = hands.devices.panels[1]
    panel.press(Button.HIT, asyncio.get_running_loop().time())
    await until(lambda: hands.trial.presses == 1)
    await hands.end()
    assert not any(map(hands.lit, (0, 1, 2)))
    # It waits in the panel still, for a prompt that no play has: a table refuses it.
    (press,) = panel.memory.waiting
    assert press.press.prompt_number == BY_HAND
    assert panel.memory.acknowledged == []


async def test_a_line_that_is_none_says_what_is(hands: Hands) -> None:
    for line, expected in (
        ("lamp 3 hit", "expected one of the panels 1 2 dealer, got 3"),
        ("lamp 0 hit", "expected one of the panels 1 2 dealer, got 0"),
        ("lamp 1 deal", "expected a button of this panel: bet clear rebet hit stand "),
        ("lights on", "expected one of: press any button to see it here; "),
    ):
        before = len(hands.said)
        hands.type(line)
        await until(lambda: len(hands.said) > before)  # noqa: B023 - awaited in the same turn
        assert hands.said[-1].startswith(expected)
    assert not any(map(hands.lit, (0, 1, 2)))


async def test_a_panel_that_goes_is_named_with_its_cable(hands: Hands) -> None:
    place = next(line for line in hands.said if line.startswith("seat 2 at"))
    place, _, _ = place.partition(": answers")
    hands.devices.panels[2].lose()
    gone = f"{place}: does not answer; look at its cable and its supply"
    await until(lambda: hands.said[-1] == gone)
    hands.devices.panels[2].come_back()
    await until(lambda: hands.said[-1].startswith(f"{place}: answers"))


async def test_how_the_ports_fare_is_said_when_asked(hands: Hands) -> None:
    hands.type("links")
    await until(lambda: len(hands.ports) == 2)
    panels, shoe = hands.ports
    assert (panels.name, shoe.name) == ("panels", "shoe")
    assert panels.frames_received
    assert panels.worst_answer_ms
