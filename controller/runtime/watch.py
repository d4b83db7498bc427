"""The watch over what a table stands on: its journal, its disk, its clocks.

Nothing here is needed to play; each finding becomes a command, a notice or a log line.
"""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from controller.core import commands as cm
from controller.core.ids import Kind
from controller.core.outputs import Notice
from controller.journal.chain import Link
from controller.journal.errors import JournalError
from controller.journal.reader import Columns
from controller.journal.verify import verify
from controller.runtime.clock import Clock, StepWatch
from controller.runtime.health import (
    Count,
    Counters,
    Stall,
    disk_report,
    escrow_notices,
    free_bytes,
    stall,
    stall_notices,
)
from controller.runtime.logs import TableLogger
from controller.runtime.mirror_watch import MirrorWatch
from controller.runtime.owner import Owner
from hw_config.schema import JournalFile

LOOK_EVERY_S: Final = 1.0
MIRROR_EVERY: Final = 2
"""The mirror is asked once in so many looks: its loss changes nothing at the table."""

_MS_PER_S: Final = 1000


class _StoppedError(Exception):
    """The table stops while its journal is still being verified."""


class Watch:
    """Looks once a second, and verifies the whole journal once, in the background."""

    def __init__(
        self,
        owner: Owner,
        journal: Path,
        limits: JournalFile,
        clock: Clock,
        log: TableLogger,
        mirror: MirrorWatch | None = None,
    ) -> None:
        self._owner = owner
        self._mirror = mirror
        self._journal = journal
        self._limits = limits
        self._clock = clock
        self._log = log
        self._steps = StepWatch(clock.read())
        self._stalled = False
        self._escrow_fault = ""
        self._stopped = threading.Event()
        self._listeners: list[Callable[[], None]] = []
        self._also: list[Callable[[], Awaitable[None]]] = []
        self.counters = Counters()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the notices change."""
        self._listeners.append(listener)

    def also(self, look: Callable[[], Awaitable[None]]) -> None:
        """Look at something else each time, too; it must not fail."""
        self._also.append(look)

    def notices(self) -> tuple[Notice, ...]:
        """Return what people should know beside what the state says."""
        found = self._stall()
        return (*stall_notices(found), *escrow_notices(self._owner.escrow_fault))

    async def run(self) -> None:
        """Look until cancelled."""
        verification = asyncio.create_task(self._verify(), name="verification")
        try:
            looks = 0
            while True:
                await self._look_at_disk()
                if self._mirror is not None and looks % MIRROR_EVERY == 0:
                    await self._mirror.look()
                self._look_at_clock()
                self._look_at_journal()
                self._look_at_escrow()
                for look in self._also:
                    await look()
                looks += 1
                await asyncio.sleep(LOOK_EVERY_S)
        finally:
            self._stopped.set()
            verification.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await verification

    async def _look_at_disk(self) -> None:
        free = await asyncio.to_thread(free_bytes, self._journal.parent)
        report = disk_report(
            free,
            self._limits.disk_free_min_mib,
            nearly_full=self._owner.state.disk_nearly_full,
        )
        if report is not None:
            self._log.warning("disk", free_bytes=free, full=report.nearly_full)
            self._owner.submit(report)

    def _look_at_clock(self) -> None:
        step = self._steps.look(self._clock.read())
        if step is not None:
            self.counters.add(Count.CLOCK_STEPS)
            self._log.warning("clock stepped", stepped_s=step.stepped_s)
            stepped_ms = round(step.stepped_s * _MS_PER_S)
            self._owner.submit(cm.ReportClockStep(stepped_ms=stepped_ms))

    def _look_at_journal(self) -> None:
        stalled = self._stall() is not None
        if stalled and not self._stalled:
            self.counters.add(Count.COMMIT_STALLS)
            self._log.warning("journal stalls")
        elif self._stalled and not stalled:
            self._log.info("journal writes again")
        if stalled is not self._stalled:
            self._stalled = stalled
            self._tell()

    def _stall(self) -> Stall | None:
        return stall(
            self._owner.committing_since,
            self._clock.now_s(),
            self._limits.stall_notice_after_s,
        )

    def _look_at_escrow(self) -> None:
        fault = self._owner.escrow_fault
        if fault != self._escrow_fault:
            self._escrow_fault = fault
            if fault:
                self._log.warning("opened secrets remain", words=fault)
            else:
                self._log.info("opened secrets are deleted")
            self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    async def _verify(self) -> None:
        """Verify the whole chain; what is bad stops the table."""
        try:
            found = await asyncio.to_thread(verify, self._journal, self._reached)
        except (JournalError, _StoppedError):
            return
        for fault in found.faults[:1]:
            self._log.error("journal damaged", sequence=fault.sequence)
            self._owner.submit(
                cm.ReportFault(kind=Kind.JOURNAL_DAMAGED, words=fault.text)
            )

    def _reached(self, _link: Link, _rows: Sequence[Columns]) -> None:
        if self._stopped.is_set():
            raise _StoppedError
