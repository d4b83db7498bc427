"""`tablectl check HARDWARE.toml`: the file is sound, and who answers at its ports."""

import asyncio
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from controller.core.errors import RulesetError
from controller.rulesets.loader import load_ruleset
from controller.runtime.errors import PeopleFileError
from controller.runtime.people import people_of
from controller.runtime.probe import Finding, Probe
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware

MISSING: Final = 1
WRONG_USE: Final = 2


@click.command("check")
@click.argument("hardware_file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print an array of devices.")
def command(hardware_file: Path, *, as_json: bool) -> None:
    """Validate HARDWARE_FILE and ask every device who it is.

    One line a device, all faults at once. The table must not be running: it has the
    ports.
    """
    try:
        findings = asyncio.run(_probe(hardware_file))
    except (HardwareFileError, RulesetError, PeopleFileError) as error:
        click.echo(str(error), err=True)
        sys.exit(WRONG_USE)
    if as_json:
        click.echo(msgspec.json.encode(findings))
    else:
        for finding in findings:
            click.echo(_line(finding))
    if any(finding.found is None for finding in findings):
        sys.exit(MISSING)


async def _probe(file: Path) -> tuple[Finding, ...]:
    hardware = load_hardware(file)
    rules = load_ruleset(hardware.ruleset)
    people_of(hardware.kind, Path(hardware.people) if hardware.people else None)
    return await Probe(hardware, str(file), rules).run()


def _line(finding: Finding) -> str:
    where = f"{finding.name} at {finding.place}"
    if finding.found is None:
        return f"{where}: {finding.problem}"
    found = finding.found
    unit = f"{found.model} serial {found.serial} firmware {found.firmware}"
    return f"{where}: answers, {unit}"
