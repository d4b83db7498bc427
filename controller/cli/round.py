"""`tablectl round`: one round rebuilt from the journal, as it would be read aloud."""

from pathlib import Path

import click

from controller.cli.failures import reading_a_journal
from controller.cli.options import FILE, NUMBER, journal_option, json_option
from controller.cli.output import print_json
from controller.cli.page_file import write_page
from controller.cli.round_by_time import round_by_time
from controller.cli.round_text import print_round
from controller.cli.values import WholeNumber
from controller.core.ids import SEATS_MAX
from controller.evidence.reconstruct import Replayed, replayed

_NOT_VERIFIED = (
    "This is what the journal says; that nobody changed it is proved by: "
    "tablectl verify --journal {journal}"
)


@click.command("round")
@click.argument("number", type=NUMBER, metavar="N", required=False)
@click.option(
    "--at",
    "at",
    metavar="TIME",
    help="The round that was open then, instead of N: HH:MM[:SS] in the table's local "
    "time, with YYYY-MM-DD before it for another day than the last, or RFC 3339.",
)
@click.option(
    "--seat",
    type=WholeNumber(1, SEATS_MAX),
    metavar="S",
    help="Only what concerns the player at seat S.",
)
@journal_option()
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="Write the round as a page to look at, which needs no network.",
)
@json_option
def round_(
    number: int | None,
    journal: Path,
    *,
    at: str | None,
    seat: int | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Rebuild round N: every wager, card, press, prompt, decision and payment.

    With the time and the clause of each; refused presses too. While the round is
    open, the hole card is ??. A round is open from DEAL to the end of its pickup.
    """
    with reading_a_journal():
        number, sought = _sought(journal, number, at)
        rebuilt = replayed(journal, number, seat)
    if html is not None:
        _write_page(html, rebuilt, journal)
    if as_json:
        print_json(rebuilt.account)
    elif html is None:
        if sought:
            click.echo(f"At {sought} this round was open:\n")
        print_round(rebuilt.account, seat)
        click.echo(_NOT_VERIFIED.format(journal=journal))


def _sought(journal: Path, number: int | None, at: str | None) -> tuple[int, str]:
    """Return which round is meant, and the time that it was found by, if it was.

    Raises:
        click.UsageError: neither a number nor a time is given, or both are.
        click.ClickException: no round is found by the time.
        JournalError: the journal cannot be read.
    """
    if number is not None and at is not None:
        raise click.UsageError("N and --at both name a round; give one of them.")
    if at is not None:
        return round_by_time(journal, at)
    if number is None:
        raise click.UsageError("Missing argument 'N', or --at TIME instead.")
    return number, ""


def _write_page(file: Path, rebuilt: Replayed, journal: Path) -> None:
    # Only who wants a page pays for reading what it is made of.
    from controller.evidence.page.page import page  # noqa: PLC0415 - said above

    write_page(file, page(rebuilt), journal)
