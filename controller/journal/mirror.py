"""The mirror: a copy of a table's journal in a folder on a second device.

It has the same files under the same names, each a journal like the table's own. Only
records whose hashes hold are copied, each file goes on from the mirror's own end, and
nothing in the mirror is ever changed or deleted: where it and the journal do not go
together, both stay as they are, since that is what has to be looked into. The escrow
is never read (SECRET-2).
"""

import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from controller.core import events as ev
from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    CodecError,
    JournalError,
    JournalLockedError,
    JournalMissingError,
    JournalWriteError,
    MalformedJournalError,
    MirrorMismatchError,
    NotAJournalError,
)
from controller.journal.folders import sync_folder
from controller.journal.lineage import Earlier, earlier_files
from controller.journal.mirrored import CopiedHeads, copied_head
from controller.journal.reader import Columns
from controller.journal.records import JournalKind, Record, Row
from controller.journal.signing import heads_file
from controller.journal.store import Store
from controller.journal.verify import follow

CHUNK_RECORDS: Final = 1_000

_NOT_NOW: Final = (JournalMissingError, JournalLockedError, JournalWriteError)
"""What a journal says while its files change places, or its disk stalls."""

_SIGNED: Final = str(ev.HeadSigned.__struct_config__.tag)
_WITH_THE_FILE: Final = ("-wal", "-shm")


class Copied(Struct, frozen=True):
    """How far the mirror of the journal's present file is.

    `whole`: nothing more was there to be copied.
    """

    link: Link
    whole: bool


_NOTHING_YET: Final = Copied(GENESIS, whole=True)


class _NotNowError(Exception):
    """The journal cannot be read just now; the mirror can wait."""


class Mirror:
    """One table's journal, and the folder that it is copied to.

    `openings` counts how often a file was begun or gone on with: who looks at the files
    meanwhile may have seen two of one name. `held` is the last record that is known to
    have been in the folder: one that holds it no more is never filled again.
    """

    def __init__(
        self, journal: Path, folder: Path, kind: JournalKind, held: Link = GENESIS
    ) -> None:
        self._journal = journal
        self._folder = folder
        self._kind = kind
        self.openings = 0
        self.held = held
        self._with_heads: set[tuple[int, int]] = set()

    @property
    def file(self) -> Path:
        """The copy of the journal's present file."""
        return self._folder / self._journal.name

    def copying(self) -> Generator[Copied, None, None]:
        """Copy what there is, some records each time that the next value is asked for.

        This never ends by itself: a table plays on, and its journal goes on in other
        files. Whatever happens to the process, another one goes on from the mirror.

        Raises:
            MirrorMismatchError: Journal and mirror do not go together.
            JournalError, OSError: The mirror cannot be written.

        """
        if (
            Path(os.path.realpath(self._folder))
            == Path(os.path.realpath(self._journal)).parent
        ):
            raise MirrorMismatchError(
                f"{self._folder}: expected a folder on a second device, got the "
                "journal's own; name another"
            )
        while True:
            try:
                yield from self._copying()
            except _NotNowError:
                yield _NOTHING_YET

    def _copying(self) -> Generator[Copied, None, None]:
        """Copy all files, the oldest first, and the present one as it grows.

        Return when another file has taken the present one's place.
        """
        self._require_folder()
        earlier = self._earlier()
        self._require_held(earlier)
        self._settle_names(earlier)
        for old in reversed(earlier):
            if old.file.exists():
                yield from self._copying_earlier(old)
        yield from self._growing(self._journal)

    def _copying_earlier(self, old: Earlier) -> Generator[Copied, None, None]:
        """Copy a file to its end; of one that was no good, as far as it holds."""
        target = self._folder / old.file.name
        if old.archived and copied_head(target) == old.last:
            self._have_heads(target)
            return
        head = GENESIS
        try:
            for copied in self._growing(old.file):
                head = copied.link
                if copied.whole:
                    break
                yield Copied(GENESIS, whole=False)
        except MirrorMismatchError:
            # That it does not hold is known: it was put aside for that.
            if old.archived:
                raise
        if old.archived and head != old.last:
            raise MirrorMismatchError(
                f"{target}: expected to end with record {old.last.sequence}, as the "
                f"journal says that goes on from {old.file}; keep all of them and "
                "verify them"
            )

    def _have_heads(self, target: Path) -> None:
        """Look at the signed heads of a file that is whole, once in a process."""
        if (identity := _identity(target)) not in self._with_heads:
            CopiedHeads(target)
            self._with_heads.add(identity)

    def _growing(self, source: Path) -> Generator[Copied, None, None]:
        """Copy a file as it grows; return when another is in its place."""
        target = self._folder / source.name
        with Store.open(target, self._kind) as store:
            self.openings += 1
            opened = _identity(target)
            sync_folder(self._folder)
            heads = CopiedHeads(target)
            while True:
                records = _records_after(source, store.head)
                if records is None:
                    return
                if records:
                    _append(store, records)
                if any(record.type == _SIGNED for record in records):
                    heads.add()
                if source == self._journal and store.head != GENESIS:
                    self.held = store.head
                yield Copied(store.head, whole=not records)
                self._require_folder()
                if _identity(target) != opened:
                    raise JournalWriteError(
                        f"{target}: another file is in its place; leave the mirror's "
                        "files alone"
                    )

    # --- A folder that is away, or another one ---------------------------------------

    def _require_folder(self) -> None:
        """Refuse to go on where no folder is: it is never made here."""
        if not self._folder.is_dir():
            raise JournalWriteError(
                f"{self._folder}: the mirror's folder is not there: its device is not "
                "mounted, or the folder was never made; mount it, then make it"
            )

    def _require_held(self, earlier: Sequence[Earlier]) -> None:
        """Refuse a folder that lacks what the mirror held before.

        Raises:
            MirrorMismatchError: It was emptied, or another one is in its place.

        """
        files = (self.file, *(self._folder / old.file.name for old in earlier))
        if self.held == GENESIS or any(_holds(file, self.held) for file in files):
            return
        # A folder whose device goes away just now holds nothing either.
        self._require_folder()
        raise MirrorMismatchError(
            f"{self._folder}: held record {self.held.sequence} of {self._journal} "
            "before, and holds it no more: it was emptied, or another folder is in its "
            "place; find out why, and name a folder of another name for a new device"
        )

    # --- Files that change places ---------------------------------------------------

    def _earlier(self) -> tuple[Earlier, ...]:
        try:
            return earlier_files(self._journal)
        except _NOT_NOW as error:
            raise _NotNowError from error
        except NotAJournalError as error:
            if not self.file.exists():
                raise _NotNowError from error  # It is being made.
            raise _unreadable(error) from error
        except (MalformedJournalError, CodecError) as error:
            raise _unreadable(error) from error

    def _settle_names(self, earlier: Sequence[Earlier]) -> None:
        """Give the mirror's file the name that the journal's file has by now.

        Raises:
            MirrorMismatchError: It is the copy of none of the journal's files.

        """
        if not self.file.exists():
            return
        with Store.open(self.file, self._kind) as store:
            head = store.head
            if _contains(self._journal, head):
                return
            old = next((old for old in earlier if self._is_of(old, head)), None)
            if old is None:
                raise MirrorMismatchError(
                    f"{self.file}: holds record {head.sequence}, and {self._journal} "
                    "holds another or none: it is another journal, was cut, or "
                    "written anew; keep both as they are and find out which"
                )
            if not store.checkpoint().complete:
                # Somebody reads the mirror: its log is not in its file yet.
                raise _NotNowError
        self._rename(self._folder / old.file.name)

    def _is_of(self, old: Earlier, head: Link) -> bool:
        """Return whether the mirror's file, which ends with `head`, is that one's copy.

        A file that was no good may lack what its mirror holds.
        """
        if old.file.exists() and _contains(old.file, head):
            return True
        if old.archived:
            return head == old.last
        return old.last != GENESIS and _contains(self.file, old.last)

    def _rename(self, target: Path) -> None:
        """Rename the mirror's file; its heads first, since they can be made again."""
        if target.exists():
            raise MirrorMismatchError(
                f"{target}: expected no file there yet, to be the name of {self.file}; "
                "keep both as they are and find out why"
            )
        heads = heads_file(self.file)
        if heads.exists():
            heads.replace(heads_file(target))
        self.file.replace(target)
        for suffix in _WITH_THE_FILE:
            beside = self.file.with_name(self.file.name + suffix)
            if beside.exists():
                beside.replace(target.with_name(target.name + suffix))
        sync_folder(self._folder)


# --- What the journal says ------------------------------------------------------------


def _contains(file: Path, link: Link) -> bool:
    """Return whether a record of that hash stands there in a file."""
    if link == GENESIS:
        return True
    try:
        record = reader.record_at(file, link.sequence)
    except _NOT_NOW as error:
        raise _NotNowError from error
    except JournalError:
        return False
    return record is not None and record.hash == link.hash


def _holds(file: Path, link: Link) -> bool:
    """Return whether a mirror's file has that record; what keeps one from it is raised.

    Raises:
        JournalError: The file cannot be read.

    """
    if copied_head(file) == GENESIS:
        return False
    record = reader.record_at(file, link.sequence)
    return record is not None and record.hash == link.hash


def _records_after(source: Path, head: Link) -> tuple[Record, ...] | None:
    """Return the next records whose hashes hold; None: the file does not go on so.

    Raises:
        MirrorMismatchError: There are more, and the next one does not hold.

    """
    # The record of the head comes along, to see that it is there.
    most = CHUNK_RECORDS + (head != GENESIS)
    fetched = reader.first_after(source, head.sequence, most)
    rows, damage = fetched.rows, fetched.damage
    if isinstance(damage, _NOT_NOW):
        return ()
    if head != GENESIS:
        if damage is None and (not rows or not _is(rows[0], head)):
            return None
        rows = rows[1:]
    reached, fault = follow(rows, head)
    holding = rows[: reached.sequence - head.sequence]
    try:
        if holding:
            return reader.records_of(source, holding)
        if fault is not None:
            raise MalformedJournalError(f"{source}: {fault.text}")
        if damage is not None:
            raise damage
    except JournalError as error:
        raise _unreadable(error) from error
    return ()


def _is(row: Columns, link: Link) -> bool:
    return (row[0], row[-1]) == (link.sequence, link.hash)


def _unreadable(error: JournalError) -> MirrorMismatchError:
    return MirrorMismatchError(f"{error}; the mirror keeps what it holds")


# --- What the mirror holds ------------------------------------------------------------


def _append(store: Store, records: Sequence[Record]) -> None:
    """Copy records, hashes and all."""
    store.append([Row(*astuple(record)[1:-1]) for record in records])
    assert store.head.hash == records[-1].hash, "they were followed from the head"
    store.checkpoint()


def _identity(file: Path) -> tuple[int, int]:
    """Return what tells a file from another one that has its name later."""
    status = file.stat()
    return status.st_dev, status.st_ino
