"""Which file of a journal each head belongs to that was kept elsewhere.

A head names a record by its sequence and hash, and each file numbers its records
from 1. So a head belongs to the file that has this very record. One that none of them
has goes to the file that was written when it was signed, for a finding there.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.evidence.signatures import KeptHead
from controller.journal import reader
from controller.journal.chain import Link
from controller.journal.errors import JournalError
from controller.journal.lineage import earlier_files

_AT_ONCE: Final = 500
_EARLIEST: Final = ""

HeadsOf = Mapping[Path, Sequence[KeptHead]]
"""The heads that belong to each file, also to one that is not here."""


def by_file(path: Path, kept: Iterable[KeptHead]) -> HeadsOf:
    """Return which heads belong to a journal, and which to the files before it."""
    found: dict[Path, list[KeptHead]] = defaultdict(list)
    files = _files(path)
    left = list(kept)
    for file in files:
        there = _there(file, left)
        found[file] += [one for one in left if one.head.link in there]
        left = [one for one in left if one.head.link not in there]
    began = [(file, _began(file)) for file in files]
    for one in left:
        found[_written_then(one.head.at, began)].append(one)
    return found


def _files(path: Path) -> list[Path]:
    """Return a journal's files, the newest first; the last one may not be here."""
    try:
        return [path, *(old.file for old in earlier_files(path))]
    except JournalError:
        return [path]  # What is wrong there, the look at the files themselves says.


def _there(file: Path, kept: Sequence[KeptHead]) -> set[Link]:
    """Return the places among those of the heads that a file has."""
    wanted = sorted({one.head.link.sequence for one in kept})
    found: set[Link] = set()
    try:
        for at in range(0, len(wanted), _AT_ONCE):
            found |= _links(file, wanted[at : at + _AT_ONCE])
    except JournalError:
        return found
    return found


def _links(file: Path, sequences: Sequence[int]) -> set[Link]:
    marks = ", ".join("?" * len(sequences))
    # Only marks are put into the text.
    query = f"SELECT sequence, hash FROM journal WHERE sequence IN ({marks})"  # noqa: S608 - said above
    return {
        Link(sequence, hash_)
        for sequence, hash_ in reader.fetch(file, query, tuple(sequences)).rows
        if isinstance(sequence, int) and isinstance(hash_, bytes)
    }


def _began(file: Path) -> str:
    """Return when a file was begun; one that cannot be asked is older than all."""
    try:
        first = reader.record_at(file, 1)
    except JournalError:
        return _EARLIEST
    return _EARLIEST if first is None else first.recorded_at


def _written_then(at: str, began: Sequence[tuple[Path, str]]) -> Path:
    # A file's last head is signed in the moment in which the next one is begun.
    return next((file for file, since in began if since < at), began[-1][0])
