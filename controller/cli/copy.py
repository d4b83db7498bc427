"""`tablectl copy`: a whole journal as of one moment, while its table runs."""

from pathlib import Path

import click

from controller.cli.failures import MisuseError, reading_a_journal
from controller.cli.options import journal_option
from controller.cli.progress import progress
from controller.journal import reader
from controller.journal.errors import JournalFullError, JournalWriteError


@click.command("copy")
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE")
@journal_option()
def command(target: Path, journal: Path) -> None:
    """Copy the journal to FILE, which must not be there yet, as of one moment.

    The table may run meanwhile. The copy is a journal that every command reads;
    the escrow with what lies face down is not copied. Never copy a journal of a
    running table as a file: its newest records are in another one.
    """
    with reading_a_journal(), progress("pages") as told:
        try:
            reader.copy(journal, target, lambda done, pages: told("pages", done, pages))
        except (JournalWriteError, JournalFullError) as error:
            raise MisuseError(str(error)) from error
    with reading_a_journal():
        head = reader.head(target)
    click.echo(
        f"{target}: {head.sequence:,} records, the last has the hash {head.hash.hex()}"
    )
