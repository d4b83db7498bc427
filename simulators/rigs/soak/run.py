"""A soak run: rounds on rounds from one seed, watched, counted, digested."""

from random import Random
from typing import Final

import msgspec

from controller.core.rules import Rules
from hw_config.schema import PanelKind, ShoeKind
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.checkers.checker import Checker, Violation
from simulators.rigs.robots.players import AnyPlayer, BasicPlayer, Player
from simulators.rigs.soak.evening import Evening, StuckTableError
from simulators.rigs.soak.mishaps import MISHAPS
from simulators.rigs.soak.physical_shoe import PhysicalShoe
from simulators.rigs.soak.report import Report, Tally
from simulators.rigs.soak.rig import Rig

SEATS: Final = 7
WAGER_CENTS: Final = 1000
_VIOLATIONS_MAX: Final = 20


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits where, and how often something goes wrong.

    `faults` is the chance of a mishap before each move of the table, 0 to 1. `panels`
    is what the panels speak and `shoe` what the shoe does, where the table plays over
    its wires.
    """

    rules: Rules
    seed: int
    basic_seats: tuple[int, ...] = (1, 3, 5, 7)
    any_seats: tuple[int, ...] = (2, 4, 6)
    always_shuffled: bool = False
    faults: float = 0.0
    panels: PanelKind = PanelKind.REFERENCE
    shoe: ShoeKind = ShoeKind.REFERENCE


def single_player(rules: Rules, seed: int, *, faults: float = 0.0) -> Plan:
    """Return the plan of one player of basic strategy at a shoe always shuffled."""
    return Plan(
        rules=rules,
        seed=seed,
        basic_seats=(1,),
        any_seats=(),
        always_shuffled=True,
        faults=faults,
    )


class Soak:
    """A table in the middle of a soak run."""

    def __init__(
        self,
        plan: Plan,
        *,
        rig: Rig | None = None,
        checkers: tuple[Checker, ...] | None = None,
    ) -> None:
        self.plan = plan
        self.rng = Random(plan.seed)
        self.rig = rig or Rig(plan.rules, SEATS, seed=plan.seed)
        watching = all_checkers(self.rig.opened) if checkers is None else checkers
        self.rig.watch(watching)
        self.tally = Tally(frozenset(plan.basic_seats))
        self.rig.attach(self.tally.take)
        shoe = PhysicalShoe(plan.rules, self.rng)
        self.evening = _MishapEvening(
            plan.faults,
            self.rig,
            shoe,
            self._players(),
            self.rng,
            always_shuffled=plan.always_shuffled,
        )

    def _players(self) -> tuple[Player, ...]:
        hits = self.plan.rules.dealer_hits_soft_17
        basic = [
            BasicPlayer(seat, WAGER_CENTS, hits_soft_17=hits)
            for seat in self.plan.basic_seats
        ]
        others = [AnyPlayer(seat, self.rng) for seat in self.plan.any_seats]
        players: list[Player] = [*basic, *others]
        return tuple(sorted(players, key=lambda player: player.seat))

    def play(self, rounds: int, *, stop_at: int = _VIOLATIONS_MAX) -> None:
        """Play until so many rounds are closed, or so many violations are found."""
        found = self.rig.inspection.violations
        number = -1
        while self.tally.rounds < rounds and len(found) < stop_at:
            if self.rig.state.round != number:
                number = self.rig.state.round
                self.evening.begin_round()
            try:
                self.evening.move()
            except StuckTableError as error:
                self.rig.inspection.blame("some_step_leads_on", 0, str(error))
                return
            except Exception as error:  # noqa: BLE001 - any is a fault of the core
                self.rig.inspection.blame("core_never_raises", 0, repr(error))
                return

    def report(self, seconds: float) -> Report:
        """Return what was found; `seconds` is what the caller measured."""
        mean, error = self.tally.result_percent()
        violations: tuple[Violation, ...] = tuple(self.rig.inspection.violations)
        return Report(
            seed=self.plan.seed,
            rounds=self.tally.rounds,
            hands=self.tally.hands,
            events=self.tally.events,
            seconds=seconds,
            violations=violations,
            digest=self.tally.digest,
            result_percent=mean,
            standard_error_percent=error,
        )


class _MishapEvening(Evening):
    """An evening at which something goes wrong now and then."""

    def __init__(
        self,
        faults: float,
        rig: Rig,
        shoe: PhysicalShoe,
        players: tuple[Player, ...],
        rng: Random,
        *,
        always_shuffled: bool,
    ) -> None:
        super().__init__(rig, shoe, players, rng, always_shuffled=always_shuffled)
        self._faults = faults

    def move(self) -> None:
        """Let something go wrong first, at the rate of the plan."""
        if self._faults and self.rng.random() < self._faults:
            self.rng.choice(MISHAPS)(self, self.rng)
        super().move()
