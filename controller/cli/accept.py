"""`tablectl accept HARDWARE.toml`: let a changed program run a table."""

from pathlib import Path

import click

from controller.cli.from_sources import begin_from_sources
from controller.cli.options import FILE, own_journal_option


@click.command("accept")
@click.argument("hardware_file", type=FILE)
@own_journal_option
@click.option("--supervisor", required=True, metavar="ID", help="Who accepts it.")
@click.option("--technician", required=True, metavar="ID", help="Who changed it.")
@click.option("--reason", required=True, metavar="TEXT", help="It goes on record.")
def command(
    hardware_file: Path,
    journal: Path | None,
    supervisor: str,
    technician: str,
    reason: str,
) -> None:
    """Accept what would run this table now, where it is not what was accepted last.

    Each part that differs is printed: a distribution, the ruleset, the hardware file.
    The table must be stopped; started again, it goes on exactly where it was. Where
    people log in, both PINs are asked for; from a pipe they are a line each, the
    supervisor's first.
    """
    begin_from_sources(hardware_file)
    # Only now, since the same sources shall be looked at that run the table.
    from controller.cli.accepting import accept  # noqa: PLC0415 - said above

    for line in accept(hardware_file, journal, (supervisor, technician, reason)):
        click.echo(line)
