"""What host and panels say to each other.

Source: docs/protocol/panel.md.
"""

import enum
from collections.abc import Iterable
from typing import Final

import msgspec

from drivers.identity import Identify, Identity

PRESSES_HELD_MAX: Final = 4
AGE_MAX_MS: Final = 0xFFFF
NO_PROMPT: Final = 0


class Button(enum.Enum):
    """A button and the lamp in it; the words are those of scenarios."""

    BET = "bet"
    CLEAR = "clear"
    REBET = "rebet"
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    PASS = "pass"  # noqa: S105 - the button of that name, no password
    DEAL = "deal"
    NEXT = "next"
    PICKUP = "pickup"
    CLOSE_INSURANCE = "close-insurance"
    CALL = "call"


DEALER_BUTTONS: Final = frozenset(
    {
        Button.DEAL,
        Button.NEXT,
        Button.PICKUP,
        Button.CLOSE_INSURANCE,
        Button.CALL,
    }
)
SEAT_BUTTONS: Final = frozenset(Button) - DEALER_BUTTONS


def buttons_named(names: Iterable[str]) -> tuple[Button, ...]:
    """Return the buttons that keys of a hardware file name: `close_insurance`."""
    return tuple(Button(name.replace("_", "-")) for name in names)


class Poll(msgspec.Struct, frozen=True, tag="poll"):
    """Host to panel: show these lamps, and tell me what was pressed.

    `prompt_number` is what the lamps belong to, 0 for none. `taken_number` is the
    last press that was taken of the panel's boot id `taken_boot_id`; both are 0
    before the first.
    """

    prompt_number: int
    lamps: frozenset[Button]
    taken_boot_id: int
    taken_number: int


class Press(msgspec.Struct, frozen=True):
    """One press that waits in a panel to be taken.

    `number` counts from 1 in each boot id. `prompt_number` is the prompt that the
    panel showed, 0 if it was dark. `age_ms` is how long ago it was, when the report
    was made (65535: that or longer). `amount_cents` is 0 for none. `spot` is 0 for
    the seat's own.
    """

    number: int
    button: Button
    prompt_number: int
    age_ms: int = 0
    amount_cents: int = 0
    spot: int = 0


class Report(msgspec.Struct, frozen=True, tag="report"):
    """Panel to host: the answer to a poll.

    `acknowledged` is the last press that the panel was told is taken. `dropped`
    counts the presses that found all four places full since the boot id began;
    it wraps at 65536. `presses` are those that wait, oldest first, at most four.
    """

    boot_id: int
    acknowledged: int
    held: frozenset[Button] = frozenset()
    dropped: int = 0
    presses: tuple[Press, ...] = ()


HostMessage = Identify | Poll
PanelMessage = Identity | Report
Message = HostMessage | PanelMessage
