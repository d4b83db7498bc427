"""What host and shoe say to each other.

Source: docs/protocol/shoe.md.
"""

import enum
from typing import Final

import msgspec

from drivers.identity import Identify, Identity

SHOE_ADDRESS: Final = 0
EVENTS_HELD_MIN: Final = 64
GATE_LOCKED: Final = 0
UNREAD: Final = "??"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"
JOKERS: Final = tuple(f"X{number}" for number in range(1, 10))
CARDS: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS).union(JOKERS)


class ShoeFlag(enum.Enum):
    """One thing that is so, or not, at the shoe right now."""

    LID_OPEN = "lid-open"
    JAMMED = "jammed"
    EMPTY = "empty"
    CUT_CARD = "cut-card"
    SHUFFLING = "shuffling"
    GATE_OPEN = "gate-open"
    HAS_GATE = "has-gate"


class CardDrawn(msgspec.Struct, frozen=True, tag="card_drawn"):
    """A card left the shoe. `card` is two letters: Th, As, X1.

    A card that was unread and is read after all comes again under its number.
    """

    card_number: int
    card: str


class CardUnread(msgspec.Struct, frozen=True, tag="card_unread"):
    """A card left the shoe and its face could not be read."""

    card_number: int


class CardReturned(msgspec.Struct, frozen=True, tag="card_returned"):
    """A card was put back into the shoe; `card` is ?? if it could not be read."""

    card: str


class LidOpened(msgspec.Struct, frozen=True, tag="lid_opened"):
    """Somebody opened the lid."""


class LidClosed(msgspec.Struct, frozen=True, tag="lid_closed"):
    """The lid is shut again."""


class CutCardReached(msgspec.Struct, frozen=True, tag="cut_card_reached"):
    """The cut card came to the exit."""


class ShoeEmptied(msgspec.Struct, frozen=True, tag="shoe_emptied"):
    """No card is left to draw."""


class ShuffleStarted(msgspec.Struct, frozen=True, tag="shuffle_started"):
    """The shoe began to shuffle what is in it."""


class ShuffleEnded(msgspec.Struct, frozen=True, tag="shuffle_ended"):
    """The shoe has shuffled; `count` is how many cards, None if it does not count."""

    count: int | None = None


class Jammed(msgspec.Struct, frozen=True, tag="jammed"):
    """A card is stuck."""


class JamCleared(msgspec.Struct, frozen=True, tag="jam_cleared"):
    """Nothing is stuck any more."""


ShoeEvent = (
    CardDrawn
    | CardUnread
    | CardReturned
    | LidOpened
    | LidClosed
    | CutCardReached
    | ShoeEmptied
    | ShuffleStarted
    | ShuffleEnded
    | Jammed
    | JamCleared
)


class EventReport(msgspec.Struct, frozen=True, tag="event_report"):
    """Shoe to host: something happened, once. `number` counts events from 1."""

    boot_id: int
    number: int
    event: ShoeEvent


class Heartbeat(msgspec.Struct, frozen=True, tag="heartbeat"):
    """Shoe to host: how things stand, every half second and at each change.

    `next_card_number` is the number of the next card to be drawn; `last_event` the
    number of the latest event, 0 before the first; `acknowledged` the last event
    that the host said is taken; `gate_up_to` the card number up to which the host
    opened the gate, 0 when locked.
    """

    boot_id: int
    flags: frozenset[ShoeFlag]
    next_card_number: int
    last_event: int
    acknowledged: int
    gate_up_to: int


class NotHeld(msgspec.Struct, frozen=True, tag="not_held"):
    """Shoe to host: of what you asked for, I cannot give what came earlier.

    `first_held` is the first event it can still give (one more than the latest if
    it holds none). `next_card_number` is the number that the next card was to have
    just before that event: what lies between the host's own and this one is missing.
    """

    boot_id: int
    first_held: int
    next_card_number: int


class Acknowledge(msgspec.Struct, frozen=True, tag="acknowledge"):
    """Host to shoe: all events up to this number are taken and on disk."""

    boot_id: int
    number: int


class ResendFrom(msgspec.Struct, frozen=True, tag="resend_from"):
    """Host to shoe: send all events from this number again, in order."""

    boot_id: int
    number: int


class OpenGate(msgspec.Struct, frozen=True, tag="open_gate"):
    """Host to shoe: cards up to this number may leave; 0 locks.

    Absolute, so that it may be repeated. It is also the host's sign of life.
    """

    boot_id: int
    up_to: int


HostMessage = Identify | Acknowledge | ResendFrom | OpenGate
ShoeMessage = Identity | Heartbeat | EventReport | NotHeld
Message = HostMessage | ShoeMessage
