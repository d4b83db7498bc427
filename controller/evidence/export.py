"""A part of a journal as lines of JSON, for programs that are not ours.

The part is always one stretch of records without a gap, since a gap would break the
hash chain. The format is docs/export.md, with a program that checks it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from controller.core import events as ev
from controller.evidence.errors import NothingToExportError
from controller.evidence.record_line import line_of
from controller.evidence.stretches import stretches
from controller.evidence.times import moment
from controller.journal import reader, schema, spans
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import MalformedJournalError
from controller.journal.table_codec import CODEC
from controller.version import VERSION

FORMAT: Final = 1

_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LATEST: Final = datetime.max.replace(tzinfo=UTC)


class Rounds(msgspec.Struct, frozen=True):
    """Rounds from one to another, both with their wagers before DEAL."""

    first: int
    last: int


class Times(msgspec.Struct, frozen=True):
    """From one instant on, up to and without another; None: from or to the end."""

    since: datetime | None
    until: datetime | None


class Whole(msgspec.Struct, frozen=True):
    """All that the journal holds."""


Selection = Rounds | Times | Whole


class Selected(msgspec.Struct, frozen=True):
    """What was asked for, as the first line says it; times in UTC."""

    rounds: tuple[int, int] | None = None
    since: str | None = None
    until: str | None = None


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: what the other lines are of.

    The first of the `records` continues the record `before_sequence`, whose hash is
    `before_hash`, in hex; 0 and zeros where it is the journal's first.
    """

    format: int
    file: str
    table: str
    kind: str
    time_zone: str
    journal_format: int
    software: str
    selection: Selected
    before_sequence: int
    before_hash: str
    records: int


class Export(msgspec.Struct, frozen=True):
    """A part of a journal that was looked up and can be written."""

    path: Path
    about: About

    def lines(self) -> Iterator[bytes]:
        """Yield the first line, then one for each record, in little memory.

        Raises:
            JournalError: the journal cannot be read, or lacks a record.
        """
        yield _line(self.about)
        after = self.about.before_sequence
        until = after + self.about.records
        for row in spans.between(self.path, None, after, until):
            after += 1
            if row.sequence != after:
                break
            yield _line(line_of(row))
        if after != until:
            raise MalformedJournalError(
                f"{self.path}: expected the records up to {until}, record {after} is "
                "missing; verify the journal"
            )


def export(path: Path, selection: Selection) -> Export:
    """Look up a part of a journal; what is written later is not in it any more.

    Raises:
        NothingToExportError: no record is of that time.
        RoundNotFoundError: the journal lacks the first or the last round.
        JournalError: the journal cannot be read.
    """
    after, until = _reach(path, selection)
    before = reader.record_at(path, after) if after else None
    link = GENESIS if before is None else Link(before.sequence, before.hash)
    opened = _opened(path)
    about = About(
        format=FORMAT,
        file=path.name,
        table=opened.table,
        kind=opened.kind,
        time_zone=opened.time_zone,
        journal_format=schema.FORMAT,
        software=VERSION,
        selection=_selected(selection),
        before_sequence=after,
        before_hash=link.hash.hex(),
        records=until - after,
    )
    return Export(path, about)


def _opened(path: Path) -> ev.JournalOpened:
    first = reader.record_at(path, 1)
    fact = CODEC.decode(first) if first is not None else None
    if not isinstance(fact, ev.JournalOpened):
        raise MalformedJournalError(
            f"{path}: expected journal_opened as record 1; verify the journal"
        )
    return fact


def _selected(selection: Selection) -> Selected:
    match selection:
        case Rounds():
            return Selected(rounds=(selection.first, selection.last))
        case Times():
            return Selected(since=_text(selection.since), until=_text(selection.until))
        case Whole():
            return Selected()


def _text(at: datetime | None) -> str | None:
    """Return an instant as the journal writes it, so that texts compare as times."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"


# --- Where the records are --------------------------------------------------------


def _reach(path: Path, selection: Selection) -> tuple[int, int]:
    """Return the sequence before the first record that is meant, and the last's."""
    match selection:
        case Rounds():
            # A round is short, so that looking at it whole costs nothing.
            first = reader.round_records(path, selection.first)[0]
            last = reader.round_records(path, selection.last)[-1]
            return first.sequence - 1, last.sequence
        case Times():
            return _reach_of_time(path, selection)
        case Whole():
            return 0, reader.head(path).sequence


def _reach_of_time(path: Path, times: Times) -> tuple[int, int]:
    """Return the reach from the first record of that time to the last one.

    Where the clock was set back or forth in between, records with other times lie
    between the two, and belong to it.
    """
    since, until = times.since or _EARLIEST, times.until or _LATEST
    parts = tuple(_parts(path, since, until))
    first = next(_of_time(path, parts, since, until), None)
    if first is None:
        raise NothingToExportError(_nothing(path, times))
    last = first
    for part in reversed(parts):
        *_, last = (first, *_of_time(path, (part,), since, until))
        if last != first:
            break
    return first - 1, last


def _of_time(
    path: Path, parts: tuple[tuple[int, int], ...], since: datetime, until: datetime
) -> Iterator[int]:
    for after, end in parts:
        for row in spans.between(path, None, after, end):
            if since <= moment(row.recorded_at) < until:
                yield row.sequence


def _parts(path: Path, since: datetime, until: datetime) -> Iterator[tuple[int, int]]:
    """Yield where records of that time may lie, in the journal's order."""
    yield 0, 1  # Record 1 stands before all stretches.
    for stretch in stretches(path):
        if stretch.may_hold(since, until):
            yield stretch.after, stretch.until


def _nothing(path: Path, times: Times) -> str:
    since, until = _text(times.since), _text(times.until)
    asked = f"{f'from {since} ' if since else ''}{f'before {until}' if until else ''}"
    first = reader.record_at(path, 1)
    last = reader.record_at(path, reader.head(path).sequence)
    if first is None or last is None:
        return f"{path}: the journal has no records yet"
    return (
        f"{path}: expected records {asked.strip()}, found none; the first is of "
        f"{first.recorded_at}, the last of {last.recorded_at}"
    )
