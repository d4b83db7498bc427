"""A desk, its real sessions and simulated devices, on virtual time and without a loop.

What the devices ask is decided at once, or waits while `disk_stalls`; nothing is
written. Bytes pass from end to end in no time.
"""

import itertools
from collections.abc import Callable, Iterator
from random import Random

from controller.core import events as ev
from controller.core.commands import Command
from controller.core.evolve import Record
from controller.core.secrets import Secrets
from controller.core.state import TableState
from controller.runtime.desk import Desk, Input
from controller.runtime.planner import Standing, plan
from controller.runtime.translate import panel_of
from drivers.panel.messages import Button
from drivers.session import Session
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.serve import Device
from simulators.devices.shoe import ShoeSimulator
from tests.core.table import open_table
from tests.runtime.clocks import StandingClock
from tests.runtime.equipment import DEALER_ADDRESS, SEAT_ADDRESSES, hardware

STEPS_MAX = 100_000


def salts() -> Callable[[], bytes]:
    """Return what gives another salt each time, the same ones in every run."""
    numbers = itertools.count(1)
    return lambda: next(numbers).to_bytes(32, "big")


def standing_open() -> Standing:
    """Return a table of three seats with an open shift that has met no device."""
    return Standing(open_table(seats=3).state, Secrets())


class Bench:
    """One table on virtual time; seat N's panel is `panels[N]`, the dealer's 0."""

    def __init__(
        self, standing: Standing | None = None, *, is_new_journal: bool = True
    ) -> None:
        self.now = 1000.0
        self.standing = standing or standing_open()
        self.records: list[Record] = []
        self.commands: list[Command] = []
        self.disk_stalls = False
        self.panels = {
            seat: PanelSimulator(address, seat, Random(seat))
            for seat, address in enumerate((DEALER_ADDRESS, *SEAT_ADDRESSES))
        }
        self.shoe = ShoeSimulator(Random("shoe"))
        self._bus = PanelBus(self.panels.values())
        self._salt = salts()
        self._waiting: list[Input] = []
        self.start(is_new_journal=is_new_journal)

    def start(self, *, is_new_journal: bool = False) -> None:
        """Start the desk anew, as a controller does that found this table on disk."""
        self.desk = Desk(
            hardware(),
            "a.toml",
            self.standing.state,
            self.now,
            is_new_journal=is_new_journal,
        )
        self._open = {self.desk.bus: False, self.desk.shoe: False}

    @property
    def state(self) -> TableState:
        return self.standing.state

    def run(self, seconds: float = 1.0) -> "Bench":
        """Let this much time pass."""
        end = self.now + seconds
        for _ in range(STEPS_MAX):
            self._step()
            due = min(due for due in self._dues() if due is not None)
            if due > end:
                self.now = end
                return self
            self.now = max(self.now, due)
        raise AssertionError("time stands still")

    def press(self, seat: int, button: Button, cents: int = 0) -> None:
        self.panels[seat].press(button, self.now, cents)

    def say(self, command: Command) -> "Bench":
        """Let the staff say something at the console."""
        self._waiting.append(Input(command))
        return self.run(0.0)

    def happened(self, kind: type[Record]) -> list[Record]:
        return [record for record in self.records if type(record) is kind]

    def commit(self) -> None:
        """Decide all that waits, as one batch, and let everybody see it."""
        batch, self._waiting = self._waiting, []
        commands = [one.command for one in batch if one.command is not None]
        self.commands += commands
        stamp = StandingClock().stamp()
        planned = plan(self.standing, commands, self.now, stamp, self._salt)
        self.standing = planned.after
        self.records += [r for one in planned.decided for r in one.records]
        answers = iter(planned.answers)
        for one in batch:
            if one.command is not None and not next(answers).accepted:
                self._refused(one.command)
            if one.acknowledge is not None:
                one.acknowledge()
        self.desk.show(self.state)

    def _refused(self, command: Command) -> None:
        seat = panel_of(command)
        if seat is not None:
            self.desk.refused(seat, self.now)

    def _step(self) -> None:
        lines: tuple[tuple[Session, Device], ...] = (
            (self.desk.bus, self._bus),
            (self.desk.shoe, self.shoe),
        )
        for session, device in lines:
            self._move_bytes(session, device)
            while (event := session.next_event()) is not None:
                self._waiting += self.desk.take(event, self.now)
        self._waiting += self.desk.handle_timer(self.now)
        if self._waiting and not self.disk_stalls:
            self.commit()

    def _move_bytes(self, session: Session, device: Device) -> None:
        session.handle_timer(self.now)
        if session.wants_port and not self._open[session]:
            session.connection_made(self.now)
        self._open[session] = session.wants_port
        device.handle_timer(self.now)
        device.receive_data(session.data_to_send(self.now), self.now)
        session.receive_data(device.data_to_send(self.now), self.now)

    def _dues(self) -> Iterator[float | None]:
        yield from (self.desk.bus.deadline, self.desk.shoe.deadline)
        yield from (self.desk.deadline, self._bus.deadline, self.shoe.deadline)


def refusals(bench: Bench) -> int:
    refused = (ev.PressRefused, ev.CommandRefused)
    return sum(isinstance(record, refused) for record in bench.records)
