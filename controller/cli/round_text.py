"""A rebuilt round for people: the result first, then how it came to it, read aloud."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

import click

from controller.cli.dispute_text import print_dispute
from controller.cli.output import print_heading, print_story, print_table
from controller.core.totals import TWENTY_ONE
from controller.evidence.account import (
    Entry,
    HandAccount,
    InsuranceAccount,
    RoundAccount,
)
from controller.evidence.heading import heading
from controller.evidence.parts import Part
from controller.evidence.rack_told import RACK_HEADINGS, how_to_show_again, rack_rows
from controller.evidence.times import time_of_day
from controller.words.amounts import amount_text, net_text

_HANDS: Final = ("hand", "seat", "cards", "total", "wager", "outcome", "net")
_INSURANCE: Final = ("insurance of seat", "amount", "outcome", "net")

_TITLES: Final = {
    Part.WAGERS: "The wagers",
    Part.DEAL: "The deal",
    Part.INSURANCE: "Insurance",
    Part.PLAYERS: "The players",
    Part.DEALER: "The dealer",
    Part.SETTLEMENT: "The settlement",
    Part.PICKUP: "The pickup",
}

_LEGEND: Final = (
    "In brackets: the clause, and the record in the journal. What follows from "
    "something stands indented below it."
)
_LEFT_OUT: Final = (
    "Left out: lamps going dark, lamps of the bets and of the dealer's panel. "
    "--seat S tells all of a seat's lamps, --json everything."
)


def print_round(account: RoundAccount, seat: int | None) -> None:
    """Print a round; with `seat`, one that is narrowed to that seat's dispute."""
    zone = ZoneInfo(account.time_zone)
    about = "" if seat is None else f", as it concerns seat {seat}"
    print_heading(f"Round {account.round} at table {account.table}{about}")
    for name, text in heading(account, zone):
        click.echo(f"{name:<8}{text}")
    _print_hands(account)
    if seat is not None:
        print_dispute(account, seat, zone)
    _print_story(account, seat, zone)
    if account.rack_groups:
        _print_rack(account, zone)
    click.echo(f"\n{_LEGEND}")
    if seat is None:
        click.echo(_LEFT_OUT)


def _print_hands(account: RoundAccount) -> None:
    rows = [_hand(hand) for hand in account.hands]
    if account.dealer.cards:
        total = account.dealer.total
        shown = "" if total is None else str(total)
        cards = " ".join(account.dealer.cards)
        rows.append(("dealer", "", cards, shown, "", "", ""))
    if rows:
        click.echo()
        print_table(_HANDS, rows)
    if account.insurance:
        click.echo()
        print_table(_INSURANCE, [_insurance(answer) for answer in account.insurance])


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


# --- What happened -------------------------------------------------------------


def _print_story(account: RoundAccount, seat: int | None, zone: ZoneInfo) -> None:
    told = [e for e in account.timeline if seat is not None or _is_for_people(e)]
    for part, entries in groupby(told, key=lambda entry: entry.part):
        click.echo()
        print_heading(_TITLES[part])
        print_story(_lines(entries, zone))


def _is_for_people(entry: Entry) -> bool:
    """Leave out lamps that tell nothing new: a press says what was lit.

    What a player was asked stays, and so does a panel that should show it but cannot.
    """
    if entry.type != "prompts_changed":
        return True
    asked = entry.part in {Part.INSURANCE, Part.PLAYERS}
    return bool(entry.seat) and asked and "panel is dark" not in entry.text


def _lines(
    entries: Iterable[Entry], zone: ZoneInfo
) -> Iterator[tuple[str, str, str, bool]]:
    """Yield time, sentence, source, and whether it follows from what stands above."""
    step: int | None = None
    for entry in entries:
        of_step = entry.cause or entry.sequence
        follows = of_step == step
        at = "" if follows else time_of_day(entry.at, zone)
        where = ", ".join(filter(None, (entry.clause, str(entry.sequence))))
        yield at, entry.text, f"[{where}]", follows
        step = of_step


# --- The rack ------------------------------------------------------------------


def _print_rack(account: RoundAccount, zone: ZoneInfo) -> None:
    click.echo()
    print_heading("The rack, from the bottom up")
    rows = rack_rows(account, zone)
    print_table(
        RACK_HEADINGS, [(r.number, " ".join(r.cards), r.whose, r.at) for r in rows]
    )
    click.echo("\n".join(how_to_show_again(account)))
