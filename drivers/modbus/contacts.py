"""Eight buttons that are looked at now and then: which push is a press, of what.

A look shows levels at some moment between its question and its answer. Whether a
button that is down closes its contact or opens it, its wiring knows. Pure: times are
arguments, in monotonic seconds. Source: docs/protocol/modbus-panels.md, Presses.
"""

from typing import Final

import msgspec

from drivers.modbus.messages import CONTACTS
from drivers.panel.messages import NO_PROMPT, Button

DEBOUNCE_S: Final = 0.02
"""A contact that has changed is not believed for this long: it may still bounce."""

UP_AFTER_START_S: Final = 1.0
"""A button that is down at the start counts only once it was up this long."""


class Shown(msgspec.Struct, frozen=True):
    """What a module's lamps show, and the prompt that it is for (0: none)."""

    prompt_number: int = NO_PROMPT
    lamps: frozenset[Button] = frozenset()


class Look(msgspec.Struct, frozen=True):
    """One answered question: which buttons were down, and what was lit before it.

    `shown` was acknowledged by the module before the question was asked.
    """

    down: int
    asked_at: float
    answered_at: float
    shown: Shown


class Pushed(msgspec.Struct, frozen=True):
    """A press: at which input, and what was lit when the button last was seen up."""

    place: int
    shown: Shown


class _Contact(msgspec.Struct):
    """One button: whether it is believed down, since when, and what it was up under.

    `blocked` is a button that was down at the start.
    """

    down: bool
    changed_at: float
    up_under: Shown
    blocked: bool


class Contacts:
    """The buttons of one module since it was first looked at."""

    def __init__(self) -> None:
        self._contacts: list[_Contact] = []

    @property
    def down(self) -> int:
        """At which inputs a button is believed to be down."""
        return sum(1 << place for place, one in enumerate(self._contacts) if one.down)

    def forget(self) -> None:
        """Begin anew: what is down at the next look is held, not pressed."""
        self._contacts.clear()

    def doubt_lamps(self) -> None:
        """Let no press count that begins before the next look.

        The lamps may have been dark since the last one. The press is still told, so
        that it is refused with a reason.
        """
        for contact in self._contacts:
            contact.up_under = Shown(NO_PROMPT, contact.up_under.lamps)

    def take(self, look: Look) -> list[Pushed]:
        """Return the presses that a look shows, in the order of the contacts."""
        if not self._contacts:
            self._contacts = [_at_start(look, place) for place in range(CONTACTS)]
            return []
        return [
            Pushed(place, contact.up_under)
            for place, contact in enumerate(self._contacts)
            if _is_pressed(contact, look, is_down=bool(look.down >> place & 1))
        ]


def _at_start(look: Look, place: int) -> _Contact:
    down = bool(look.down >> place & 1)
    # Nothing moved that we saw, so the first change need not wait.
    since = look.asked_at - DEBOUNCE_S
    return _Contact(down, since, look.shown, blocked=down)


def _is_pressed(contact: _Contact, look: Look, *, is_down: bool) -> bool:
    """Move a contact on to a look; return whether it was pressed before it."""
    if is_down is contact.down:
        if not is_down:
            contact.up_under = look.shown
        return False
    if look.asked_at < contact.changed_at + DEBOUNCE_S:
        return False
    was_up_s = look.asked_at - contact.changed_at
    contact.down, contact.changed_at = is_down, look.answered_at
    if not is_down:
        contact.up_under = look.shown
        return False
    if contact.blocked and was_up_s < UP_AFTER_START_S:
        return False
    contact.blocked = False
    return True
