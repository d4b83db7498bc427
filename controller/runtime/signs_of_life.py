"""Whether a table that runs still does its work: what must have moved, and when.

The loop that asks turns by itself, or it could not ask. So it is asked here whether the
thread that writes the journal answers, and whether what comes in is taken. All of it is
values; time is monotonic seconds.
"""

import enum
from typing import Final

import msgspec

WRITER_PATIENCE_S: Final = 120.0
"""How long the writer may give no answer. Cheap cards stall for seconds, bad ones for
tens of them, and a table that is killed meanwhile waits for the same card again. Only
what no card does, a thread that never comes back, is worth a restart; after two minutes
the kernel, too, calls a process hung."""

INBOX_PATIENCE_S: Final = 15.0
"""How long what came in may wait while the writer answers. To plan a batch takes
milliseconds, and nothing else may keep it waiting then."""


class Signs(msgspec.Struct, frozen=True):
    """Counts since the start: questions to the writer, and what went into the inbox.

    A table that only shows what it last was has neither, and moves nothing.
    """

    asked: int = 0
    answered: int = 0
    came_in: int = 0
    taken: int = 0


class Stuck(enum.Enum):
    """What does not move, in words for the log and the service's status."""

    WRITER = "the journal's writer does not answer"
    INBOX = "what comes in is not taken"


class LifeJudge:
    """Judges one look after the other."""

    def __init__(self, now_s: float) -> None:
        self._last = Signs()
        self._was_silent = False
        self._writer_moved_s = now_s
        self._inbox_moved_s = now_s

    def judge(self, signs: Signs, now_s: float) -> Stuck | None:
        """Return what has not moved for longer than it may; None: the table works."""
        silent = signs.answered == self._last.answered and _owes(signs)
        still = signs.taken == self._last.taken and _waits(signs)
        if not silent:
            self._writer_moved_s = now_s
        # Who waits for the writer is not to blame, and gets its full time after it.
        if silent or self._was_silent or not still:
            self._inbox_moved_s = now_s
        self._was_silent = silent
        self._last = signs
        if now_s - self._writer_moved_s >= WRITER_PATIENCE_S:
            return Stuck.WRITER
        if now_s - self._inbox_moved_s >= INBOX_PATIENCE_S:
            return Stuck.INBOX
        return None


def _owes(signs: Signs) -> bool:
    """Return whether the writer has a question that it has not answered."""
    return signs.asked > signs.answered


def _waits(signs: Signs) -> bool:
    return signs.came_in > signs.taken
