"""A round as it is handed out: to people, and as JSON to programs.

Amounts are whole cents, cards as in scenarios, times UTC as recorded. Names that
are here stay; more may be added.
"""

import msgspec

from controller.core.cards import Card
from controller.core.ids import HandId
from controller.evidence.clock_trust import ClockAccount
from controller.evidence.panels import PromptAccount
from controller.evidence.parts import Part
from controller.evidence.rack import GroupAccount


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

    `seat` is whose it is: None for the table's, 0 for the dealer's panel. `cause` is
    the record of the input that led to it, None for an input itself.
    """

    sequence: int
    at: str
    type: str
    seat: int | None
    text: str
    clause: str
    cause: int | None = None
    part: Part = Part.WAGERS


class PressAccount(msgspec.Struct, frozen=True):
    """A press of a player's panel: what was lit, and what became of it.

    `shown` was lit when the press was taken, under prompt `shown_prompt`, since
    `shown_since`; `prompt` is the one that the press was for. `turn` is whose turn it
    was, empty where no hand had it. `reason` is why it was refused, None: it was
    taken. `became` says in sentences what followed from it, and in which record.
    """

    sequence: int
    at: str
    seat: int
    button: str
    by_dealer: bool
    prompt: int
    shown: tuple[str, ...]
    shown_prompt: int
    shown_since: str | None
    panel_lost: bool
    turn: HandId
    reason: str | None
    text: str
    became: tuple[str, ...] = ()


class RoundAccount(msgspec.Struct, frozen=True):
    """One round, rebuilt from the journal.

    `started_at` is when the bets were closed, `ended_at` when the pickup was
    complete; None while that is to come. `undone` says that DEAL was taken back.
    `rack` holds groups of cards, bottom to top; `rack_groups` says of each whose
    hand it is and when it went there. `prompts` are the times for which a panel was
    lit, `presses` what was pressed at players' panels. `time_zone` is where the table
    stands, for who wants to show local times, `clock` how far to trust them.
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
    direction: str | None = None
    rack_groups: tuple[GroupAccount, ...] = ()
    prompts: tuple[PromptAccount, ...] = ()
    presses: tuple[PressAccount, ...] = ()
    clock: ClockAccount | None = None


def is_for_people(entry: Entry, account: RoundAccount) -> bool:
    """Leave out the lamps of seats that did not play; programs get them as well."""
    if entry.type != "prompts_changed" or not entry.seat:
        return True
    return entry.seat in account.seats
