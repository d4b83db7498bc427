"""A whole table on one virtual clock, which jumps to whatever is due next.

Host, devices, cables and people; everything follows from one seed. The host may lose
its power at any moment; what its keeper holds is all that the next start has.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Final

from controller.core.commands import Command
from controller.core.outputs import Outputs
from controller.core.state import TableState, new_table
from controller.runtime.planner import Answer
from controller.runtime.translate import lamps_of
from drivers.events import DriverEvent
from drivers.line_shoe.session import LineShoeSession
from simulators.devices.faults import chance
from simulators.devices.panel import PanelSimulator
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.virtual.devices import Devices
from simulators.rigs.virtual.felt import Felt, TableShoe
from simulators.rigs.virtual.host import (
    Flight,
    Host,
    PowerCutError,
    Surroundings,
)
from simulators.rigs.virtual.keeping import Keeper, MemoryKeeper, Torn
from simulators.rigs.virtual.line_shoe import FeltOfLines, LineShoeAtTable
from simulators.rigs.virtual.module import ModuleAtTable
from simulators.rigs.virtual.quiet import QuietBus
from simulators.rigs.virtual.scene import Somebody, Ticket
from simulators.rigs.virtual.setup import ADDRESSES, HARDWARE, Setup, opening
from simulators.rigs.virtual.watch import Watch
from simulators.rigs.virtual.witness import Witness

QUIET_POLL_S: Final = 0.3
"""How long a bus on which nothing can happen is left alone; a panel needs 0.5 s."""

_COMMIT_S: Final = (0.002, 0.015)
_STALLED_COMMIT_S: Final = (0.1, 1.5)
_COMMIT_STALLS: Final = 0.01
_STEPS_AT_ONE_TIME_MAX: Final = 5_000


class StandstillError(Exception):
    """Time does not go on: somebody is due again and again at one moment."""


class VirtualTable:
    """One table and the people at it, watched from outside.

    `landed` are called with each batch that is on disk before anybody is told, `sent`
    with all bytes that leave the host; both may raise `PowerCutError`. `watch` has what
    was found wrong.
    """

    def __init__(
        self,
        setup: Setup,
        shoe: TableShoe | LineShoeAtTable,
        *,
        keeper: Keeper | None = None,
        checkers: Iterable[Checker] = (),
        host_type: type[Host] = Host,
    ) -> None:
        rules, seed = setup.rules, setup.seed
        opened = new_table(HARDWARE.table_id, HARDWARE.seats, rules)
        self.now = 0.0
        self.haste = 1.0
        self.shoe = shoe
        self.felt = _felt_before(shoe)
        self.devices = Devices(
            setup.hardware, shoe, seed, setup.faults, rules.bet_step_cents
        )
        self.watch = Watch(opened, checkers)
        self.watch.sinks += [self._saw]
        addresses = [ADDRESSES.of_seat(seat) for seat in range(HARDWARE.seats + 1)]
        self.witness = Witness(self.devices, tuple(addresses), self.watch.blame)
        self.keeper = MemoryKeeper(opening(rules)) if keeper is None else keeper
        self.people: list[Somebody] = []
        self.landed: list[Callable[[Flight], None]] = [self.watch.landed]
        self.sent: list[Callable[[bytes], None]] = []
        self.host: Host | None = None
        self.starts = 0
        self._host_type = host_type
        self._start_at_s = 0.0
        self._escrow_is_lost = False
        self._tickets: list[Ticket] = []
        self._seed = seed
        self._salts = 0
        self._commits = chance(seed, "commits")
        self._cuts = chance(seed, "power cuts")
        self._quiet = QuietBus(self.devices)
        self._skips = setup.skips_quiet_polls
        self._panels_ran_s = self._panels_due_s = 0.0
        self._steps_here = 0
        self._stirred = False
        self._around = Surroundings(
            setup.hardware,
            self.devices.panel_cable,
            self.devices.shoe_cable,
            self._commit_s,
            self._salt,
            self._landed,
            self._sent,
            self._heard,
        )

    # --- What people see and reach ------------------------------------------------

    @property
    def state(self) -> TableState:
        """The committed table."""
        return self.watch.state

    @property
    def shown(self) -> Outputs:
        """The prompts and notices of the committed table."""
        return self.watch.shown

    def panel_of(self, seat: int) -> PanelSimulator | ModuleAtTable:
        """Return the panel of a seat, 0 for the dealer's."""
        return self.devices.any_panels[ADDRESSES.of_seat(seat)]

    def console(self, command: Command) -> Ticket:
        """Give a command at the console; without a controller it is lost at once."""
        ticket = Ticket(lost=self.host is None)
        if self.host is not None:

            def answered(answer: Answer) -> None:
                ticket.answer = answer

            self._tickets = [one for one in self._tickets if one.is_open]
            self._tickets.append(ticket)
            self.host.submit(command, answered)
        return ticket

    # --- Power --------------------------------------------------------------------

    def cut_power(self, off_s: float, torn: Torn | None = None) -> None:
        """Take the host's power for so long; how far a commit came is chance."""
        if self.host is None:
            return
        host, self.host = self.host, None
        for ticket in self._tickets:
            ticket.lost = ticket.lost or ticket.answer is None
        on_disk = host.power_cut(torn or self._cuts.choice(list(Torn)))
        if on_disk is not None and on_disk.planned.decided:
            self._landed(on_disk)
        self._start_at_s = self.now + off_s
        self._follow_lines()

    def lose_escrow(self) -> None:
        """Let the next start find no escrow, with the power off until then."""
        if self.host is not None:
            self.cut_power(0.0)
            self.keeper.lose_escrow()
            self._escrow_is_lost = True

    def _start(self) -> None:
        self.starts += 1
        if isinstance(self.shoe, LineShoeAtTable):
            self.shoe.host_started()
        self.host = self._host_type(self._around, self.keeper, self.now, self.starts)
        self.watch.started(self.host.found, escrow_is_lost=self._escrow_is_lost)
        self._escrow_is_lost = False
        self._show()
        self._panels_due_s = self.now
        self._stirred = True

    # --- Time ---------------------------------------------------------------------

    def step(self) -> None:
        """Let everybody do what is due, then move time on.

        Raises:
            StandstillError: Time would stand still.

        """
        now = self.now
        if self.host is None and now >= self._start_at_s:
            self._start()
        self._stirred |= self.devices.go_wrong(now)
        for somebody in self.people:
            if somebody.wake_at is not None and somebody.wake_at <= now:
                somebody.act(self)
                self._stirred = True
        heard = self.devices.speak(now)
        if self.host is not None:
            self._run_host(self.host, now)
        self._follow_lines()
        if heard or self._stirred:
            # Lamps, and what was acknowledged, change in no other way.
            self.witness.look(now)
            for somebody in self.people:
                somebody.look_up(self)
        self._go_on()

    def run_until(self, is_over: Callable[[], bool], within_s: float) -> bool:
        """Step until something is so; return whether it was, within that time."""
        end_s = self.now + within_s
        while not is_over():
            if self.now > end_s:
                return False
            self.step()
        return True

    def _run_host(self, host: Host, now: float) -> None:
        arrival_s = host.panels.arrival
        panels = now >= self._panels_due_s or (
            arrival_s is not None and arrival_s <= now
        )
        if panels:
            self._panels_ran_s = now
            self._stirred = True
        try:
            host.run(now, panels=panels)
        except PowerCutError:
            self.cut_power(0.0)

    def _go_on(self) -> None:
        """Move time on to whatever is due next."""
        dues = [self.devices.deadline]
        dues += [one.wake_at for one in self.people if one.wake_at is not None]
        dues += self._hosts_dues()
        self._stirred = False
        due_s = min(dues)
        self._steps_here = self._steps_here + 1 if due_s <= self.now else 0
        if self._steps_here > _STEPS_AT_ONE_TIME_MAX:
            raise StandstillError(f"time stands still at {self.now}")
        self.now = max(self.now, due_s)

    def _hosts_dues(self) -> Iterator[float]:
        host = self.host
        if host is None:
            yield self._start_at_s
            return
        if self._stirred:
            self._panels_due_s = self._when_to_run_panels(host)
        yield self._panels_due_s
        arrival_s = host.panels.arrival
        if arrival_s is not None:
            yield arrival_s
        due_s = host.deadline
        if due_s is not None:
            yield due_s

    def _when_to_run_panels(self, host: Host) -> float:
        due_s = host.panels.deadline
        if due_s is None:
            due_s = self.now + QUIET_POLL_S
        if self._skips and due_s > self.now and self._quiet.is_quiet(host.desk):
            return max(due_s, self._panels_ran_s + QUIET_POLL_S)
        return due_s

    # --- What the host asks for and tells -----------------------------------------

    def _commit_s(self) -> float:
        stalls = self._commits.random() < _COMMIT_STALLS
        return self._commits.uniform(*(_STALLED_COMMIT_S if stalls else _COMMIT_S))

    def _salt(self) -> bytes:
        self._salts += 1
        return sha256(f"{self._seed} salt {self._salts}".encode()).digest()

    def _landed(self, flight: Flight) -> None:
        self._stirred = True
        for listener in self.landed:
            listener(flight)
        self._show()

    def _show(self) -> None:
        """Let screens, and who knows when nothing can happen, follow the record."""
        for prompt in self.state.prompts:
            address, buttons = ADDRESSES.of_seat(prompt.seat), lamps_of(prompt.buttons)
            self.devices.ask(address, prompt.number, buttons)
        if self.host is not None:
            self._quiet.show(self.state, self.host.desk)

    def _saw(self, step: Step) -> None:
        self.felt.note(step.records, step.state)
        self.witness.see(step, self.now)

    def _heard(self, event: DriverEvent) -> None:
        if isinstance(self.shoe, LineShoeAtTable):
            self.shoe.heard(event)

    def _follow_lines(self) -> None:
        """Let a line shoe's people see the screen, and know what came through."""
        shoe, host = self.shoe, self.host
        if not isinstance(shoe, LineShoeAtTable):
            return
        link = None if host is None else host.desk.shoe
        shoe.is_listened_to = isinstance(link, LineShoeSession) and link.is_up
        shoe.is_wanted = host is not None and bool(self.shown.gate_up_to)
        if self.devices.shoe_cable.to_host.deadline is None:
            shoe.line_is_empty()

    def _sent(self, data: bytes) -> None:
        for listener in self.sent:
            listener(data)


def _felt_before(shoe: TableShoe | LineShoeAtTable) -> Felt:
    return FeltOfLines(shoe) if isinstance(shoe, LineShoeAtTable) else Felt(shoe)
