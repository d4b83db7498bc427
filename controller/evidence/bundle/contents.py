"""What a bundle holds, file by file."""

from typing import Final

import msgspec

from controller.core import events as ev

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


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bundle is of: the first thing to read in it.

    `before` is the record that its first one continues, with its hash in hex. `files`
    has the SHA-256 of every other file, in hex. `signed`: the last record is a head
    signed by the key in `key.pub`.
    """

    format: int
    table: str
    round: int
    software: str
    before_sequence: int
    before_hash: str
    records: int
    signed: bool
    files: dict[str, str]
