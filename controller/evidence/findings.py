"""What a look at a journal may find, and the records as it walks over them."""

import enum
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import msgspec

from controller.core.commands import Command
from controller.core.evolve import Record as Fact
from controller.journal import reader
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC

COMMANDS: Final = get_args(Command)

TAKEN_OVER: Final = 2
"""Where the `table_state` of an earlier journal stands that this one continues."""


class FindingKind(enum.StrEnum):
    """What is wrong with a record though its hash may fit.

    Whoever can write the file can also compute hashes: these look at what the
    records say.
    """

    CHAIN = "chain"
    NOT_UNDERSTOOD = "not_understood"
    CAUSE = "cause"
    COMMITMENT = "commitment"
    CHECKPOINT = "checkpoint"
    DECISION = "decision"


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong; `sequence` names the record, if it is about one."""

    kind: FindingKind
    sequence: int | None
    text: str


class FindingError(Exception):
    """Ends a walk at the first record that is wrong."""

    def __init__(self, kind: FindingKind, sequence: int, text: str) -> None:
        self.finding = Finding(kind, sequence, f"record {sequence}: {text}")
        super().__init__(self.finding.text)


def facts(path: Path, until: int) -> Iterator[tuple[Row, Fact]]:
    """Yield each record up to and with `until`, with what it says.

    Raises:
        CodecError: a record cannot be understood.
    """
    for row in reader.all_records(path):
        if row.sequence > until:
            return
        yield row, CODEC.decode(row)
