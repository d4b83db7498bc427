"""What happened in a shift or on a day, in figures.

Amounts are whole cents, waits milliseconds. Nothing here tells of any card.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.state import TableState
from controller.evidence.stretches import stretches
from controller.evidence.tally import TYPES, Figures, Tally
from controller.evidence.times import moment, time_zone
from controller.journal import reader, spans
from controller.journal.errors import JournalError
from controller.journal.lineage import Earlier, earlier_files
from controller.journal.records import TAKEN_OVER
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC


class ShiftNotFoundError(JournalError):
    """The journal has no shift of that number."""


class NoSuchDayError(JournalError):
    """Neither the journal nor the files before it have a record of that day."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one shift, or of one day in the time zone of the table.

    A shift has a `dealer` and times; `began_at` is None where it began in an earlier
    journal, `ended_at` while it lasts. On a day, everything counts that was recorded
    on it, and of the rounds those whose bets were closed on it, in the earlier files
    of the journal as well. `lacks` names the earlier file in which the rest of the day
    may lie, where that cannot be read here: then the figures are those of a part.
    """

    table: str
    time_zone: str
    shift: int | None = None
    day: str | None = None
    dealer: str | None = None
    began_at: str | None = None
    ended_at: str | None = None
    lacks: str | None = None
    figures: Figures


def report_of_shift(path: Path, number: int) -> Report:
    """Return the figures of a shift.

    Raises:
        ShiftNotFoundError: the journal has no such shift.
        JournalError: the journal cannot be read.
    """
    after, until = _reach_of_shift(path, number)
    tally, scope = Tally(), _Shift(number)
    for row in spans.between(path, TYPES, after, until):
        fact = CODEC.decode(row)
        tally.take(row, fact, counts=scope.counts(row, fact))
    if scope.dealer is None:
        raise ShiftNotFoundError(
            f"{path}: no shift {number}; it may be in an earlier journal"
        )
    return Report(
        table=_table(path),
        time_zone=time_zone(path).key,
        shift=number,
        dealer=scope.dealer,
        began_at=scope.began_at,
        ended_at=scope.ended_at,
        figures=tally.figures(),
    )


def report_of_day(path: Path, day: date) -> Report:
    """Return the figures of a day, from midnight to midnight at the table.

    Raises:
        NoSuchDayError: nothing was recorded on it.
        JournalError: the journal cannot be read.
    """
    zone = time_zone(path)
    begin, end = _midnights(day, zone)
    parts, lacks = _parts_of_day(path, begin)
    tally, any_of_it = Tally(), False
    for file, last in parts:
        for row in _rows_of_day(file, TYPES, begin, end, last):
            counts = begin <= moment(row.recorded_at) < end
            any_of_it |= counts
            tally.take(row, CODEC.decode(row), counts=counts)
    if not any_of_it and lacks is None and not _has_any(parts, begin, end):
        raise NoSuchDayError(f"{path}: no records of {day}, nor in its earlier files")
    return Report(
        table=_table(path),
        time_zone=zone.key,
        day=day.isoformat(),
        lacks=lacks,
        figures=tally.figures(),
    )


def _table(path: Path) -> str:
    first = reader.record_at(path, 1)
    opened = CODEC.decode(first) if first is not None else None
    return opened.table if isinstance(opened, ev.JournalOpened) else ""


# --- A shift -------------------------------------------------------------------


class _Shift:
    """Says which records belong to a shift, and when it began and ended."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._inside = False
        self._made_void = False
        self.dealer: str | None = None
        self.began_at: str | None = None
        self.ended_at: str | None = None

    def counts(self, row: Row, fact: Fact) -> bool:
        """Take the next record; say whether it belongs to the shift."""
        match fact:
            case ev.ShiftOpened(shift=number) if number == self._number:
                self._inside = True
                self.dealer, self.began_at = fact.dealer, row.recorded_at
            case ev.JournalOpened(succeeds=ev.Predecessor(void_round=voided)):
                self._made_void = voided > 0
            case ev.TableStateRecorded(state=state) if row.sequence == TAKEN_OVER:
                return self._takes_over(row, state)
            case ev.ShiftClosed(shift=number) if number == self._number:
                self._inside, self.ended_at = False, row.recorded_at
            case _:
                pass
        return self._inside

    def _takes_over(self, row: Row, state: TableState) -> bool:
        """Take the table of an earlier journal, in which the shift was opened.

        Where a round was open, a successor made it void and so ended the shift.
        """
        shift = state.shift
        if shift is not None and shift.number == self._number:
            self._inside, self.dealer = True, shift.dealer
        elif self._made_void and state.shift_number == self._number:
            self.dealer, self.ended_at = state.last_dealer, row.recorded_at
            return True
        return self._inside


def _reach_of_shift(path: Path, number: int) -> tuple[int, int]:
    """Return between which ends of rounds a shift lies; shifts only count upwards."""
    marks = [mark.sequence for mark in spans.state_marks(path)]
    first = _first_of_shift(path, marks, number)
    behind = _first_of_shift(path, marks, number + 1)
    begin = marks[first - 1] if first else 0
    # In the round that ends there the shift was over at last.
    return begin, marks[behind] if behind < len(marks) else reader.head(path).sequence


def _first_of_shift(path: Path, marks: list[int], number: int) -> int:
    """Return the place of the first end of a round that knows of this shift."""
    low, high = 0, len(marks)
    while low < high:
        middle = (low + high) // 2
        if _shift_at(path, marks[middle]) < number:
            low = middle + 1
        else:
            high = middle
    return low


def _shift_at(path: Path, sequence: int) -> int:
    row = reader.record_at(path, sequence)
    fact = CODEC.decode(row) if row is not None else None
    assert isinstance(fact, ev.TableStateRecorded), "the index names states only"
    return fact.state.shift_number


# --- A day ---------------------------------------------------------------------

_Part = tuple[Path, int | None]
"""A file of a journal, and the last record that counts; None: all of them do."""


def _midnights(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    begin = datetime.combine(day, time.min, zone)
    if day == date.max:
        return begin, datetime.max.replace(tzinfo=zone)  # No day comes after it.
    return begin, datetime.combine(day + timedelta(1), time.min, zone)


def _parts_of_day(path: Path, begin: datetime) -> tuple[list[_Part], str | None]:
    """Return the files in which a day may lie, oldest first, and one that is missed."""
    parts: list[_Part] = [(path, None)]
    began = _began(path)
    for old in earlier_files(path):
        try:
            ended = _ended(old)
        except JournalError:
            # Not here, or put aside as no good: only the next file tells of it.
            lacks = str(old.file) if began is None or begin <= began else None
            return parts[::-1], lacks
        if began is not None and max(began, ended) < begin:
            break
        parts.append((old.file, old.last.sequence))
        began = _began(old.file)
    return parts[::-1], None


def _began(path: Path) -> datetime | None:
    first = reader.record_at(path, 1)
    return moment(first.recorded_at) if first is not None else None


def _ended(old: Earlier) -> datetime:
    """Return when the last record was written that was taken over.

    Raises:
        JournalError: it cannot be read.
    """
    last = reader.record_at(old.file, old.last.sequence)
    if last is None:
        raise JournalError(f"{old.file}: no record was taken over; verify it")
    return moment(last.recorded_at)


def _rows_of_day(
    path: Path,
    types: Sequence[str] | None,
    begin: datetime,
    end: datetime,
    last: int | None,
) -> Iterator[Row]:
    """Yield the records of a day, and some around them, up to the last that counts."""
    for after, until in _reaches_of_day(path, begin, end):
        yield from spans.between(
            path, types, after, until if last is None else min(until, last)
        )


def _has_any(parts: Iterable[_Part], begin: datetime, end: datetime) -> bool:
    """Say whether there is any record of a day, also of those that no figure is of."""
    return any(
        begin <= moment(row.recorded_at) < end
        for file, last in parts
        for row in _rows_of_day(file, None, begin, end, last)
    )


def _reaches_of_day(
    path: Path, begin: datetime, end: datetime
) -> Iterator[tuple[int, int]]:
    """Yield where records of a day may lie, as few and as long parts as there are."""
    # Record 1 stands before all stretches, and may say what became of a void round.
    after, until = 0, 1
    for stretch in stretches(path):
        if not stretch.may_hold(begin, end):
            continue
        if stretch.after > until:
            yield after, until
            after = stretch.after
        until = stretch.until
    yield after, until
