"""`tablectl soak`: whole tables on virtual time, and every invariant checked."""

import contextlib
from pathlib import Path
from time import perf_counter
from typing import Final

import click
import msgspec

from controller.cli.failures import MisuseError, Status
from controller.core.errors import RulesetError
from controller.journal.errors import JournalError
from controller.rulesets.loader import load_ruleset
from simulators.rigs.soak.journal import SoakJournal
from simulators.rigs.soak.run import Plan, Soak, single_player

ROUNDS: Final = 1_000
SEED: Final = 1


@click.command
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS, show_default=True)
@click.option("--seed", type=int, default=SEED, show_default=True)
@click.option(
    "--faults",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="RATE",
    help="The chance that something goes wrong before each move at the table.",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a real journal there.",
)
@click.option("--ruleset", default="colorado", show_default=True)
@click.option(
    "--single",
    is_flag=True,
    help="One player of basic strategy, at a shoe that is shuffled before each round.",
)
def soak(
    rounds: int,
    seed: int,
    faults: float,
    journal: Path | None,
    ruleset: str,
    *,
    single: bool,
) -> int:
    """Play seeded rounds with robots, and check all that must hold.

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
    run = Soak(plan)
    began = perf_counter()
    with contextlib.ExitStack() as until_the_end:
        if journal is not None:
            run.rig.attach(until_the_end.enter_context(_begin(journal, run)).take)
        run.play(rounds)
    report = run.report(round(perf_counter() - began, 3))
    click.echo(msgspec.json.encode(report))
    return Status.NO if report.violations else Status.DONE


def _begin(journal: Path, run: Soak) -> SoakJournal:
    if journal.exists():
        raise MisuseError(f"{journal}: expected no file there; name another")
    try:
        return SoakJournal(journal, run.rig)
    except JournalError as error:
        raise MisuseError(str(error)) from error
