"""The table as a journal's records leave it: public facts only, without a lock."""

from pathlib import Path

from controller.core import events as ev
from controller.core.evolve import Record, evolve
from controller.core.state import TableState, new_table
from controller.journal import reader
from controller.journal.errors import CodecError, MalformedJournalError
from controller.journal.records import Record as Written
from controller.journal.table_codec import CODEC
from controller.journal.verify import tail_fault


def state_at_end(path: Path) -> TableState:
    """Return the table as a journal leaves it: public facts only.

    Raises:
        JournalError: The records since the last round's end do not verify.

    """
    return state_after(path, reader.tail(path))


def state_after(path: Path, tail: reader.Tail) -> TableState:
    """Return the table after the records that a journal ends with.

    Raises:
        JournalError: They do not verify.

    """
    fault = tail_fault(tail)
    if fault is not None:
        raise MalformedJournalError(f"{path}: {fault.text}; verify the journal")
    state: TableState | None = None
    for row in tail.records:
        state = folded(path, row, state)
    if state is None:
        raise MalformedJournalError(f"{path}: expected records, found none")
    return state


def folded(path: Path, row: Written, state: TableState | None) -> TableState:
    """Return the table after one record; `state` is None before the first.

    Raises:
        JournalError: The record cannot be understood, or does not fit.

    """
    try:
        record = CODEC.decode(row)
    except CodecError as error:
        raise CodecError(f"{path}: {error}") from error
    before = _first_state(path, record) if state is None else state
    try:
        return evolve(before, record)
    except Exception as error:
        # The fold never refuses what `decide` wrote; other software wrote this.
        raise MalformedJournalError(
            f"{path}: record {row.sequence} ({row.type}) does not fit the table as it "
            f"was ({type(error).__name__}); use the software that wrote it"
        ) from error


def _first_state(path: Path, record: Record) -> TableState:
    match record:
        case ev.JournalOpened():
            return new_table(record.table, record.seats, record.rules)
        case ev.TableStateRecorded():
            return record.state
        case _:
            raise MalformedJournalError(
                f"{path}: expected journal_opened or table_state first; verify it"
            )
