"""The words of expectations and traces that the core has no names for."""

from enum import Enum


class Gate(Enum):
    """The gate of the shoe: open exactly while a card is due."""

    OPEN = "open"
    LOCKED = "locked"


class Staff(Enum):
    """Whom of the staff a notice is for; a seat's notices go by its number."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
