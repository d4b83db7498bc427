"""What a bundle holds, file by file."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from controller.core import events as ev
from controller.evidence.record_line import Line

FORMAT: Final = 1

ABOUT: Final = "bundle.json"
README: Final = "README.txt"
RECORDS: Final = "records.jsonl"
HEAD: Final = "head.note"
KEY: Final = "key.pub"
RULESET: Final = "ruleset.json"
ROUND: Final = "round.json"
PAGE: Final = "round.html"

MEMBERS: Final = frozenset({RECORDS, RULESET, ROUND, PAGE, README})
"""The files of every bundle, beside `bundle.json`."""

MEMBERS_SIGNED: Final = frozenset({HEAD, KEY})
"""Those that come along where the journal is signed."""

SIGNED: Final = str(ev.HeadSigned.__struct_config__.tag)

_INT64_MAX: Final = 2**63 - 1
"""What a journal's column holds, and a hash covers."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle is of: the first thing to read in it.

    `before` is the record that its first one continues, with its hash in hex. `files`
    has the SHA-256 of every other file, in hex. `signed`: the last record is a head
    signed by the key in `key.pub`.
    """

    format: int
    table: str
    round: Annotated[int, Meta(ge=1, le=_INT64_MAX)]
    software: str
    before_sequence: Annotated[int, Meta(ge=0, le=_INT64_MAX)]
    before_hash: str
    records: int
    signed: bool
    files: dict[str, str]


def in_its_form(about: About) -> bytes:
    """Return `bundle.json` as it is written; nothing else says the same."""
    return msgspec.json.format(msgspec.json.encode(about)) + b"\n"


def line_in_its_form(line: Line) -> bytes:
    """Return a line of `records.jsonl` as it is written, its end with it."""
    return msgspec.json.encode(line) + b"\n"


def body_of(line: Line) -> dict[str, Any]:
    """Return the fields of a record.

    Raises:
        msgspec.DecodeError: Its body is no JSON object.
    """
    return msgspec.json.decode(line.body, type=dict[str, Any])
