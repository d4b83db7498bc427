"""Which program runs a table: its parts by name, and what differs from those accepted.

The digests come in with a command: nothing here reads a file. What they prove, and
what no program can prove of itself, is in docs/self-test.md.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

SHORT_CHARACTERS: Final = 12
_NAMED_MAX: Final = 4


class Component(msgspec.Struct, frozen=True):
    """One part of what runs a table: a SHA-256, in hex, over all of its files.

    `version` is empty where the part says none.
    """

    name: str
    version: str
    digest: str


class Software(msgspec.Struct, frozen=True):
    """All parts, each name once, and one SHA-256, in hex, over them.

    Without parts: none is known.
    """

    components: tuple[Component, ...] = ()
    digest: str = ""


class ComponentChange(msgspec.Struct, frozen=True):
    """A part that is not the accepted one; None: it was not, or is no longer, there."""

    name: str
    accepted: Component | None
    found: Component | None


def changes(accepted: Software, found: Software) -> tuple[ComponentChange, ...]:
    """Return the parts that differ, by name."""
    before, now = _by_name(accepted), _by_name(found)
    return tuple(
        ComponentChange(name, before.get(name), now.get(name))
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    )


def changes_text(changed: Iterable[ComponentChange]) -> str:
    """Return the parts that differ, each with its old and its new short digest."""
    named = [change_text(change) for change in changed]
    more = len(named) - _NAMED_MAX
    shown = named[:_NAMED_MAX] + ([f"and {more} more"] if more > 0 else [])
    return "; ".join(shown)


def change_text(change: ComponentChange) -> str:
    """Return `msgspec 0.20.0 0123456789ab, now 0.21.0 ba9876543210`."""
    return f"{change.name} {_short(change.accepted)}, now {_short(change.found)}"


def _short(component: Component | None) -> str:
    if component is None:
        return "none"
    version = f"{component.version} " if component.version else ""
    return f"{version}{component.digest[:SHORT_CHARACTERS]}"


def _by_name(software: Software) -> Mapping[str, Component]:
    return {component.name: component for component in software.components}
