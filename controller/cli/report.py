"""`tablectl report`: a shift or a day in figures."""

from datetime import date
from pathlib import Path

import click

from controller.cli.failures import Status, reading_a_journal
from controller.cli.options import FILE, NUMBER, journal_option, json_option
from controller.cli.output import print_heading, print_json, print_table
from controller.cli.page_file import write_page
from controller.cli.report_page import page_of
from controller.cli.report_sheets import lacking_of, sheets_of, times_of, title_of
from controller.cli.values import DAY
from controller.evidence.report import Report, report_of_day, report_of_shift

_NOTE = (
    "This is what the journal says; that nobody changed it is proved by: "
    "tablectl verify --journal {journal}"
)


@click.command
@click.option("--shift", type=NUMBER, metavar="N", help="The shift of that number.")
@click.option(
    "--day",
    type=DAY,
    metavar="YYYY-MM-DD",
    help="That day, from midnight to midnight at the table.",
)
@click.option(
    "--html",
    "page",
    type=FILE,
    metavar="FILE",
    help="Write it as a page that needs nothing else, instead of printing it.",
)
@journal_option()
@json_option
def report(
    journal: Path,
    *,
    shift: int | None,
    day: date | None,
    page: Path | None,
    as_json: bool,
) -> Status:
    """Report a shift or a day: rounds, money, irregularities, waits, refusals.

    Amounts and hands are those of rounds that ended. A round belongs to the day on
    which its bets were closed, everything else to the day on which it was recorded.
    Of a day, the earlier files of the journal are counted as well; where one is not
    here, the figures are those of a part, and the exit status is 1.
    """
    with reading_a_journal():
        made = _reported(journal, shift, day)
    note = _NOTE.format(journal=journal)
    if page is not None:
        write_page(page, page_of(made, note), journal)
    if as_json:
        print_json(made)
    elif page is None:
        _print(made, note)
    else:
        click.echo(f"{page}: {title_of(made)}")
    if made.lacks is None:
        return Status.DONE
    click.echo(lacking_of(made), err=True)
    return Status.NO


def _reported(journal: Path, shift: int | None, day: date | None) -> Report:
    """Return the report that is asked for.

    Raises:
        click.UsageError: neither a shift nor a day is named, or both are.
        JournalError: the journal cannot be read, or has no such shift.
    """
    match shift, day:
        case int(), None:
            return report_of_shift(journal, shift)
        case None, date():
            return report_of_day(journal, day)
        case _:
            raise click.UsageError("Give one of --shift N and --day YYYY-MM-DD.")


def _print(made: Report, note: str) -> None:
    print_heading(title_of(made))
    click.echo(times_of(made))
    if made.lacks is not None:
        click.echo(click.style(lacking_of(made), fg="red"))
    for sheet in sheets_of(made):
        click.echo()
        print_heading(sheet.title)
        if sheet.rows:
            print_table(sheet.columns, sheet.rows)
        else:
            click.echo(sheet.empty)
    click.echo(f"\n{note}")
