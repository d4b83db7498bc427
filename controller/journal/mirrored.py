"""What a mirror holds, and whether that is what was written.

The signed heads as plain text are made from the records, so whatever else stands there
was put there by somebody.
"""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import MirrorMismatchError, UnmadeJournalError
from controller.journal.lineage import earlier_files
from controller.journal.signing import heads_file, heads_text, keep_heads
from controller.journal.verify import Held, verify

_OTHERWISE: Final = "the signed heads there are not those of the records"


class WrongFile(Struct, frozen=True):
    """What is wrong with one of a mirror's files."""

    file: Path
    text: str


def copied_head(file: Path) -> Link:
    """Return the last record of a mirror's file; `GENESIS` if there is none yet.

    A disk that was full as the file was to be made may have left an empty one.

    Raises:
        JournalError: It cannot be read.

    """
    try:
        return reader.head(file) if file.exists() else GENESIS
    except UnmadeJournalError:
        return GENESIS


def mirror_fault(file: Path, held: Held) -> WrongFile | None:
    """Return the first thing that is wrong with a mirror, with any of its files.

    `file` is the copy of the present one. What `held` raises ends the verification.

    Raises:
        JournalError: It cannot be read at all.

    """
    if copied_head(file) == GENESIS:
        return None
    earlier = [old.file for old in earlier_files(file)]
    for each in (file, *(old for old in earlier if copied_head(old) != GENESIS)):
        # The text is read first: a record that is copied meanwhile is no fault.
        said = _said(each)
        for fault in verify(each, held).faults:
            return WrongFile(each, fault.text)
        if not heads_text(each).encode().startswith(said):
            return WrongFile(heads_file(each), _OTHERWISE)
    return None


class CopiedHeads:
    """The signed heads of a mirror's file as plain text, beside it."""

    def __init__(self, file: Path) -> None:
        """Make the text, or add to it what it lacks.

        Raises:
            MirrorMismatchError: It says otherwise than the records.
            JournalError, OSError: The records cannot be read, or it not be written.

        """
        self._file = file
        self._size = self._made()

    def add(self) -> None:
        """Add the heads that were copied since.

        Raises:
            MirrorMismatchError: Somebody else wrote there.
            JournalError, OSError: As at the beginning.

        """
        if _size(heads_file(self._file)) != self._size:
            self._size = self._made()
            return
        keep_heads(self._file)
        self._size = _size(heads_file(self._file))

    def _made(self) -> int:
        """Make what is lacking; return how long the text is."""
        place = heads_file(self._file)
        text, said = heads_text(self._file).encode(), _said(self._file)
        if not text.startswith(said):
            raise MirrorMismatchError(f"{place}: {_OTHERWISE}; keep it, find out why")
        if said != text or _size(place) != len(text):
            with place.open("ab") as opened:
                os.truncate(opened.fileno(), len(said))
                opened.write(text[len(said) :])
        return len(text)


def _said(file: Path) -> bytes:
    """Return the text beside a file, without the zeros a power cut may have left."""
    place = heads_file(file)
    return place.read_bytes().rstrip(b"\0") if place.exists() else b""


def _size(place: Path) -> int:
    return place.stat().st_size if place.exists() else 0
