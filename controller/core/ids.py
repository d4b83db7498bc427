"""Names and small enumerations that every part of the core shares."""

import enum
from functools import cache
from typing import Annotated, Final, NewType

from msgspec import Meta

HandId = NewType("HandId", str)
"""`3`, after a split `3.1`, `3.2`, …, or `dealer`."""

DEALER: Final = HandId("dealer")
NO_HAND: Final = HandId("")

Spot = Annotated[int, Meta(ge=1, le=7)]
Seat = Annotated[int, Meta(ge=1, le=7)]
DEALER_SEAT: Final = 0
"""The dealer's panel where seats are counted from 1."""

SEATS_MAX: Final = 7


@cache
def hand_id(spot: int, part: int = 0) -> HandId:
    """Return `3` for an unsplit hand (part 0), else `3.2`."""
    return HandId(f"{spot}.{part}" if part else f"{spot}")


class Button(enum.Enum):
    """A button of a player's panel, in the order in which lamps are listed."""

    BET = "bet"
    CLEAR = "clear"
    REBET = "rebet"
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    PASS = "pass"  # noqa: S105 - a button's name, no password


class DealerButton(enum.Enum):
    """A button of the dealer's panel."""

    DEAL = "deal"
    NEXT = "next"
    PICKUP = "pickup"
    CLOSE_INSURANCE = "close-insurance"
    CALL = "call"


class Direction(enum.Enum):
    """Which way a dealer picks up during the whole shift (PICKUP-1b)."""

    RIGHT_TO_LEFT = "right-to-left"
    LEFT_TO_RIGHT = "left-to-right"


class Outcome(enum.Enum):
    """How a hand was settled."""

    BLACKJACK = "blackjack"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"
    VOID = "void"
    DEAD = "dead"


BY_DECISION: Final = (Outcome.PUSH, Outcome.VOID, Outcome.DEAD)
"""How a hand ends where no card decides it any more: its wager goes back."""


class InsuranceResult(enum.Enum):
    """How an insurance wager ended (INS)."""

    WIN = "win"
    LOSE = "lose"
    RETURNED = "returned"


class Role(enum.Enum):
    """What a person may do. The runtime vouches for it, the core checks it."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"
    SURVEILLANCE = "surveillance"
    UNKNOWN = "unknown"


class Phase(enum.Enum):
    """Where the table is in a round."""

    CLOSED = "closed"
    BETTING = "betting"
    DEALING = "dealing"
    INSURANCE = "insurance"
    PLAYING = "playing"
    DEALER_DRAWING = "dealer_drawing"
    SETTLED = "settled"
    SUSPENDED = "suspended"


ROUND_OPEN: Final = frozenset(
    {
        Phase.DEALING,
        Phase.INSURANCE,
        Phase.PLAYING,
        Phase.DEALER_DRAWING,
        Phase.SETTLED,
    }
)


class ShoeSign(enum.Enum):
    """What a shoe reports besides cards."""

    LID_OPEN = "lid-open"
    LID_CLOSED = "lid-closed"
    JAM = "jam"
    CLEARED = "cleared"
    CUT_CARD = "cut-card"
    EMPTY = "empty"
    SHUFFLE_STARTED = "shuffle-started"
    SHUFFLED = "shuffled"
    LOST = "lost"
    BACK = "back"


class ShoeRemark(enum.Enum):
    """What a shoe that prints lines says that is no card, or nothing sure."""

    WARNING = "warning"
    ALARM = "alarm"
    UNKNOWN_LINE = "unknown-line"
    GARBLED_LINE = "garbled-line"


class CashStep(enum.Enum):
    """The four steps of accepting cash, and the way out (CASH)."""

    SPREAD = "spread"
    STATE = "state"
    CHIPS = "chips"
    DROP = "drop"
    BACK = "back"


class Stage(enum.Enum):
    """How far the wait for one prompt has come (PLAY-3)."""

    ASK = "ask"
    MOVE_ON = "move_on"
    OVER = "over"


class Kind(enum.Enum):
    """The kinds of irregularity."""

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
    SOFTWARE_CHANGED = "software_changed"


class MirrorFault(enum.Enum):
    """Why the copy of the journal on a second device cannot be counted on."""

    SILENT = "silent"
    UNREACHABLE = "unreachable"
    FULL = "full"
    BEHIND = "behind"
    MISMATCH = "mismatch"


class ComputerFault(enum.Enum):
    """What the table's computer says is not as it should be with itself."""

    UNDER_VOLTAGE = "under-voltage"
    THROTTLED = "throttled"
    CLOCK_BATTERY = "clock-battery"


class UsbFunction(enum.Enum):
    """What a device at a USB port may be used as, in a person's words."""

    KEYBOARD = "keyboard"
    MOUSE = "mouse"
    STORAGE = "storage"
    SERIAL = "serial adapter"
    NETWORK = "network"
    HUB = "hub"
    OTHER = "other"


class HouseInput(enum.Enum):
    """A contact of the table itself: a key that names nobody, the enclosure's door."""

    KEY_SWITCH = "key-switch"
    DOOR = "door"


class Reason(enum.Enum):
    """Why something was refused. A press is never dropped without one of these."""

    SHIFT_CLOSED = "shift_closed"
    TABLE_SUSPENDED = "table_suspended"
    BETS_CLOSED = "bets_closed"
    WRONG_PHASE = "wrong_phase"
    NO_WAGER = "no_wager"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_PRESS = "stale_press"
    ALREADY_ANSWERED = "already_answered"
    ACTION_NOT_ALLOWED = "action_not_allowed"
    SPOT_TAKEN = "spot_taken"
    SIDE_WAGERS_PROHIBITED = "side_wagers_prohibited"
    INSURANCE_OVER_HALF = "insurance_over_half"
    NO_PREVIOUS_WAGER = "no_previous_wager"
    HAND_NOT_SETTLED = "hand_not_settled"
    ROUND_OPEN = "round_open"
    SHUFFLE_DUE = "shuffle_due"
    CASH_TRANSACTION_OPEN = "cash_transaction_open"
    EXTRA_SPOT_MINIMUM = "extra_spot_minimum"
    TOO_EARLY_TO_MOVE_ON = "too_early_to_move_on"
    PANEL_NOT_LOST = "panel_not_lost"
    SUPERVISOR_REQUIRED = "supervisor_required"
    CASH_OUT_OF_ORDER = "cash_out_of_order"
    CASH_AMOUNTS_DIFFER = "cash_amounts_differ"
    UNKNOWN_PERSON = "unknown_person"
    WITNESS_REQUIRED = "witness_required"
    UNKNOWN_HAND = "unknown_hand"
    DECISION_NOT_APPLICABLE = "decision_not_applicable"
    UNKNOWN_SEAT = "unknown_seat"
    DISK_FULL = "disk_full"
    LOGIN_REQUIRED = "login_required"
    LOGIN_DELAYED = "login_delayed"
    WRONG_PIN = "wrong_pin"
    NO_PIN = "no_pin"
    ROLE_NOT_ALLOWED = "role_not_allowed"
    TEST_MODE = "test_mode"
    NO_TEST_MODE = "no_test_mode"
    WAGERS_LIE = "wagers_lie"


class EndOfTestMode(enum.Enum):
    """What ended a test mode."""

    ASKED = "asked"
    CLIENT_LEFT = "client_left"
    SILENT = "silent"
    IRREGULARITY = "irregularity"
    STOPPED = "stopped"
    RESTARTED = "restarted"


BY_HAND: Final = 2**32 - 1
"""The prompt of lamps that are lit by hand: no prompt of play ever has this number.

So a press that was made for them is told from every press of play, whenever it comes.
"""
