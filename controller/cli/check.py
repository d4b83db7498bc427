"""`tablectl check HARDWARE.toml`: the file is sound, and who answers at its ports."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from controller.cli.control_client import NoTableError, look
from controller.cli.failures import AnswerIsNoError, MisuseError, Status
from controller.cli.options import FILE, json_option
from controller.cli.output import print_json
from controller.cli.table_text import link_words
from controller.cli.typed_lines import typed_lines
from controller.core.errors import RulesetError
from controller.core.rules import Rules
from controller.rulesets.loader import ruleset_of
from controller.runtime.device_names import panel_name
from controller.runtime.errors import RunError
from controller.runtime.mirror_probe import MirrorFinding, probe_mirror
from controller.runtime.people import people_at
from controller.runtime.probe import Finding, Probe, Probed
from controller.runtime.socket_file import is_answered, require_free
from controller.runtime.trial import HELP, Trial
from controller.runtime.view import LinkView, View
from controller.runtime.where_to_look import where_to_look
from controller.runtime.wired_buttons import require_buttons
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware
from hw_config.schema import TableHardware

STILL_ON = "lamps may still be on: a module fell silent as they were put out"


@click.command("check")
@click.argument("hardware_file", type=FILE)
@click.option(
    "--try",
    "by_hand",
    is_flag=True,
    help="Then try buttons and lamps by hand: each button is shown as it is pressed, "
    "each lamp is lit by a line.",
)
@json_option
def command(hardware_file: Path, *, by_hand: bool, as_json: bool) -> Status:
    """Validate HARDWARE_FILE and ask every device who it is.

    One line a device, one a port, and one for the mirror where there shall be one; all
    faults at once, and where to look first. A table that runs has the ports: it is
    asked instead how they fare. For --try it must be stopped.
    """
    try:
        hardware = load_hardware(hardware_file)
        rules = ruleset_of(hardware_file, hardware.ruleset)
        require_buttons(hardware, rules, hardware_file)
        people_at(hardware)
        if is_answered(Path(hardware.control_socket)) and not by_hand:
            return _of_a_running_table(hardware, as_json=as_json)
        require_free(Path(hardware.control_socket))
        probed = asyncio.run(_probe(hardware, hardware_file, rules))
    except (HardwareFileError, RulesetError, RunError) as error:
        raise MisuseError(str(error)) from error
    status = _tell(hardware, probed, probe_mirror(hardware), as_json=as_json)
    if by_hand:
        asyncio.run(_try(hardware, hardware_file, rules))
    return status


async def _probe(hardware: TableHardware, file: Path, rules: Rules) -> Probed:
    return await Probe(hardware, str(file), rules).run()


def _tell(
    hardware: TableHardware,
    probed: Probed,
    mirror: MirrorFinding | None,
    *,
    as_json: bool,
) -> Status:
    places = tuple(where_to_look(hardware, probed.devices))
    if as_json:
        print_json(
            {
                "devices": probed.devices,
                "links": probed.links,
                "mirror": mirror,
                "look_at": places,
            }
        )
    else:
        for finding in probed.devices:
            click.echo(_line(finding))
        _print_links(probed.links)
        if mirror is not None:
            click.echo(_mirror_line(mirror))
        for place in places:
            click.echo(click.style(f"look at {place}", bold=True))
    lost = mirror is not None and mirror.problem != ""
    return Status.NO if places or lost else Status.DONE


def _line(finding: Finding) -> str:
    where = f"{finding.name} at {finding.place}"
    found = finding.found
    if found is None:
        return f"{where}: {finding.problem or finding.note}"
    unit = f"{found.model} serial {found.serial} firmware {found.firmware}"
    return f"{where}: answers, {unit}"


def _mirror_line(mirror: MirrorFinding) -> str:
    held = mirror.problem or f"holds {mirror.records} of {mirror.of} records"
    warning = f"; warning: {mirror.warning}" if mirror.warning else ""
    return f"{mirror.name} at {mirror.place}: {held}{warning}"


def _print_links(links: Iterable[LinkView]) -> None:
    for link in links:
        click.echo(link_words(link))


# --- A table that runs ------------------------------------------------------------


def _of_a_running_table(hardware: TableHardware, *, as_json: bool) -> Status:
    """Say how the devices of a running table fare, as it says itself."""
    try:
        view = look(Path(hardware.control_socket))
    except NoTableError as error:
        raise AnswerIsNoError(str(error)) from error
    problems = [*_problems(view)]
    if as_json:
        print_json({"running": True, "links": view.links, "problems": problems})
    else:
        click.echo(f"table {view.table} is running: {view.phase.value}")
        for problem in problems:
            click.echo(problem)
        _print_links(view.links)
    return Status.NO if problems else Status.DONE


def _problems(view: View) -> Iterable[str]:
    for seat in view.seats:
        if seat.panel_lost:
            yield f"{panel_name(seat.seat)}: lost; look at its cable and its supply"
        for button in seat.stuck:
            yield f"{panel_name(seat.seat)}: {button} is stuck"
    if view.shoe.lost or view.shoe.fault:
        yield f"shoe: {view.shoe.fault or 'lost; look at its cable and its supply'}"
    for link in view.links:
        if link.error:
            yield f"{link.name}: {link.error}"


# --- By hand ----------------------------------------------------------------------


async def _try(hardware: TableHardware, file: Path, rules: Rules) -> None:
    click.echo(f"by hand: {HELP}")
    trial = Trial(hardware, str(file), rules, click.echo)
    work = asyncio.ensure_future(trial.run(typed_lines(sys.stdin.fileno())))
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, work.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await work
    click.echo("all lamps are out" if trial.is_dark else STILL_ON)
    if trial.presses:
        click.echo(
            f"{trial.presses} presses were made for no prompt: those that panels keep "
            "are refused by the table when it starts"
        )
