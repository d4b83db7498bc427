"""The table, its shifts and rules."""

from typing import ClassVar, Literal

import msgspec

from controller.core.events.base import EventBase
from controller.core.ids import Direction, Phase, Reason
from controller.core.rules import Rules
from controller.core.state import Insurance, TableState, Wager


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


class JournalOpened(EventBase, frozen=True, tag="journal_opened"):
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


class SigningKeySet(EventBase, frozen=True, tag="signing_key_set"):
    """From here on the journal's heads are signed by this key.

    `key` is the public key's line, `note` the same as a text signed by the key before
    it; the first key has signed itself.
    """

    key: str
    note: str


class HeadSigned(EventBase, frozen=True, tag="head_signed"):
    """The chain up to the record before this one, signed by the table: a note."""

    note: str


class RulesetSet(EventBase, frozen=True, tag="ruleset_set"):
    """Other rules are in force from the next round on (VAR)."""

    rules: Rules


class ShiftOpened(EventBase, frozen=True, tag="shift_opened"):
    """A dealer's stay begins; the direction of the pickup is fixed."""

    shift: int
    dealer: str
    direction: Direction


class ShiftClosed(EventBase, frozen=True, tag="shift_closed"):
    """A dealer's stay ends."""

    shift: int


class SeatOpened(EventBase, frozen=True, tag="seat_opened"):
    """A new player sits here; nothing is held against the seat any more."""

    seat: int


class TableStateRecorded(EventBase, frozen=True, tag="table_state"):
    """The whole state between rounds; a start folds from here."""

    state: TableState


class CommandRefused(EventBase, frozen=True, tag="command_refused"):
    """A dealer's or supervisor's command changed nothing, and why."""

    command: str
    reason: Reason
    person: str = ""
    because: str = ""


class ControlResumed(EventBase, frozen=True, tag="table_recovered"):
    """The controller goes on from its journal; waits start their stage anew."""

    phase: Phase


class PowerLossFound(EventBase, frozen=True, tag="power_loss_found"):
    """The controller was not stopped when it last ended, and the host began anew since.

    The power failed, or the host was reset or restarted without stopping it.
    """


class AbruptEndFound(EventBase, frozen=True, tag="abrupt_end_found"):
    """The controller was not stopped when it last ended, and the host ran on."""


TableEvent = (
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
)
