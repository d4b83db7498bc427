"""Hands at the simulated devices of a table: what each step does there."""

import random
from pathlib import Path

import pytest

from drivers.panel.messages import Button, Press
from drivers.shoe.messages import (
    CardDrawn,
    CardReturned,
    CardUnread,
    CutCardReached,
    JamCleared,
    Jammed,
    LidClosed,
    LidOpened,
    ShoeEmptied,
    ShoeEvent,
    ShuffleEnded,
    ShuffleStarted,
)
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from simulators.devices.decks import Decks, fresh_decks
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario.step_grammar import parse_step
from simulators.rigs.simulation import DeviceStep, Simulation


@pytest.fixture
def simulation(tmp_path: Path) -> Simulation:
    hardware = load_hardware(shipped_hardware("simulation-seven"))
    source = random.Random(1)
    decks = Decks(fresh_decks(1), source)
    return Simulation(moved_to(hardware, tmp_path), source, decks)


def do(simulation: Simulation, *texts: str) -> None:
    for text in texts:
        step = parse_step(text)
        assert isinstance(step, DeviceStep)
        simulation.do(step, 0.0)


def presses(simulation: Simulation, seat: int) -> list[Press]:
    return [made.press for made in simulation.panels[seat].memory.waiting]


def happened(simulation: Simulation) -> list[ShoeEvent]:
    return [report.event for report in simulation.shoe.memory.happened]


def test_a_press_carries_amount_spot_and_the_prompt_that_shows(
    simulation: Simulation,
) -> None:
    simulation.panels[3].prompt_number = 7
    do(simulation, "bet 3 12.50 spot=4", "press 3 insure 5", "press 3 hit")
    assert presses(simulation, 3) == [
        Press(1, Button.BET, 7, amount_cents=1250, spot=4),
        Press(2, Button.INSURE, 7, amount_cents=500),
        Press(3, Button.HIT, 7),
    ]


def test_taking_a_wager_back_travels_as_clear(simulation: Simulation) -> None:
    do(simulation, "bet 3 0", "bet 3 0 spot=4", "clear 3")
    assert [(press.button, press.spot) for press in presses(simulation, 3)] == [
        (Button.CLEAR, 0),
        (Button.CLEAR, 4),
        (Button.CLEAR, 0),
    ]


def test_a_late_press_belongs_to_the_prompt_before(simulation: Simulation) -> None:
    simulation.panels[1].prompt_number = 5
    do(simulation, "late-press 1 hit")
    assert [press.prompt_number for press in presses(simulation, 1)] == [4]


def test_no_prompt_is_before_the_first(simulation: Simulation) -> None:
    do(simulation, "late-press 1 hit")
    assert [press.prompt_number for press in presses(simulation, 1)] == [0]


@pytest.mark.parametrize(
    ("word", "button"),
    [
        ("deal", Button.DEAL),
        ("next", Button.NEXT),
        ("pickup", Button.PICKUP),
        ("close-insurance", Button.CLOSE_INSURANCE),
        ("call", Button.CALL),
    ],
)
def test_the_dealer_has_a_button_for(
    simulation: Simulation, word: str, button: Button
) -> None:
    do(simulation, f"dealer {word}")
    assert [press.button for press in presses(simulation, 0)] == [button]


def test_a_panel_without_power_makes_no_press(simulation: Simulation) -> None:
    do(simulation, "panel 2 lost")
    with pytest.raises(DeviceStepError, match="panel 2 made no press of hit"):
        do(simulation, "press 2 hit")
    do(simulation, "panel 2 back", "press 2 hit")
    assert len(presses(simulation, 2)) == 1


def test_a_fifth_press_finds_no_room(simulation: Simulation) -> None:
    do(simulation, *["press 2 hit"] * 4)
    with pytest.raises(DeviceStepError, match="four presses wait"):
        do(simulation, "press 2 hit")


def test_an_amount_of_0_is_refused_where_clear_does_not_say_it(
    simulation: Simulation,
) -> None:
    with pytest.raises(DeviceStepError, match="amount of 0"):
        do(simulation, "press 1 insure 0")


def test_the_shoe_tells_each_of_its_steps(simulation: Simulation) -> None:
    do(simulation, "card Th ??", "return Th", "shoe lid-open", "shoe lid-closed")
    do(simulation, "shoe jam", "shoe cleared", "shoe cut-card", "shoe empty")
    do(simulation, "shoe shuffle-started", "shoe shuffled")
    assert happened(simulation) == [
        CardDrawn(1, "Th"),
        CardUnread(2),
        CardReturned("Th"),
        LidOpened(),
        LidClosed(),
        Jammed(),
        JamCleared(),
        CutCardReached(),
        ShoeEmptied(),
        ShuffleStarted(),
        ShuffleEnded(53),
    ]


def test_a_shoe_without_cards_of_its_own_counts_as_told(tmp_path: Path) -> None:
    hardware = load_hardware(shipped_hardware("simulation-seven"))
    simulation = Simulation(moved_to(hardware, tmp_path), random.Random(1))
    do(simulation, "shoe shuffled 311", "shoe shuffled")
    assert happened(simulation) == [ShuffleEnded(311), ShuffleEnded(None)]


def test_a_gap_leaves_numbers_that_the_shoe_cannot_give(simulation: Simulation) -> None:
    do(simulation, "shoe gap 2", "card Th")
    assert simulation.shoe.memory.held[0].report.number == 3
    assert happened(simulation)[-1] == CardDrawn(3, "Th")


def test_all_is_taken_once_the_table_has_every_press_and_event(
    simulation: Simulation,
) -> None:
    taken = [simulation.all_taken]
    panel, shoe = simulation.panels[1].memory, simulation.shoe.memory
    do(simulation, "press 1 hit")
    taken.append(simulation.all_taken)
    panel.acknowledge(panel.boot_id, 1)
    taken.append(simulation.all_taken)
    do(simulation, "card Th")
    taken.append(simulation.all_taken)
    shoe.acknowledge(shoe.boot_id, 1)
    taken.append(simulation.all_taken)
    assert taken == [True, False, True, False, True]


def test_cards_are_due_up_to_the_number_that_the_gate_is_open_to(
    simulation: Simulation,
) -> None:
    assert simulation.cards_due == 0
    simulation.shoe.gate_up_to = 2
    assert simulation.cards_due == 2
    simulation.draw_next()
    assert simulation.cards_due == 1
    simulation.draw_next()
    simulation.draw_next()
    assert simulation.cards_due == 0


def counts(simulation: Simulation) -> list[int | None]:
    return [
        event.count for event in happened(simulation) if isinstance(event, ShuffleEnded)
    ]


def test_a_shuffle_puts_every_drawn_card_back_once(simulation: Simulation) -> None:
    first, second, third = (simulation.draw_next() for _ in range(3))
    do(simulation, f"return {second}")
    simulation.shuffle()
    simulation.draw_next()
    simulation.shuffle()
    assert counts(simulation) == [52, 52]
    assert len({first, second, third}) == 3
