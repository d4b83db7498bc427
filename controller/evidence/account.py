"""A round as it is handed out: to people, and as JSON to programs.

Amounts are whole cents, cards as in scenarios, times UTC as recorded. Names that
are here stay; more may be added.
"""

import msgspec

from controller.core.cards import Card


class DealerAccount(msgspec.Struct, frozen=True):
    """The dealer's cards, the hole card `??` until it is revealed, and their total."""

    cards: tuple[Card, ...]
    total: int | None


class HandAccount(msgspec.Struct, frozen=True):
    """A hand: its cards in the order dealt, its total, and how it ended.

    `outcome` and `net` are None while the wager is not settled.
    """

    hand: str
    seat: int
    cards: tuple[Card, ...]
    total: int | None
    soft: bool
    outcome: str | None
    wager: int
    net: int | None


class InsuranceAccount(msgspec.Struct, frozen=True):
    """What a seat insured, 0 where it declined, and how that ended."""

    seat: int
    amount: int
    outcome: str | None
    net: int


class Entry(msgspec.Struct, frozen=True):
    """One thing that happened: which record says so, when, and under which clause.

    `seat` is whose it is: None for the table's, 0 for the dealer's panel.
    """

    sequence: int
    at: str
    type: str
    seat: int | None
    text: str
    clause: str


class RoundAccount(msgspec.Struct, frozen=True):
    """One round, rebuilt from the journal.

    `started_at` is when the bets were closed, `ended_at` when the pickup was
    complete; None while that is to come. `undone` says that DEAL was taken back.
    `rack` holds groups of cards, bottom to top. `time_zone` is where the table
    stands, for who wants to show local times.
    """

    round: int
    table: str
    ruleset: str
    ruleset_digest: str
    time_zone: str
    dealer_person: str
    started_at: str | None
    ended_at: str | None
    undone: bool
    seats: tuple[int, ...]
    dealer: DealerAccount
    hands: tuple[HandAccount, ...]
    insurance: tuple[InsuranceAccount, ...]
    rack: tuple[tuple[Card, ...], ...]
    timeline: tuple[Entry, ...]


def is_for_people(entry: Entry, account: RoundAccount) -> bool:
    """Leave out the lamps of seats that did not play; programs get them as well."""
    if entry.type != "prompts_changed" or not entry.seat:
        return True
    return entry.seat in account.seats
