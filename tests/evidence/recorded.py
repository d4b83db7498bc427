"""Journals as a table writes them, played by scenario steps on virtual time."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Command
from controller.core.decide import decide
from controller.core.evolve import evolve
from controller.core.secrets import committed
from controller.evidence.code import code_digest
from controller.journal import schema
from controller.journal.chain import GENESIS, record_hash
from controller.journal.notes import SecretKey
from controller.journal.records import Stamp
from controller.journal.signing import Signing
from controller.journal.table_journal import Decided, TableJournal, decided
from simulators.rigs.scenario.core_table import TABLE, CoreTable
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.language import Head, Statement, parse_scenario

BEGINNING = datetime(2026, 1, 31, 18, 0, tzinfo=UTC)


class RecordedTable(CoreTable):
    """A table of the core whose records also go to a journal on disk."""

    def __init__(self, head: Head, path: Path, digest: str | None = None) -> None:
        super().__init__(head)
        self.digest = code_digest() if digest is None else digest
        opened = ev.JournalOpened(
            kind="simulation",
            table=TABLE,
            seats=head.seats,
            rules=self.state.rules,
            code_digest=self.digest,
            time_zone="America/Denver",
        )
        self.journal = TableJournal.begin(path, opened, self._stamp())
        self._waiting: list[Decided] = []
        self._gathers = False

    def _stamp(self) -> Stamp:
        at = BEGINNING + timedelta(seconds=self._now)
        return Stamp(
            recorded_at=at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            clock_synchronised=True,
            boot_id="boot-1",
            monotonic_ns=int(self._now * 1e9),
        )

    def _send(self, command: Command) -> None:
        if isinstance(command, cm.ResumeControl):
            command = replace(command, code_digest=self.digest)
        # Every input comes half a second after the one before it.
        self._now += 0.5
        decision = decide(self._state, self._secrets, self._committed(command))
        if decision.records:
            self._waiting.append(decided(self._stamp(), self._state, decision))
            if not self._gathers:
                self._write_waiting()
        super()._send(command)

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.journal.write(waiting)

    @contextmanager
    def as_one_batch(self) -> Iterator[None]:
        """Write what happens meanwhile in one commit, as if it had come in at once.

        The records are the same, and a disk is waited for once.
        """
        self._gathers = True
        yield
        self._gathers = False
        self._write_waiting()

    def do_all(self, statements: Iterable[Statement]) -> None:
        """Let the steps of a scenario happen; what it expects is left out."""
        with self.as_one_batch():
            for statement in statements:
                if not isinstance(statement.said, Expectation):
                    self.do(statement.said)

    def do_text(self, text: str) -> None:
        """Let the steps of a scenario happen, given as text."""
        self.do_all(parse_scenario(text, "test").statements)

    def read_again(self, number: int, face: str) -> None:
        """Let the shoe read a card again, in an event of its own."""
        report = cm.ReportCard(
            number=number, card=Card(face), raw="00", cursor=cm.Cursor(1, number)
        )
        self._send(committed(self._state, report, self._salt(-number)))

    def note(self, fact: ev.Event) -> None:
        """Write a record that no input led to."""
        one = Decided(self._stamp(), self._state.round, (fact,))
        self.journal.write([one])
        self._write(fact)
        self._state = evolve(self._state, fact)

    def sign_with(self, key: SecretKey) -> None:
        """Sign the journal's heads from now on."""
        self.journal.sign_with(Signing(TABLE, key), self._stamp())

    def change_key(self, old: SecretKey, new: SecretKey) -> None:
        """Let another key sign from now on."""
        stamp = self._stamp()
        self.journal.change_key(Signing(TABLE, old), Signing(TABLE, new), stamp)

    def stop(self) -> None:
        """Sign what was not signed yet, if anything is."""
        self.journal.sign_head(self._stamp())

    def lose_secrets(self) -> None:
        """Lose the escrow, as if its file were gone."""
        self._sealed.clear()

    def take_over(self, other: "RecordedTable") -> None:
        """Go on where another table's journal ends, as an archive's successor does."""
        self.note(ev.TableStateRecorded(state=other.state))
        self._secrets = other._secrets  # noqa: SLF001 - the same class
        self._sealed = other._sealed  # noqa: SLF001 - the same class
        # Shoe and panels are the same, and number on.
        self._card_number = other._card_number  # noqa: SLF001 - the same class
        self._presses = other._presses  # noqa: SLF001 - the same class


@contextmanager
def recorded(
    path: Path,
    text: str,
    digest: str | None = None,
    key: SecretKey | None = None,
) -> Iterator[RecordedTable]:
    """Play a scenario's steps at a table that keeps a journal, signed by a key."""
    played = parse_scenario(text, "test")
    table = RecordedTable(played.head, path, digest)
    with closing(table.journal):
        if key is not None:
            table.sign_with(key)
        if not played.opens_its_own_shift:
            table.open_default_shift()
        table.do_all(played.statements)
        yield table
        table.stop()


def write(
    path: Path,
    text: str,
    digest: str | None = None,
    key: SecretKey | None = None,
) -> Path:
    """Write the journal of a scenario."""
    with recorded(path, text, digest, key):
        pass
    return path


Columns = list[object]
"""The columns of one row in the table's order, without its hash."""

SEQUENCE, RECORDED_AT, CAUSE, ROUND, TYPE, BODY = 0, 1, 5, 6, 8, 10


def rows_of(path: Path) -> list[Columns]:
    """Return every row as it stands, without its hash."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(f"{schema.SELECT} ORDER BY sequence").fetchall()
    return [list(row[:-1]) for row in found]


def forge(path: Path, rows: list[Columns]) -> None:
    """Write a journal anew as a forger does who can compute hashes.

    Rows are numbered in their new order, causes follow the rows that they name,
    and the chain fits.
    """
    renumbered = {row[SEQUENCE]: at for at, row in enumerate(rows, start=1)}
    previous = GENESIS.hash
    chained: list[tuple[Any, ...]] = []
    for row in rows:
        columns: list[Any] = [*row]
        columns[SEQUENCE] = renumbered[row[SEQUENCE]]
        columns[CAUSE] = renumbered.get(row[CAUSE], row[CAUSE])
        previous = record_hash(previous, *columns)
        chained.append((*columns, previous))
    with without_triggers(path) as connection:
        connection.execute("DELETE FROM journal")
        connection.executemany(schema.INSERT, chained)


@contextmanager
def without_triggers(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal as someone does who knows that there are triggers."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()


def forge_bodies(path: Path, type_: str, edit: Callable[[dict[str, Any]], None]) -> int:
    """Edit the body of the last record of a type; return its sequence."""
    rows = rows_of(path)
    row = [row for row in rows if row[TYPE] == type_][-1]
    body = json.loads(str(row[BODY]))
    edit(body)
    row[BODY] = json.dumps(body, separators=(",", ":"))
    forge(path, rows)
    return int(str(row[SEQUENCE]))
