"""Each checker fires on a defect that is planted for it, and on none that is not."""

from typing import Final

import pytest

from controller.core import events as ev
from controller.core.decide import decide
from controller.core.outputs import outputs
from controller.rulesets.loader import load_ruleset
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.checkers.suspension import SomeStepLeadsOn
from simulators.rigs.checkers.way_out import leads_on
from simulators.rigs.soak.rig import Decide, Rig, Show
from simulators.rigs.soak.run import SEATS, Plan, Soak
from tests.simulation import defects as plant
from tests.simulation.defects import rewritten

COLORADO: Final = load_ruleset("colorado")
ROUNDS: Final = 100

DECIDES_WRONGLY: Final[tuple[tuple[str, Decide, str], ...]] = (
    (
        "a blackjack pays a cent more",
        rewritten(ev.HandSettled, plant.a_blackjack_pays_a_cent_more),
        "payouts_right",
    ),
    (
        "a hand is settled twice",
        rewritten(ev.HandSettled, plant.a_hand_is_settled_twice),
        "wagers_settled_once",
    ),
    (
        "a cent is lost on the way",
        rewritten(ev.RoundClosed, plant.a_cent_is_lost_on_the_way),
        "money_conserved",
    ),
    (
        "a double costs a cent less",
        rewritten(ev.HandDoubled, plant.a_double_costs_a_cent_less),
        "wagers_as_placed",
    ),
    (
        "lost insurance is paid",
        rewritten(ev.InsuranceSettled, plant.lost_insurance_is_paid),
        "insurance_follows_the_dealer",
    ),
    (
        "a card is dealt twice",
        rewritten(ev.CardDealt, plant.a_card_is_dealt_twice),
        "cards_racked_once",
    ),
    (
        "the dealer's cards are not racked",
        rewritten(ev.HandPickedUp, plant.the_dealers_cards_are_not_racked),
        "cards_racked_once",
    ),
    (
        "a racked card is another",
        rewritten(ev.HandPickedUp, plant.a_racked_card_is_another),
        "cards_racked_once",
    ),
    (
        "a reveal opens another card",
        rewritten(ev.HoleCardRevealed, plant.a_reveal_opens_another_card),
        "commitments_open",
    ),
    (
        "prompts keep their numbers",
        rewritten(ev.PromptsChanged, plant.prompts_keep_their_numbers),
        "prompt_numbers_rise",
    ),
    ("stale presses count", plant.stale_presses_count, "one_press_per_prompt"),
    ("presses count again", plant.presses_count_again, "one_press_per_prompt"),
    (
        "the dealer plays the other soft 17",
        plant.the_dealer_plays_the_other_soft_17,
        "dealer_by_rule",
    ),
    ("nobody may decide", plant.nobody_may_decide, "some_step_leads_on"),
    ("an ace is too much", plant.an_ace_is_too_much, "core_never_raises"),
    (
        "the hole card's report is written",
        plant.the_hole_cards_report_is_written,
        "secrets_hidden",
    ),
    (
        "a closed lid ends a suspension",
        plant.a_closed_lid_ends_a_suspension,
        "supervisor_decides",
    ),
    (
        "a refused press starts the wait anew",
        plant.a_refused_press_starts_the_wait_anew,
        "refused_press_changes_nothing",
    ),
    (
        "the hole card turns down again",
        plant.the_hole_card_turns_down_again,
        "reveal_stands",
    ),
    (
        "the hole card counts at once",
        plant.the_hole_card_counts_at_once,
        "inventory_is_public",
    ),
    (
        "buttons are tried in a round",
        plant.buttons_are_tried_in_a_round,
        "nothing_counts_by_hand",
    ),
    ("a hit is not written", plant.a_hit_is_not_written, "replay_equals_play"),
)
SHOWS_WRONGLY: Final[tuple[tuple[str, Show, str], ...]] = (
    ("another seat is lit too", plant.another_seat_is_lit_too, "one_seat_can_act"),
    ("split is lit on any hand", plant.split_is_lit_on_any_hand, "lamps_legal"),
    (
        "the gate is open while a player thinks",
        plant.the_gate_is_open_while_a_player_thinks,
        "gate_open_while_due",
    ),
)
NAMES_OUTSIDE_A_CHECKER: Final = {"core_never_raises"}


def play(
    decide_with: Decide = decide, show: Show = outputs, rounds: int = ROUNDS
) -> set[str]:
    """Play a table with mishaps; return who found something, at the first finding."""
    plan = Plan(rules=COLORADO, seed=3, faults=0.1)
    rig = Rig(COLORADO, SEATS, decide_with=decide_with, show=show)
    way_out = SomeStepLeadsOn(
        lambda step: leads_on(decide_with, step.state, rig.secrets)
    )
    soak = Soak(plan, rig=rig, checkers=(*all_checkers(rig.opened), way_out))
    soak.play(rounds, stop_at=1)
    return {violation.checker for violation in rig.inspection.violations}


def named(table: tuple[tuple[str, object, str], ...]) -> list[str]:
    return [name for name, _, _ in table]


@pytest.mark.parametrize(
    ("name", "decide_with", "checker"), DECIDES_WRONGLY, ids=named(DECIDES_WRONGLY)
)
def test_a_defect_of_what_is_decided_is_found(
    name: str, decide_with: Decide, checker: str
) -> None:
    assert checker in play(decide_with), name


@pytest.mark.parametrize(
    ("name", "show", "checker"), SHOWS_WRONGLY, ids=named(SHOWS_WRONGLY)
)
def test_a_defect_of_what_shows_is_found(name: str, show: Show, checker: str) -> None:
    assert checker in play(show=show), name


def test_nothing_is_found_where_nothing_is_planted() -> None:
    assert play(rounds=20) == set()


def test_every_checker_has_a_defect_that_it_finds() -> None:
    found = {checker for _, _, checker in (*DECIDES_WRONGLY, *SHOWS_WRONGLY)}
    rig = Rig(COLORADO, SEATS)
    names = {checker.name for checker in all_checkers(rig.opened)}
    assert found == names | {SomeStepLeadsOn.name} | NAMES_OUTSIDE_A_CHECKER
