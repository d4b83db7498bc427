"""One running table: journal, engine, devices, and the watch over all of them.

`tablectl run` starts this. It comes up without its devices and says which are missing;
it goes down on a stop with everything on disk.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from controller.core import commands as cm
from controller.core.events import JournalOpened
from controller.core.ids import Kind
from controller.core.rules import Rules
from controller.core.secrets import Secrets
from controller.core.state import new_table
from controller.evidence.code import code_digest
from controller.journal.errors import JournalWriteError
from controller.journal.records import JournalKind
from controller.journal.table_journal import (
    Recovered,
    TableJournal,
    holds_records,
    recover,
)
from controller.journal.verify import verify
from controller.runtime.clock import Clock
from controller.runtime.desk import Desk, Input
from controller.runtime.engine import Change, Engine, Taken
from controller.runtime.logs import TableLogger
from controller.runtime.pump import Pump
from controller.version import VERSION
from drivers.events import DriverEvent
from hw_config.schema import TableHardware

SALT_BYTES: Final = 32


def new_salt() -> bytes:
    """Return the salt of one commitment."""
    return secrets.token_bytes(SALT_BYTES)


def open_journal(
    path: Path, hardware: TableHardware, source: str, rules: Rules, clock: Clock
) -> Recovered:
    """Recover a table's journal, or begin one.

    Raises:
        JournalError: It cannot be used; one line says why.

    """
    kind = JournalKind(hardware.kind.value)
    if holds_records(path, kind):
        return recover(path, kind)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalWriteError(
            f"{path}: its folder cannot be made ({error.strerror}); "
            "make it, or name another place"
        ) from error
    opened = JournalOpened(
        kind=hardware.kind.value,
        table=hardware.table_id,
        seats=hardware.seats,
        rules=rules,
        software=VERSION,
        code_digest=code_digest(),
        hardware=source,
        time_zone=hardware.time_zone,
    )
    journal = TableJournal.begin(path, opened, clock.stamp())
    state = new_table(opened.table, opened.seats, opened.rules)
    return Recovered(journal, state, Secrets(), is_new=True)


class RunningTable:
    """The parts of a table that runs, wired together."""

    def __init__(
        self,
        hardware: TableHardware,
        source: str,
        recovered: Recovered,
        clock: Clock,
        log: TableLogger,
    ) -> None:
        self._hardware = hardware
        self._source = source
        self._journal = recovered.journal
        self._clock = clock
        self._log = log
        self.engine = Engine(recovered, clock, new_salt)
        loop = asyncio.get_running_loop()
        self.desk = Desk(
            hardware,
            source,
            recovered.state,
            loop.time(),
            is_new_journal=recovered.is_new,
        )
        panels, shoe = hardware.panels, hardware.shoe
        self.pumps = (
            Pump(Path(panels.port), panels.baud, self.desk.bus, self._told),
            Pump(Path(shoe.port), shoe.baud, self.desk.shoe, self._told),
        )
        self._desk_timer: asyncio.TimerHandle | None = None
        self._failure: asyncio.Future[None] = loop.create_future()

    async def run(self, stop: asyncio.Event) -> None:
        """Run the table until `stop`; everything is on disk when this returns.

        Raises:
            JournalError: A commit failed; nothing of it was shown.

        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._unhandled)
        self.engine.listen(self._changed)
        self.engine.submit(
            cm.ResumeControl(
                software=VERSION,
                code_digest=code_digest(),
                hardware=self._source,
                time_zone=self._hardware.time_zone,
            )
        )
        engine = asyncio.create_task(self.engine.run(), name="engine")
        async with self._devices(), self._verification():
            stopped = asyncio.create_task(stop.wait(), name="stop")
            ends: set[asyncio.Future[Any]] = {engine, stopped, self._failure}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            self.engine.stop()
            await engine
        if self._failure.done():
            self._failure.result()
        self._failure.cancel()

    @contextlib.asynccontextmanager
    async def _devices(self) -> AsyncIterator[None]:
        for pump in self.pumps:
            pump.start()
        try:
            yield
        finally:
            for pump in self.pumps:
                pump.stop()
            if self._desk_timer is not None:
                self._desk_timer.cancel()

    @contextlib.asynccontextmanager
    async def _verification(self) -> AsyncIterator[None]:
        """Verify the whole chain in the background; what is bad stops the table."""
        task = asyncio.create_task(self._verify(), name="verification")
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _verify(self) -> None:
        found = await asyncio.to_thread(verify, self._journal.path)
        for fault in found.faults[:1]:
            self._log.error("journal damaged", sequence=fault.sequence)
            self.engine.submit(
                cm.ReportFault(kind=Kind.JOURNAL_DAMAGED, words=fault.text)
            )

    # --- Between devices and engine ----------------------------------------------

    def _told(self, event: DriverEvent) -> None:
        now = asyncio.get_running_loop().time()
        for one in self.desk.take(event, now):
            self._submit(one)
        self._time_desk()

    def _submit(self, one: Input) -> None:
        if one.command is not None:
            self.engine.submit(one.command, lambda taken: self._taken(one, taken))
        elif one.acknowledge is not None:
            one.acknowledge()

    def _taken(self, one: Input, taken: Taken) -> None:
        if isinstance(one.command, cm.PressButton) and not taken.accepted:
            self.desk.refused(one.command.seat, asyncio.get_running_loop().time())
        if one.acknowledge is not None:
            one.acknowledge()

    def _changed(self, change: Change) -> None:
        self.desk.show(change.state)
        for pump in self.pumps:
            pump.run()

    def _time_desk(self) -> None:
        if self._desk_timer is not None:
            self._desk_timer.cancel()
            self._desk_timer = None
        if self.desk.deadline is not None:
            loop = asyncio.get_running_loop()
            self._desk_timer = loop.call_at(self.desk.deadline, self._desk_reached)

    def _desk_reached(self) -> None:
        for one in self.desk.handle_timer(asyncio.get_running_loop().time()):
            self._submit(one)
        self._time_desk()

    def _unhandled(
        self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]
    ) -> None:
        """End the process on an error of ours outside the engine: it starts afresh."""
        error = context.get("exception") or RuntimeError(context["message"])
        self._log.error("unhandled error", error=error)
        if not self._failure.done():
            self._failure.set_exception(error)
