"""`tablectl round`: one round rebuilt from the journal, as it would be read aloud."""

from pathlib import Path

import click

from controller.cli.failures import reading_a_journal
from controller.cli.options import journal_option, json_option
from controller.cli.output import print_json
from controller.cli.round_text import print_round
from controller.core.ids import SEATS_MAX
from controller.evidence.reconstruct import reconstruct

_NOT_VERIFIED = (
    "This is what the journal says; that nobody changed it is proved by: "
    "tablectl verify --journal {journal}"
)


@click.command("round")
@click.argument("number", type=click.IntRange(min=1), metavar="N")
@click.option(
    "--seat",
    type=click.IntRange(1, SEATS_MAX),
    metavar="S",
    help="Only what concerns the player at seat S.",
)
@journal_option()
@json_option
def round_(number: int, journal: Path, *, seat: int | None, as_json: bool) -> None:
    """Rebuild round N: every wager, card, press, prompt, decision and payment.

    With the time and the clause of each; refused presses too. While the round is
    open, the hole card is ??.
    """
    with reading_a_journal():
        account = reconstruct(journal, number, seat)
    if as_json:
        print_json(account)
    else:
        print_round(account, seat)
        click.echo(_NOT_VERIFIED.format(journal=journal))
