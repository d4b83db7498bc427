"""What the shoe reports."""

from controller.core.cards import UNKNOWN, Card
from controller.core.commands.base import CommandBase, Cursor
from controller.core.ids import ShoeRemark, ShoeSign


class ReportCard(CommandBase, frozen=True, tag="card_reported"):
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


class ReportReturn(CommandBase, frozen=True, tag="card_return_reported"):
    """The shoe took back a card that was picked up (PICKUP-2)."""

    card: Card
    raw: str = ""
    cursor: Cursor | None = None


class ReportShoe(CommandBase, frozen=True, tag="shoe_reported"):
    """The shoe tells something other than a card; `count` after a shuffle, -1: none."""

    sign: ShoeSign
    count: int = -1
    raw: str = ""
    cursor: Cursor | None = None


class ReportShoeState(CommandBase, frozen=True, tag="shoe_state_reported"):
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


class ReportGap(CommandBase, frozen=True, tag="shoe_gap_reported"):
    """Card numbers up to and with `last` are missing and cannot be given again."""

    last: int
    cursor: Cursor | None = None


class ReportRemark(CommandBase, frozen=True, tag="shoe_remark_reported"):
    """A shoe that prints lines said something that is no card, or nothing sure.

    `words` are its own code, how an unknown line begins, or why a line cannot be
    trusted; never what might be a face (SECRET-2).
    """

    remark: ShoeRemark
    words: str = ""
    cursor: Cursor | None = None


ShoeCommand = (
    ReportCard | ReportReturn | ReportShoe | ReportShoeState | ReportGap | ReportRemark
)
