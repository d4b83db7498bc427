"""What the control socket answers, and what it says unasked (see `control_lines`)."""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from controller.core.ids import EndOfTestMode
from controller.runtime.answers import Finding
from controller.runtime.control_lines import MaybeId
from controller.runtime.seen import Seen


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """It was taken; `sequence` is its record's, on disk; of a login also the role."""

    id: MaybeId
    accepted: bool = True
    sequence: int | None
    role: str | UnsetType = UNSET


class Refused(msgspec.Struct, frozen=True):
    """A command changed nothing, and why: a stable reason, and words if there are."""

    id: MaybeId
    refused: str
    because: str | UnsetType = UNSET
    sequence: int | UnsetType = UNSET


class Unreadable(msgspec.Struct, frozen=True):
    """A line that is no command; nothing was done or recorded."""

    id: MaybeId
    error: str


class Shown(msgspec.Struct, frozen=True):
    """The view, to who follows the table; `sequence` is the last record's."""

    id: MaybeId
    sequence: int | UnsetType
    view: Raw


class Speaks(msgspec.Struct, frozen=True):
    """Who is logged in here, if anybody is, and whether lines need it."""

    id: MaybeId
    login_required: bool
    person: str | UnsetType = UNSET
    role: str | UnsetType = UNSET


class Answering(msgspec.Struct, frozen=True):
    """What every device of the table answered."""

    id: MaybeId
    devices: tuple[Finding, ...]


class SeenByHand(msgspec.Struct, frozen=True):
    """What was seen of a panel or of the shoe, to who tries buttons."""

    seen: Seen


class HandsOff(msgspec.Struct, frozen=True):
    """The test mode has ended, to who began it."""

    test_mode_ended: EndOfTestMode


Answer = Accepted | Refused | Unreadable | Shown | Speaks | Answering
Told = Answer | SeenByHand | HandsOff
"""Answers, and what comes unasked."""

_encoder: Final = msgspec.json.Encoder()


def encode_line(answer: Told) -> bytes:
    """Return an answer as a line, its line feed included."""
    return _encoder.encode(answer) + b"\n"
