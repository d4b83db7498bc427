"""Shoe and panels."""

from controller.core.cards import Card
from controller.core.events.base import EventBase
from controller.core.ids import MirrorFault, ShoeRemark, ShoeSign


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


class PanelLost(EventBase, frozen=True, tag="panel_lost"):
    """A panel's link is gone; its seat is dark."""

    seat: int


class PanelBack(EventBase, frozen=True, tag="panel_back"):
    """A panel's link is back; a leave for dealer's entry ends (PLAY-4)."""

    seat: int


class DealerEntryAllowed(EventBase, frozen=True, tag="dealer_entry_allowed"):
    """The dealer may enter this seat's choices while its panel is lost (PLAY-4)."""

    seat: int


class ButtonStuck(EventBase, frozen=True, tag="button_stuck"):
    """A button is held down and ignored."""

    seat: int
    button: str


class ButtonReleased(EventBase, frozen=True, tag="button_released"):
    """A stuck button was released and counts again."""

    seat: int
    button: str


class PressesDropped(EventBase, frozen=True, tag="presses_dropped"):
    """A panel had no place for presses; `total` of them since its boot."""

    seat: int
    total: int


class ClockStepped(EventBase, frozen=True, tag="clock_stepped"):
    """The wall clock was set by `stepped_ms`; waits run on the monotonic one."""

    stepped_ms: int


class DiskNearlyFull(EventBase, frozen=True, tag="disk_nearly_full"):
    """The journal's disk is nearly full; this round is the last one."""

    free_bytes: int


class DiskRoomy(EventBase, frozen=True, tag="disk_roomy"):
    """There is room on the journal's disk again."""


class MirrorLost(EventBase, frozen=True, tag="mirror_lost"):
    """The journal's mirror cannot be counted on; `sequence` is the last it holds."""

    fault: MirrorFault
    sequence: int


class MirrorBack(EventBase, frozen=True, tag="mirror_back"):
    """The journal's mirror is whole again, or there shall be none any more."""


class EnclosureOpened(EventBase, frozen=True, tag="enclosure_opened"):
    """The door of the enclosure is open, or the wire of its contact is cut."""


class EnclosureClosed(EventBase, frozen=True, tag="enclosure_closed"):
    """The door of the enclosure is shut again."""


class KeySwitchTurned(EventBase, frozen=True, tag="key_switch_turned"):
    """The key switch was turned. It unlocks a screen (`on`), and decides nothing."""

    on: bool


class PanelsSlow(EventBase, frozen=True, tag="panels_slow"):
    """Panels that remember no press are looked at too seldom: short ones are lost."""

    scan_ms: int


class PanelsTimely(EventBase, frozen=True, tag="panels_timely"):
    """The panels are looked at often enough again."""

    scan_ms: int


class ShoeAdopted(EventBase, frozen=True, tag="shoe_adopted"):
    """A shoe that numbers its cards anew: its number + `card_offset` is ours."""

    boot_id: int
    event_number: int
    card_offset: int


class SealedCardsLost(EventBase, frozen=True, tag="sealed_cards_lost"):
    """The escrow is gone: the faces of these cards are unread (MISREAD)."""

    numbers: tuple[int, ...]


class InternalFault(EventBase, frozen=True, tag="internal_fault"):
    """An input that the program could not handle, as it came, and what happened.

    Written without the core. It is acknowledged, so that it cannot come again:
    `seat` (0: the dealer's), `boot_id` and `number` are the press it was, `shoe` with
    `boot_id` and `number` the event of a shoe, `card_number` its card, whose face is
    sealed under `commitment`.
    """

    input: str
    error: str
    seat: int | None = None
    shoe: bool = False
    boot_id: int = 0
    number: int = 0
    card_number: int = 0
    commitment: str = ""


EquipmentEvent = (
    ShoeChanged
    | ShoeRemarked
    | ShoeShuffled
    | ShoeReplaced
    | CardReturned
    | CardNumbersMissing
    | UnseenCardNumbered
    | CardWaiting
    | MissingCardKnown
    | PanelLost
    | PanelBack
    | DealerEntryAllowed
    | ButtonStuck
    | ButtonReleased
    | PressesDropped
    | ClockStepped
    | DiskNearlyFull
    | DiskRoomy
    | MirrorLost
    | MirrorBack
    | EnclosureOpened
    | EnclosureClosed
    | KeySwitchTurned
    | PanelsSlow
    | PanelsTimely
    | ShoeAdopted
    | SealedCardsLost
    | InternalFault
)
