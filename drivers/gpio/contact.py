"""When a contact counts as pressed or released, whatever it does in between.

A contact bounces for some milliseconds, and long wires pick up short pulses. It comes
to rest at a level once it has stayed there for the shortest time that counts; its press
is then as old as the first edge of that unrest. Pure: what came of a trace of edges
does not depend on when anybody looked.
"""

from typing import Final

import msgspec
from msgspec.structs import replace


class ContactTiming(msgspec.Struct, frozen=True):
    """How long a level must last to count, in seconds, and how long unrest may last.

    Switches that are sold bounce for up to 6 ms, and a finger stays for 50 ms or more.
    A contact that takes longer than `restless_s` to come to rest is broken or wet.
    """

    press_s: float = 0.010
    release_s: float = 0.020
    restless_s: float = 1.0


TIMING: Final = ContactTiming()


class Contact(msgspec.Struct, frozen=True):
    """One contact: what counts, and what its line says.

    `is_down` is how it last came to rest, `level` what its line last said (True:
    pressed), since `level_since_s`. `restless_since_s` is the first edge since it was
    at rest, None while it is. With `is_guess` that edge was not seen, and may be later.
    """

    is_down: bool
    level: bool
    level_since_s: float
    restless_since_s: float | None = None
    is_guess: bool = False


class Settled(msgspec.Struct, frozen=True):
    """A contact came to rest where it was not before.

    `since_s` is the first edge of the unrest that ended so. `was_restless`: it took so
    long that nobody can say when it was pressed.
    """

    is_down: bool
    since_s: float
    was_restless: bool


Step = tuple[Contact, Settled | None]
"""The contact after something, and whether it came to rest in another place by then."""


def at_rest(level: bool, now: float) -> Contact:  # noqa: FBT001 - the level itself
    """Return a contact as it is found at the start: down then is not pressed."""
    return Contact(level, level, now)


def deadline(contact: Contact, timing: ContactTiming = TIMING) -> float | None:
    """Return when the contact comes to rest if its line stays as it is."""
    if contact.restless_since_s is None:
        return None
    lasts_s = timing.press_s if contact.level else timing.release_s
    return contact.level_since_s + lasts_s


def settle(contact: Contact, now: float, timing: ContactTiming = TIMING) -> Step:
    """Return the contact as of `now`, if no edge came since the last one."""
    due, began_s = deadline(contact, timing), contact.restless_since_s
    if began_s is None or due is None or now < due:
        return contact, None
    calm = Contact(contact.level, contact.level, contact.level_since_s)
    if contact.level == contact.is_down:
        return calm, None  # It bounced, or a pulse passed: nothing has happened.
    restless = contact.level_since_s - began_s > timing.restless_s
    return calm, Settled(contact.level, began_s, restless)


def edge(
    contact: Contact,
    level: bool,  # noqa: FBT001 - the level itself
    at: float,
    timing: ContactTiming = TIMING,
) -> Step:
    """Return the contact after its line went to a level at a time."""
    before, settled = settle(contact, at, timing)
    if level != before.level:
        return _turned(before, level, at, at), settled
    began_s = before.restless_since_s
    if before.is_guess and began_s is not None and began_s <= at < before.level_since_s:
        # The edge that a sample was faster than says when it really was.
        return replace(before, restless_since_s=at, is_guess=False), settled
    return before, settled


def sample(
    contact: Contact,
    level: bool,  # noqa: FBT001 - the level itself
    known_since_s: float,
    now: float,
    timing: ContactTiming = TIMING,
) -> Step:
    """Return the contact after its line was looked at; it mends a lost or late edge.

    What the look contradicts has not lasted, whatever the edges said. All edges up to
    `known_since_s` are known. A press that only a sample shows may be as old as that:
    in doubt it is for the older prompt, which refuses it.
    """
    if level == contact.level:
        return settle(contact, now, timing)
    earliest_s = max(known_since_s, contact.level_since_s)
    turned = _turned(contact, level, now, earliest_s)
    guessed = contact.restless_since_s is None or contact.is_guess
    return replace(turned, is_guess=guessed), None


def counts_as_down(
    contact: Contact, now: float, timing: ContactTiming = TIMING
) -> bool:
    """Return whether a button is held, or its contact does not come to rest at all."""
    began_s = contact.restless_since_s
    return contact.is_down or (
        began_s is not None and now - began_s > timing.restless_s
    )


def _turned(contact: Contact, level: bool, at: float, began_s: float) -> Contact:  # noqa: FBT001 - the level itself
    """Return the contact with its line at another level; times never go back."""
    if contact.restless_since_s is not None:
        began_s = contact.restless_since_s
    since_s = max(at, contact.level_since_s)
    return replace(
        contact, level=level, level_since_s=since_s, restless_since_s=began_s
    )
