"""Eight contacts that are looked at now and then: which closing is a press, of what.

A look shows levels at some moment between its question and its answer. Pure: times are
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
    """One answered question: which contacts were closed, and what was lit before it.

    `shown` was acknowledged by the module before the question was asked.
    """

    closed: int
    asked_at: float
    answered_at: float
    shown: Shown


class Closing(msgspec.Struct, frozen=True):
    """A press: which contact closed, and what was lit when it last was seen open."""

    place: int
    shown: Shown


class _Contact(msgspec.Struct):
    """One contact: its level as believed, since when, and what it was open under.

    `blocked` is a button that was down at the start.
    """

    closed: bool
    changed_at: float
    open_under: Shown
    blocked: bool


class Contacts:
    """The contacts of one module since it was first looked at."""

    def __init__(self) -> None:
        self._contacts: list[_Contact] = []

    @property
    def closed(self) -> int:
        """Which contacts are believed to be closed."""
        return sum(1 << place for place, one in enumerate(self._contacts) if one.closed)

    def forget(self) -> None:
        """Begin anew: what is down at the next look is held, not pressed."""
        self._contacts.clear()

    def doubt_lamps(self) -> None:
        """Let no press count that begins before the next look.

        The lamps may have been dark since the last one. The press is still told, so
        that it is refused with a reason.
        """
        for contact in self._contacts:
            contact.open_under = Shown(NO_PROMPT, contact.open_under.lamps)

    def take(self, look: Look) -> list[Closing]:
        """Return the presses that a look shows, in the order of the contacts."""
        if not self._contacts:
            self._contacts = [_at_start(look, place) for place in range(CONTACTS)]
            return []
        return [
            Closing(place, contact.open_under)
            for place, contact in enumerate(self._contacts)
            if _is_pressed(contact, look, is_closed=bool(look.closed >> place & 1))
        ]


def _at_start(look: Look, place: int) -> _Contact:
    closed = bool(look.closed >> place & 1)
    # Nothing moved that we saw, so the first change need not wait.
    since = look.asked_at - DEBOUNCE_S
    return _Contact(closed, since, look.shown, blocked=closed)


def _is_pressed(contact: _Contact, look: Look, *, is_closed: bool) -> bool:
    """Move a contact on to a look; return whether it was pressed before it."""
    if is_closed is contact.closed:
        if not is_closed:
            contact.open_under = look.shown
        return False
    if look.asked_at < contact.changed_at + DEBOUNCE_S:
        return False
    was_open_s = look.asked_at - contact.changed_at
    contact.closed, contact.changed_at = is_closed, look.answered_at
    if not is_closed:
        contact.open_under = look.shown
        return False
    if contact.blocked and was_open_s < UP_AFTER_START_S:
        return False
    contact.blocked = False
    return True
