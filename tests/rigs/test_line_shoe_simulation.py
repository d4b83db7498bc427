"""A simulated table whose shoe prints lines: hands do what they can do there."""

import random
from pathlib import Path

import pytest

from hw_config.loader import load_hardware, moved_to, shipped_hardware
from simulators.devices.decks import Decks, fresh_decks
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario.step_grammar import parse_step
from simulators.rigs.simulate.playground import seen
from simulators.rigs.simulation import DeviceStep, Simulation


@pytest.fixture
def simulation(tmp_path: Path) -> Simulation:
    hardware = load_hardware(shipped_hardware("simulation-line-shoe"))
    source = random.Random(1)
    decks = Decks(fresh_decks(1), source)
    return Simulation(moved_to(hardware, tmp_path), source, decks)


def do(simulation: Simulation, text: str) -> None:
    step = parse_step(text)
    assert isinstance(step, DeviceStep)
    simulation.do(step, 0.0)


def printed(simulation: Simulation) -> list[bytes]:
    shoe = simulation.any_shoe
    assert isinstance(shoe, LineShoeSimulator)
    return shoe.data_to_send(0.0).split(b"\r\n")[:-1]


def test_cards_are_printed_in_their_order(simulation: Simulation) -> None:
    do(simulation, "card Th ?? 9c")
    assert printed(simulation) == [
        b"[Game]<Card:TH>",
        b"[Game]<Game>",
        b"[Game]<Card:9C>",
    ]


@pytest.mark.parametrize(
    "text", ["shoe jam", "shoe shuffled 312", "shoe gap 2", "return Th"]
)
def test_what_it_does_not_print_cannot_be_done(
    simulation: Simulation, text: str
) -> None:
    with pytest.raises(DeviceStepError, match="tells of drawn cards only"):
        do(simulation, text)
    assert printed(simulation) == []


def test_a_shuffle_is_not_told_and_puts_all_cards_back(simulation: Simulation) -> None:
    shoe = simulation.any_shoe
    assert shoe.decks is not None
    before = shoe.decks.left_to_draw
    assert simulation.draw_next() is not None
    assert len(printed(simulation)) == 1
    simulation.shuffle()
    assert printed(simulation) == []
    assert shoe.decks.left_to_draw == before
    simulation.replace_shoe()
    assert printed(simulation) == []


def test_there_is_no_gate_to_look_at(simulation: Simulation) -> None:
    assert simulation.cards_due == 0
    assert "gate" not in seen(simulation)
    assert simulation.all_taken
