"""What the table makes of its mirror: in order, or lost, and how.

The mirror's process says how far it is. The table believes it only as far as its own
journal has that record with that hash, and counts on its own clock how long it has
heard nothing, or waits for a record to be mirrored.
"""

import asyncio
from pathlib import Path
from typing import Final

import msgspec

from controller.core.commands import ReportMirror
from controller.core.ids import MirrorFault
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.runtime.clock import Clock
from controller.runtime.logs import TableLogger
from controller.runtime.mirror_status import MirrorStatus, read_status
from controller.runtime.owner import Change, Owner


class Seen(msgspec.Struct, frozen=True):
    """One look at the mirror: what it says, and whether the journal bears it out."""

    status: MirrorStatus
    is_ours: bool


class Verdict(msgspec.Struct, frozen=True):
    """What is the matter with the mirror; None: it is in order."""

    fault: MirrorFault | None


IN_ORDER: Final = Verdict(None)


class MirrorJudge:
    """Judges one look after the other; pure, `now_s` is monotonic.

    The mirror is in order each time that it has reached the record that was the
    journal's last at an earlier look. A record that waits for `late_after_s` or longer
    is late, whatever has been copied meanwhile.
    """

    def __init__(self, late_after_s: float, now_s: float) -> None:
        self._late_after_s = late_after_s
        self._beat: int | None = None
        self._heard_s = now_s
        self._borne_out_s = now_s
        self._goal = 0
        self._goal_s = now_s

    def judge(self, seen: Seen | None, last: int, now_s: float) -> Verdict | None:
        """Return what is the matter; None: nothing new can be said yet.

        `last` is the sequence of the journal's last record.
        """
        self._goal = self._goal or last
        if seen is None:
            return self._overdue(MirrorFault.SILENT, self._heard_s, now_s)
        if seen.status.beat != self._beat:
            self._beat, self._heard_s = seen.status.beat, now_s
        if seen.status.fault is not None:
            return Verdict(seen.status.fault)
        if silent := self._overdue(MirrorFault.SILENT, self._heard_s, now_s):
            return silent
        if not seen.is_ours:
            return self._overdue(MirrorFault.MISMATCH, self._borne_out_s, now_s)
        self._borne_out_s = now_s
        if seen.status.sequence < self._goal:
            return self._overdue(MirrorFault.BEHIND, self._goal_s, now_s)
        self._goal, self._goal_s = last, now_s
        return IN_ORDER

    def _overdue(
        self, fault: MirrorFault, since_s: float, now_s: float
    ) -> Verdict | None:
        return Verdict(fault) if now_s - since_s >= self._late_after_s else None


class MirrorWatch:
    """The table's look at its mirror, beside the loop that owns the table."""

    def __init__(
        self,
        owner: Owner,
        clock: Clock,
        log: TableLogger,
        *,
        journal: Path,
        status: Path | None,
        late_after_s: float,
    ) -> None:
        """Take where the status lies; None: there shall be no mirror."""
        self._owner = owner
        self._clock = clock
        self._log = log
        self._journal = journal
        self._status = status
        self._judge = MirrorJudge(late_after_s, clock.now_s())
        self._last = 0
        owner.listen(self._changed)

    async def look(self) -> None:
        """Tell the table what changed; a table that has written nothing has none."""
        if not self._last:
            return
        if self._status is None:
            self._tell(IN_ORDER, 0)
            return
        last = self._last
        seen = await asyncio.to_thread(see, self._status, self._journal)
        verdict = self._judge.judge(seen, last, self._clock.now_s())
        held = seen.status.sequence if seen is not None and seen.is_ours else 0
        if verdict is not None:
            self._tell(verdict, held)

    def _tell(self, verdict: Verdict, sequence: int) -> None:
        fault = verdict.fault
        if fault is self._owner.state.mirror_fault:
            return
        if fault is None:
            self._log.info("mirror in order", sequence=sequence)
        else:
            self._log.warning("mirror lost", fault=fault.value, sequence=sequence)
        self._owner.submit(ReportMirror(fault=fault, sequence=sequence))

    def _changed(self, change: Change) -> None:
        self._last = change.last_sequence


def see(status_file: Path, journal: Path) -> Seen | None:
    """Look once; may wait for the journal's disk, so it belongs into a thread."""
    status = read_status(status_file)
    return None if status is None else Seen(status, _bears_out(journal, status))


def _bears_out(journal: Path, status: MirrorStatus) -> bool:
    """Return whether the journal has the record that the mirror says it holds."""
    if status.sequence == 0:
        return True
    try:
        record = reader.record_at(journal, status.sequence)
    except JournalError:
        return False
    return record is not None and record.hash.hex() == status.hash
