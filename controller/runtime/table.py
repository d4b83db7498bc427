"""One running table: journal, engine, devices, and the watch over all of them.

`tablectl run` starts this. It comes up without its devices and says which are missing;
it goes down on a stop with everything on disk.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.core import commands as cm
from controller.core.events import JournalOpened
from controller.core.rules import Rules
from controller.core.secrets import Secrets
from controller.core.software import Software, changes, changes_text
from controller.core.state import TableState, new_table
from controller.evidence.code import code_digest
from controller.journal import reader, succession
from controller.journal.errors import (
    JournalError,
    JournalFullError,
    JournalWriteError,
    explained,
)
from controller.journal.fold import state_at_end
from controller.journal.records import JournalKind
from controller.journal.recovery import Recovered, holds_records, recover
from controller.journal.store import require_ours
from controller.journal.table_journal import TableJournal
from controller.runtime.clock import Clock
from controller.runtime.computer_watch import ComputerWatch
from controller.runtime.control_socket import ControlSocket
from controller.runtime.desk import Desk, Input
from controller.runtime.device_pumps import pumps_of, put_lamps_out
from controller.runtime.errors import ControlSocketError
from controller.runtime.health import ROOM_MIN_BYTES, free_bytes
from controller.runtime.link_log import LinkLog
from controller.runtime.links import PANELS, SHOE, links_of
from controller.runtime.logins import Logins
from controller.runtime.logs import TableLogger
from controller.runtime.mirror_status import status_file
from controller.runtime.mirror_watch import MirrorWatch
from controller.runtime.notify import Notifier
from controller.runtime.owner import Change, Owner, Taken
from controller.runtime.people import People
from controller.runtime.speakers import Speakers
from controller.runtime.staff import Staff
from controller.runtime.technician import Technician
from controller.runtime.translate import panel_of
from controller.runtime.view import LinkView
from controller.runtime.watch import Watch
from controller.runtime.watchdog import Watchdog
from controller.version import VERSION
from drivers.events import DriverEvent
from drivers.gpio.lines import Chips
from hw_config.schema import Kind, TableHardware

SALT_BYTES: Final = 32

NOBODY: Final = Notifier()
"""The manager of a table that was started by hand."""


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
    if free_bytes(path.parent) < ROOM_MIN_BYTES and path.exists():
        raise JournalFullError(f"{path}: no room to write; free some on its disk")
    kind = JournalKind(hardware.kind.value)
    succession.finish(path)
    if holds_records(path, kind):
        return recover(path, kind)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalWriteError(
            f"{path}: its folder cannot be made ({error.strerror}); "
            "make it, or name another place"
        ) from error
    opened = opening(hardware, source, rules)
    journal = TableJournal.begin(path, opened, clock.stamp())
    state = new_table(opened.table, opened.seats, opened.rules)
    return Recovered(journal, state, Secrets(), is_new=True)


def last_table(path: Path, hardware: TableHardware, rules: Rules) -> TableState:
    """Return the table as its journal leaves it, to be shown by one that cannot write.

    A new table, where the journal cannot be read, or is of another kind or size.
    """
    kind = JournalKind(hardware.kind.value)
    with contextlib.suppress(JournalError):
        with explained(path), contextlib.closing(reader.connect(path)) as opened:
            require_ours(path, opened, kind)
        state = state_at_end(path)
        if state.seat_count == hardware.seats:
            return state
    return new_table(hardware.table_id, hardware.seats, rules)


def opening(hardware: TableHardware, source: str, rules: Rules) -> JournalOpened:
    """Return the first record of a journal of this table."""
    return JournalOpened(
        kind=hardware.kind.value,
        table=hardware.table_id,
        seats=hardware.seats,
        rules=rules,
        software=VERSION,
        code_digest=code_digest(),
        hardware=source,
        time_zone=hardware.time_zone,
    )


class Site(msgspec.Struct, frozen=True):
    """Where a table stands: its hardware, the file that says so, journal, people.

    `software` is what the self-test found to run it. `is_new_journal`: this start began
    the journal. `chips` reach the pins of a table that has some. `sysfs` is where the
    computer tells of itself; None: nobody listens, as at a simulated table.
    """

    hardware: TableHardware
    source: str
    journal: Path
    people: People
    software: Software
    is_new_journal: bool = False
    chips: Chips | None = None
    sysfs: Path | None = None


class RunningTable:
    """The parts of a table that runs, wired together."""

    def __init__(
        self,
        site: Site,
        owner: Owner,
        clock: Clock,
        log: TableLogger,
        manager: Notifier = NOBODY,
    ) -> None:
        """Wire a table; `manager` is told when it is ready, and that it is alive."""
        self._site = site
        self._people = site.people
        self._log = log
        self._clock = clock
        self.owner = owner
        loop = asyncio.get_running_loop()
        hardware = site.hardware
        self.desk = Desk(
            hardware,
            site.source,
            owner.state,
            loop.time(),
            is_new_journal=site.is_new_journal,
        )
        self.pumps = pumps_of(hardware, self.desk, site.chips, self._told)
        self.technician = Technician(hardware, owner, self.desk, self.pumps, loop.time)
        now_s = clock.now_s()
        self._link_log = LinkLog(log, self._links, self.desk.addresses, now_s)
        for pump, name in zip(self.pumps, (PANELS, SHOE), strict=True):
            pump.on_port(partial(self._link_log.port_changed, name))
        limits = hardware.journal
        mirror = MirrorWatch(
            owner,
            clock,
            log,
            journal=site.journal,
            status=_mirror_status(hardware),
            late_after_s=limits.mirror_late_after_s,
        )
        self.watch = Watch(owner, site.journal, limits, clock, log, mirror)
        self.watch.also(self._look_at_links)
        if site.sysfs is not None:
            self.watch.also(ComputerWatch(owner, clock, log, site.sysfs).look)
        self.watchdog = Watchdog(owner, manager, clock, log)
        self._desk_timer: asyncio.TimerHandle | None = None
        self._failure: asyncio.Future[None] = loop.create_future()

    async def run(self, stop: asyncio.Event) -> None:
        """Run the table until `stop`; everything is on disk when this returns.

        No port is opened and nobody is heard before the self-test is on disk.

        Raises:
            JournalError: A commit failed; nothing of it was shown.

        """
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._unhandled)
        self.owner.submit(
            cm.ResumeControl(
                software=VERSION,
                code_digest=code_digest(),
                hardware=self._site.source,
                time_zone=self._site.hardware.time_zone,
                boot_id=self._clock.stamp().boot_id,
            )
        )
        engine = asyncio.create_task(self.owner.run(), name="engine")
        await self._self_test(engine)
        self.owner.listen(self._changed)
        self.desk.show(self.owner.state)
        async with (
            self._devices(),
            self._control(),
            _beside(self.watch.run(), "watch") as watch,
            _beside(self.watchdog.run(), "watchdog") as watchdog,
            _beside(stop.wait(), "stop") as stopped,
        ):
            beside = {watch, watchdog, stopped}
            ends: set[asyncio.Future[Any]] = {engine, *beside, self._failure}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if stopped.done():
                self.watchdog.stopping()
                self.owner.submit(cm.StopControl())
            self.owner.stop()
            await engine
            if self._failure.done():
                self._failure.result()

    async def _self_test(self, engine: asyncio.Task[None]) -> None:
        """Report what runs this table, and wait until that is on disk.

        Raises:
            JournalError: It cannot be written.

        """
        accepted, found = self.owner.state.software_accepted, self._site.software
        live = self._site.hardware.kind is Kind.LIVE
        report = cm.ReportSelfTest(software=found, live=live)
        async with _beside(self.owner.command(report), "self-test") as reported:
            ends: set[asyncio.Future[Any]] = {engine, reported}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if engine.done():
                engine.result()
        changed = changes(accepted, found) if accepted.components else ()
        if changed:
            self._log.warning("software changed", words=changes_text(changed))

    @contextlib.asynccontextmanager
    async def _devices(self) -> AsyncIterator[None]:
        for pump in self.pumps:
            pump.start()
        try:
            yield
        finally:
            try:
                await self._put_lamps_out()
            finally:
                for pump in self.pumps:
                    pump.stop()
            if self._desk_timer is not None:
                self._desk_timer.cancel()

    async def _put_lamps_out(self) -> None:
        """Leave no lamp on that nobody will put out; it never holds up a stop."""
        pump = self.pumps[0]
        if not await put_lamps_out(self.desk.panels, pump):
            self._log.warning("lamps may still be on", port=pump.place)

    @contextlib.asynccontextmanager
    async def _control(self) -> AsyncIterator[None]:
        """Listen to the staff; a socket that cannot be opened is no reason to stop."""
        hardware = self._site.hardware
        now = asyncio.get_running_loop().time
        staff = Staff(self.owner, self.watch, self._links)
        logins = Logins(self._people, staff, self._log, now)
        control = ControlSocket(
            staff,
            Speakers(logins, staff, now),
            self._log,
            self.watch.counters,
            self.technician,
            seats=hardware.seats,
        )
        try:
            await control.open(Path(hardware.control_socket), hardware.control_group)
        except ControlSocketError as error:
            self._log.error("no control socket", words=str(error))
        try:
            yield
        finally:
            await control.close()
            self.technician.by_hand.close()
            staff.stop()

    def _links(self) -> tuple[LinkView, ...]:
        return links_of(self.pumps)

    async def _look_at_links(self) -> None:
        self._link_log.look(self._clock.now_s())

    # --- Between devices and engine ----------------------------------------------

    def _told(self, event: DriverEvent) -> None:
        self._link_log.heard(event)
        now = asyncio.get_running_loop().time()
        for one in self.desk.take(event, now):
            self._submit(one)
        self.technician.told(event)
        self._time_desk()

    def _submit(self, one: Input) -> None:
        if one.command is not None:
            self.owner.submit(one.command, lambda taken: self._taken(one, taken))
        elif one.acknowledge is not None:
            one.acknowledge()

    def _taken(self, one: Input, taken: Taken) -> None:
        seat = panel_of(one.command)
        if seat is not None and not taken.accepted:
            self.desk.refused(seat, asyncio.get_running_loop().time())
        if one.acknowledge is not None:
            one.acknowledge()

    def _changed(self, change: Change) -> None:
        self.desk.show(change.state)
        self.technician.changed(change)
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


def _mirror_status(hardware: TableHardware) -> Path | None:
    """Return where the mirror's process says how it fares, if there shall be one."""
    if not hardware.journal.mirror:
        return None
    return status_file(Path(hardware.control_socket))


@contextlib.asynccontextmanager
async def _beside(
    work: Coroutine[Any, Any, object], name: str
) -> AsyncIterator[asyncio.Task[object]]:
    """Let work run beside the table; its end without an error of its own is fine."""
    task = asyncio.create_task(work, name=name)
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
