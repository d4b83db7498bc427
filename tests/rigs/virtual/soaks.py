"""Soaks over the wire for these tests, small enough to run many of them."""

from controller.core.rules import Rules
from controller.rulesets.loader import load_ruleset
from simulators.rigs.checkers.checker import Checker
from simulators.rigs.soak.run import Plan
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.keeping import Keeper
from simulators.rigs.virtual.soak import VirtualSoak

COLORADO: Rules = load_ruleset("colorado")


def plan_of(seed: int, faults: float = 0.0, *, seats: int = 7) -> Plan:
    """Return a plan in which every other seat plays basic strategy."""
    played = range(1, seats + 1)
    return Plan(
        rules=COLORADO,
        seed=seed,
        basic_seats=tuple(seat for seat in played if seat % 2),
        any_seats=tuple(seat for seat in played if not seat % 2),
        faults=faults,
    )


def soaked(
    plan: Plan,
    rounds: int,
    *,
    host_type: type[Host] = Host,
    keeper: Keeper | None = None,
    checkers: tuple[Checker, ...] | None = None,
) -> VirtualSoak:
    """Return a soak after so many rounds."""
    run = VirtualSoak(plan, host_type=host_type, keeper=keeper, checkers=checkers)
    run.play(rounds)
    return run


def violations(run: VirtualSoak) -> set[str]:
    """Return the names of the checkers that found something."""
    return {found.checker for found in run.table.watch.inspection.violations}
