"""What a hardware file says of a table that is wired to the pins of its computer.

A button and its lamp are two lines of a pin chip. Buttons that are never lit together
may be one: then both name the same two lines (docs/gpio.md).
"""

import enum
from typing import Annotated, Final

from msgspec import Meta, Struct, field

LINE_MAX: Final = 27
"""The last of the lines that a Raspberry Pi has on its header, as GPIO numbers them."""


class Pull(enum.StrEnum):
    """Which resistor inside the chip holds an open contact's line."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


class Active(enum.StrEnum):
    """At which level of its line something is pressed, lit or drawn."""

    LOW = "low"
    HIGH = "high"


Chip = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9][A-Za-z0-9._:-]{0,31}\Z",
        description="the label of a pin chip, such as pinctrl-rp1, as gpiodetect says",
    ),
]
OwnChip = Annotated[Chip | None, Meta(description="the label of the panel's own chip")]
Line = Annotated[
    int, Meta(ge=0, le=LINE_MAX, description=f"a line from 0 to {LINE_MAX}")
]
OptionalLine = Annotated[
    Line | None, Meta(description=f"a line from 0 to {LINE_MAX}, as GPIO numbers them")
]
ButtonPins = Annotated[
    tuple[Line, Line] | None,
    Meta(description=f"the lines of a button and its lamp, each from 0 to {LINE_MAX}"),
]
ActiveLevel = Annotated[Active, Meta(description='"low" or "high"')]


class SeatPins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The buttons of one seat, by what they do; `chip` where they have their own."""

    chip: OwnChip = None
    bet: ButtonPins = None
    clear: ButtonPins = None
    rebet: ButtonPins = None
    hit: ButtonPins = None
    stand: ButtonPins = None
    double: ButtonPins = None
    split: ButtonPins = None
    surrender: ButtonPins = None
    insure: ButtonPins = None
    pass_: ButtonPins = field(default=None, name="pass")


class DealerPins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer's buttons; what has none is said at the console."""

    chip: OwnChip = None
    deal: ButtonPins = None
    next: ButtonPins = None
    pickup: ButtonPins = None
    close_insurance: ButtonPins = None
    call: ButtonPins = None


class HousePins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What belongs to the table as a whole.

    `key_switch` is active while it is turned, `door` while the door is shut, so that a
    cut wire is an open door; both are wired like buttons. `table_lamp` is lit while the
    table is stopped. `shoe_gate` is the relay of a gate, drawn while a card is due.
    """

    chip: OwnChip = None
    key_switch: OptionalLine = None
    door: OptionalLine = None
    table_lamp: OptionalLine = None
    shoe_gate: OptionalLine = None


class PinBoard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All lines of a table; those of a panel without a `chip` are on the board's."""

    chip: Chip
    seats: Annotated[
        tuple[SeatPins, ...],
        Meta(description="a table [[pins.seats]] for each seat, seat 1 first"),
    ]
    dealer: DealerPins = DealerPins()
    house: HousePins = HousePins()
    button_pull: Annotated[Pull, Meta(description='"up", "down" or "none"')] = Pull.UP
    button_active: ActiveLevel = Active.LOW
    lamp_active: ActiveLevel = Active.HIGH
    gate_active: ActiveLevel = Active.HIGH
    lost_after_s: Annotated[
        float, Meta(ge=0.5, le=60, description="seconds from 0.5 to 60")
    ] = 2.0
