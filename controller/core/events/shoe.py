"""The shoe."""

from controller.core.cards import Card
from controller.core.events.base import EventBase
from controller.core.ids import ShoeRemark, ShoeSign


class ShoeChanged(EventBase, frozen=True, tag="shoe_changed"):
    """The shoe told something that changes what may be done with it."""

    sign: ShoeSign


class ShoeRemarked(EventBase, frozen=True, tag="shoe_remarked"):
    """A shoe that prints lines said something that is no card, or nothing sure.

    It shows as a notice until the next bets are closed.
    """

    remark: ShoeRemark
    words: str = ""


class ShoeShuffled(EventBase, frozen=True, tag="shoe_shuffled"):
    """All racked cards are back in the shoe; `count` as the shoe told it, -1: none.

    `differs` says that the count is not what the record expects (PICKUP-2).
    """

    count: int
    differs: bool = False


class ShoeReplaced(EventBase, frozen=True, tag="shoe_replaced"):
    """Another shoe; what the old one was short or over by, card by card (SHOE)."""

    decks: int
    short: dict[Card, int]
    over: dict[Card, int]


class CardReturned(EventBase, frozen=True, tag="card_returned"):
    """The shoe took back a racked card (PICKUP-2)."""

    card: Card


class CardNumbersMissing(EventBase, frozen=True, tag="card_numbers_missing"):
    """Cards left the shoe while it was out of sight (POSITION)."""

    first: int
    last: int


class UnseenCardNumbered(EventBase, frozen=True, tag="unseen_card_numbered"):
    """A card left the shoe while it was out of sight and gets a number of ours.

    The shoe's own numbers run one further behind from here on.
    """

    number: int


class CardWaiting(EventBase, frozen=True, tag="card_waiting"):
    """The card that showed the gap waits until the missing ones are known."""

    number: int
    commitment: str
    unread: bool = False


class MissingCardKnown(EventBase, frozen=True, tag="missing_card_known"):
    """A missing number is accounted for: a card lies there, or none was drawn."""

    number: int
    drawn: bool


class ShoeAdopted(EventBase, frozen=True, tag="shoe_adopted"):
    """A shoe that numbers its cards anew: its number + `card_offset` is ours."""

    boot_id: int
    event_number: int
    card_offset: int


ShoeEvent = (
    ShoeChanged
    | ShoeRemarked
    | ShoeShuffled
    | ShoeReplaced
    | CardReturned
    | CardNumbersMissing
    | UnseenCardNumbered
    | CardWaiting
    | MissingCardKnown
    | ShoeAdopted
)
