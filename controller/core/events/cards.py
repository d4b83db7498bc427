"""Cards."""

from typing import ClassVar

from controller.core.cards import UNKNOWN, Card
from controller.core.events.base import EventBase
from controller.core.ids import NO_HAND, HandId


class CardDealt(EventBase, frozen=True, tag="card_dealt"):
    """A card lies face up at a hand; `??` where its face could not be read.

    `by_decision`: a supervisor decided that it lies there, though none was due.
    """

    number: int
    hand: HandId
    card: Card
    salt: str = ""
    raw: str = ""
    by_decision: bool = False


class HoleCardDealt(EventBase, frozen=True, tag="hole_card_dealt"):
    """The dealer's second card lies face down; only its commitment is known."""

    number: int
    commitment: str
    unread: bool = False


class HoleCardKeyed(EventBase, frozen=True, tag="hole_card_keyed"):
    """The face of the hole card became known to the escrow, and to nobody else."""

    number: int
    commitment: str


class DealerPeeked(EventBase, frozen=True, tag="dealer_peeked"):
    """The one bit that leaves a peek (PEEK)."""

    blackjack: bool


class HoleCardRevealed(EventBase, frozen=True, tag="hole_card_revealed"):
    """The hole card is turned up; salt and raw bytes open its commitment (REVEAL)."""

    number: int
    card: Card
    salt: str = ""
    raw: str = ""


class CardDrawnInError(EventBase, frozen=True, tag="card_drawn_in_error"):
    """A card left the shoe though none was due; shown to nobody.

    Or a decision left a card without a place: `card` is its face if all have seen it.
    """

    number: int
    commitment: str
    unread: bool = False
    card: Card = UNKNOWN


class CardIdentified(EventBase, frozen=True, tag="card_identified"):
    """An unread card was read again or keyed, and plays where it lies."""

    number: int
    hand: HandId
    card: Card


class CardCorrected(EventBase, frozen=True, tag="card_corrected"):
    """What lies at a hand is another card than the one that was read."""

    number: int
    hand: HandId
    was: Card
    card: Card


class CardBurned(EventBase, frozen=True, tag="card_burned"):
    """A card went to the rack unplayed; `??` where nobody may see it yet (BURN)."""

    number: int
    card: Card = UNKNOWN
    commitment: str = ""
    salt: str = ""
    raw: str = ""


class CardDiscarded(EventBase, frozen=True, tag="card_discarded"):
    """A card that may not be used went to the rack (IRR-6)."""

    number: int
    card: Card = UNKNOWN
    salt: str = ""
    raw: str = ""


class CardWithdrawn(EventBase, frozen=True, tag="card_withdrawn"):
    """A reported card was never drawn (MISREAD).

    What nobody has seen stays sealed until the end of the shoe: an undecided card, or
    the hole card, whose commitment comes along.
    """

    VERSION: ClassVar[int] = 2

    number: int
    hand: HandId = NO_HAND
    commitment: str = ""


class CardHeld(EventBase, frozen=True, tag="card_held"):
    """A card drawn in error lies face down and is dealt at the next need (IRR-7)."""

    number: int
    commitment: str


class CardOpened(EventBase, frozen=True, tag="card_opened"):
    """A sealed card that was never played is opened with the end of its shoe."""

    number: int
    card: Card
    salt: str
    raw: str


class PlayTakenBack(EventBase, frozen=True, tag="play_taken_back"):
    """What followed from a card is taken back; the first `kept` acts stand.

    The records that follow tell how it now goes on. `undone` names what no
    longer holds, in words.
    """

    kept: int
    undone: tuple[str, ...]


CardEvent = (
    CardDealt
    | HoleCardDealt
    | HoleCardKeyed
    | DealerPeeked
    | HoleCardRevealed
    | CardDrawnInError
    | CardIdentified
    | CardCorrected
    | CardBurned
    | CardDiscarded
    | CardWithdrawn
    | CardHeld
    | CardOpened
    | PlayTakenBack
)
