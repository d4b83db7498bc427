"""`tablectl check HARDWARE.toml`: the file is sound, and who answers at its ports."""

import asyncio
from pathlib import Path

import click

from controller.cli.failures import MisuseError, Status
from controller.cli.options import FILE, json_option
from controller.cli.output import print_json
from controller.core.errors import RulesetError
from controller.rulesets.loader import ruleset_of
from controller.runtime.errors import RunError
from controller.runtime.mirror_probe import MirrorFinding, probe_mirror
from controller.runtime.people import people_at
from controller.runtime.probe import Finding, Probe
from controller.runtime.socket_file import require_free
from controller.runtime.wired_buttons import require_buttons
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware


@click.command("check")
@click.argument("hardware_file", type=FILE)
@json_option
def command(hardware_file: Path, *, as_json: bool) -> Status:
    """Validate HARDWARE_FILE and ask every device who it is.

    One line a device, and one for the mirror where there shall be one; all faults at
    once. The table must not be running: it has the ports.
    """
    try:
        findings, mirror = asyncio.run(_probe(hardware_file))
    except (HardwareFileError, RulesetError, RunError) as error:
        raise MisuseError(str(error)) from error
    if as_json:
        print_json((*findings, mirror) if mirror else findings)
    else:
        for finding in findings:
            click.echo(_line(finding))
        if mirror is not None:
            click.echo(_mirror_line(mirror))
    missing = any(finding.problem for finding in findings)
    lost = mirror is not None and mirror.problem != ""
    return Status.NO if missing or lost else Status.DONE


async def _probe(file: Path) -> tuple[tuple[Finding, ...], MirrorFinding | None]:
    hardware = load_hardware(file)
    rules = ruleset_of(file, hardware.ruleset)
    people_at(hardware)
    require_buttons(hardware, rules, file)
    require_free(Path(hardware.control_socket))
    devices = await Probe(hardware, str(file), rules).run()
    return devices, probe_mirror(hardware)


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
