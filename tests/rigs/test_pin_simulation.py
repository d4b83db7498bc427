"""Hands at simulated pins: what buttons can say, and what they cannot."""

import asyncio
import random
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from controller.core.ids import Phase
from controller.core.state import TableState, Wager
from drivers.events import HouseInput
from drivers.gpio.chips import MockChips
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.pin_simulation import PinSimulation
from simulators.rigs.scenario.language import parse_scenario
from simulators.rigs.simulation import DeviceStep
from tools.phase_table import table_in

BOUND_S: Final = 10.0
BETTING: Final = table_in(Phase.BETTING).state


def simulation(folder: Path) -> PinSimulation:
    hardware = load_hardware(shipped_hardware("simulation-gpio"))
    assert hardware.pins is not None
    pins = replace(hardware.pins, seats=hardware.pins.seats[:2])
    moved = moved_to(replace(hardware, seats=2, pins=pins), folder)
    Path(moved.shoe.port).parent.mkdir(parents=True)
    return PinSimulation(moved, pins, MockChips(), random.Random(1))


def step_of(line: str) -> DeviceStep:
    (statement,) = parse_scenario(line, "a step").statements
    assert isinstance(statement.said, DeviceStep)
    return statement.said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("press 1 insure 5", "neither amount nor spot"),
        ("bet 1 5 spot=2", "neither amount nor spot"),
        ("clear 1 spot=2", "neither amount nor spot"),
        ("bet 1 7.50", "adds 500 cents at a time, which makes no 750"),
        ("late-press 1 bet", "no number of an earlier prompt"),
        ("panel 1 lost", "all together or not"),
        ("press 6 hit", "no panel at seat 6"),
    ],
)
def test_what_buttons_cannot_say_is_told_as_such(
    tmp_path: Path, line: str, words: str
) -> None:
    hands = simulation(tmp_path)
    with pytest.raises(DeviceStepError, match=words):
        hands.do(step_of(line), BETTING)


async def pressed(folder: Path, line: str, state: TableState) -> int:
    """Return how many presses it took to say a line at seat 1."""
    async with simulation(folder) as hands:
        hands.do(step_of(line), state)
        async with asyncio.timeout(BOUND_S):
            while not hands.any_panels[1].is_still:  # noqa: ASYNC110 - pins set no event
                await asyncio.sleep(0.002)
        assert hands.any_panels[1].lamps == frozenset()
        return hands.any_panels[1].pressed


async def test_an_amount_is_said_by_pressing_bet_until_it_is_reached(
    tmp_path: Path,
) -> None:
    nothing_lies = replace(BETTING, wagers=())
    assert await pressed(tmp_path, "bet 1 15", nothing_lies) == 3


async def test_a_wager_that_lies_is_cleared_before_another_is_set(
    tmp_path: Path,
) -> None:
    lies = replace(BETTING, wagers=(Wager(spot=1, seat=1, amount_cents=500),))
    assert await pressed(tmp_path, "bet 1 10", lies) == 3


async def test_no_amount_at_all_is_clear(tmp_path: Path) -> None:
    assert await pressed(tmp_path, "bet 1 0", BETTING) == 1


def test_a_panel_that_nobody_drives_is_told(tmp_path: Path) -> None:
    hands = simulation(tmp_path)
    hands.expect_start(BETTING)
    assert hands.panel_difference(BETTING, 1) == "nobody drives the lamps of panel 1"
    assert "is not off" in hands.house_difference(BETTING)


def test_a_finger_is_needed_for_each_button_of_a_panel(tmp_path: Path) -> None:
    hands = simulation(tmp_path)
    with pytest.raises(ValueError, match="no button deal"):
        hands.any_panels[1].press(Button.DEAL)


def test_a_door_is_shut_and_opened_by_hand(tmp_path: Path) -> None:
    hands = simulation(tmp_path)
    pin = hands.pin(hands.wiring.inputs[HouseInput.DOOR])
    assert not pin.state
    hands.set_contact(HouseInput.DOOR, is_active=False)
    assert pin.state
