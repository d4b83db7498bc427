"""Any commands in any order: everything that must hold holds, nothing is stuck."""

from random import Random

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from controller.core import commands as cm
from controller.core.commands import Person
from controller.core.ids import Direction, Role
from simulators.rigs.soak.rig import Rig
from tests.simulation.any_commands import PROGRAMS, AnyCommands, Maker
from tests.simulation.tables import RULESETS, bring_to_an_end, watched_table

# Hypothesis plays the generator, so that what it chooses can be made smaller.
CHANCE = st.randoms(use_true_random=False)


class AnyCommandsInAnyOrder(RuleBasedStateMachine):
    """A table to which anything may happen; every checker looks at every step."""

    rig: Rig
    make: AnyCommands

    @initialize(rules=st.sampled_from(sorted(RULESETS)), seats=st.sampled_from((1, 3)))
    def open_a_table(self, rules: str, seats: int) -> None:
        self.rig = watched_table(RULESETS[rules], seats)
        self.make = AnyCommands(self.rig)

    def happen(self, maker: Maker, chance: Random) -> None:
        command = maker(chance)
        if command is None:
            return
        note(f"{command}")
        for record in self.rig.send(command).records:
            note(f"    {record}")
        assert self.rig.inspection.violations == []

    @rule(chance=CHANCE)
    def what_is_asked_for_happens(self, chance: Random) -> None:
        self.happen(self.make.asked_for, chance)

    @rule(chance=CHANCE)
    def what_is_asked_for_happens_again(self, chance: Random) -> None:
        self.happen(self.make.asked_for, chance)

    @rule(chance=CHANCE)
    def a_wager_is_placed(self, chance: Random) -> None:
        self.happen(self.make.bet, chance)

    @rule(chance=CHANCE)
    def anything_is_pressed(self, chance: Random) -> None:
        self.happen(self.make.any_press, chance)

    @rule(chance=CHANCE)
    def a_press_is_repeated(self, chance: Random) -> None:
        self.happen(self.make.repeated_press, chance)

    @rule(chance=CHANCE)
    def the_dealer_does_anything(self, chance: Random) -> None:
        self.happen(self.make.any_dealer_button, chance)

    @rule(chance=CHANCE)
    def the_dealers_panel_says_anything(self, chance: Random) -> None:
        self.happen(self.make.any_panel_press, chance)

    @rule(chance=CHANCE)
    def the_dealer_says_anything(self, chance: Random) -> None:
        self.happen(self.make.house, chance)

    @rule(chance=CHANCE)
    def a_card_leaves_the_shoe(self, chance: Random) -> None:
        self.happen(self.make.card, chance)

    @rule(chance=CHANCE)
    def a_card_comes_out_of_order(self, chance: Random) -> None:
        self.happen(self.make.card_out_of_order, chance)

    @rule(chance=CHANCE)
    def the_shoe_says_anything(self, chance: Random) -> None:
        self.happen(self.make.shoe, chance)

    @rule(chance=CHANCE)
    def something_happens_around_the_table(self, chance: Random) -> None:
        self.happen(self.make.around, chance)

    @rule(chance=CHANCE)
    def anybody_decides(self, chance: Random) -> None:
        self.happen(self.make.decision, chance)

    @rule(chance=CHANCE)
    def the_supervisor_decides(self, chance: Random) -> None:
        self.happen(self.make.good_decision, chance)

    def teardown(self) -> None:
        if hasattr(self, "rig"):
            bring_to_an_end(self.rig)
            assert self.rig.inspection.violations == []


TestAnyCommandsInAnyOrder = AnyCommandsInAnyOrder.TestCase
TestAnyCommandsInAnyOrder.settings = settings(max_examples=25, stateful_step_count=40)


def play_any_commands(seed: int, steps: int) -> Rig:
    """Play one seed: mostly what is asked for, now and then anything at all."""
    chance = Random(seed)
    rules = RULESETS[chance.choice(sorted(RULESETS))]
    rig = watched_table(rules, chance.choice((1, 2, 3, 7)))
    make = AnyCommands(rig)
    oddity = chance.choice((0.02, 0.1, 0.3, 0.6))
    for _ in range(steps):
        odd = rig.state.suspended or chance.random() < oddity
        maker = chance.choice(make.anything()) if odd else make.asked_for
        command = maker(chance)
        if command is not None:
            rig.send(command)
        assert rig.inspection.violations == []
    bring_to_an_end(rig)
    assert rig.inspection.violations == []
    return rig


@pytest.mark.parametrize("seed", range(20))
def test_a_seed_of_any_commands_breaks_nothing(seed: int) -> None:
    assert play_any_commands(seed, steps=150).state.shift_number


def test_where_the_supervisor_deals_another_accepts_a_program() -> None:
    rig = watched_table(RULESETS["colorado"], seats=1)
    dealing = Person("S1", Role.SUPERVISOR)
    rig.send(cm.OpenShift(dealer=dealing, direction=Direction.RIGHT_TO_LEFT))
    for program in PROGRAMS:
        rig.send(cm.ReportSelfTest(software=program, live=True))
    assert rig.state.suspended
    bring_to_an_end(rig)
    assert rig.state.software_accepted == PROGRAMS[1]
    assert rig.inspection.violations == []


@pytest.mark.prove
@pytest.mark.parametrize("block", range(40))
def test_thousands_of_seeds_of_any_commands_break_nothing(block: int) -> None:
    for seed in range(1_000 + 100 * block, 1_100 + 100 * block):
        play_any_commands(seed, steps=200)


@pytest.mark.prove
def test_any_commands_in_any_order_break_nothing() -> None:
    run_state_machine_as_test(AnyCommandsInAnyOrder)
