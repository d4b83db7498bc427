"""A simulated table whose panels are modules: hands do what they can do there."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from drivers.panel.messages import Button
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario.step_grammar import parse_step
from simulators.rigs.simulate.playground import seen
from simulators.rigs.simulation import DeviceStep, Simulation

STEP_CENTS = 500


@pytest.fixture
def simulation(tmp_path: Path) -> Simulation:
    hardware = load_hardware(shipped_hardware("simulation-modbus"))
    moved = moved_to(hardware, tmp_path)
    return Simulation(moved, random.Random(1), bet_step_cents=STEP_CENTS)


def do(simulation: Simulation, text: str) -> None:
    step = parse_step(text)
    assert isinstance(step, DeviceStep)
    simulation.do(step, 0.0)


def pushes(simulation: Simulation, seat: int) -> list[Button]:
    return list(simulation.modules[seat].waiting)


def test_every_seat_and_the_dealer_have_a_module(simulation: Simulation) -> None:
    assert list(simulation.modules) == list(range(8))
    assert simulation.panels == {}
    assert simulation.modules[0].address == 32


def test_an_amount_is_so_many_pushes(simulation: Simulation) -> None:
    do(simulation, "bet 3 15")
    assert pushes(simulation, 3) == [Button.BET] * 3
    assert not simulation.all_taken


def test_what_lies_there_is_taken_back_first(simulation: Simulation) -> None:
    simulation.modules[3].coils = 0b11
    do(simulation, "bet 3 10")
    assert pushes(simulation, 3) == [Button.CLEAR, Button.BET, Button.BET]


@pytest.mark.parametrize(
    ("text", "seat", "button"),
    [
        ("bet 3 0", 3, Button.CLEAR),
        ("clear 3", 3, Button.CLEAR),
        ("clear 3 spot=3", 3, Button.CLEAR),
        ("press 3 bet", 3, Button.BET),
        ("press 3 hit", 3, Button.HIT),
        ("dealer deal", 0, Button.DEAL),
    ],
)
def test_a_button_is_one_push(
    simulation: Simulation, text: str, seat: int, button: Button
) -> None:
    do(simulation, text)
    assert pushes(simulation, seat) == [button]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bet 3 12", "takes no amount"),
        ("press 3 insure 5", "takes no amount"),
        ("bet 3 15 spot=4", "no button for a spot"),
        ("clear 3 spot=2", "no button for a spot"),
        ("late-press 3 hit", "keeps no press until later"),
    ],
)
def test_what_hands_cannot_do_there_is_said(
    simulation: Simulation, text: str, why: str
) -> None:
    with pytest.raises(DeviceStepError, match=why):
        do(simulation, text)
    assert pushes(simulation, 3) == []


def test_a_button_that_is_not_wired_is_said(simulation: Simulation) -> None:
    dealers = simulation.modules[0]
    keys = tuple(key for key in dealers.wiring.keys if Button.NEXT not in key.does)
    dealers.wiring = replace(dealers.wiring, keys=keys)
    with pytest.raises(DeviceStepError, match="panel 0 has no button next; it has"):
        do(simulation, "dealer next")
    do(simulation, "dealer deal")
    assert pushes(simulation, 0) == [Button.DEAL]


def test_a_module_without_power_makes_no_press(simulation: Simulation) -> None:
    do(simulation, "panel 3 lost")
    with pytest.raises(DeviceStepError, match="it has no power"):
        do(simulation, "press 3 hit")
    do(simulation, "panel 3 back")
    do(simulation, "press 3 hit")
    assert pushes(simulation, 3) == [Button.HIT]


def test_who_looks_at_the_table_sees_its_lamps(simulation: Simulation) -> None:
    simulation.modules[3].coils = 0b1_1000
    assert seen(simulation)["seat 3"] == "hit stand"
