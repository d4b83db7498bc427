"""What is said over the control socket: one JSON object a line, both ways.

    {"id": 7, "command": "dealer next"}   a line of the staff
    {"id": 7, "accepted": true, "sequence": 812}
    {"id": 7, "refused": "too_early_to_move_on", "because": "…", "sequence": 812}
    {"id": 7, "error": "expected a dealer's step (deal, …), got dael; did you …"}
    {"subscribe": true}                   the view now, and after each commit
    {"view": {…}}
    {"sequence": 813, "view": {…}}

`id` is the asker's own, a number or a text, and comes back as it was.
"""

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

LINE_MAX_BYTES: Final = 4_096
"""The longest line that is read; a staff line with a long reason has a tenth of it."""

Id = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]

MaybeId = Id | UnsetType


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that came in: a command in words, or the wish to follow the table."""

    id: MaybeId = UNSET
    command: str | UnsetType = UNSET
    subscribe: bool = False


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """A command was taken; `sequence` is its record's, once on disk."""

    id: MaybeId
    accepted: bool = True
    sequence: int | None


class Refused(msgspec.Struct, frozen=True):
    """A command changed nothing, and why: a stable reason, and words if there are."""

    id: MaybeId
    refused: str
    because: str | UnsetType
    sequence: int | UnsetType


class Unreadable(msgspec.Struct, frozen=True):
    """A line that is no command; nothing was done or recorded."""

    id: MaybeId
    error: str


class Shown(msgspec.Struct, frozen=True):
    """The view, to who follows the table; `sequence` is the last record's."""

    id: MaybeId
    sequence: int | UnsetType
    view: Raw


Answer = Accepted | Refused | Unreadable | Shown


class BadLineError(ValueError):
    """A line that is not in the protocol; the message says what was expected.

    It never quotes the line, which may hold a PIN.
    """


_decoder: Final = msgspec.json.Decoder(Asked)
_encoder: Final = msgspec.json.Encoder()


def decode_line(line: bytes) -> Asked:
    """Return what a line asks.

    Raises:
        BadLineError: It is no JSON object of this protocol.

    """
    try:
        asked = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadLineError(
            f'expected a JSON object such as {{"command": "dealer next"}}: {error}'
        ) from error
    if (asked.command is UNSET) is not asked.subscribe:
        raise BadLineError('expected either "command": "…" or "subscribe": true')
    return asked


def encode_line(answer: Answer) -> bytes:
    """Return an answer as a line, its line feed included."""
    return _encoder.encode(answer) + b"\n"
