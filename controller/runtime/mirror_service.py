"""The process that keeps the mirror: it copies, checks, and says how it fares.

It may be started, killed and started again at any moment; the table never waits for
it. What passes by itself (a full disk, a folder that is away) it waits out; where
journal and mirror do not go together it ends, and leaves both as they are.
"""

import contextlib
import errno
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec

from controller.core.ids import MirrorFault
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    JournalError,
    JournalFullError,
    MalformedJournalError,
    MirrorMismatchError,
    NotAJournalError,
    RowError,
    WrongKindError,
)
from controller.journal.mirror import Copied, Mirror
from controller.journal.mirrored import mirror_fault
from controller.journal.reader import Columns
from controller.journal.records import JournalKind
from controller.runtime.clock import Clock
from controller.runtime.health import ROOM_MIN_BYTES, free_bytes
from controller.runtime.logs import TableLogger
from controller.runtime.mirror_status import (
    HeldRecord,
    MirrorStatus,
    StatusFile,
    status_file,
)
from hw_config.schema import TableHardware

LOOK_EVERY_S: Final = 0.5
CHECK_EVERY_S: Final = 86_400.0

_NO_COPY: Final = (
    MirrorMismatchError,
    MalformedJournalError,
    NotAJournalError,
    RowError,
    WrongKindError,
)
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)


class _StoppedError(Exception):
    """The process ends while the mirror is still being checked."""


class MirrorService:
    """Keeps the mirror of one table until it is stopped."""

    def __init__(
        self, hardware: TableHardware, journal: Path, clock: Clock, log: TableLogger
    ) -> None:
        self._journal = journal
        self._folder = Path(hardware.journal.mirror)
        self._mirror = Mirror(journal, self._folder, JournalKind(hardware.kind.value))
        self._status_file = StatusFile(status_file(Path(hardware.control_socket)))
        self._clock = clock
        self._log = log
        self._stop = threading.Event()
        self._checks = _Checks(self._mirror, clock, self._stop)
        self._status = MirrorStatus(
            folder=str(self._folder), beat=0, at="", sequence=0, hash=""
        )
        self._is_told = True

    def stop(self) -> None:
        """Let `run` return, soon."""
        self._stop.set()

    def run(self) -> None:
        """Copy and check until stopped.

        Raises:
            MirrorMismatchError: The mirror is no copy of the journal.
            MirrorRunsError: Another process keeps it; nothing was said or copied.

        """
        with (
            contextlib.closing(self._status_file),
            ThreadPoolExecutor(1, thread_name_prefix="check") as threads,
        ):
            self._begin()
            try:
                while not self._stop.is_set():
                    self._keep(threads)
                    self._stop.wait(LOOK_EVERY_S)
            except _NO_COPY as error:
                self._say(MirrorFault.MISMATCH, str(error))
                raise MirrorMismatchError(str(error)) from error
            finally:
                self._stop.set()

    def _begin(self) -> None:
        with contextlib.suppress(OSError):  # It is said with the first status.
            self._status_file.claim()
        self._log.info(
            "mirror runs", journal=str(self._journal), folder=str(self._folder)
        )
        self._remember(self._status_file.read())

    def _remember(self, before: MirrorStatus | None) -> None:
        """Take what the process before this one has copied; a new folder has nothing.

        A device is replaced by naming another folder, so that it is never done by
        mistake, and never without the hardware file.
        """
        if before is None or before.held is None:
            return
        if before.folder != str(self._folder):
            self._log.warning("another folder than before", before=before.folder)
            return
        held = before.held
        if held.journal == str(self._journal):
            self._mirror.held = Link(held.sequence, bytes.fromhex(held.hash))
            self._status = msgspec.structs.replace(self._status, held=held)

    def _keep(self, threads: ThreadPoolExecutor) -> None:
        """Copy until stopped, or until something is in the way."""
        try:
            with contextlib.closing(self._mirror.copying()) as copying:
                for copied in copying:
                    self._reached(copied)
                    self._checks.look(threads)
                    if copied.whole:
                        self._stop.wait(LOOK_EVERY_S)
                    if self._stop.is_set():
                        return
        except _NO_COPY:
            raise
        except (JournalError, OSError) as error:
            self._say(self._kind_of(error), str(error))

    def _reached(self, copied: Copied) -> None:
        link, held = copied.link, self._mirror.held
        self._status = msgspec.structs.replace(
            self._status,
            sequence=link.sequence,
            hash="" if link == GENESIS else link.hash.hex(),
            checked_at=self._checks.passed_at,
            held=None if held == GENESIS else self._held_record(held),
        )
        self._say(None, "")

    def _held_record(self, held: Link) -> HeldRecord:
        return HeldRecord(str(self._journal), held.sequence, held.hash.hex())

    def _kind_of(self, error: JournalError | OSError) -> MirrorFault:
        """Return what is in the way; SQLite calls a full disk by several names."""
        if isinstance(error, JournalFullError):
            return MirrorFault.FULL
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            return MirrorFault.FULL
        if self._folder.is_dir() and free_bytes(self._folder) < ROOM_MIN_BYTES:
            return MirrorFault.FULL
        return MirrorFault.UNREACHABLE

    def _say(self, fault: MirrorFault | None, words: str) -> None:
        """Renew the status; a fault that comes or goes is a line of the log too."""
        if fault is not self._status.fault:
            if fault is None:
                self._log.info("mirror is written again")
            else:
                self._log.warning("mirror", fault=fault.value, words=words)
        self._status = msgspec.structs.replace(
            self._status,
            beat=self._status.beat + 1,
            at=self._clock.stamp().recorded_at,
            fault=fault,
            words=words,
        )
        try:
            self._status_file.write(self._status)
        except OSError as error:
            if self._is_told:
                self._log.warning("status cannot be written", words=str(error))
            self._is_told = False
        else:
            self._is_told = True


class _Checks:
    """Verifies the whole mirror, at the start and once a day, beside the copying."""

    def __init__(self, mirror: Mirror, clock: Clock, stop: threading.Event) -> None:
        self._mirror = mirror
        self._clock = clock
        self._stop = stop
        self._due_s = clock.now_s()
        self._under_way: Future[None] | None = None
        self._openings = 0
        self.passed_at = ""

    def look(self, threads: ThreadPoolExecutor) -> None:
        """Begin a check that is due, and take what one has found.

        Raises:
            JournalError: The mirror is not what was written.

        """
        if self._under_way is None:
            if self._clock.now_s() >= self._due_s and self._mirror.file.exists():
                self._openings = self._mirror.openings
                self._under_way = threads.submit(self._check)
            return
        if not self._under_way.done():
            return
        done, self._under_way = self._under_way, None
        if self._openings != self._mirror.openings:
            return  # The files changed places under it: it is due again.
        try:
            done.result()
        except _StoppedError:
            return
        self.passed_at = self._clock.stamp().recorded_at
        self._due_s = self._clock.now_s() + CHECK_EVERY_S

    def _check(self) -> None:
        fault = mirror_fault(self._mirror.file, self._held)
        if fault is not None:
            raise MirrorMismatchError(
                f"{fault.file}: the mirror is not what was written: "
                f"{fault.text}; keep it and find out why"
            )

    def _held(self, _link: Link, _rows: Sequence[Columns]) -> None:
        if self._stop.is_set():
            raise _StoppedError
