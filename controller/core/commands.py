"""What comes in from people, panels, shoe and clock.

A command is recorded under its past participle (its tag), first of the records
it causes, so that the journal is the whole input of the table. A command that
carries a card not yet public is recorded with `??` and without its secret
fields; `controller.core.secrets` makes that public form.
"""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from controller.core.cards import UNKNOWN, Card
from controller.core.computer import UsbDevice
from controller.core.decisions import Decision
from controller.core.ids import (
    Button,
    CashStep,
    ComputerFault,
    DealerButton,
    Direction,
    EndOfTestMode,
    HouseInput,
    Kind,
    MirrorFault,
    Reason,
    Role,
    ShoeRemark,
    ShoeSign,
    Stage,
)
from controller.core.software import Software

Amount = Annotated[int, Meta(ge=0, le=10**12)]


class Person(msgspec.Struct, frozen=True):
    """Who gives a command, and the role that the runtime vouches for."""

    id: str
    role: Role = Role.UNKNOWN


class Cursor(msgspec.Struct, frozen=True):
    """How far a device's reports have been taken: its boot id and last number.

    `taken` means decided: accepted or refused, but decided once.
    """

    boot_id: int = 0
    number: int = 0


class _Command(msgspec.Struct, frozen=True, kw_only=True):
    VERSION: ClassVar[int] = 1


class _Entered(_Command, frozen=True, kw_only=True):
    """What the dealer does at the table; much of it may be entered as a line too.

    `entered_by` is who was logged in where the line was entered; empty where nobody
    needs to log in, and for what a panel says.
    """

    entered_by: str = ""


class OpenShift(_Entered, frozen=True, tag="shift_open_asked"):
    """A dealer comes to the table and says which way they pick up."""

    dealer: Person
    direction: Direction


class CloseShift(_Entered, frozen=True, tag="shift_close_asked"):
    """The dealer leaves the table."""


class PressButton(_Command, frozen=True, tag="button_pressed"):
    """A player pressed a button of their panel.

    `number` counts the panel's presses since its boot, `prompt` is the number of
    the prompt that the panel was showing. `amount_cents` 0 means none was given
    but for BET, where `with_amount` tells 0 from none.
    """

    seat: int
    button: Button
    prompt: int
    boot_id: int = 0
    number: int = 0
    amount_cents: Amount = 0
    with_amount: bool = False
    spot: int = 0
    age_ms: int = 0


class PressDealerButton(_Entered, frozen=True, tag="dealer_button_pressed"):
    """The dealer pressed a button of the dealer's panel, or said so at the console.

    `prompt` is the number of the dealer's prompt shown, 0 where the way it came
    by shows none.
    """

    button: DealerButton
    prompt: int = 0
    boot_id: int = 0
    number: int = 0
    words: str = ""


class ReportStrayPress(_Command, frozen=True, tag="stray_press_reported"):
    """A panel sent a press of a button that such a panel does not have.

    `number` counts the panel's presses since its boot; seat 0 is the dealer's panel.
    """

    seat: int
    button: str
    boot_id: int
    number: int


class UndoDeal(_Entered, frozen=True, tag="undo_deal_asked"):
    """The dealer takes DEAL back before the first card (UNDO)."""


class OpenSeat(_Entered, frozen=True, tag="seat_open_asked"):
    """A new player takes a seat (LIMIT-MIN)."""

    seat: int


class ClarifyChoice(_Entered, frozen=True, tag="choice_clarified"):
    """The dealer enters the choice of a player whose panel is lost (PLAY-4)."""

    seat: int
    button: Button


class MoveCash(_Entered, frozen=True, tag="cash_step_reported"):
    """One step of accepting cash (CASH)."""

    seat: int
    step: CashStep
    amount_cents: Amount = 0


class ReportCard(_Command, frozen=True, tag="card_reported"):
    """The shoe read a card at its exit.

    `card` is the face; where it may not be public yet, the record has `??` and
    `commitment`, and salt and raw bytes go to the escrow. `unread` cards have no
    face at all.
    """

    number: int
    card: Card = UNKNOWN
    unread: bool = False
    commitment: str = ""
    salt: str = ""
    raw: str = ""
    cursor: Cursor | None = None


class ReportReturn(_Command, frozen=True, tag="card_return_reported"):
    """The shoe took back a card that was picked up (PICKUP-2)."""

    card: Card
    raw: str = ""
    cursor: Cursor | None = None


class ReportShoe(_Command, frozen=True, tag="shoe_reported"):
    """The shoe tells something other than a card; `count` after a shuffle, -1: none."""

    sign: ShoeSign
    count: int = -1
    raw: str = ""
    cursor: Cursor | None = None


class ReportShoeState(_Command, frozen=True, tag="shoe_state_reported"):
    """How the shoe stands, said when it is found and when that changed.

    `next_card` is the shoe's own number of its next card, `event_number` the last of
    its events that was taken under this boot id.
    """

    boot_id: int
    event_number: int
    next_card: int
    lid_open: bool = False
    jammed: bool = False
    empty: bool = False
    cut_card_out: bool = False


class ReportGap(_Command, frozen=True, tag="shoe_gap_reported"):
    """Card numbers up to and with `last` are missing and cannot be given again."""

    last: int
    cursor: Cursor | None = None


class ReportRemark(_Command, frozen=True, tag="shoe_remark_reported"):
    """A shoe that prints lines said something that is no card, or nothing sure.

    `words` are its own code, how an unknown line begins, or why a line cannot be
    trusted; never what might be a face (SECRET-2).
    """

    remark: ShoeRemark
    words: str = ""
    cursor: Cursor | None = None


class ReportPanel(_Command, frozen=True, tag="panel_link_reported"):
    """A panel's link was lost or is back; seat 0 is the dealer's panel."""

    seat: int
    lost: bool


class AdoptPanel(_Command, frozen=True, tag="panel_adopted"):
    """A new journal meets a panel that an earlier one served: it begins after that."""

    seat: int
    boot_id: int
    number: int


class ReportStuckButton(_Command, frozen=True, tag="stuck_button_reported"):
    """A button is held since its panel's start, or too long; or was released."""

    seat: int
    button: str
    stuck: bool


class ReportDrops(_Command, frozen=True, tag="dropped_presses_reported"):
    """A panel had no place for presses; `total` counts them since its boot."""

    seat: int
    total: int


class TakeDecision(_Command, frozen=True, tag="decision_given"):
    """A supervisor decides. `salt` and `commitment` as in `ReportCard`."""

    person: Person
    decision: Decision
    reason: str = ""
    witness: Person | None = None
    commitment: str = ""
    salt: str = ""


class ReportLogin(_Command, frozen=True, tag="login_reported"):
    """Somebody gave an id and a PIN; the runtime checked them, nobody else does.

    `refused` is why they did not log in, None where they did. `person.id` is empty
    where nobody of that id is listed: what was typed there may be anything, a PIN
    too. `witness_to` is whose decisions they came to witness, empty: nobody's.
    `peer_uid` is the user of the machine whose program asked.
    """

    person: Person
    peer_uid: int
    witness_to: str = ""
    refused: Reason | None = None


class ReportLogout(_Command, frozen=True, tag="logout_reported"):
    """Somebody left, or said nothing for so long that the login lapsed."""

    person: Person
    peer_uid: int
    lapsed: bool = False


class LiftDelay(_Command, frozen=True, tag="login_lift_asked"):
    """A supervisor or technician lets somebody try a PIN again at once."""

    person: Person
    of: str


class TurnAway(_Command, frozen=True, tag="line_turned_away"):
    """Somebody who is logged in said a line that is not theirs to say.

    `command` is its name alone: what else the line held is not for the record.
    """

    person: Person
    peer_uid: int
    command: str
    reason: Reason
    because: str = ""


class BeginTestMode(_Command, frozen=True, tag="test_mode_asked"):
    """Somebody wants to try buttons and lamps by hand at a table that runs."""

    person: Person


class EndTestMode(_Command, frozen=True, tag="test_mode_end_asked"):
    """Somebody ends the test mode, or the program that began it is gone or silent."""

    why: EndOfTestMode
    person: Person | None = None


class TryButton(_Command, frozen=True, tag="button_tried"):
    """A panel's press while buttons are tried by hand: taken, and nothing else.

    `number` counts the panel's presses since its boot; seat 0 is the dealer's panel.
    """

    seat: int
    button: str
    prompt: int
    boot_id: int
    number: int


class ReachTime(_Command, frozen=True, tag="time_reached"):
    """A stage of waiting is over (PLAY-3)."""

    wait: int
    stage: Stage


class ReportFault(_Command, frozen=True, tag="fault_reported"):
    """The process around the core found a fault of a kind that suspends."""

    kind: Kind
    words: str


class ReportDisk(_Command, frozen=True, tag="disk_reported"):
    """The disk of the journal is nearly full, or is so no longer."""

    nearly_full: bool
    free_bytes: int


class ReportMirror(_Command, frozen=True, tag="mirror_reported"):
    """How the copy of the journal on the second device fares; no fault: it is good.

    `sequence` is the last record that it is known to hold, 0: none.
    """

    fault: MirrorFault | None
    sequence: int


class ReportHouseInput(_Command, frozen=True, tag="house_input_reported"):
    """How a contact of the table stands; `active`: key turned, or door shut."""

    house_input: HouseInput
    active: bool


class ReportScan(_Command, frozen=True, tag="scan_reported"):
    """Panels that remember no press are looked at too seldom (`slow`), or no more.

    `scan_ms` is how long they waited from look to look in the last second.
    """

    slow: bool
    scan_ms: int


class ReportClockStep(_Command, frozen=True, tag="clock_step_reported"):
    """The wall clock was set by `stepped_ms`, forward or (negative) back."""

    stepped_ms: int


class ReportComputer(_Command, frozen=True, tag="computer_reported"):
    """The computer says that something is not as it should be (`present`), or is."""

    fault: ComputerFault
    present: bool


class ReportUsb(_Command, frozen=True, tag="usb_reported"):
    """What is plugged into the computer's USB ports: all of it."""

    devices: tuple[UsbDevice, ...]


class ResumeControl(_Command, frozen=True, tag="control_resumed"):
    """The controller was started on an existing journal (power cut, restart).

    Waits start their running stage anew. The fields say what went on, as in
    `JournalOpened`; `boot_id` is the boot of the host, which tells a power loss from
    an end of the process alone.
    """

    VERSION: ClassVar[int] = 2

    software: str = ""
    code_digest: str = ""
    hardware: str = ""
    time_zone: str = ""
    boot_id: str = ""


class StopControl(_Command, frozen=True, tag="control_stopped"):
    """The controller was stopped, and ended in good order: nothing comes after this."""


class ReportSelfTest(_Command, frozen=True, tag="self_test_reported"):
    """What runs the table was looked at, before anything is driven.

    `live`: the table is a live one, which does not play by what was not accepted.
    """

    software: Software
    live: bool


class AcceptSoftware(_Command, frozen=True, tag="software_accept_asked"):
    """A supervisor and a technician accept what the last self-test found.

    `digest` is the one over all parts that was shown to them.
    """

    supervisor: Person
    technician: Person
    digest: str
    reason: str


Command = (
    OpenShift
    | CloseShift
    | PressButton
    | PressDealerButton
    | ReportStrayPress
    | UndoDeal
    | OpenSeat
    | ClarifyChoice
    | MoveCash
    | ReportCard
    | ReportReturn
    | ReportShoe
    | ReportShoeState
    | ReportGap
    | ReportRemark
    | ReportPanel
    | AdoptPanel
    | ReportStuckButton
    | ReportDrops
    | TakeDecision
    | ReportLogin
    | ReportLogout
    | LiftDelay
    | TurnAway
    | BeginTestMode
    | EndTestMode
    | TryButton
    | ReachTime
    | ReportFault
    | ReportDisk
    | ReportMirror
    | ReportHouseInput
    | ReportScan
    | ReportClockStep
    | ReportComputer
    | ReportUsb
    | ResumeControl
    | StopControl
    | ReportSelfTest
    | AcceptSoftware
)
