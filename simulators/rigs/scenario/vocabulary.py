"""The words of the table that expectations and traces share."""

from enum import StrEnum


class Phase(StrEnum):
    """A phase of the table."""

    CLOSED = "CLOSED"
    BETTING = "BETTING"
    DEALING = "DEALING"
    INSURANCE = "INSURANCE"
    PLAYING = "PLAYING"
    DEALER_DRAWING = "DEALER_DRAWING"
    SETTLED = "SETTLED"
    SUSPENDED = "SUSPENDED"


class Gate(StrEnum):
    """The gate of the shoe: open exactly while a card is due."""

    OPEN = "open"
    LOCKED = "locked"


class Outcome(StrEnum):
    """How a hand was settled."""

    BLACKJACK = "blackjack"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"
    VOID = "void"
    DEAD = "dead"


class InsuranceOutcome(StrEnum):
    """How a seat's insurance was settled."""

    WIN = "win"
    LOSE = "lose"
    RETURNED = "returned"


class IrregularityKind(StrEnum):
    """What can suspend the table."""

    CARD_DRAWN_IN_ERROR = "card_drawn_in_error"
    CARD_UNREAD = "card_unread"
    CARD_IMPOSSIBLE = "card_impossible"
    SHOE_FAULT = "shoe_fault"
    SHOE_POSITION_UNKNOWN = "shoe_position_unknown"
    SHOE_EMPTY = "shoe_empty"
    PANEL_LOST = "panel_lost"
    RECONCILIATION_MISMATCH = "reconciliation_mismatch"
    CALLED = "called"
    INTERNAL_FAULT = "internal_fault"
    JOURNAL_DAMAGED = "journal_damaged"
    JOURNAL_BEHIND = "journal_behind"
    JOURNAL_FULL = "journal_full"


class Staff(StrEnum):
    """Whom of the staff a notice is for; a seat's notices go by its number."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
