"""What the engine does for whoever asks something of the table from outside."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from controller.core.commands import Command, Person
from controller.words.lines import Line

KnownAs = Callable[[str], Person]
"""Who an id is, with the role that the runtime vouches for."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a command: taken, or refused for a reason of the core.

    `sequence` is the number of its record, None where it led to none.
    """

    accepted: bool
    sequence: int | None = None
    reason: str = ""
    because: str = ""


class Commander(Protocol):
    """What the engine does for the socket."""

    async def command(
        self, line: Line, known_as: KnownAs, entered_by: str = ""
    ) -> Outcome:
        """Do what a line says; return once its record is on disk.

        The engine gives the line its meaning when its turn has come, since changes
        to a ruleset count from the rules that are then in force. `entered_by` is who
        is logged in where it was said, if anybody has to be.
        """

    async def report(self, command: Command) -> Outcome:
        """Take what the runtime found out of a person; return once it is on disk."""

    def login_failures(self, person: str) -> int:
        """Return how often in a row a login of this person was refused."""

    def view(self) -> bytes:
        """Return the committed table's public view, JSON without a line feed."""

    def subscribe(self, changed: Callable[[int], None]) -> Callable[[], None]:
        """Call `changed` on the loop with the last sequence after every commit.

        And whenever the view changed otherwise. It neither waits nor raises. The
        returned function ends it.
        """
