"""A journal on disk whose writes wait, or fail, when a test says so."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from controller.core.events import JournalOpened
from controller.core.secrets import Secrets
from controller.core.state import new_table
from controller.journal.errors import JournalFullError
from controller.journal.escrow import Escrow, Sealed
from controller.journal.recovery import Recovered
from controller.journal.store import Store
from controller.journal.table_journal import Decided, TableJournal
from tests.core.table import rules
from tests.runtime.clocks import StandingClock

BOUND_S = 10.0


class StallingJournal(TableJournal):
    """The real journal of a table; its thread waits while `disk` is not set."""

    def __init__(
        self, path: Path, store: Store, escrow: Escrow, kept: Iterable[Sealed]
    ) -> None:
        super().__init__(path, store, escrow, kept)
        self.disk = threading.Event()
        self.disk.set()
        self.is_full = False
        self.batches: list[tuple[Decided, ...]] = []
        self.calls: list[str] = []
        self._inside = 0

    def write(self, batch: Sequence[Decided]) -> tuple[int, ...]:
        self._inside += 1
        assert self._inside == 1, "two batches are in flight"
        self.batches.append(tuple(batch))
        assert self.disk.wait(BOUND_S), "the test never let the disk go on"
        self._inside -= 1
        if self.is_full:
            raise JournalFullError(f"{self.path}: the disk is full; make room")
        self.calls.append("write")
        return super().write(batch)

    def tidy(self) -> None:
        self.calls.append("tidy")
        super().tidy()

    def checkpoint(self) -> None:
        self.calls.append("checkpoint")
        super().checkpoint()


def begun(path: Path, seats: int = 3) -> Recovered:
    """Begin such a journal."""
    opened = JournalOpened(kind="simulation", table="T", seats=seats, rules=rules())
    journal = StallingJournal.begin(path, opened, StandingClock().stamp())
    journal.batches.clear()
    journal.calls.clear()
    state = new_table(opened.table, opened.seats, opened.rules)
    return Recovered(journal, state, Secrets(), is_new=True)
