"""What the mirror's process says of itself, in a small file beside the control socket.

The table reads it, and believes none of it that its own journal does not bear out.
"""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

import msgspec

from controller.core.ids import MirrorFault
from controller.journal.errors import JournalLockedError, JournalWriteError
from controller.journal.lock import WriterLock
from controller.runtime.errors import MirrorRunsError

SIZE_MAX: Final = 4096
_WORDS_MAX: Final = 500


class HeldRecord(msgspec.Struct, frozen=True):
    """The last record that was copied of a journal's file; its hash is hex."""

    journal: str
    sequence: int
    hash: str


class MirrorStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far the mirror is, when it last said so, and what keeps it.

    `sequence` and `hash` (hex) are its last record of the journal's present file, 0:
    none yet. `beat` counts on with every renewal. `checked_at` is when the mirror was
    last found whole, empty: not yet. `held` is what was ever copied into this folder,
    and is known again by the next process.
    """

    folder: str
    beat: int
    at: str
    sequence: int
    hash: str
    fault: MirrorFault | None = None
    words: str = ""
    checked_at: str = ""
    held: HeldRecord | None = None


class StatusFile:
    """The status as the one process that may write it has it: the table's mirror.

    Its lock says that a mirror of the table runs, whatever folder that one copies to.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock: WriterLock | None = None

    def claim(self) -> None:
        """Take the right to write the status, or keep it.

        Raises:
            MirrorRunsError: Another process has it.
            OSError: The folder cannot be written just now.

        """
        if self._lock is not None:
            return
        try:
            self._lock = WriterLock.take(self._file, "mirrors this table already")
        except JournalLockedError as error:
            raise MirrorRunsError(str(error)) from error
        except JournalWriteError as error:
            raise OSError(str(error)) from error

    def read(self) -> MirrorStatus | None:
        """Return what the mirror's process before this one said last."""
        return read_status(self._file)

    def write(self, status: MirrorStatus) -> None:
        """Replace the status.

        Raises:
            MirrorRunsError: Another process writes it.
            OSError: It cannot be written.

        """
        self.claim()
        write_status(self._file, status)

    def close(self) -> None:
        """Let the next mirror in."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def status_file(control_socket: Path) -> Path:
    """Return where the mirror's process says how it fares."""
    return control_socket.with_name(control_socket.name + ".mirror")


def write_status(file: Path, status: MirrorStatus) -> None:
    """Replace the status, so that a reader sees the old or the new one.

    Raises:
        OSError: It cannot be written.

    """
    short = msgspec.structs.replace(status, words=status.words[:_WORDS_MAX])
    made = file.with_name(file.name + ".new")
    made.write_bytes(msgspec.json.encode(short) + b"\n")
    made.replace(file)


def read_status(file: Path) -> MirrorStatus | None:
    """Return the status; None where there is none that can be understood.

    Whatever lies there is read only so far, and never waited for.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(file, flags)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        text = os.read(descriptor, SIZE_MAX)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(text, type=MirrorStatus)
    return None
