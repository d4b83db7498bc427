"""Buttons and lamps tried at a whole table that is wired to pins, mock pins here."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from drivers.gpio.chips import MockChips
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import TableHardware
from simulators.rigs.pin_simulation import PinSimulation
from tests.runtime.whole_table.running import SHIFT, Running, opened, running, until
from tests.runtime.whole_table.test_by_hand import (
    begun_at,
    button_seen,
    without_cursors,
)


@pytest.fixture
def hardware(tmp_path: Path) -> TableHardware:
    """Return a table on pins; it takes the place of the one on a bus."""
    shipped = load_hardware(shipped_hardware("simulation-gpio"))
    return moved_to(shipped, tmp_path)


@pytest.fixture
def chips() -> MockChips:
    return MockChips()


@pytest.fixture
async def pins(
    hardware: TableHardware, chips: MockChips
) -> AsyncIterator[PinSimulation]:
    assert hardware.pins is not None
    async with PinSimulation(hardware, hardware.pins, chips, Random(1)) as devices:
        yield devices


@pytest.fixture
async def table(
    hardware: TableHardware, pins: PinSimulation, chips: MockChips, journal_path: Path
) -> AsyncIterator[Running]:
    """Run a table with an open shift, whose lamps are lit."""
    assert journal_path.parent.is_dir()
    recovered = opened(hardware)
    async with running(hardware, None, recovered, chips=chips) as one:
        await until(lambda: pins.any_panels[1].is_driven)
        await one.do(SHIFT)
        await until(lambda: pins.any_panels[1].lamps == {Button.BET})
        yield one


async def test_presses_on_pins_are_shown_and_taken_and_count_for_nothing(
    hardware: TableHardware, pins: PinSimulation, table: Running
) -> None:
    before = table.state
    tester = await begun_at(hardware)
    for seat, button in ((1, Button.BET), (2, Button.HIT), (0, Button.CALL)):
        await until(lambda: pins.any_panels[seat].lamps == frozenset())  # noqa: B023 - awaited in the same turn
        pins.press(seat, button)
        shown = {"type": "button", "seat": seat, "button": button.value}
        seen = [await button_seen(tester) for _ in range(3)]
        assert {**shown, "down": True} in seen
        assert {**shown, "down": False} in seen
        assert [one["number"] for one in seen if one["type"] == "press"] == [1]
    await tester.ask(test_mode="end", person="S1")
    await until(lambda: table.state.test_mode is None)
    assert table.happened(cm.TryButton) == 3
    assert table.happened(ev.PressRefused) == 0
    assert without_cursors(table.state) == without_cursors(before)
    # Bets are taken as ever.
    await until(lambda: pins.any_panels[1].lamps == {Button.BET})
    pins.press(1, Button.BET)
    await until(lambda: bool(table.state.wagers))
    await tester.leave()


async def test_lamps_on_pins_are_lit_by_hand_and_go_out_at_the_end(
    hardware: TableHardware, pins: PinSimulation, table: Running
) -> None:
    tester = await begun_at(hardware)
    await tester.ask(light={"seat": 3, "buttons": ["hit", "pass"]})
    await until(lambda: pins.any_panels[3].lamps == {Button.HIT, Button.PASS})
    await until(lambda: pins.any_panels[1].lamps == frozenset())
    await tester.leave()
    await until(lambda: table.state.test_mode is None)
    await until(lambda: pins.any_panels[3].lamps == {Button.BET})
    await until(lambda: pins.any_panels[1].lamps == {Button.BET})
