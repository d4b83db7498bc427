"""`tablectl run HARDWARE.toml`: the service."""

from pathlib import Path

import click

from controller.cli.from_sources import begin_from_sources
from controller.cli.options import FILE, own_journal_option


@click.command("run")
@click.argument("hardware_file", type=FILE)
@own_journal_option
def command(hardware_file: Path, journal: Path | None) -> None:
    """Run the table that HARDWARE_FILE describes, until SIGTERM.

    A live table begins from its sources, which takes some seconds more, and is stopped
    until `tablectl accept` where they are not those that were accepted.

    Beside the usual exit statuses: 3 if the journal cannot be written, so that nothing
    was driven that is not on disk; 4 if an error of the program ended it.
    """
    begin_from_sources(hardware_file)
    # Only now, since of a live table these shall come from their sources.
    from controller.cli.service import serve  # noqa: PLC0415 - said above

    serve(hardware_file, journal)
