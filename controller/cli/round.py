"""`tablectl round`: one round rebuilt from the journal, as it would be read aloud."""

from pathlib import Path
from zoneinfo import ZoneInfo

import click

from controller.cli.failures import MisuseError, reading_a_journal
from controller.cli.options import journal_option, json_option
from controller.cli.output import print_heading, print_json, print_table
from controller.core.ids import SEATS_MAX
from controller.core.totals import TWENTY_ONE
from controller.evidence.account import (
    HandAccount,
    InsuranceAccount,
    RoundAccount,
    is_for_people,
)
from controller.evidence.reconstruct import Replayed, replayed
from controller.evidence.times import round_times, time_of_day
from controller.words.amounts import amount_text, net_text

_HANDS = ("hand", "seat", "cards", "total", "wager", "outcome", "net")
_INSURANCE = ("insurance of seat", "amount", "outcome", "net")


@click.command("round")
@click.argument("number", type=click.IntRange(min=1), metavar="N")
@click.option(
    "--seat",
    type=click.IntRange(1, SEATS_MAX),
    metavar="S",
    help="Only what concerns the player at seat S.",
)
@journal_option()
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the round as a page to look at, which needs no network.",
)
@json_option
def round_(
    number: int,
    journal: Path,
    *,
    seat: int | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Rebuild round N: every wager, card, press, prompt, decision and payment.

    With the time and the clause of each; refused presses too. While the round is
    open, the hole card is ??.
    """
    with reading_a_journal():
        rebuilt = replayed(journal, number, seat)
    if html is not None:
        _require_another_file(html, journal)
        _write_page(html, rebuilt)
    if as_json:
        print_json(rebuilt.account)
    elif html is None:
        print_round(rebuilt.account)


def _require_another_file(html: Path, journal: Path) -> None:
    if html.exists() and html.samefile(journal):
        raise MisuseError(f"{html}: this is the journal; name another file")


def _write_page(file: Path, rebuilt: Replayed) -> None:
    # Only who wants a page pays for reading what it is made of.
    from controller.evidence.page.page import page  # noqa: PLC0415 - said above

    try:
        file.write_text(page(rebuilt), encoding="utf-8")
    except OSError as error:
        raise MisuseError(
            f"{file}: the page cannot be written ({error.strerror}); name another file"
        ) from error


def print_round(account: RoundAccount) -> None:
    """Print a rebuilt round for people: the result first, then how it came to it."""
    zone = ZoneInfo(account.time_zone)
    print_heading(f"Round {account.round} at table {account.table}")
    click.echo(f"Rules   {account.ruleset} ({account.ruleset_digest})")
    click.echo(f"Time    {round_times(account, zone)} ({zone.key})")
    click.echo(f"Dealer  {account.dealer_person}")
    if account.dealer.cards:
        total = account.dealer.total
        click.echo(f"Cards   {' '.join(account.dealer.cards)}, {total}")
    if account.rack:
        groups = " | ".join(" ".join(group) for group in account.rack)
        click.echo(f"Rack    {groups}")
    click.echo()
    if account.hands:
        print_table(_HANDS, [_hand(hand) for hand in account.hands])
        click.echo()
    if account.insurance:
        print_table(_INSURANCE, [_insurance(answer) for answer in account.insurance])
        click.echo()
    print_table(
        ("time", "record", "clause", "what happened"),
        [
            (
                time_of_day(entry.at, zone),
                str(entry.sequence),
                entry.clause,
                entry.text,
            )
            for entry in account.timeline
            if is_for_people(entry, account)
        ],
    )


def _hand(hand: HandAccount) -> tuple[str, ...]:
    total = "" if hand.total is None else str(hand.total)
    soft = hand.soft and hand.total != TWENTY_ONE
    return (
        hand.hand,
        str(hand.seat),
        " ".join(hand.cards),
        f"soft {total}" if soft else total,
        amount_text(hand.wager),
        hand.outcome or "open",
        "" if hand.net is None else net_text(hand.net),
    )


def _insurance(answer: InsuranceAccount) -> tuple[str, ...]:
    declined = "" if answer.amount else "declined"
    return (
        str(answer.seat),
        amount_text(answer.amount),
        answer.outcome or declined or "open",
        net_text(answer.net),
    )
