"""What happened at the table. `evolve` folds these; nothing here can be refused.

Three kinds, told apart in `ACTS` and `CONSEQUENCES` at the end:

* *acts* are what people and the shoe did to the round: a card laid, a choice;
* *consequences* follow from acts by themselves: a bust, its pickup, a
  settlement. Taking an act back takes its consequences back with it;
* everything else (refusals, prompts, irregularities, links) is never taken back.
"""

from typing import ClassVar, Literal

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.computer import UsbDevice
from controller.core.ids import (
    NO_HAND,
    Button,
    CashStep,
    ComputerFault,
    Direction,
    EndOfTestMode,
    HandId,
    InsuranceResult,
    Kind,
    MirrorFault,
    Outcome,
    Phase,
    Reason,
    Role,
    ShoeRemark,
    ShoeSign,
)
from controller.core.rules import Rules
from controller.core.software import ComponentChange, Software
from controller.core.state import Insurance, Place, Prompt, TableState, Wager


class _Event(msgspec.Struct, frozen=True, kw_only=True):
    VERSION: ClassVar[int] = 1


# --- The table, its shifts and rules -----------------------------------------


class Predecessor(msgspec.Struct, frozen=True, kw_only=True):
    """The journal that this one takes the place of, and what became of its round.

    `file` is its name now, `found` what was wrong with it; empty: nothing, it was
    archived, and nobody had to decide it. Up to record `sequence`,
    of that hash, it was taken over; 0: nothing was. `void_round` is the round that
    was open, 0 if none was; its wagers, one for each hand, and insurance go back.
    """

    file: str
    found: str
    sequence: int
    hash: str
    supervisor: str = ""
    technician: str = ""
    reason: str = ""
    void_round: int = 0
    wagers: tuple[Wager, ...] = ()
    insurance: tuple[Insurance, ...] = ()


class JournalOpened(_Event, frozen=True, tag="journal_opened"):
    """A journal begins: which table, live or simulated, which rules in full (VAR).

    `software` and `code_digest` say which program decided, `hardware` which
    hardware file with its digest, `time_zone` how local times are to be read.
    A successor names the journal before it; its second record is the table that was
    taken over from there.
    """

    VERSION: ClassVar[int] = 2

    kind: Literal["live", "simulation"]
    table: str
    seats: int
    rules: Rules
    software: str = ""
    code_digest: str = ""
    hardware: str = ""
    time_zone: str = ""
    succeeds: Predecessor | None = None


class SigningKeySet(_Event, frozen=True, tag="signing_key_set"):
    """From here on the journal's heads are signed by this key.

    `key` is the public key's line, `note` the same as a text signed by the key before
    it; the first key has signed itself.
    """

    key: str
    note: str


class HeadSigned(_Event, frozen=True, tag="head_signed"):
    """The chain up to the record before this one, signed by the table: a note."""

    note: str


class RulesetSet(_Event, frozen=True, tag="ruleset_set"):
    """Other rules are in force from the next round on (VAR)."""

    rules: Rules


class ShiftOpened(_Event, frozen=True, tag="shift_opened"):
    """A dealer's stay begins; the direction of the pickup is fixed."""

    shift: int
    dealer: str
    direction: Direction


class ShiftClosed(_Event, frozen=True, tag="shift_closed"):
    """A dealer's stay ends."""

    shift: int


class SeatOpened(_Event, frozen=True, tag="seat_opened"):
    """A new player sits here; nothing is held against the seat any more."""

    seat: int


class TableStateRecorded(_Event, frozen=True, tag="table_state"):
    """The whole state between rounds; a start folds from here."""

    state: TableState


class CommandRefused(_Event, frozen=True, tag="command_refused"):
    """A dealer's or supervisor's command changed nothing, and why."""

    command: str
    reason: Reason
    person: str = ""
    because: str = ""


class ControlResumed(_Event, frozen=True, tag="table_recovered"):
    """The controller goes on from its journal; waits start their stage anew."""

    phase: Phase


class PowerLossFound(_Event, frozen=True, tag="power_loss_found"):
    """The controller was not stopped when it last ended, and the host began anew since.

    The power failed, or the host was reset or restarted without stopping it.
    """


class AbruptEndFound(_Event, frozen=True, tag="abrupt_end_found"):
    """The controller was not stopped when it last ended, and the host ran on."""


# --- Wagers ------------------------------------------------------------------


class WagerPlaced(_Event, frozen=True, tag="wager_placed"):
    """The wager on a spot is now this much; 0 when the circle was cleared."""

    seat: int
    spot: int
    amount_cents: int


class BetsClosed(_Event, frozen=True, tag="bets_closed"):
    """DEAL: the wagers are committed and the round begins.

    `ruleset_digest` names the rules that it is played by (VAR), so that the round's
    own records prove them; empty in journals of earlier versions.
    """

    VERSION: ClassVar[int] = 2

    round: int
    wagers: tuple[Wager, ...]
    ruleset_digest: str


class WagerReduced(_Event, frozen=True, tag="wager_reduced"):
    """A wager over the maximum is honoured to it, the rest returned (LIMIT-MAX)."""

    spot: int
    seat: int
    honoured_cents: int
    returned_cents: int


class MinimumExplained(_Event, frozen=True, tag="minimum_explained"):
    """A wager under the minimum is honoured the first time (LIMIT-MIN)."""

    seat: int
    spot: int


class MinimumRefused(_Event, frozen=True, tag="minimum_refused"):
    """A wager under the minimum, not the first time: the hand is dead (LIMIT-MIN)."""

    seat: int
    spot: int


class WagerReturned(_Event, frozen=True, tag="wager_returned"):
    """A wager went back to the player undecided."""

    spot: int
    seat: int
    amount_cents: int


class DealListed(_Event, frozen=True, tag="deal_listed"):
    """The places that the next cards go to, in order."""

    places: tuple[Place, ...]


class DealUndone(_Event, frozen=True, tag="deal_undone"):
    """DEAL was taken back before the first card (UNDO)."""

    round: int
    wagers: tuple[Wager, ...]


# --- Cards -------------------------------------------------------------------


class CardDealt(_Event, frozen=True, tag="card_dealt"):
    """A card lies face up at a hand; `??` where its face could not be read.

    `by_decision`: a supervisor decided that it lies there, though none was due.
    """

    number: int
    hand: HandId
    card: Card
    salt: str = ""
    raw: str = ""
    by_decision: bool = False


class HoleCardDealt(_Event, frozen=True, tag="hole_card_dealt"):
    """The dealer's second card lies face down; only its commitment is known."""

    number: int
    commitment: str
    unread: bool = False


class HoleCardKeyed(_Event, frozen=True, tag="hole_card_keyed"):
    """The face of the hole card became known to the escrow, and to nobody else."""

    number: int
    commitment: str


class DealerPeeked(_Event, frozen=True, tag="dealer_peeked"):
    """The one bit that leaves a peek (PEEK)."""

    blackjack: bool


class HoleCardRevealed(_Event, frozen=True, tag="hole_card_revealed"):
    """The hole card is turned up; salt and raw bytes open its commitment (REVEAL)."""

    number: int
    card: Card
    salt: str = ""
    raw: str = ""


class CardDrawnInError(_Event, frozen=True, tag="card_drawn_in_error"):
    """A card left the shoe though none was due; shown to nobody.

    Or a decision left a card without a place: `card` is its face if all have seen it.
    """

    number: int
    commitment: str
    unread: bool = False
    card: Card = UNKNOWN


class CardIdentified(_Event, frozen=True, tag="card_identified"):
    """An unread card was read again or keyed, and plays where it lies."""

    number: int
    hand: HandId
    card: Card


class CardCorrected(_Event, frozen=True, tag="card_corrected"):
    """What lies at a hand is another card than the one that was read."""

    number: int
    hand: HandId
    was: Card
    card: Card


class CardBurned(_Event, frozen=True, tag="card_burned"):
    """A card went to the rack unplayed; `??` where nobody may see it yet (BURN)."""

    number: int
    card: Card = UNKNOWN
    commitment: str = ""
    salt: str = ""
    raw: str = ""


class CardDiscarded(_Event, frozen=True, tag="card_discarded"):
    """A card that may not be used went to the rack (IRR-6)."""

    number: int
    card: Card = UNKNOWN
    salt: str = ""
    raw: str = ""


class CardWithdrawn(_Event, frozen=True, tag="card_withdrawn"):
    """A reported card was never drawn (MISREAD).

    What nobody has seen stays sealed until the end of the shoe: an undecided card, or
    the hole card, whose commitment comes along.
    """

    VERSION: ClassVar[int] = 2

    number: int
    hand: HandId = NO_HAND
    commitment: str = ""


class CardHeld(_Event, frozen=True, tag="card_held"):
    """A card drawn in error lies face down and is dealt at the next need (IRR-7)."""

    number: int
    commitment: str


class CardOpened(_Event, frozen=True, tag="card_opened"):
    """A sealed card that was never played is opened with the end of its shoe."""

    number: int
    card: Card
    salt: str
    raw: str


class PlayTakenBack(_Event, frozen=True, tag="play_taken_back"):
    """What followed from a card is taken back; the first `kept` acts stand.

    The records that follow tell how it now goes on. `undone` names what no
    longer holds, in words.
    """

    kept: int
    undone: tuple[str, ...]


# --- Insurance ---------------------------------------------------------------


class InsuranceOpened(_Event, frozen=True, tag="insurance_opened"):
    """All seats with a wager are asked at once (INS)."""

    seats: tuple[int, ...]


class InsuranceTaken(_Event, frozen=True, tag="insurance_taken"):
    """A seat insures; the amount covers all of its spots."""

    seat: int
    amount_cents: int


class InsuranceDeclined(_Event, frozen=True, tag="insurance_declined"):
    """A seat passes, or had not answered when the dealer closed."""

    seat: int
    by_closing: bool = False


class InsuranceClosed(_Event, frozen=True, tag="insurance_closed"):
    """No more insurance is taken."""


class InsuranceSettled(_Event, frozen=True, tag="insurance_settled"):
    """An insurance wager is paid, taken or returned."""

    seat: int
    result: InsuranceResult
    net_cents: int


# --- Play --------------------------------------------------------------------


class PlayOpened(_Event, frozen=True, tag="play_opened"):
    """The players act from now on, one hand at a time (ORDER)."""


class TurnPassed(_Event, frozen=True, tag="turn_passed"):
    """Whose turn begins; `dealer` after the last player."""

    hand: HandId


class PressAccepted(_Event, frozen=True, tag="press_accepted"):
    """A press answered its prompt."""

    seat: int
    button: Button
    prompt: int
    hand: HandId = NO_HAND
    by_dealer: bool = False


class PressRefused(_Event, frozen=True, tag="press_refused"):
    """A press changed nothing, and why."""

    seat: int
    button: Button
    prompt: int
    reason: Reason
    by_dealer: bool = False


class CardAsked(_Event, frozen=True, tag="card_asked"):
    """HIT: one card is due at this hand."""

    hand: HandId


class HandStood(_Event, frozen=True, tag="hand_stood"):
    """STAND."""

    hand: HandId


class HandDoubled(_Event, frozen=True, tag="hand_doubled"):
    """DOUBLE: the wager is doubled and exactly one card is due."""

    hand: HandId
    wager_cents: int


class HandSplit(_Event, frozen=True, tag="hand_split"):
    """SPLIT: two hands with an equal wager; later numbers move up."""

    hand: HandId
    wager_cents: int


class HandSurrendered(_Event, frozen=True, tag="hand_surrendered"):
    """SURRENDER: half the wager back."""

    hand: HandId


class PlayerAsked(_Event, frozen=True, tag="player_asked"):
    """The player has been silent for `ask_after_s`; the dealer asks (PLAY-3)."""

    seat: int
    hand: HandId


class MoveOnAllowed(_Event, frozen=True, tag="move_on_allowed"):
    """The dealer may press NEXT (PLAY-3)."""

    seat: int
    hand: HandId


class PlayerPassedOver(_Event, frozen=True, tag="player_passed_over"):
    """The dealer moved on; the hand stands as it is (PLAY-3)."""

    seat: int
    hand: HandId


class HandBusted(_Event, frozen=True, tag="hand_busted"):
    """A hand went over 21."""

    hand: HandId
    points: int


class ChoiceOffered(_Event, frozen=True, tag="choice_offered"):
    """The player of this hand chooses what becomes of it (IRR-4)."""

    hand: HandId


class ChoiceMade(_Event, frozen=True, tag="choice_made"):
    """What the player chose: STAND, PASS (a push), or HIT (acts again later)."""

    hand: HandId
    button: Button
    passed_over: bool = False


class CompletedAsDealt(_Event, frozen=True, tag="completed_as_dealt"):
    """A hand is complete by decision (IRR-4)."""

    hand: HandId


class CardOffered(_Event, frozen=True, tag="card_offered"):
    """An exposed card is offered to the hands still to act, in order (IRR-8)."""

    number: int
    card: Card
    salt: str = ""
    raw: str = ""


class OfferRefused(_Event, frozen=True, tag="offer_refused"):
    """A hand refused the offered card and takes no more cards this round."""

    hand: HandId
    passed_over: bool = False


class OfferAccepted(_Event, frozen=True, tag="offer_accepted"):
    """A hand took the offered card."""

    hand: HandId


# --- The end of a round ------------------------------------------------------


class DealerTurnBegan(_Event, frozen=True, tag="dealer_turn_began"):
    """The players are done; the dealer's hand is played."""


class DealerDraws(_Event, frozen=True, tag="dealer_draws"):
    """One card is due at the dealer's hand (DRAW-2)."""


class HandVoided(_Event, frozen=True, tag="hand_voided"):
    """A hand is ended by decision: a push, dead, or void."""

    hand: HandId
    outcome: Outcome


class HandSettled(_Event, frozen=True, tag="hand_settled"):
    """A wager was paid, taken or returned; `net_cents` as the player sees it."""

    hand: HandId
    outcome: Outcome
    net_cents: int


class HandPickedUp(_Event, frozen=True, tag="hand_picked_up"):
    """A hand's cards went to the rack, in the order dealt."""

    hand: HandId
    cards: tuple[Card, ...]


class RoundSettled(_Event, frozen=True, tag="round_settled"):
    """Every wager of the round is settled."""


class RoundClosed(_Event, frozen=True, tag="round_closed"):
    """The pickup is complete; the next round's bets are open."""

    round: int
    net_cents: int
    cards: int


# --- Prompts -----------------------------------------------------------------


class PromptsChanged(_Event, frozen=True, tag="prompts_changed"):
    """What some seats may press from now on; seat 0 is the dealer's panel."""

    prompts: tuple[Prompt, ...]


# --- Cash --------------------------------------------------------------------


class CashMoved(_Event, frozen=True, tag="cash_moved"):
    """Cash was spread, stated or changed into chips (CASH)."""

    seat: int
    step: CashStep
    amount_cents: int


class CashDropped(_Event, frozen=True, tag="cash_dropped"):
    """The cash went to the drop box; the transaction is complete (CASH)."""

    seat: int
    amount_cents: int


class CashReturned(_Event, frozen=True, tag="cash_returned"):
    """The cash went back to the player; the transaction is ended (CASH)."""

    seat: int
    amount_cents: int


# --- Shoe and panels ---------------------------------------------------------


class ShoeChanged(_Event, frozen=True, tag="shoe_changed"):
    """The shoe told something that changes what may be done with it."""

    sign: ShoeSign


class ShoeRemarked(_Event, frozen=True, tag="shoe_remarked"):
    """A shoe that prints lines said something that is no card, or nothing sure.

    It shows as a notice until the next bets are closed.
    """

    remark: ShoeRemark
    words: str = ""


class ShoeShuffled(_Event, frozen=True, tag="shoe_shuffled"):
    """All racked cards are back in the shoe; `count` as the shoe told it, -1: none.

    `differs` says that the count is not what the record expects (PICKUP-2).
    """

    count: int
    differs: bool = False


class ShoeReplaced(_Event, frozen=True, tag="shoe_replaced"):
    """Another shoe; what the old one was short or over by, card by card (SHOE)."""

    decks: int
    short: dict[Card, int]
    over: dict[Card, int]


class CardReturned(_Event, frozen=True, tag="card_returned"):
    """The shoe took back a racked card (PICKUP-2)."""

    card: Card


class CardNumbersMissing(_Event, frozen=True, tag="card_numbers_missing"):
    """Cards left the shoe while it was out of sight (POSITION)."""

    first: int
    last: int


class UnseenCardNumbered(_Event, frozen=True, tag="unseen_card_numbered"):
    """A card left the shoe while it was out of sight and gets a number of ours.

    The shoe's own numbers run one further behind from here on.
    """

    number: int


class CardWaiting(_Event, frozen=True, tag="card_waiting"):
    """The card that showed the gap waits until the missing ones are known."""

    number: int
    commitment: str
    unread: bool = False


class MissingCardKnown(_Event, frozen=True, tag="missing_card_known"):
    """A missing number is accounted for: a card lies there, or none was drawn."""

    number: int
    drawn: bool


class PanelLost(_Event, frozen=True, tag="panel_lost"):
    """A panel's link is gone; its seat is dark."""

    seat: int


class PanelBack(_Event, frozen=True, tag="panel_back"):
    """A panel's link is back; a leave for dealer's entry ends (PLAY-4)."""

    seat: int


class DealerEntryAllowed(_Event, frozen=True, tag="dealer_entry_allowed"):
    """The dealer may enter this seat's choices while its panel is lost (PLAY-4)."""

    seat: int


class ButtonStuck(_Event, frozen=True, tag="button_stuck"):
    """A button is held down and ignored."""

    seat: int
    button: str


class ButtonReleased(_Event, frozen=True, tag="button_released"):
    """A stuck button was released and counts again."""

    seat: int
    button: str


class PressesDropped(_Event, frozen=True, tag="presses_dropped"):
    """A panel had no place for presses; `total` of them since its boot."""

    seat: int
    total: int


class ClockStepped(_Event, frozen=True, tag="clock_stepped"):
    """The wall clock was set by `stepped_ms`; waits run on the monotonic one."""

    stepped_ms: int


class DiskNearlyFull(_Event, frozen=True, tag="disk_nearly_full"):
    """The journal's disk is nearly full; this round is the last one."""

    free_bytes: int


class DiskRoomy(_Event, frozen=True, tag="disk_roomy"):
    """There is room on the journal's disk again."""


class MirrorLost(_Event, frozen=True, tag="mirror_lost"):
    """The journal's mirror cannot be counted on; `sequence` is the last it holds."""

    fault: MirrorFault
    sequence: int


class MirrorBack(_Event, frozen=True, tag="mirror_back"):
    """The journal's mirror is whole again, or there shall be none any more."""


class EnclosureOpened(_Event, frozen=True, tag="enclosure_opened"):
    """The door of the enclosure is open, or the wire of its contact is cut."""


class EnclosureClosed(_Event, frozen=True, tag="enclosure_closed"):
    """The door of the enclosure is shut again."""


class KeySwitchTurned(_Event, frozen=True, tag="key_switch_turned"):
    """The key switch was turned. It unlocks a screen (`on`), and decides nothing."""

    on: bool


class PanelsSlow(_Event, frozen=True, tag="panels_slow"):
    """Panels that remember no press are looked at too seldom: short ones are lost."""

    scan_ms: int


class PanelsTimely(_Event, frozen=True, tag="panels_timely"):
    """The panels are looked at often enough again."""

    scan_ms: int


class ShoeAdopted(_Event, frozen=True, tag="shoe_adopted"):
    """A shoe that numbers its cards anew: its number + `card_offset` is ours."""

    boot_id: int
    event_number: int
    card_offset: int


class SealedCardsLost(_Event, frozen=True, tag="sealed_cards_lost"):
    """The escrow is gone: the faces of these cards are unread (MISREAD)."""

    numbers: tuple[int, ...]


class InternalFault(_Event, frozen=True, tag="internal_fault"):
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


# --- The computer ------------------------------------------------------------


class ComputerFaultFound(_Event, frozen=True, tag="computer_fault_found"):
    """The computer says that its supply, its speed or its clock's battery fails it."""

    fault: ComputerFault


class ComputerFaultEnded(_Event, frozen=True, tag="computer_fault_ended"):
    """The computer has not said so for a minute."""

    fault: ComputerFault


class UsbDevicesFound(_Event, frozen=True, tag="usb_devices_found"):
    """What was plugged in when the table first looked after a stop: its own devices."""

    devices: tuple[UsbDevice, ...]


class UsbDeviceInserted(_Event, frozen=True, tag="usb_device_inserted"):
    """A device was plugged in; `own`: one of the table's own, in its socket."""

    device: UsbDevice
    own: bool


class UsbDeviceRemoved(_Event, frozen=True, tag="usb_device_removed"):
    """A device has been away for a minute."""

    device: UsbDevice
    own: bool


# --- People ------------------------------------------------------------------


class PersonLoggedIn(_Event, frozen=True, tag="person_logged_in"):
    """Somebody is who they say: lines in their name count on that connection.

    `witness_to`: they only witness a decision of this person.
    """

    person: str
    role: Role
    peer_uid: int
    witness_to: str = ""


class LoginRefused(_Event, frozen=True, tag="login_refused"):
    """An id and a PIN did not let anybody in; `failures` in a row, with this one."""

    person: str
    role: Role
    peer_uid: int
    reason: Reason
    failures: int


class PersonLoggedOut(_Event, frozen=True, tag="person_logged_out"):
    """Lines in this person's name count no longer on that connection."""

    person: str
    role: Role
    peer_uid: int
    lapsed: bool = False


class LoginDelayLifted(_Event, frozen=True, tag="login_delay_lifted"):
    """Refused logins are no longer held against this person."""

    person: str
    lifted_by: str
    role: Role


# --- Test mode ------------------------------------------------------------------


class TestModeBegun(_Event, frozen=True, tag="test_mode_begun"):
    """Buttons and lamps are tried by hand: until it ends nothing pressed counts."""

    person: str
    role: Role


class TestModeEnded(_Event, frozen=True, tag="test_mode_ended"):
    """The table is as it was before the test mode; `person` is who ended it, if any."""

    why: EndOfTestMode
    person: str = ""


# --- The program itself ---------------------------------------------------------


class SoftwareChanged(_Event, frozen=True, tag="software_changed"):
    """What runs the table is not what was accepted last; `live`: this stops it."""

    changes: tuple[ComponentChange, ...]
    live: bool


class SoftwareAccepted(_Event, frozen=True, tag="software_accepted"):
    """From here on this is what runs the table, and later starts are held against it.

    A supervisor and a technician accepted it by name. Nobody did where a journal began
    with it, or where the table is a simulated one.
    """

    software: Software
    supervisor: str = ""
    technician: str = ""
    reason: str = ""


# --- Irregularities ----------------------------------------------------------


class IrregularityFound(_Event, frozen=True, tag="irregularity_found"):
    """Something is wrong; the supervisor is told."""

    irregularity: int
    kind: Kind
    hand: HandId = NO_HAND
    seat: int = 0
    number: int = 0
    words: str = ""


class TableSuspended(_Event, frozen=True, tag="table_suspended"):
    """All action lamps off, waits stopped, gate locked."""

    kind: Kind


class DecisionTaken(_Event, frozen=True, tag="decision_taken"):
    """A supervisor decided: what, who, why, under which clause."""

    command: str
    person: str
    clause: str
    reason: str = ""
    witness: str = ""
    hand: HandId = NO_HAND
    role: Role = Role.SUPERVISOR


class IrregularityCleared(_Event, frozen=True, tag="irregularity_cleared"):
    """The cause of an irregularity is gone."""

    irregularity: int
    kind: Kind


class TableResumed(_Event, frozen=True, tag="table_resumed"):
    """The table goes on where it was."""

    phase: Phase


Event = (
    JournalOpened
    | SigningKeySet
    | HeadSigned
    | RulesetSet
    | ShiftOpened
    | ShiftClosed
    | SeatOpened
    | TableStateRecorded
    | CommandRefused
    | ControlResumed
    | PowerLossFound
    | AbruptEndFound
    | WagerPlaced
    | BetsClosed
    | WagerReduced
    | MinimumExplained
    | MinimumRefused
    | WagerReturned
    | DealListed
    | DealUndone
    | CardDealt
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
    | InsuranceOpened
    | InsuranceTaken
    | InsuranceDeclined
    | InsuranceClosed
    | InsuranceSettled
    | PlayOpened
    | TurnPassed
    | PressAccepted
    | PressRefused
    | CardAsked
    | HandStood
    | HandDoubled
    | HandSplit
    | HandSurrendered
    | PlayerAsked
    | MoveOnAllowed
    | PlayerPassedOver
    | HandBusted
    | ChoiceOffered
    | ChoiceMade
    | CompletedAsDealt
    | CardOffered
    | OfferRefused
    | OfferAccepted
    | DealerTurnBegan
    | DealerDraws
    | HandVoided
    | HandSettled
    | HandPickedUp
    | RoundSettled
    | RoundClosed
    | PromptsChanged
    | CashMoved
    | CashDropped
    | CashReturned
    | ShoeChanged
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
    | ComputerFaultFound
    | ComputerFaultEnded
    | UsbDevicesFound
    | UsbDeviceInserted
    | UsbDeviceRemoved
    | PersonLoggedIn
    | LoginRefused
    | PersonLoggedOut
    | LoginDelayLifted
    | TestModeBegun
    | TestModeEnded
    | SoftwareChanged
    | SoftwareAccepted
    | IrregularityFound
    | TableSuspended
    | DecisionTaken
    | IrregularityCleared
    | TableResumed
)
