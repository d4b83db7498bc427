"""What each make of line shoe prints, as data.

A line that fits no form of its profile is unknown: two makes may print the same bytes
and mean other cards, so nothing is tried that the profile does not say.
"""

import enum
from typing import Final

import msgspec

from hw_config.schema import ShoeProfile


class FaceOrder(enum.Enum):
    """How a card's face is written; a shoe writes it in one way only."""

    RANK_SUIT = "rank, then suit"
    SUIT_RANK = "suit, then rank"


class Form(msgspec.Struct, frozen=True):
    """What stands before and after the part of a line that changes."""

    head: str
    tail: str


class LineProfile(msgspec.Struct, frozen=True, kw_only=True):
    """All that one make of shoe prints, and how long a line can be.

    `unread` are whole lines. Of an alarm or a warning only its code is taken: what
    follows the code is free text, and might name a card. An alarm of `unread_code`
    tells of a card as well: where it is no line of `unread`, it is unknown.
    """

    line_max_bytes: int
    order: FaceOrder
    cards: tuple[Form, ...]
    unread: tuple[str, ...]
    unread_code: str
    alarms: tuple[Form, ...]
    warnings: tuple[Form, ...]


BEETEK: Final = LineProfile(
    line_max_bytes=64,
    order=FaceOrder.RANK_SUIT,
    cards=(
        Form("[Game]<Card:", ">"),
        Form("[Manual Burn Cards]<Card:", ">"),
    ),
    unread=(
        "[Game]<Game>",
        "[Manual Burn Cards]<Game>",
        "[Game]<Alarm:E3 Card Not Read>",
        "[GameAlarm]<Alarm:E3 Card Not Read>",
        "[Manual Burn Cards]<Alarm:E3 Card Not Read>",
    ),
    unread_code="E3",
    alarms=(
        Form("[Game]<Alarm:", ">"),
        Form("[GameAlarm]<Alarm:", ">"),
        Form("[Manual Burn Cards]<Alarm:", ">"),
    ),
    warnings=(Form("<W0x", ">"),),
)
"""As known from public integrators' code, not from a vendor's document."""

PROFILES: Final = {ShoeProfile.BEETEK: BEETEK}
