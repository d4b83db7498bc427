"""`tablectl scenario`: plays scenario files and says which expectation fails."""

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final, Protocol, cast, get_args

import click

from controller.cli.failures import MisuseError, Status
from controller.core.commands import Command
from controller.core.errors import RulesetError
from controller.core.events import Event
from controller.words.reading import words_of
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import Kind
from simulators.rigs.errors import RigError
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.events import check_event_names
from simulators.rigs.scenario.language import Head, Scenario, read_scenario
from simulators.rigs.scenario.run import Played, Table, play, scenario_files
from simulators.rigs.table_folder import SHIPPED

WIRE_TABLE: Final = "simulators.rigs.wire_table"

OpenTable = Callable[[Head], Table]


class WireTable(Protocol):
    """What the module `WIRE_TABLE` offers."""

    def wire_tables(self, shipped: str) -> AbstractContextManager[OpenTable]:
        """Return what opens tables over simulated hardware, and closes them after."""


@click.command
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path)
)
@click.option("--wire", is_flag=True, help="Play over simulated hardware on ptys.")
@click.option(
    "--devices",
    metavar="NAME",
    default=SHIPPED,
    help="With --wire: the devices of this shipped simulated table.",
)
@click.option(
    "--power-cut-everywhere", is_flag=True, help="Cut the power after every step."
)
@click.option("--trace", is_flag=True, help="Print the table after each step.")
def scenario(
    files: tuple[Path, ...],
    *,
    wire: bool,
    devices: str,
    power_cut_everywhere: bool,
    trace: bool,
) -> Status:
    """Play scenarios and hold their expectations; a folder stands for all in it.

    The exit status is 1 if an expectation does not hold, 2 if a file cannot be read.
    """
    scenarios = _read_all(scenario_files(files))
    failed = 0
    with _tables(devices if wire else None) as open_table:
        for each in scenarios:
            played = _played(each, open_table, cut_everywhere=power_cut_everywhere)
            for line in (*(played.trace if trace else ()), *played.failures):
                click.echo(line)
            failed += bool(played.failures)
    if not trace:
        click.echo(_summary(len(scenarios), failed))
    return Status.NO if failed else Status.DONE


def known_events() -> dict[str, tuple[str, ...]]:
    """Return every type of record that a table writes, with its fields."""
    return {
        str(struct.__struct_config__.tag): struct.__struct_fields__
        for struct in (*get_args(Command), *get_args(Event))
    }


def _read_all(files: tuple[Path, ...]) -> tuple[Scenario, ...]:
    """Read every file before any is played, and tell all that cannot be read."""
    if not files:
        raise MisuseError("scenario: expected scenarios, found none in that folder")
    known, found, unreadable = known_events(), [], []
    for file in files:
        try:
            read = read_scenario(file)
            check_event_names(read, known)
            found.append(read)
        except ScenarioError as error:
            unreadable.append(str(error))
    if unreadable:
        raise UnreadableError(unreadable)
    return tuple(found)


def _tables(devices: str | None) -> AbstractContextManager[OpenTable]:
    """Return what opens tables: over these simulated devices, or of the core alone."""
    if devices is None:
        return nullcontext(CoreTable)
    _require_simulated(devices)
    try:
        module = cast("WireTable", importlib.import_module(WIRE_TABLE))
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"scenario: expected {WIRE_TABLE} for --wire: {error}"
        ) from error
    return module.wire_tables(devices)


def _require_simulated(devices: str) -> None:
    try:
        hardware = load_hardware(shipped_hardware(devices))
    except HardwareFileError as error:
        raise MisuseError(str(error)) from error
    if hardware.kind is not Kind.SIMULATION:
        raise MisuseError(f'{devices}: expected kind = "simulation", this one is live')


def _played(each: Scenario, open_table: OpenTable, *, cut_everywhere: bool) -> Played:
    try:
        return play(each, open_table, cut_everywhere=cut_everywhere)
    except RigError as error:
        # The other files are still worth playing.
        return Played((f"{each.file}: {error}",), ())
    except RulesetError as error:
        raise UnreadableError([f"{each.file}:{_rules_line(each)}: {error}"]) from error


def _rules_line(each: Scenario) -> int:
    """Return the number of the line that names the ruleset."""
    lines = Path(each.file).read_text("utf-8-sig").split("\n")
    starts = (next((word.raw for word in words_of(line)), "") for line in lines)
    return 1 + next(at for at, word in enumerate(starts) if word == "rules")


def _summary(count: int, failed: int) -> str:
    scenarios = "1 scenario" if count == 1 else f"{count} scenarios"
    return f"{scenarios}: {f'{failed} failed' if failed else 'all hold'}"


class UnreadableError(click.ClickException):
    """Scenarios that cannot be read or played, each as `FILE:LINE: …`."""

    exit_code = Status.MISUSE

    def __init__(self, lines: list[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(lines))
