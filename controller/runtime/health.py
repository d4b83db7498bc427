"""How the table's surroundings fare: room on the disk, a commit that stalls, counts.

All of it is values: what follows from them, the core and the outputs say.
"""

import enum
import os
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from controller.core.commands import ReportDisk
from controller.core.outputs import TO_DEALER, TO_SUPERVISOR, Notice

_BYTES_PER_MIB: Final = 1_048_576

ROOM_MIN_BYTES: Final = _BYTES_PER_MIB
"""Less room than this is none: a batch and its log could not be written."""

ROOMY_AGAIN: Final = 1.25
"""How much more than the least must be free before the disk counts as roomy again:
a log that is rotated must not switch the table between dealing and not."""


# --- The disk ---------------------------------------------------------------------


def free_bytes(folder: Path) -> int:
    """Return the room that is left for this user on the disk of a folder.

    A disk that cannot even be asked has none. The call may wait for the disk, so
    it belongs in the thread that writes the journal, never on the loop.
    """
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return found.f_bavail * found.f_frsize


def disk_report(free: int, least_mib: int, *, nearly_full: bool) -> ReportDisk | None:
    """Return what the core must be told of the disk; None: it knows already.

    `free` is in bytes, `least_mib` the hardware file's `disk_free_min_mib`;
    `nearly_full` is what the table's state says now.
    """
    least = least_mib * _BYTES_PER_MIB
    if not nearly_full and free < least:
        return ReportDisk(nearly_full=True, free_bytes=free)
    if nearly_full and free >= least * ROOMY_AGAIN:
        return ReportDisk(nearly_full=False, free_bytes=free)
    return None


# --- The journal ------------------------------------------------------------------


class Stall(msgspec.Struct, frozen=True):
    """A commit has been under way for so long that people should know."""

    for_s: float


def stall_due_s(began_s: float, notice_after_s: float) -> float:
    """Return when a commit that began at `began_s` counts as stalled."""
    return began_s + notice_after_s


def stall(began_s: float | None, now_s: float, notice_after_s: float) -> Stall | None:
    """Return the stall of the commit under way, None where there is none.

    Times are monotonic seconds; `began_s` is None while nothing is being written.
    """
    if began_s is None or now_s < stall_due_s(began_s, notice_after_s):
        return None
    return Stall(now_s - began_s)


def stall_notices(found: Stall | None) -> tuple[Notice, ...]:
    """Return what a stall is called at the table.

    The seconds are left out: the notice shall stand still while it is true.
    """
    if found is None:
        return ()
    words = "The journal is slow: what was pressed is not yet taken, please wait"
    return Notice(TO_DEALER, words), Notice(TO_SUPERVISOR, words)


def escrow_notices(fault: str) -> tuple[Notice, ...]:
    """Return what is said where opened secrets could not be deleted."""
    if not fault:
        return ()
    return (Notice(TO_SUPERVISOR, f"Call the technician: {fault}"),)


# --- Counts -----------------------------------------------------------------------


class Count(enum.Enum):
    """What is counted since the start of the process."""

    INPUTS = "inputs"
    RECORDS = "records"
    COMMITS = "commits"
    COMMIT_STALLS = "commit_stalls"
    CLOCK_STEPS = "clock_steps"
    CONTROL_CONNECTIONS = "control_connections"
    CONTROL_LINES = "control_lines"
    CONTROL_LINES_UNREADABLE = "control_lines_unreadable"
    SLOW_READERS_DROPPED = "slow_readers_dropped"


class Counters:
    """Counts of one process, for its log and for a technician."""

    def __init__(self) -> None:
        self._counts: Counter[Count] = Counter()

    def add(self, what: Count, times: int = 1) -> None:
        """Count something."""
        self._counts[what] += times

    def snapshot(self) -> dict[str, int]:
        """Return every count by its name, also those of what never happened."""
        return {what.value: self._counts[what] for what in Count}
