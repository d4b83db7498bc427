"""Presses on all seven panels at once: one answers, from a seat that was lit."""

from random import Random

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, Phase
from controller.core.outputs import outputs
from controller.core.state import new_table
from simulators.devices.faults import chance
from simulators.rigs.checkers.checker import Step
from simulators.rigs.virtual.soak import VirtualSoak
from simulators.rigs.virtual.storm import STORM_ANSWERED, Seen, Storm, StormWitness
from tests.rigs.virtual.soaks import COLORADO, plan_of, violations

SEATS = 7
STORMS = 60
WITHIN_S = 2_000.0


def played_in_storms(seed: int, storms: int) -> tuple[VirtualSoak, Storm, StormWitness]:
    run = VirtualSoak(plan_of(seed, seats=SEATS))
    table = run.table
    storm = Storm(chance(seed, "storm"), SEATS, table.devices.panel_cable.stall)
    witness = StormWitness(storm, table.watch.blame)
    table.watch.sinks.append(witness.see)
    table.people.append(storm)
    assert table.run_until(lambda: storm.phases.total() == storms, WITHIN_S)
    run.come_to_rest()
    return run, storm, witness


@pytest.mark.parametrize("seed", [0])
def test_in_a_storm_a_press_counts_once_and_only_where_it_was_lit(seed: int) -> None:
    run, storm, witness = played_in_storms(seed, STORMS // 3)
    assert violations(run) == set()
    assert set(storm.phases) >= {Phase.DEALING, Phase.PLAYING, Phase.SETTLED}
    assert 0 < witness.accepted < storm.presses / 2


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3, 37))
def test_two_thousand_storms_find_no_press_that_counts_twice(seed: int) -> None:
    run, storm, witness = played_in_storms(seed, STORMS)
    assert violations(run) == set()
    in_a_round = {Phase.DEALING, Phase.PLAYING, Phase.DEALER_DRAWING, Phase.SETTLED}
    assert set(storm.phases) >= in_a_round
    assert witness.accepted


# --- The witness sees ---------------------------------------------------------------


def blamed(*presses: cm.PressButton, seen: Seen) -> list[tuple[str, str]]:
    """Return what is found wrong where all of these are accepted."""
    storm = Storm(Random(1), SEATS, lambda _until_s: None)
    found: list[tuple[str, str]] = []
    witness = StormWitness(storm, lambda name, words: found.append((name, words)))
    state = new_table("a", SEATS, COLORADO)
    for press in presses:
        storm.seen[press.seat, press.boot_id, press.number] = seen
        accepted = ev.PressAccepted(
            seat=press.seat, button=press.button, prompt=press.prompt
        )
        records = (press, accepted)
        witness.see(Step(1, press, records, state, state, outputs(state)))
    return found


def hit(number: int) -> cm.PressButton:
    return cm.PressButton(seat=3, button=Button.HIT, prompt=8, number=number)


def test_a_press_that_answers_the_lit_prompt_is_right() -> None:
    assert blamed(hit(1), seen=Seen(prompt=8, lit=True)) == []


@pytest.mark.parametrize("seen", [Seen(8, lit=False), Seen(7, lit=True)])
def test_a_press_that_counts_though_its_lamp_was_dark_is_found(seen: Seen) -> None:
    [(name, words)] = blamed(hit(1), seen=seen)
    assert name == STORM_ANSWERED
    assert "counted though it saw" in words


def test_a_prompt_that_two_presses_answer_is_found() -> None:
    [(name, words)] = blamed(hit(1), hit(2), seen=Seen(prompt=8, lit=True))
    assert name == STORM_ANSWERED
    assert words == "prompt (3, 8) is answered twice"
