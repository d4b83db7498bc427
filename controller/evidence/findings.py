"""What a look at a journal may find, and the records as it walks over them."""

import enum
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import msgspec

from controller.core.commands import Command
from controller.core.evolve import Record as Fact
from controller.journal import reader
from controller.journal.errors import CodecError
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC

COMMANDS: Final = get_args(Command)
COMMAND_TYPES: Final = frozenset(str(c.__struct_config__.tag) for c in COMMANDS)
"""The types of the records that say what came in."""


class FindingKind(enum.StrEnum):
    """What is wrong with a record though its hash may fit.

    Whoever can write the file can also compute hashes: these look at what the
    records say.
    """

    CHAIN = "chain"
    NOT_UNDERSTOOD = "not_understood"
    CAUSE = "cause"
    COMMITMENT = "commitment"
    SIGNATURE = "signature"
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
        prefix = f"record {sequence}: "
        self.finding = Finding(kind, sequence, prefix + text.removeprefix(prefix))
        super().__init__(self.finding.text)


def facts(path: Path, until: int) -> Iterator[tuple[Row, Fact]]:
    """Yield each record up to and with `until`, with what it says.

    The chain must hold so far; what comes behind may be damaged.

    Raises:
        FindingError: a record cannot be understood.
    """
    done = 0
    for fetched in reader.chunks(path):
        for row in reader.records_of(path, fetched.rows[: until - done]):
            yield row, understood(row)
        done += len(fetched.rows)
        if done >= until:
            return


def understood(row: Row) -> Fact:
    """Return what a record says.

    Raises:
        FindingError: its type or version is unknown, or its body does not fit.
    """
    try:
        return CODEC.decode(row)
    except CodecError as error:
        raise _not_understood(row, error) from error


def require_known(row: Row) -> None:
    """Refuse a record of a type or version that we do not know.

    Raises:
        FindingError: it is one.
    """
    try:
        CODEC.require_known(row)
    except CodecError as error:
        raise _not_understood(row, error) from error


def _not_understood(row: Row, error: CodecError) -> FindingError:
    return FindingError(FindingKind.NOT_UNDERSTOOD, row.sequence, str(error))
