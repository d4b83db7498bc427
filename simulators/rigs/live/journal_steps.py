"""A growing journal as the checkers see a table: input by input.

Read from outside, while the controller writes it; what a device or a person gave is
taken from the devices and the felt where the journal must not have it.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.decisions import KeyCard
from controller.core.evolve import Record, evolve
from controller.core.outputs import outputs
from controller.core.state import TableState
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC
from simulators.rigs.checkers.checker import Step
from simulators.rigs.virtual.felt import Felt


class JournalSteps:
    """Reads a journal on from its first record; `state` is the table at the last."""

    def __init__(self, path: Path, opened: TableState, felt: Felt) -> None:
        self.state = opened
        self.sequence = 0
        self._path = path
        self._felt = felt

    def read_on(self) -> Iterator[Step]:
        """Yield a step for each input that was written since the last reading.

        Raises:
            JournalError: The journal cannot be read.

        """
        for _, rows in groupby(self._rows(), lambda row: row.cause or row.sequence):
            yield self._step(tuple(CODEC.decode(row) for row in rows))

    def _rows(self) -> tuple[Row, ...]:
        try:
            rows = reader.records_after(self._path, self.sequence)
        except JournalError:
            if self.sequence:
                raise
            # The controller has not begun it yet, or not wholly.
            return ()
        if rows:
            self.sequence = rows[-1].sequence
        return rows

    def _step(self, records: tuple[Record, ...]) -> Step:
        before = self.state
        for record in records:
            self.state = evolve(self.state, record)
        self._felt.note(records, self.state)
        given = self._given(records)
        number = self.sequence
        return Step(number, given, records, before, self.state, outputs(self.state))

    def _given(self, records: tuple[Record, ...]) -> Record:
        """Return the input with the face that the record of it does not have."""
        match records[0]:
            case cm.ReportCard(card=card, unread=False) as given if card == UNKNOWN:
                face = self._felt.face(given.number)
                return given if face is None else replace(given, card=face)
            case cm.TakeDecision(decision=KeyCard()) as given:
                keyed = ev.HoleCardKeyed | ev.MissingCardKnown
                for record in records:
                    if isinstance(record, keyed):
                        face = self._felt.face(record.number)
                        return replace(given, decision=KeyCard(face or UNKNOWN))
                return given
            case given:
                return given
