"""What a hardware file says of the wires between buttons and Modbus modules.

A button and its lamp are an input and a coil of the module. Buttons that are never lit
together may be one: then both name the same two (docs/protocol/modbus-panels.md).
"""

import enum
from typing import Annotated, Final

from msgspec import Meta, Struct, field

MODULE_CONTACTS: Final = 8
"""How many inputs and how many coils of a module are used."""


class Contact(enum.StrEnum):
    """Whether a button closes its contact when it is pressed, or opens it."""

    NORMALLY_OPEN = "normally-open"
    NORMALLY_CLOSED = "normally-closed"


_Number = Annotated[int, Meta(ge=1, le=MODULE_CONTACTS)]
_WORDS: Final = f"an input and its lamp's coil, each from 1 to {MODULE_CONTACTS}"
ModulePlaces = Annotated[tuple[_Number, _Number], Meta(description=_WORDS)]
OptionalPlaces = Annotated[tuple[_Number, _Number] | None, Meta(description=_WORDS)]
ContactKind = Annotated[
    Contact, Meta(description='"normally-open" or "normally-closed"')
]


class SeatWiring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The buttons of every seat by what they do; a seat has all of them."""

    bet: ModulePlaces
    clear: ModulePlaces
    rebet: ModulePlaces
    hit: ModulePlaces
    stand: ModulePlaces
    double: ModulePlaces
    split: ModulePlaces
    surrender: ModulePlaces
    insure: ModulePlaces
    pass_: ModulePlaces = field(name="pass")
    contacts: ContactKind = Contact.NORMALLY_OPEN


class DealerWiring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer's buttons; what has none is said at the console."""

    deal: OptionalPlaces = None
    next: OptionalPlaces = None
    pickup: OptionalPlaces = None
    close_insurance: OptionalPlaces = None
    call: OptionalPlaces = None
    contacts: ContactKind = Contact.NORMALLY_OPEN
