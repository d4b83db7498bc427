"""Following a table while it plays: the fold of its journal, read-only and growing.

Whoever shows a table reads it so, in a process of its own: public facts alone, and
only those that are on disk.
"""

from pathlib import Path

from controller.core.evolve import Record, evolve
from controller.journal import reader
from controller.journal.fold import state_after
from controller.journal.table_codec import CODEC


class FollowedTable:
    """The table as its journal said it at the last reading."""

    def __init__(self, path: Path) -> None:
        """Read from the end of the last round on.

        Raises:
            JournalError: There is no journal, or it cannot be read.

        """
        self.path = path
        tail = reader.tail(path)
        self.state = state_after(path, tail)
        self.sequence = tail.records[-1].sequence

    def read_on(self) -> tuple[Record, ...]:
        """Return what was written since the last reading, and fold it.

        Raises:
            JournalError: The journal cannot be read.

        """
        rows = reader.records_after(self.path, self.sequence)
        records = tuple(CODEC.decode(row) for row in rows)
        for record in records:
            self.state = evolve(self.state, record)
        if rows:
            self.sequence = rows[-1].sequence
        return records
