"""`tablectl copy`: a whole journal as of one moment, while its table runs."""

from pathlib import Path

import click

from controller.cli.failures import MisuseError, Status, reading_a_journal
from controller.cli.finding_line import finding_line
from controller.cli.options import FILE, journal_option
from controller.cli.progress import progress
from controller.evidence.verify import verify
from controller.journal import reader
from controller.journal.errors import JournalFullError, JournalWriteError


@click.command("copy")
@click.argument("target", type=FILE, metavar="FILE")
@journal_option()
def command(target: Path, journal: Path) -> Status:
    """Copy the journal to FILE, which must not be there yet, as of one moment.

    The copy is verified at once. Where the journal is damaged, so is its copy: it is
    kept, and the exit status is 1.

    The table may run meanwhile. The copy is a journal that every command reads;
    the escrow with what lies face down is not copied. Never copy a journal of a
    running table as a file: its newest records are in another one.
    """
    with reading_a_journal(), progress("pages") as told:
        try:
            reader.copy(journal, target, lambda done, pages: told("pages", done, pages))
        except (JournalWriteError, JournalFullError) as error:
            raise MisuseError(str(error)) from error
    with reading_a_journal(), progress("the chain") as told:
        report = verify(target, progress=told)
    for finding in report.findings:
        click.echo(finding_line(target, finding))
    if report.good:
        what = f"{report.records:,} records, the last has the hash {report.head}"
        click.echo(f"{target}: {what}")
        return Status.DONE
    click.echo(f"{target}: the copy is whole, the journal is not good; keep both")
    return Status.NO
