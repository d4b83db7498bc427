"""The files of one journal: each names the one that it goes on from."""

from pathlib import Path

import msgspec
from msgspec import Struct

from controller.core import events as ev
from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import JournalError, MalformedJournalError


class Earlier(Struct, frozen=True):
    """A file that a journal goes on from, and the last record that it took over.

    `archived`: it is good and ends there; else it was put aside as no good. It may
    be gone from here.
    """

    file: Path
    last: Link
    archived: bool


class _Opening(Struct, frozen=True):
    """The one field of `journal_opened` that tells of files, in every version."""

    succeeds: ev.Predecessor | None = None


def predecessor_of(path: Path) -> ev.Predecessor | None:
    """Return what a journal says of the one before it; None: there was none.

    Raises:
        JournalError: The first record cannot be read.

    """
    first = reader.record_at(path, 1)
    if first is None:
        return None
    try:
        return msgspec.json.decode(first.body, type=_Opening).succeeds
    except msgspec.DecodeError as error:
        raise MalformedJournalError(
            f"{path}: record 1: expected what the journal goes on from, {error}"
        ) from error


def earlier_files(path: Path) -> tuple[Earlier, ...]:
    """Return the files before a journal, the nearest first.

    The last of them may be one that is not here. What an unusable file says of the
    one before it is not known.

    Raises:
        JournalError: The journal cannot be read.

    """
    old = _named_by(path, path)
    files: list[Earlier] = []
    while old is not None and old not in files:
        files.append(old)
        try:
            old = _named_by(old.file, path) if old.file.exists() else None
        except JournalError:
            if files[-1].archived:
                raise
            break
    return tuple(files)


def _named_by(path: Path, journal: Path) -> Earlier | None:
    old = predecessor_of(path)
    if old is None:
        return None
    if "/" in old.file or not old.file.startswith(f"{journal.name}."):
        raise MalformedJournalError(
            f"{path}: expected to go on from a file named {journal.name}.…, got "
            f"{old.file!r}; verify it"
        )
    last = Link(old.sequence, bytes.fromhex(old.hash)) if old.sequence else GENESIS
    return Earlier(journal.with_name(old.file), last, archived=old.found == "")
