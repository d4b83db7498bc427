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
from controller.evidence.clock_trust import ClockAccount
from controller.evidence.parts import Part
from controller.evidence.rack import GroupAccount
from controller.evidence.times import (
    day_and_time,
    duration_text,
    span_of_time,
    time_of_day,
)
from controller.words.amounts import amount_text, net_text

_HANDS: Final = ("hand", "seat", "cards", "total", "wager", "outcome", "net")
_INSURANCE: Final = ("insurance of seat", "amount", "outcome", "net")
_RACK: Final = ("group", "cards", "is", "went there")
_UTC: Final = ZoneInfo("UTC")

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
_DRIFT_NOTABLE_MS: Final = 500


def print_round(account: RoundAccount, seat: int | None) -> None:
    """Print a round; with `seat`, one that is narrowed to that seat's dispute."""
    zone = ZoneInfo(account.time_zone)
    about = "" if seat is None else f", as it concerns seat {seat}"
    print_heading(f"Round {account.round} at table {account.table}{about}")
    for name, text in _head(account, zone):
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


# --- The head ------------------------------------------------------------------


def _head(account: RoundAccount, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    yield from _times(account, zone)
    if account.clock is not None:
        yield "Clock", _clock(account.clock, zone)
    yield "Rules", f"{account.ruleset} ({account.ruleset_digest})"
    way = f", who picks up {_way(account.direction)}" if account.direction else ""
    yield "Dealer", f"{account.dealer_person}{way}"
    yield from _result(account)


def _way(direction: str) -> str:
    return direction.replace("-", " ")


def _times(account: RoundAccount, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    began, ended = account.started_at, account.ended_at
    if began is None:
        yield "Time", f"the bets are open ({zone.key})"
    elif ended is None:
        local = f"{day_and_time(began, zone)} {zone_name(began, zone)}"
        yield "Time", f"{local}, still open ({zone.key})"
        yield "UTC", day_and_time(began, _UTC)
    else:
        undone = ", when DEAL was taken back" if account.undone else ""
        yield "Time", f"{span_of_time(began, ended, zone)}{undone} ({zone.key})"
        yield "UTC", span_of_time(began, ended, _UTC).removesuffix(" UTC")


def zone_name(recorded_at: str, zone: ZoneInfo) -> str:
    """Return what the clock's time is called then: `MST`, in summer `MDT`."""
    return span_of_time(recorded_at, recorded_at, zone).rpartition(" ")[2]


def _clock(clock: ClockAccount, zone: ZoneInfo) -> str:
    parts = [
        f"synchronised at all {clock.records} records"
        if not clock.unsynchronised
        else f"NOT known to be right at {clock.unsynchronised} of {clock.records} "
        "records"
    ]
    if clock.drift_ms is None:
        parts.append("the computer was started in the round")
    elif abs(clock.drift_ms) >= _DRIFT_NOTABLE_MS:
        drift = duration_text(abs(clock.drift_ms))
        way = "more" if clock.drift_ms > 0 else "less"
        parts.append(f"from first to last it counted {drift} {way} than passed")
    parts += [
        f"set {'forward' if step.stepped_ms > 0 else 'back'} by "
        f"{duration_text(abs(step.stepped_ms))} at {day_and_time(step.at, zone)} "
        f"(round {step.round}, record {step.sequence})"
        for step in clock.steps
    ]
    if not clock.steps:
        parts.append("not set in this round or beside it")
    return "; ".join(parts)


def _result(account: RoundAccount) -> Iterator[tuple[str, str]]:
    nets = [hand.net for hand in account.hands]
    if account.ended_at is None or account.undone or not nets:
        return
    wagered = sum(hand.wager for hand in account.hands)
    wagered += sum(answer.amount for answer in account.insurance)
    net = sum(net or 0 for net in nets) + sum(a.net for a in account.insurance)
    text = f"the players wagered {amount_text(wagered)}, net {net_text(net)}"
    yield "Result", text


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
        yield at, entry.text, f"[{entry.clause}, {entry.sequence}]", follows
        step = of_step


# --- The rack ------------------------------------------------------------------


def _print_rack(account: RoundAccount, zone: ZoneInfo) -> None:
    click.echo()
    print_heading("The rack, from the bottom up")
    groups = list(enumerate(account.rack_groups, start=1))
    print_table(_RACK, [_group(number, group, zone) for number, group in groups])
    cards = sum(len(group.cards) for group in account.rack_groups)
    way = f", {_way(account.direction)}" if account.direction else ""
    click.echo(
        f"{cards} cards. A busted hand went there at its bust, the others at the "
        f"pickup{way}, the dealer's last, on top (RACK).\n"
        "To show a hand again, take off the groups above it and lay its cards out: "
        "they lie in the order dealt."
    )


def _group(number: int, group: GroupAccount, zone: ZoneInfo) -> tuple[str, ...]:
    at = f"{time_of_day(group.at, zone)}, record {group.sequence}" if group.at else ""
    return str(number), " ".join(group.cards), _whose(group), at or "before the round"


def _whose(group: GroupAccount) -> str:
    if not group.hand:
        how = {"card_burned": "burned", "card_discarded": "discarded"}
        return f"a card, {how.get(group.type or '', 'unused')}"
    if group.seat is None:
        return f"the {group.hand}'s hand"
    return f"hand {group.hand} of seat {group.seat}"
