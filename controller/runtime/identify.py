"""Whose PIN it is: an id and what was typed, held against the list of people."""

from collections.abc import Mapping
from typing import Final

from controller.core.commands import Person
from controller.core.ids import Reason
from controller.runtime.people import Entry
from controller.runtime.pins import DECOY, Pin, is_right

STRANGER: Final = Person("")
"""Whoever is not listed: what they typed as an id may be anything, also a PIN."""


def identified(
    listed: Mapping[str, Entry], name: str, pin: Pin, decoy: str = DECOY
) -> tuple[Person, Reason | None]:
    """Return who this is, and why the PIN does not let them in, if it does not.

    Takes its time, the same whether the id or the PIN is wrong.
    """
    entry = listed.get(name)
    if entry is None:
        is_right(pin, decoy)
        return STRANGER, Reason.UNKNOWN_PERSON
    person = Person(name, entry.role)
    if not entry.pin:
        return person, Reason.NO_PIN
    return person, None if is_right(pin, entry.pin) else Reason.WRONG_PIN
