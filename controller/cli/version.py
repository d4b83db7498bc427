"""`tablectl version`: what runs here, part by part, and what has changed."""

from collections.abc import Iterator
from pathlib import Path

import click

from controller.cli.failures import MisuseError, reading_a_journal
from controller.cli.options import FILE, journal_option, json_option
from controller.cli.output import print_json, print_table
from controller.core.errors import RulesetError
from controller.core.software import Software, change_text
from controller.evidence.software_history import SoftwareEntry, software_history
from controller.rulesets.loader import ruleset_of
from controller.runtime.self_test import Examined, examine
from controller.version import VERSION
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware

HISTORY_LAST = 10


@click.command("version")
@click.argument(
    "hardware_file",
    required=False,
    type=FILE,
    metavar="HARDWARE.toml",
)
@click.option(
    "--files",
    metavar="PART",
    help="Print the files of a part, as sha256sum lists them.",
)
@click.option(
    "--history", is_flag=True, help="Show the last ten changes, of a table's journal."
)
@journal_option(required=False)
@json_option
def command(
    hardware_file: Path | None,
    files: str | None,
    journal: Path | None,
    *,
    history: bool,
    as_json: bool,
) -> None:
    """Show the version, and the digest of each part of what runs a table.

    These are the parts that a table's start looks at and writes down: the product,
    each distribution that is loaded, Python, and, where HARDWARE.toml is named, this
    file and its ruleset. A program does not vouch for itself: docs/self-test.md says
    how to compare them from outside.
    """
    if history:
        _print_history(_journal(hardware_file, journal), as_json=as_json)
        return
    found = _examined(hardware_file)
    if files is not None:
        _print_files(found, files)
    elif as_json:
        print_json({"version": VERSION, "software": found.software})
    else:
        _print_parts(found.software)


def _examined(hardware_file: Path | None) -> Examined:
    # What runs a table is what the service imports; so it is imported here as well.
    import controller.cli.service  # noqa: F401, PLC0415 - said above

    if hardware_file is None:
        return examine()
    try:
        hardware = load_hardware(hardware_file)
        return examine(hardware_file, ruleset_of(hardware_file, hardware.ruleset))
    except (HardwareFileError, RulesetError) as error:
        raise MisuseError(str(error)) from error


def _print_parts(software: Software) -> None:
    click.echo(f"blackjack table controller {VERSION}")
    rows = [(part.digest, part.name, part.version) for part in software.components]
    print_table(("sha256", "part", "version"), rows)
    click.echo(f"{software.digest}  all of them")


def _print_files(found: Examined, part: str) -> None:
    lines = found.listings.get(part)
    if lines is None:
        known = ", ".join(sorted(found.listings))
        raise MisuseError(f"--files: expected a part ({known}), got {part!r}")
    click.echo(lines, nl=False)


# --- The last changes -------------------------------------------------------------


def _journal(hardware_file: Path | None, journal: Path | None) -> Path:
    if journal is not None:
        return journal
    if hardware_file is None:
        raise MisuseError("--history: expected HARDWARE.toml or --journal FILE")
    try:
        return Path(load_hardware(hardware_file).journal.path)
    except HardwareFileError as error:
        raise MisuseError(str(error)) from error


def _print_history(journal: Path, *, as_json: bool) -> None:
    with reading_a_journal():
        entries = software_history(journal, HISTORY_LAST)
    if as_json:
        print_json(entries)
    else:
        for line in (line for entry in entries for line in _lines(entry)):
            click.echo(line)


def _lines(entry: SoftwareEntry) -> Iterator[str]:
    """Yield a change, what differed, and what became of it."""
    if not entry.changes:
        yield f"{entry.found_at}  the journal begins with {entry.digest}"
        return
    yield f"{entry.found_at}  changed"
    for change in entry.changes:
        yield f"  {change_text(change)}"
    yield f"  {_outcome(entry)}"


def _outcome(entry: SoftwareEntry) -> str:
    if not entry.accepted_at:
        return "not accepted"
    if not entry.supervisor:
        return "taken without asking: the table is a simulated one"
    people = f"supervisor {entry.supervisor} and technician {entry.technician}"
    return f"accepted by {people} at {entry.accepted_at}: {entry.reason}"
