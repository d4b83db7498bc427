"""Everything the table remembers, as a fold of public events.

No face that is not public ever stands here: the hole card is its commitment
until it is revealed (see `controller.core.secrets`).
"""

from typing import Any

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.computer import UsbDevice
from controller.core.ids import (
    BY_DECISION,
    DEALER,
    NO_HAND,
    Button,
    ComputerFault,
    Direction,
    HandId,
    InsuranceResult,
    Kind,
    MirrorFault,
    Outcome,
    Phase,
    Reason,
    Stage,
    hand_id,
)
from controller.core.rules import Rules
from controller.core.software import Software


class Wager(msgspec.Struct, frozen=True):
    """What lies in one betting circle, and which seat put it there."""

    spot: int
    seat: int
    amount_cents: int


class Place(msgspec.Struct, frozen=True):
    """Where the next card goes: a hand, the hole, or (no hand) the rack unseen."""

    hand: HandId
    face_down: bool = False

    @property
    def is_burn(self) -> bool:
        """Whether the card goes to the rack unseen (BURN)."""
        return self.hand == NO_HAND


HOLE = Place(DEALER, face_down=True)
BURN = Place(NO_HAND, face_down=True)


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards on a spot, or after a split one of several hands there.

    `part` is 0 until a split, then 1, 2, … `ending` is how the hand ends whatever
    the dealer has (given up, voided); `settled` is None until its wager is paid,
    taken or returned. A picked-up hand keeps its cards, so that it stays visible.
    """

    spot: int
    seat: int
    wager_cents: int
    part: int = 0
    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    split_aces: bool = False
    doubled: bool = False
    stood: bool = False
    acted: bool = False
    choosing: bool = False
    acts_later: bool = False
    ending: Outcome | None = None
    settled: Outcome | None = None
    net_cents: int = 0
    picked_up: bool = False

    @property
    def id(self) -> HandId:
        """The hand as people call it: `3` or `3.2`."""
        return hand_id(self.spot, self.part)


class Dealer(msgspec.Struct, frozen=True):
    """The dealer's cards; the hole card is `??` until it is revealed.

    `hole` is where it lies among them, -1 before it is dealt or once a decision
    made it an ordinary card.
    """

    cards: tuple[Card, ...] = ()
    numbers: tuple[int, ...] = ()
    hole: int = -1
    revealed: bool = False
    hole_unread: bool = False
    commitment: str = ""
    picked_up: bool = False


class Insurance(msgspec.Struct, frozen=True):
    """What a seat answered to the offer of insurance; amount 0: declined."""

    seat: int
    amount_cents: int = 0
    result: InsuranceResult | None = None
    net_cents: int = 0


class Group(msgspec.Struct, frozen=True):
    """What went to the rack at once: a hand, or a single card (no hand)."""

    hand: HandId
    cards: tuple[Card, ...]
    numbers: tuple[int, ...]


class OpenOffer(msgspec.Struct, frozen=True):
    """An exposed card that is offered to the hands still to act (IRR-8)."""

    number: int
    card: Card


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """One round on the layout: all that a taking back restores."""

    wagers: tuple[Wager, ...] = ()
    reduced: tuple[int, ...] = ()
    explained: tuple[int, ...] = ()
    hands: tuple[Hand, ...] = ()
    dealer: Dealer = Dealer()
    places: tuple[Place, ...] = ()
    turn: HandId = NO_HAND
    peeked: bool | None = None
    asked_seats: tuple[int, ...] = ()
    insured: tuple[Insurance, ...] = ()
    insurance_closed: bool = False
    offer: OpenOffer | None = None
    rack: tuple[Group, ...] = ()
    groups_shuffled: int = 0
    seen: tuple[Card, ...] = ()


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """What the table holds for and against one seat, across rounds."""

    boot_id: int = 0
    press_number: int = 0
    panel_lost: bool = False
    dealer_entry: bool = False
    stuck: tuple[str, ...] = ()
    below_minimum: int = 0
    last_wagers: tuple[Wager, ...] = ()
    cash_spread: bool = False
    cash_stated_cents: int | None = None
    cash_chips_given: bool = False
    refused: Reason | None = None


class Shift(msgspec.Struct, frozen=True):
    """One dealer's stay at the table."""

    number: int
    dealer: str
    direction: Direction


class Prompt(msgspec.Struct, frozen=True):
    """What a seat may press now, under which number, for which hand."""

    seat: int
    number: int = 0
    buttons: tuple[str, ...] = ()
    hand: HandId = NO_HAND

    def lit(self, button: Button) -> bool:
        """Return whether this button's lamp is on."""
        return button.value in self.buttons


class Wait(msgspec.Struct, frozen=True):
    """Which wait is running and how far it has come; the time is the caller's."""

    number: int = 0
    stage: Stage = Stage.OVER


class LooseCard(msgspec.Struct, frozen=True):
    """A card that left the shoe and lies at no hand; nobody knows its face.

    But for a card that lay open before a decision left it without a place: that one
    has its `face`.
    """

    number: int
    commitment: str
    unread: bool = False
    face: Card = UNKNOWN


class Irregularity(msgspec.Struct, frozen=True):
    """Something a supervisor has to decide."""

    irregularity: int
    kind: Kind
    hand: HandId = NO_HAND
    seat: int = 0
    number: int = 0
    words: str = ""


class Shoe(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the shoe.

    `out` counts the public cards of earlier rounds since the last shuffle; the
    present round's are `Play.seen`. Card numbers are ours and never begin again;
    the shoe's own number is `card_offset` less.
    Cards up to number `counted_after` came from a shoe that was replaced, and
    belong to no count (SHOE).
    `due_back` counts racked cards that the shoe has not taken back (PICKUP-2),
    negative where it took back more.
    `uncounted`: it was out of sight in this round, and no number tells how many cards
    left it meanwhile (POSITION). `remark`: what it said of itself since the last bets
    were closed, in words.
    """

    boot_id: int = 0
    event_number: int = 0
    card_offset: int = 0
    last_card: int = 0
    counted_after: int = 0
    lid_open: bool = False
    jammed: bool = False
    lost: bool = False
    empty: bool = False
    cut_card_out: bool = False
    shuffling: bool = False
    shuffling_out_of_turn: bool = False
    needs_shuffle: bool = False
    out: dict[Card, int] = {}
    due_back: dict[Card, int] = {}
    count_differs: bool = False
    uncounted: bool = False
    remark: str = ""


class InTestMode(msgspec.Struct, frozen=True):
    """Who is trying buttons and lamps by hand, while nothing that is pressed counts."""

    person: str


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """The table between two events."""

    table: str
    seat_count: int
    rules: Rules
    phase: Phase = Phase.CLOSED
    came_from: Phase | None = None
    shift: Shift | None = None
    shift_number: int = 0
    last_dealer: str = ""
    round: int = 1
    seats: tuple[SeatState, ...] = ()
    dealer_panel: SeatState = SeatState()
    wagers: tuple[Wager, ...] = ()
    early: tuple[Group, ...] = ()
    play: Play = Play()
    prompts: tuple[Prompt, ...] = ()
    wait: Wait = Wait()
    irregularities: tuple[Irregularity, ...] = ()
    irregularity_count: int = 0
    undecided: tuple[LooseCard, ...] = ()
    held: tuple[LooseCard, ...] = ()
    sealed: tuple[LooseCard, ...] = ()
    missing: tuple[int, ...] = ()
    waiting: tuple[LooseCard, ...] = ()
    shoe: Shoe = Shoe()
    burns_due: int = 0
    decided_this_round: bool = False
    rules_set_in_round: int = 0
    disk_nearly_full: bool = False
    mirror_fault: MirrorFault | None = None
    enclosure_open: bool = False
    # A key names nobody: it may unlock a screen, and no decision asks for it.
    key_switch_on: bool = False
    panels_slow: bool = False
    computer_faults: tuple[ComputerFault, ...] = ()
    # What is plugged in; what was when the table first looked after a stop. None: it
    # has not looked yet.
    usb_devices: tuple[UsbDevice, ...] = ()
    usb_own: tuple[UsbDevice, ...] | None = None
    # Logins refused since the last that was not, by person; "": of ids not listed.
    login_failures: dict[str, int] = {}
    # What runs the table, as accepted; what the last start found, where it differs.
    software_accepted: Software = Software()
    software_found: Software = Software()
    # The boot of the host under which the controller runs, or ended without a stop.
    running_boot: str = ""
    # How often it ended without one since it was last stopped: alone, or with the host.
    abrupt_ends: int = 0
    power_losses: int = 0
    # Buttons and lamps are tried by hand; nothing while the table is in play.
    test_mode: InTestMode | None = None
    # The round so far, for taking back: the table when bets closed, and the acts
    # and consequences since. Events carry states, so their type has no name here.
    opening: "TableState | None" = None
    history: tuple[Any, ...] = ()

    @property
    def play_phase(self) -> Phase:
        """The phase of the round, also while the table is suspended."""
        return self.came_from or self.phase

    @property
    def suspended(self) -> bool:
        """Whether everything waits for the supervisor."""
        return self.phase is Phase.SUSPENDED


def new_table(table: str, seat_count: int, rules: Rules) -> TableState:
    """Return a closed table at which nothing has happened yet."""
    return TableState(
        table=table,
        seat_count=seat_count,
        rules=rules,
        seats=(SeatState(),) * seat_count,
        prompts=tuple(Prompt(seat) for seat in range(seat_count + 1)),
    )


def find_hand(play: Play, wanted: HandId) -> Hand | None:
    """Return the hand of that name, if there is one on the layout."""
    return next((hand for hand in play.hands if hand.id == wanted), None)


def hole_number(play: Play) -> int:
    """Return the number of the hole card, 0 where none was dealt."""
    return play.dealer.numbers[play.dealer.hole] if play.dealer.hole >= 0 else 0


def is_void(play: Play) -> bool:
    """Return whether decisions ended every hand: no card matters any more."""
    for hand in play.hands:
        if hand.ending not in BY_DECISION:
            return False
    return bool(play.hands)
