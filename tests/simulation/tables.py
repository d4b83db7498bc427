"""Tables for these tests: watched by every checker, and brought to an end."""

from random import Random
from typing import Final

from controller.core import commands as cm
from controller.core.decide import decide
from controller.core.ids import Button, CashStep, EndOfTestMode, Phase
from controller.core.rules import Rules
from controller.rulesets.loader import load_ruleset, ruleset_with
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.checkers.suspension import SomeStepLeadsOn
from simulators.rigs.checkers.way_out import leads_on
from simulators.rigs.robots.players import AnyPlayer
from simulators.rigs.soak.evening import Evening
from simulators.rigs.soak.physical_shoe import PhysicalShoe
from simulators.rigs.soak.rig import Rig

RULESETS: Final[dict[str, Rules]] = {
    **{name: load_ruleset(name) for name in ("colorado", "house", "electronic")},
    "discards in the shoe, cards burned": ruleset_with(
        "colorado",
        {"discards": "shoe", "burn_after_shuffle": "1", "burn_at_dealer_change": "2"},
    ),
    "no peek, aces split again": ruleset_with(
        "house", {"peek": "none", "resplit_aces": "true", "decks": "1"}
    ),
    "surrender after a split, nobody waits": ruleset_with(
        "colorado",
        {
            "surrender_after_split": "true",
            "ask_after_s": "0",
            "move_on_after_s": "0",
            "split_on": "rank",
        },
    ),
}


_DECISIONS_MAX: Final = 100
"""So many decisions end any suspension; each ends or answers something."""


def watched_table(rules: Rules, seats: int) -> Rig:
    """Return a table with every checker, also whether some step leads on."""
    rig = Rig(rules, seats)
    way_out = SomeStepLeadsOn(lambda step: leads_on(decide, step.state, rig.secrets))
    rig.watch((*all_checkers(rig.opened), way_out))
    return rig


def bring_to_an_end(rig: Rig) -> None:
    """Let everybody do what the table shows, until one more round is over.

    Raises:
        StuckTableError: It does not end.

    """
    rng = Random(1)
    shoe = PhysicalShoe(rig.state.rules, rng)
    shoe.number = rig.state.shoe.last_card
    players = tuple(AnyPlayer(seat, rng) for seat in range(1, rig.state.seat_count + 1))
    evening = Evening(rig, shoe, players, rng)
    if rig.state.test_mode is not None:
        rig.send(cm.EndTestMode(why=EndOfTestMode.SILENT))
    for _ in range(_DECISIONS_MAX):
        if rig.state.suspended:
            evening.end_suspension()
    if rig.state.phase is Phase.CLOSED:
        evening.move()
    _clear_what_delays(rig)
    evening.play_round()


def _clear_what_delays(rig: Rig) -> None:
    rig.send(cm.ReportDisk(nearly_full=False, free_bytes=10**12))
    for seat in range(1, rig.state.seat_count + 1):
        rig.send(cm.ReportPanel(seat=seat, lost=False))
        for button in rig.state.seats[seat - 1].stuck:
            rig.send(cm.ReportStuckButton(seat=seat, button=button, stuck=False))
        for step in (CashStep.BACK, CashStep.DROP):
            rig.send(cm.MoveCash(seat=seat, step=step))
    # Last, since a lost panel clears nothing.
    for wager in rig.state.wagers:
        rig.press(
            cm.PressButton(
                seat=wager.seat,
                button=Button.CLEAR,
                prompt=rig.shown.prompts[wager.seat].number,
                spot=wager.spot,
            )
        )
