"""`tablectl check HARDWARE.toml`: the file is sound, and who answers at its ports."""

import asyncio
from pathlib import Path

import click
from msgspec.structs import replace

from controller.cli.check_by_hand import telling_for, try_running, try_stopped
from controller.cli.check_found import Found, tell_found
from controller.cli.check_running import ask_running
from controller.cli.control_client import NoTableError
from controller.cli.failures import AnswerIsNoError, MisuseError, Status
from controller.cli.options import FILE, json_option
from controller.core.errors import RulesetError
from controller.core.rules import Rules
from controller.rulesets.loader import ruleset_of
from controller.runtime.computer import sysfs_of
from controller.runtime.computer_probe import probe_computer
from controller.runtime.disk_probe import probe_disk
from controller.runtime.errors import RunError
from controller.runtime.journal_disk import MOUNTS
from controller.runtime.mirror_probe import probe_mirror
from controller.runtime.people import people_at
from controller.runtime.probe import Probe
from controller.runtime.signing_key import require_key
from controller.runtime.socket_file import group_id, is_answered, require_free
from controller.runtime.where_to_look import where_to_look
from controller.runtime.wired_buttons import require_buttons
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware
from hw_config.schema import TableHardware


@click.command("check")
@click.argument("hardware_file", type=FILE)
@click.option(
    "--try",
    "by_hand",
    is_flag=True,
    help="Then try buttons and lamps by hand: each button is shown as it is pressed, "
    "each lamp is lit by a line.",
)
@click.option(
    "--person",
    default="",
    metavar="ID",
    help="Who tries them, where the table runs; their PIN is asked for.",
)
@json_option
def command(
    hardware_file: Path, *, by_hand: bool, person: str, as_json: bool
) -> Status:
    """Validate HARDWARE_FILE and ask every device who it is.

    One line a device, one a port, one for the journal's disk, one for the mirror where
    there shall be one, and what a live table's computer tells of itself; all faults at
    once, and where to look first. A table that runs has the ports: it is asked instead.
    --try puts a running table into its test mode until the lines end: it must stand
    between rounds, without a wager.
    """
    try:
        hardware = load_hardware(hardware_file)
        rules = ruleset_of(hardware_file, hardware.ruleset)
        require_buttons(hardware, rules, hardware_file)
        people_at(hardware)
        require_key(hardware)
        socket = Path(hardware.control_socket)
        if hardware.control_group:
            group_id(socket, hardware.control_group)
        running = is_answered(socket)
        if not running:
            require_free(socket)
        found = (
            _ask_running(hardware)
            if running
            else asyncio.run(_probe(hardware, hardware_file, rules))
        )
    except (HardwareFileError, RulesetError, RunError) as error:
        raise MisuseError(str(error)) from error
    tell_found(found, as_json=as_json, in_one_line=by_hand)
    if not by_hand:
        return found.status
    telling = telling_for(as_json=as_json)
    tried = asyncio.run(
        try_running(hardware, person, telling)
        if running
        else try_stopped(hardware, hardware_file, rules, telling)
    )
    return max(found.status, tried)


async def _probe(hardware: TableHardware, file: Path, rules: Rules) -> Found:
    probed = await Probe(hardware, str(file), rules).run()
    return _found(hardware, Found(devices=probed.devices, links=probed.links))


def _ask_running(hardware: TableHardware) -> Found:
    try:
        return _found(hardware, ask_running(hardware))
    except NoTableError as error:
        raise AnswerIsNoError(str(error)) from error


def _found(hardware: TableHardware, devices: Found) -> Found:
    """Add what can be seen from here, whether the table runs or not."""
    computer = probe_computer(sysfs_of(hardware))
    amiss = (f"computer: {one.problem}" for one in computer if one.problem)
    mounts = MOUNTS.read_text("utf-8", "surrogateescape") if MOUNTS.exists() else ""
    return replace(
        devices,
        journal=probe_disk(hardware, mounts),
        mirror=probe_mirror(hardware),
        computer=computer,
        # Where the table is stopped, its line says it.
        problems=(*devices.problems, *amiss) if devices.running else (),
        look_at=tuple(where_to_look(hardware, devices.devices)),
    )
