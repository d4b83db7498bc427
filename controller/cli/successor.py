"""`tablectl successor HARDWARE.toml`: begin another journal where one is no good.

The table is stopped, since its journal can take nothing down, not even a login. So a
supervisor and a technician stand here together, and each gives a PIN.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from controller.cli.asked_pin import asked_pin
from controller.cli.failures import AnswerIsNoError, MisuseError, writing_a_journal
from controller.cli.options import FILE, NUMBER, own_journal_option
from controller.core.errors import RulesetError
from controller.core.events import Predecessor
from controller.core.ids import Role
from controller.rulesets.loader import ruleset_of
from controller.runtime.clock import SystemClock
from controller.runtime.errors import NoSuccessorError, PeopleFileError
from controller.runtime.identify import identified
from controller.runtime.people import People, people_at
from controller.runtime.successor import Wanted, begin_successor
from controller.runtime.table import opening
from controller.words.amounts import amount_text
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware


@click.command("successor")
@click.argument("hardware_file", type=FILE)
@own_journal_option
@click.option("--supervisor", required=True, metavar="ID", help="Who decides it.")
@click.option("--technician", required=True, metavar="ID", help="Who carries it out.")
@click.option("--reason", required=True, metavar="TEXT", help="It goes on record.")
@click.option(
    "--next-round",
    type=NUMBER,
    metavar="N",
    help="The least number of the next round, where the old journal tells none.",
)
def command(
    hardware_file: Path,
    journal: Path | None,
    supervisor: str,
    technician: str,
    reason: str,
    next_round: int | None,
) -> None:
    """Begin a new journal in the place of one that is damaged or behind its devices.

    The old file is set aside as it is. The new one's first record names it and goes on
    from all that is sure of it. The round that was open is void; what goes back to the
    players is printed. The table must be stopped. Where people log in, both PINs are
    asked for; from a pipe they are a line each, the supervisor's first.
    """
    wanted = Wanted(supervisor, technician, reason.strip(), next_round)
    if not wanted.reason:
        raise MisuseError("--reason: expected words, got none")
    try:
        hardware = load_hardware(hardware_file)
        people = people_at(hardware)
        rules = ruleset_of(hardware_file, hardware.ruleset)
        opened = opening(hardware, str(hardware_file), rules)
    except (HardwareFileError, PeopleFileError, RulesetError) as error:
        raise MisuseError(str(error)) from error
    _identify(people, supervisor, Role.SUPERVISOR)
    _identify(people, technician, Role.TECHNICIAN)
    path = journal or Path(hardware.journal.path)
    with writing_a_journal():
        try:
            made = begin_successor(path, opened, wanted, SystemClock().stamp())
        except NoSuccessorError as error:
            raise AnswerIsNoError(str(error)) from error
    for line in _told(path, made):
        click.echo(line)


def _identify(people: People, name: str, role: Role) -> None:
    """Ask for a PIN where there are any; say no to who is somebody else."""
    if people.log_in:
        _, reason = identified(people.listed, name, asked_pin(name))
        if reason is not None:
            raise AnswerIsNoError(f"{name}: id and PIN do not match")
    known_as = people.person(name).role
    if known_as is not role:
        raise AnswerIsNoError(f"{name}: expected a {role.value}, got {known_as.value}")


def _told(path: Path, made: Predecessor) -> Iterator[str]:
    """Yield what the two people must know and do now."""
    yield f"{path}: what was wrong: {made.found}"
    yield f"The old journal is now {made.file}, beside the new one. Keep it as it is."
    if made.sequence:
        yield f"The new journal goes on from its record {made.sequence}."
    else:
        yield "Nothing of it could be taken over: the table begins as a new one."
    if made.void_round:
        yield f"Round {made.void_round} is void."
    for wager in made.wagers:
        what = f"the wager on spot {wager.spot}, {amount_text(wager.amount_cents)}"
        yield f"Give back to seat {wager.seat}: {what}"
    for answer in made.insurance:
        what = f"the insurance, {amount_text(answer.amount_cents)}"
        yield f"Give back to seat {answer.seat}: {what}"
    yield "Take all cards off the table; shuffle before the next deal."
    yield "Then start the table again, and open the shift."
