"""The controller of a virtual table: desk, planner, one batch in flight, no loop.

It does what engine and running table do, with time as an argument. What its keeper
holds survives a power cut, everything else is thrown away with this object.
"""

import functools
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from controller.core import commands as cm
from controller.core.commands import Command
from controller.core.deadlines import Stopwatch, deadline, follow
from controller.core.state import TableState
from controller.evidence.code import code_digest
from controller.journal.records import Stamp
from controller.runtime.clock import Reading, stamp_of
from controller.runtime.desk import Desk, Input
from controller.runtime.engine import BATCH_MAX
from controller.runtime.planner import Answer, Plan, Standing, plan
from controller.runtime.translate import panel_of
from controller.version import VERSION
from drivers.events import DriverEvent
from hw_config.schema import TableHardware
from simulators.devices.memory_port import MemoryCable
from simulators.rigs.virtual.keeping import Found, Keeper, Torn
from simulators.rigs.virtual.pump import Pump

SOURCE: Final = "a virtual table"
_WALL_START_NS: Final = 1_767_225_600 * 1_000_000_000  # 2026-01-01T00:00:00Z


@functools.cache
def program() -> str:
    """Return which decision code runs, as a start of the table says it."""
    return code_digest()


class PowerCutError(Exception):
    """The host loses its power at this very message."""


class Pending(msgspec.Struct, frozen=True):
    """A command in the inbox, and who wants to hear what became of it."""

    command: Command
    answered: Callable[[Answer], None]


class Flight(msgspec.Struct, frozen=True):
    """A batch that is being written: what went in and what it leads to."""

    before: Standing
    batch: tuple[Pending, ...]
    planned: Plan
    salts: tuple[bytes, ...]
    lands_at_s: float


class Surroundings(msgspec.Struct, frozen=True):
    """What a host is plugged into, and what it cannot choose itself.

    `commit_s` gives how long the next commit takes, `salt` 32 bytes. `landed` hears of
    each batch that is on disk before anybody else, `sent` every byte that leaves,
    `heard` what the drivers tell.
    """

    hardware: TableHardware
    panel_cable: MemoryCable
    shoe_cable: MemoryCable
    commit_s: Callable[[], float]
    salt: Callable[[], bytes]
    landed: Callable[[Flight], None]
    sent: Callable[[bytes], None]
    heard: Callable[[DriverEvent], None]


class Host:
    """One run of the controller, from a start to a power cut."""

    def __init__(
        self, around: Surroundings, keeper: Keeper, now: float, start: int
    ) -> None:
        """Start from what the keeper holds; `start` counts the starts."""
        self.around = around
        self.keeper = keeper
        self.start = start
        self.found = found = self.recover()
        watch = follow(Stopwatch(), found.state, now)
        self.standing = Standing(found.state, found.secrets, watch)
        self.desk = self.open_desk(found, now)
        self.panels = Pump(self.desk.bus, around.panel_cable.host, around.sent)
        self.shoe = Pump(self.desk.shoe, around.shoe_cable.host, around.sent)
        self.flight: Flight | None = None
        self._now = now
        self._inbox: deque[Pending] = deque()
        self.submit(
            cm.ResumeControl(
                software=VERSION,
                code_digest=program(),
                hardware=SOURCE,
                time_zone=around.hardware.time_zone,
            ),
            _nobody,
        )

    @property
    def state(self) -> TableState:
        """The committed table."""
        return self.standing.state

    def submit(self, command: Command, answered: Callable[[Answer], None]) -> None:
        """Put a command into the inbox; `answered` hears once it is on disk."""
        self._inbox.append(Pending(command, answered))

    def run(self, now: float, *, panels: bool = True) -> None:
        """Do whatever is due; `panels` False leaves their bus for later."""
        self._now = now
        if panels:
            self._run_pump(self.panels, now)
        self._run_pump(self.shoe, now)
        self._take_in(self.desk.handle_timer(now))
        if self.flight is not None and now >= self.flight.lands_at_s:
            flight, self.flight = self.flight, None
            self.land(flight, now)
        if self.flight is None:
            self.take_off(now)

    @property
    def deadline(self) -> float | None:
        """When to run again at the latest, but for the panels' bus."""
        dues = (self.shoe.deadline, self.desk.deadline, self._engine_due())
        return min((due for due in dues if due is not None), default=None)

    def power_cut(self, torn: Torn) -> Flight | None:
        """Stop at once; return the batch that is on disk though nobody was told."""
        flight = self.flight
        self.keeper.cut_off(flight.planned.decided if flight else (), torn)
        return flight if torn is Torn.WHOLE else None

    # --- What a planted defect changes ------------------------------------------------

    def recover(self) -> Found:
        """Return the table as the keeper has it."""
        return self.keeper.recover()

    def open_desk(self, found: Found, now: float) -> Desk:
        """Return the sessions, where the record left the devices."""
        hardware = self.around.hardware
        return Desk(hardware, SOURCE, found.state, now, is_new_journal=found.is_new)

    def hear(self, event: DriverEvent, now: float) -> Iterable[Input]:
        """Return what a driver's event asks of the game."""
        return self.desk.take(event, now)

    def take_in(self, one: Input) -> None:
        """Submit what a device asks; what asks nothing is acknowledged at once."""
        if one.command is None:
            _acknowledge(one)
            return
        command = one.command
        self.submit(command, lambda answer: self._answered(one, command, answer))

    def plan(self, batch: Iterable[Command], now: float) -> tuple[Plan, list[bytes]]:
        """Return what a batch leads to, and the salts that it took."""
        salts: list[bytes] = []

        def salt() -> bytes:
            salts.append(self.around.salt())
            return salts[-1]

        return plan(self.standing, batch, now, stamp_at(now, self.start), salt), salts

    def take_off(self, now: float) -> None:
        """Work out what waits in the inbox, and begin to write it."""
        due = deadline(self.standing.watch, self.state)
        if not self._inbox and (due is None or due > now):
            return
        count = min(len(self._inbox), BATCH_MAX)
        batch = tuple(self._inbox.popleft() for _ in range(count))
        planned, salts = self.plan([pending.command for pending in batch], now)
        # What leads to no records needs no disk.
        lasts_s = self.around.commit_s() if planned.decided else 0.0
        self.flight = Flight(self.standing, batch, planned, tuple(salts), now + lasts_s)

    def land(self, flight: Flight, now: float) -> None:
        """Write a batch; then stand where it leads, answer, and show."""
        planned = flight.planned
        if planned.decided:
            self.keeper.write(planned.decided)
            self.around.landed(flight)
        self.standing = planned.after
        for pending, answer in zip(flight.batch, planned.answers, strict=True):
            pending.answered(answer)
        if planned.decided:
            self.desk.show(self.state)
        self.panels.speak(now)
        self.shoe.speak(now)

    # --- Inside -----------------------------------------------------------------------

    def _answered(self, one: Input, command: Command, answer: Answer) -> None:
        seat = panel_of(command)
        if seat is not None and not answer.accepted:
            self.desk.refused(seat, self._now)
        _acknowledge(one)

    def _run_pump(self, pump: Pump, now: float) -> None:
        pump.run(now)
        for event in pump.events():
            self.around.heard(event)
            self._take_in(self.hear(event, now))
        pump.speak(now)

    def _take_in(self, inputs: Iterable[Input]) -> None:
        for one in inputs:
            self.take_in(one)

    def _engine_due(self) -> float | None:
        if self.flight is not None:
            return self.flight.lands_at_s
        return deadline(self.standing.watch, self.state)


def stamp_at(now: float, start: int = 0) -> Stamp:
    """Return what the journal writes beside a record: virtual time, the start."""
    passed_ns = round(now * 1_000_000_000)
    reading = Reading(_WALL_START_NS + passed_ns, passed_ns)
    return stamp_of(reading, boot=f"virtual-{start}", synchronised=True)


def _acknowledge(one: Input) -> None:
    if one.acknowledge is not None:
        one.acknowledge()


def _nobody(_answer: Answer) -> None:
    """Nobody waits for this answer."""
