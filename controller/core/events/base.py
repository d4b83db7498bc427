"""What all events share."""

from typing import ClassVar

import msgspec


class EventBase(msgspec.Struct, frozen=True, kw_only=True):
    """An event: a value with named fields, and the version of its record."""

    VERSION: ClassVar[int] = 1
