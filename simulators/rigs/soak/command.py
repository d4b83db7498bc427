"""`tablectl soak`: whole tables on virtual time, and every invariant checked."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Final, TypeVar

import click
import msgspec
from msgspec.structs import replace

from controller.cli.failures import MisuseError, Status
from controller.cli.options import FILE
from controller.cli.values import WholeNumber
from controller.core.errors import RulesetError
from controller.journal.errors import JournalError
from controller.rulesets.loader import load_ruleset
from hw_config.schema import PanelKind, ShoeKind
from simulators.rigs.soak.journal import SoakJournal
from simulators.rigs.soak.run import Plan, Soak, single_player
from simulators.rigs.virtual.host import stamp_at
from simulators.rigs.virtual.keeping import DiskKeeper
from simulators.rigs.virtual.setup import opening
from simulators.rigs.virtual.soak import VirtualSoak

ROUNDS: Final = 1_000
SEED: Final = 1


@click.command
@click.option("--rounds", type=WholeNumber(1), default=ROUNDS, show_default=True)
@click.option("--seed", type=WholeNumber(), default=SEED, show_default=True)
@click.option(
    "--faults",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="RATE",
    help="How much goes wrong; with any, the table plays over simulated devices.",
)
@click.option(
    "--journal",
    type=FILE,
    metavar="FILE",
    help="Write a real journal there.",
)
@click.option(
    "--panels",
    type=click.Choice([kind.value for kind in PanelKind]),
    default=PanelKind.REFERENCE.value,
    show_default=True,
    help="What the simulated panels speak.",
)
@click.option(
    "--shoe",
    type=click.Choice([kind.value for kind in ShoeKind]),
    default=ShoeKind.REFERENCE.value,
    show_default=True,
    help="What the simulated shoe does: a line shoe prints what passes, and no more.",
)
@click.option("--ruleset", default="colorado", show_default=True)
@click.option(
    "--single",
    is_flag=True,
    help="One player of basic strategy, at a shoe that is shuffled before each round.",
)
def soak(  # noqa: PLR0913, PLR0917 - an option each
    rounds: int,
    seed: int,
    faults: float,
    journal: Path | None,
    ruleset: str,
    panels: str,
    shoe: str,
    *,
    single: bool,
) -> int:
    """Play seeded rounds with robots, and check all that must hold.

    Without faults the core plays alone. With faults whole tables play over their
    wires, and lines, devices, people and the controller's power fail. With panels
    that are Modbus modules or with a line shoe they play over wires too; there presses
    may be lost, and cards that people then name.

    Prints one JSON object; the digest is the same for the same seed. Exit status 1
    where something did not hold.
    """
    try:
        rules = load_ruleset(ruleset)
    except RulesetError as error:
        raise MisuseError(str(error)) from error
    plan = (
        single_player(rules, seed, faults=faults)
        if single
        else Plan(rules=rules, seed=seed, faults=faults)
    )
    plan = replace(plan, panels=PanelKind(panels), shoe=ShoeKind(shoe))
    kinds = (plan.panels, plan.shoe)
    over_the_wire = faults or kinds != (PanelKind.REFERENCE, ShoeKind.REFERENCE)
    play = _play_over_the_wire if over_the_wire else _play_the_core
    began = perf_counter()
    run = play(plan, rounds, journal)
    report = run.report(round(perf_counter() - began, 3))
    click.echo(msgspec.json.encode(report))
    return Status.NO if report.violations else Status.DONE


def _play_the_core(plan: Plan, rounds: int, journal: Path | None) -> Soak:
    run = Soak(plan)
    with contextlib.ExitStack() as until_the_end:
        if journal is not None:
            keeper = _begun(journal, lambda: SoakJournal(journal, run.rig))
            run.rig.attach(until_the_end.enter_context(keeper).take)
        run.play(rounds)
    return run


def _play_over_the_wire(plan: Plan, rounds: int, journal: Path | None) -> VirtualSoak:
    if journal is None:
        run = VirtualSoak(plan)
        run.play(rounds)
        return run
    with _begun(
        journal, lambda: DiskKeeper(journal, opening(plan.rules), stamp_at(0.0))
    ) as keeper:
        run = VirtualSoak(plan, keeper=keeper)
        run.play(rounds)
    return run


KeeperT = TypeVar("KeeperT")


def _begun(journal: Path, begin: Callable[[], KeeperT]) -> KeeperT:
    if journal.exists():
        raise MisuseError(f"{journal}: expected no file there; name another")
    try:
        return begin()
    except JournalError as error:
        raise MisuseError(str(error)) from error
