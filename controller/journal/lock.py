"""One writer: a lock that lives exactly as long as the process that holds it."""

import contextlib
import fcntl
import os
from pathlib import Path
from typing import Self

from controller.journal.errors import JournalLockedError, JournalWriteError

_LONGEST_PID = 20


class WriterLock:
    """The right to append to one journal.

    The lock is on a file of its own beside the journal. SQLite locks byte ranges
    of the journal with `fcntl`, and the system drops all of a process's `fcntl`
    locks on a file when *any* descriptor of it is closed: a second descriptor on
    the journal itself, opened for our lock, would silently undo SQLite's when it
    is closed. `flock` belongs to the descriptor, is released by the system
    however the process ends, and leaves nothing stale behind. The lock file is
    never deleted: between a delete and the next create two writers could each
    hold a lock on a different file of that name.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def take(cls, journal: Path, does: str = "writes this journal") -> Self:
        """Take the lock of a journal, or say who has it, and what that one does.

        Raises:
            JournalLockedError: another process (or this one) has it.
            JournalWriteError: the lock file cannot be opened.
        """
        # Two names of one journal must meet at one lock.
        path = Path(os.path.realpath(journal))
        path = path.with_name(path.name + "-lock")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise JournalWriteError(
                f"{path}: the lock file cannot be opened ({error.strerror}); "
                "check folder, owner and mode"
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, _LONGEST_PID, 0).decode(errors="replace")
            os.close(descriptor)
            raise JournalLockedError(
                f"{journal}: process {holder.strip() or 'unknown'} {does}; stop it "
                "first"
            ) from error
        # The number only serves the message above; a full disk may refuse it.
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        return cls(descriptor)

    def release(self) -> None:
        """Let the next writer in; once."""
        os.close(self._descriptor)
