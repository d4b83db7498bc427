"""What commands share, and what several of them hold."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from controller.core.ids import Role

Amount = Annotated[int, Meta(ge=0, le=10**12)]


class Person(msgspec.Struct, frozen=True):
    """Who gives a command, and the role that the runtime vouches for."""

    id: str
    role: Role = Role.UNKNOWN


class Cursor(msgspec.Struct, frozen=True):
    """How far a device's reports have been taken: its boot id and last number.

    `taken` means decided: accepted or refused, but decided once.
    """

    boot_id: int = 0
    number: int = 0


class CommandBase(msgspec.Struct, frozen=True, kw_only=True):
    """A command: a value with named fields, and the version of its record."""

    VERSION: ClassVar[int] = 1


class EnteredBase(CommandBase, frozen=True, kw_only=True):
    """What the dealer does at the table; much of it may be entered as a line too.

    `entered_by` is who was logged in where the line was entered; empty where nobody
    needs to log in, and for what a panel says.
    """

    entered_by: str = ""
