"""Around the table: clock, disks, enclosure, faults of the program."""

from controller.core.events.base import EventBase
from controller.core.ids import MirrorFault


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


class SealedCardsLost(EventBase, frozen=True, tag="sealed_cards_lost"):
    """The escrow is gone: the faces of these cards are unread (MISREAD).

    A `hole_card_keyed` of one of them is no act of its round any more (see
    `play_taken_back`).
    """

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


SurroundingsEvent = (
    ClockStepped
    | DiskNearlyFull
    | DiskRoomy
    | MirrorLost
    | MirrorBack
    | EnclosureOpened
    | EnclosureClosed
    | KeySwitchTurned
    | PanelsSlow
    | PanelsTimely
    | SealedCardsLost
    | InternalFault
)
