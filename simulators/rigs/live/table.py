"""A live table as the people of the virtual one see it, with every witness at it."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self

from controller.core.commands import Command
from controller.core.outputs import Outputs
from controller.core.rules import Rules
from controller.core.state import TableState, new_table
from controller.journal.sealed_cards import escrow_path
from controller.runtime.translate import Addresses
from simulators.devices.panel import PanelSimulator
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.live.console import LiveConsole
from simulators.rigs.live.devices import LiveDevices
from simulators.rigs.live.journal_steps import JournalSteps
from simulators.rigs.table_folder import TableFolder
from simulators.rigs.virtual.felt import Felt
from simulators.rigs.virtual.keeping import files_of
from simulators.rigs.virtual.scene import Somebody, Ticket
from simulators.rigs.virtual.watch import Watch
from simulators.rigs.virtual.witness import Witness

LOOK_AGAIN_S: Final = 0.002


class PlayedTable:
    """A controller as a process, its devices, and people who are `haste` times as fast.

    An asynchronous context. On leaving it the controller is asked to stop, and must do
    so cleanly. `watch` has what was found wrong.
    """

    def __init__(
        self, files: TableFolder, rules: Rules, devices: LiveDevices, haste: float
    ) -> None:
        hardware = files.hardware
        opened = new_table(hardware.table_id, hardware.seats, rules)
        self.haste = haste
        self.devices = devices
        self.shoe = devices.shoe
        self.felt = Felt(devices.shoe)
        self.watch = Watch(opened, all_checkers(opened))
        self.people: list[Somebody] = []
        self.controller = ControllerProcess(
            files.hardware_file, files.journal, files.log
        )
        self.files = files
        bus = hardware.bus
        self._addresses = Addresses(bus.seat_addresses, bus.dealer_address)
        seats = range(hardware.seats + 1)
        self._witness = Witness(
            devices,
            tuple(self._addresses.of_seat(seat) for seat in seats),
            self.watch.blame,
        )
        self._steps = JournalSteps(files.journal, opened, self.felt)
        self._console = LiveConsole(files.control_socket)
        self._start_at_s = 0.0
        self._context = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._context.enter_async_context(self.devices)
        self._context.callback(self.controller.kill)
        self._context.push_async_callback(self._console.end)
        # Devices that are not there yet are gone before the controller looks.
        self.devices.go_on(self.now)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None and self.controller.pid is not None:
                await self._console.end()
                self.controller.stop()
                self._follow()
        finally:
            await self._context.aclose()

    # --- What people see and reach ------------------------------------------------

    @property
    def now(self) -> float:
        """The moment, as the devices count it."""
        return asyncio.get_running_loop().time()

    @property
    def state(self) -> TableState:
        """The committed table."""
        return self.watch.state

    @property
    def shown(self) -> Outputs:
        """The prompts and notices of the committed table."""
        return self.watch.shown

    def panel_of(self, seat: int) -> PanelSimulator:
        """Return the panel of a seat, 0 for the dealer's."""
        return self.devices.any_panels[self._addresses.of_seat(seat)]

    def console(self, command: Command) -> Ticket:
        """Say a command at the console; without a controller it is lost at once."""
        if self.controller.pid is None:
            return Ticket(lost=True)
        return self._console.give(command)

    def cut_power(self, off_s: float) -> None:
        """Kill the controller, in the middle of whatever it does."""
        if self.controller.pid is not None:
            self.controller.kill()
            self._console.hang_up()
            self._start_at_s = self.now + off_s / self.haste

    def lose_escrow(self) -> None:
        """Kill the controller; at the next start it finds no escrow."""
        self.cut_power(0.0)
        journal = self.files.journal
        for file in files_of(journal):
            if file.name.startswith(escrow_path(journal).name):
                file.unlink()

    # --- Time ---------------------------------------------------------------------

    async def run_until(self, is_over: Callable[[], bool], within_s: float) -> bool:
        """Let everybody act until something is so; return whether it was, in time.

        Raises:
            ControllerEndedError: The controller ended by itself.

        """
        end_s = self.now + within_s
        while not is_over():
            if self.now > end_s:
                return False
            self.step()
            await asyncio.sleep(LOOK_AGAIN_S)
        return True

    def step(self) -> None:
        """Let everybody do what is due, and look at what became of it.

        Raises:
            ControllerEndedError: The controller ended by itself.

        """
        now = self.now
        if self.controller.pid is not None:
            self.controller.check()
        elif now >= self._start_at_s:
            self.controller.start()
        # No turn of the loop between the two: what a device was told is on disk.
        self._follow()
        self._witness.look(now)
        for somebody in self.people:
            somebody.look_up(self)
            if somebody.wake_at is not None and somebody.wake_at <= self.now:
                somebody.act(self)
        self.devices.go_on(self.now)

    def _follow(self) -> None:
        for step in self._steps.read_on():
            self.watch.see(step)
            self._witness.see(step, self.now)
