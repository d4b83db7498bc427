"""How the program of a table has changed: what, when, and who accepted it."""

from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.core import events as ev
from controller.core.software import ComponentChange
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.journal.table_codec import CODEC

_TYPES = ("software_changed", "software_accepted")


class SoftwareEntry(msgspec.Struct, frozen=True):
    """One change: when it was found, what differed, and who accepted it.

    Times are as recorded, in UTC. No `changes`: the journal began with this program.
    `accepted_at` is empty where nobody did accept it: the table was stopped, or the
    program before was put back. Accepted without names: the table is a simulated one,
    or it is the first.
    """

    found_at: str
    changes: tuple[ComponentChange, ...] = ()
    live: bool = False
    accepted_at: str = ""
    supervisor: str = ""
    technician: str = ""
    reason: str = ""
    digest: str = ""


def software_history(path: Path, last: int) -> tuple[SoftwareEntry, ...]:
    """Return the last changes, the oldest first.

    The files that the journal goes on from are read too, as far as they are there.

    Raises:
        JournalError: A file cannot be read.

    """
    entries = _entries(path)
    before = _earlier(path) if len(entries) < last else None
    if before is not None:
        entries = [*software_history(before, last - len(entries)), *entries]
    return tuple(entries[-last:])


def _entries(path: Path) -> list[SoftwareEntry]:
    entries: list[SoftwareEntry] = []
    waiting, live = False, _is_live(path)
    for record in reader.of_types(path, _TYPES):
        fact, at = CODEC.decode(record), record.recorded_at
        if isinstance(fact, ev.SoftwareChanged):
            entries.append(SoftwareEntry(at, fact.changes, fact.live))
            waiting = True
        elif isinstance(fact, ev.SoftwareAccepted):
            found = entries.pop() if waiting else SoftwareEntry(at, live=live)
            entries.append(_accepted(found, fact, at))
            waiting = False
    return entries


def _is_live(path: Path) -> bool:
    first = reader.record_at(path, 1)
    opened = CODEC.decode(first) if first is not None else None
    return isinstance(opened, ev.JournalOpened) and opened.kind == "live"


def _accepted(
    found: SoftwareEntry, fact: ev.SoftwareAccepted, at: str
) -> SoftwareEntry:
    return replace(
        found,
        accepted_at=at,
        supervisor=fact.supervisor,
        technician=fact.technician,
        reason=fact.reason,
        digest=fact.software.digest,
    )


def _earlier(path: Path) -> Path | None:
    """Return the file that a journal goes on from, if it can be read here."""
    first = reader.record_at(path, 1)
    opened = CODEC.decode(first) if first is not None else None
    old = opened.succeeds if isinstance(opened, ev.JournalOpened) else None
    if old is None:
        return None
    file = path.with_name(old.file)
    if not old.found:
        return file if file.exists() else None
    try:
        reader.of_types(file, _TYPES)
    except JournalError:
        return None  # It was no good when another took its place.
    return file
