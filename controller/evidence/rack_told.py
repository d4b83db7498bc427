"""The rack in words: whose each group is, and how a hand is shown again from it."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from controller.core.cards import Card
from controller.evidence.account import RoundAccount
from controller.evidence.heading import way_words
from controller.evidence.rack import GroupAccount
from controller.evidence.times import time_of_day

RACK_HEADINGS: Final = ("group", "cards", "is", "went there")


class RackRow(msgspec.Struct, frozen=True):
    """One group of the rack as it is told; the lowest is number 1."""

    number: str
    cards: tuple[Card, ...]
    whose: str
    at: str


def rack_rows(account: RoundAccount, zone: ZoneInfo) -> Sequence[RackRow]:
    """Return the groups of a round's rack from the bottom up."""
    return [
        RackRow(str(number), group.cards, _whose(group), _at(group, zone))
        for number, group in enumerate(account.rack_groups, start=1)
    ]


def how_to_show_again(account: RoundAccount) -> tuple[str, str]:
    """Return in two sentences in which order the rack lies, and what that is for."""
    cards = sum(len(group.cards) for group in account.rack_groups)
    way = f", {way_words(account.direction)}" if account.direction else ""
    lie = (
        f"{cards} cards. A busted hand went there at its bust, the others at the "
        f"pickup{way}, the dealer's last, on top (RACK)."
    )
    again = (
        "To show a hand again, take off the groups above it and lay its cards out: "
        "they lie in the order dealt."
    )
    return lie, again


def _at(group: GroupAccount, zone: ZoneInfo) -> str:
    if not group.at:
        return "before the round"
    return f"{time_of_day(group.at, zone)}, record {group.sequence}"


def _whose(group: GroupAccount) -> str:
    if not group.hand:
        how = {"card_burned": "burned", "card_discarded": "discarded"}
        return f"a card, {how.get(group.type or '', 'unused')}"
    if group.seat is None:
        return f"the {group.hand}'s hand"
    return f"hand {group.hand} of seat {group.seat}"
