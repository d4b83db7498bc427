"""What a virtual table writes down, in memory or on disk, and what a power cut leaves.

A keeper is all that survives a restart of the host: journal and escrow, encoded as
they are on disk.
"""

import contextlib
import enum
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol, Self

import msgspec

from controller.core.commitment import commitment
from controller.core.events import JournalOpened, TableStateRecorded
from controller.core.evolve import evolve
from controller.core.secrets import SealedCard, Secrets, commitments
from controller.core.state import TableState, new_table
from controller.journal.codec import Written
from controller.journal.errors import JournalError
from controller.journal.records import JournalKind, Stamp
from controller.journal.recovery import recover
from controller.journal.sealed_cards import escrow_path
from controller.journal.table_codec import CODEC
from controller.journal.table_journal import Decided, TableJournal
from simulators.rigs.checkers.replay import row_of


class Torn(enum.Enum):
    """How far a commit had come when the power went."""

    NOTHING = "nothing is on disk"
    SECRETS = "the escrow has its rows, the journal nothing"
    WHOLE = "all is on disk, nobody was told"


class Found(msgspec.Struct, frozen=True):
    """The table as a start finds it; `is_new` where nothing has happened yet."""

    state: TableState
    secrets: Secrets
    is_new: bool


class Keeper(Protocol):
    """What outlives the host."""

    def recover(self) -> Found:
        """Start from what was written."""

    def write(self, batch: Sequence[Decided]) -> None:
        """Write what a batch of inputs led to, as one."""

    def cut_off(self, batch: Sequence[Decided], torn: Torn) -> None:
        """Lose the power while a batch is being written; nothing, if it is empty."""

    def lose_escrow(self) -> None:
        """Let the escrow be gone while the host is off."""

    def close(self) -> None:
        """Let the files go; twice is fine."""


class MemoryKeeper:
    """Journal and escrow in memory, from the last round's end on.

    `digest` is over every record ever written, without wall time.
    """

    def __init__(self, opened: JournalOpened) -> None:
        self.opened = opened
        self.sinks: list[Callable[[Written], None]] = []
        self._hash = sha256()
        self._is_new = True
        self._rows: list[Written] = []
        self._escrow: list[bytes] = []
        self._write_rows([Decided(_NO_STAMP, 1, (opened,))])

    @property
    def digest(self) -> str:
        """The SHA-256 of all records so far, in hex."""
        return self._hash.hexdigest()

    def recover(self) -> Found:
        """Fold the records; drop the secrets that no record counts on."""
        state = new_table(self.opened.table, self.opened.seats, self.opened.rules)
        for written in self._rows:
            state = evolve(state, CODEC.decode(row_of(written)))
        known = commitments(state)
        sealed = [msgspec.json.decode(row, type=SealedCard) for row in self._escrow]
        kept = tuple(card for card in sealed if _stands_for(card, state, known))
        self._escrow = [msgspec.json.encode(card) for card in kept]
        return Found(state, Secrets(kept), self._is_new)

    def write(self, batch: Sequence[Decided]) -> None:
        """Put secrets, write records, delete the secrets that were opened."""
        self._is_new = False
        self._put(batch)
        self._write_rows(batch)
        opened = {number for one in batch for number in one.opened}
        if opened:
            self._escrow = [
                row
                for row in self._escrow
                if msgspec.json.decode(row, type=SealedCard).number not in opened
            ]

    def cut_off(self, batch: Sequence[Decided], torn: Torn) -> None:
        """Leave what a power cut leaves of a commit."""
        match torn:
            case Torn.NOTHING:
                pass
            case Torn.SECRETS:
                self._put(batch)
            case Torn.WHOLE:
                self.write(batch)

    def lose_escrow(self) -> None:
        """Forget every secret."""
        self._escrow.clear()

    def close(self) -> None:
        """Nothing is open."""

    def _put(self, batch: Sequence[Decided]) -> None:
        self._escrow += [
            msgspec.json.encode(card) for one in batch for card in one.sealed
        ]

    def _write_rows(self, batch: Sequence[Decided]) -> None:
        for one in batch:
            for record in one.records:
                written = CODEC.encode(record)
                self._hash.update(f"{written.type}\n{written.body}\n".encode())
                self._rows.append(written)
                for sink in self.sinks:
                    sink(written)
                if isinstance(record, TableStateRecorded):
                    # A start folds from here.
                    del self._rows[:-1]


def _stands_for(card: SealedCard, state: TableState, known: dict[int, str]) -> bool:
    """Return whether a record counts on a secret; a cut commit leaves others."""
    salt = bytes.fromhex(card.salt)
    bound = commitment(salt, state.table, card.round, card.number, card.card)
    return known.get(card.number) == bound.hex()


_NO_STAMP = Stamp("", clock_synchronised=False, boot_id="", monotonic_ns=0)


class DiskKeeper:
    """The journal and escrow of a real table, in files."""

    def __init__(self, path: Path, opened: JournalOpened, stamp: Stamp) -> None:
        self.path = path
        self._journal = TableJournal.begin(path, opened, stamp)
        self._found: Found | None = Found(
            new_table(opened.table, opened.seats, opened.rules), Secrets(), is_new=True
        )

    def recover(self) -> Found:
        """Start from the files, or at the first time from what they were begun with."""
        found, self._found = self._found, None
        if found is None:
            self._journal.close()
            recovered = recover(self.path, JournalKind.SIMULATION)
            self._journal = recovered.journal
            found = Found(recovered.state, recovered.secrets, is_new=False)
        return found

    def write(self, batch: Sequence[Decided]) -> None:
        """Write a batch, then delete the secrets that it opened."""
        self._journal.write(batch)
        self._journal.tidy()

    def cut_off(self, batch: Sequence[Decided], torn: Torn) -> None:
        """Leave what a power cut leaves; a commit on disk is whole or not there.

        What the escrow alone keeps of a cut commit is dropped at the next start, so
        it is the same here as nothing.
        """
        if torn is Torn.WHOLE and batch:
            self._journal.write(batch)

    def lose_escrow(self) -> None:
        """Delete the escrow's files."""
        self._journal.close()
        for file in files_of(self.path):
            if file.name.startswith(escrow_path(self.path).name):
                file.unlink()

    def close(self) -> None:
        """Close the files."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the files of a journal that are there: with logs, and the escrow's."""
    escrow = escrow_path(path)
    named = (
        file.with_name(file.name + end)
        for file in (path, escrow)
        for end in ("", "-wal")
    )
    return tuple(file for file in named if file.exists())


def recovered_copy(path: Path, folder: Path) -> Found:
    """Copy a journal's files as they are, and start from the copy.

    Raises:
        JournalError: No table can be started from them.

    """
    for file in files_of(path):
        (folder / file.name).write_bytes(file.read_bytes())
    recovered = recover(folder / path.name, JournalKind.SIMULATION)
    with contextlib.closing(recovered.journal):
        return Found(recovered.state, recovered.secrets, is_new=False)


__all__ = [
    "DiskKeeper",
    "Found",
    "JournalError",
    "Keeper",
    "MemoryKeeper",
    "Torn",
    "files_of",
    "recovered_copy",
]
