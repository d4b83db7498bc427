"""What the rest of the program knows of whoever reaches the pin chips."""

from typing import Any, Protocol, TypeAlias

Untyped: TypeAlias = Any
"""What gpiozero and lgpio give and take: neither ships type information."""


class Chips(Protocol):
    """Where the lines of a table are: each chip by its label."""

    factory_class: type
    pin_class: type
    errors: tuple[type[Exception], ...]

    def open(self, label: str) -> Untyped:
        """Return the pin factory of a chip, open."""

    def close(self, factory: Untyped) -> None:
        """Let a chip go."""
