"""A scenario's table over the whole stack: serial frames, drivers, runtime, journal.

The controller is a process of its own and the devices are simulated on
pseudo-terminals; where they hang on pins, both are in one process. What follows from a
step is read where anybody could read it: in the journal, and on the devices, whose
lamps and gate must be what the journal says.
"""

import asyncio
import contextlib
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Self, TypeGuard

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.commands import PressDealerButton
from controller.core.deadlines import Stopwatch, deadline, follow, running
from controller.core.evolve import Record
from controller.core.ids import DEALER_SEAT, Button, Direction
from controller.core.state import TableState
from controller.journal.follow import FollowedTable
from controller.rulesets.loader import ruleset_with
from controller.runtime.clock import SystemClock
from controller.runtime.table import open_journal
from controller.runtime.translate import lamps_of
from controller.words.lines import Line, ShiftOpen
from controller.words.writing import line_text
from drivers.gpio.chips import MockChips
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.devices.modbus import ModbusModule
from simulators.rigs.agreement import difference, panel_of
from simulators.rigs.control_client import ask
from simulators.rigs.controller_here import ControllerHere
from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.errors import NotSettledError
from simulators.rigs.module_hands import pressed_in_doubt
from simulators.rigs.patience import Patience, queued_s
from simulators.rigs.pin_simulation import PinSimulation
from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.core_view import view_of
from simulators.rigs.scenario.language import Head
from simulators.rigs.scenario.view import SeatLamps, TableView
from simulators.rigs.scenario.vocabulary import Gate
from simulators.rigs.simulation import DeviceStep, Simulation
from simulators.rigs.table_folder import SHIPPED, lay_out

SETTLE_TIMEOUT_S: Final = 15.0
PUSH_S: Final = 0.5
"""How long one push at a module may take, of which an amount has many."""

TRIES_MAX: Final = 5
LOOK_AGAIN_S: Final = 0.002
TIMER_SLACK_S: Final = 0.25
"""The controller began to wait a little before we saw that it did."""

PANEL_LOST_AFTER_S: Final = 0.5
"""The least that a hardware file may say, so that a lost panel costs no time."""

_SEED: Final = 1


@contextlib.contextmanager
def wire_tables(shipped: str = SHIPPED) -> Iterator[Callable[[Head], "WireTable"]]:
    """Return what opens tables, one after the other, each in a folder of its own.

    `shipped` names the hardware file that says what devices they have.

    The one before ends when the next opens, so that a thousand scenarios need no
    thousand processes.
    """
    with contextlib.ExitStack() as last:

        def open_table(head: Head) -> WireTable:
            last.close()
            folder = last.enter_context(tempfile.TemporaryDirectory(prefix="wire-"))
            return last.enter_context(WireTable(head, Path(folder), shipped))

        yield open_table


class WireTable:
    """A table that takes a scenario's steps and shows what follows; see `Table`."""

    def __init__(self, head: Head, folder: Path, shipped: str = SHIPPED) -> None:
        """Prepare a table with an empty journal, in which the head's rules stand.

        Raises:
            RulesetError: The head names a ruleset that cannot be used.

        """
        rules = ruleset_with(head.ruleset, dict(head.overrides))
        self._files = lay_out(
            folder,
            seats=head.seats,
            ruleset=head.ruleset,
            panel_lost_after_s=PANEL_LOST_AFTER_S,
            shipped=shipped,
        )
        hardware, source = self._files.hardware, str(self._files.hardware_file)
        # A hardware file names a ruleset, but not what differs from it.
        begun = open_journal(
            self._files.journal, hardware, source, rules, SystemClock()
        )
        begun.journal.close()
        self._followed = FollowedTable(self._files.journal)
        self._caused: list[Record] = []
        self._watch = Stopwatch()
        self._started_s = 0.0
        self._runner = asyncio.Runner()
        self._controller: ControllerProcess | ControllerHere
        self._simulation: Simulation | PinSimulation
        if hardware.pins is None:
            self._controller = ControllerProcess(
                self._files.hardware_file, self._files.journal, self._files.log
            )
            self._simulation = Simulation(
                hardware, random.Random(_SEED), bet_step_cents=rules.bet_step_cents
            )
        else:
            # Pins are simulated in the process that holds them.
            chips = MockChips()
            self._controller = ControllerHere(self._files, chips, self._runner)
            self._simulation = PinSimulation(
                hardware, hardware.pins, chips, random.Random(_SEED)
            )

    def __enter__(self) -> Self:
        try:
            self._runner.run(self._simulation.__aenter__())
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        try:
            if kind is None:
                self._controller.stop()
        finally:
            self._end()

    @property
    def state(self) -> TableState:
        """The table as the journal says it."""
        return self._followed.state

    @property
    def waited_s(self) -> float:
        """How long the running stage of waiting has lasted, 0 where none runs."""
        return 0.0 if self._watch.wait is None else self._now - self._watch.since_s

    def open_default_shift(self) -> None:
        """Open the shift that a scenario has before its first step."""
        self.do(ShiftOpen("D1", Direction.RIGHT_TO_LEFT))

    def view(self) -> TableView:
        """Return what an expectation looks at: lamps and gate as the devices show."""
        shown = view_of(self.state, self._caused)
        return replace(
            shown,
            lamps=tuple(
                SeatLamps(seat, self._lamps_shown(seat))
                for seat in self._simulation.any_panels
                if seat != DEALER_SEAT
            ),
            gate=self._gate_shown(shown.gate),
        )

    def _lamps_shown(self, seat: int) -> frozenset[Button]:
        """Return what is lit; a lamp with two words means the one that was wanted."""
        panel = self._simulation.any_panels[seat]
        lit = panel.lamps
        if isinstance(panel, ModbusModule):
            wanted = lamps_of(self.state.prompts[seat].buttons)
            lit = panel.lamps_read_as(wanted)
        return frozenset(Button(lamp.value) for lamp in lit)

    def _gate_shown(self, wanted: Gate) -> Gate:
        """Return how the gate stands; a shoe without one cannot differ."""
        shoe = self._simulation.any_shoe
        if isinstance(shoe, LineShoeSimulator):
            return wanted
        return Gate.OPEN if shoe.gate_is_open else Gate.LOCKED

    def do(self, step: st.Step) -> None:
        """Let one step happen, and wait until all that follows from it has followed.

        Raises:
            RigError: It cannot be done, or the table did not come to rest.

        """
        self._read_on()
        self._caused = []
        if isinstance(step, st.PowerCut):
            self.cut_power()
            return
        if isinstance(step, st.Wait):
            self._runner.run(self._wait(step.duration_ms / 1000))
        elif isinstance(step, DeviceStep) and not _is_in_words(step):
            self._take(step)
        else:
            self._say(step)
        self._settle()
        self._press_again()
        if any(isinstance(record, ev.ShoeReplaced) for record in self._caused):
            # Hands do what the supervisor decided.
            self._simulation.replace_shoe()
            self._settle()

    def _press_again(self) -> None:
        """Press once more what a module's late answer made a press for no prompt."""
        if isinstance(self._simulation, PinSimulation) or not self._simulation.modules:
            return
        for _ in range(TRIES_MAX):
            again, self._caused = pressed_in_doubt(self._caused)
            if not again:
                return
            for seat, button in again:
                self._simulation.press(seat, button, self._now)
            self._settle()

    def _take(self, step: DeviceStep) -> None:
        if isinstance(self._simulation, PinSimulation):
            self._simulation.do(step, self.state)
        else:
            self._simulation.do(step, self._now)

    def cut_power(self) -> None:
        """Kill the controller and start it again from its journal.

        Raises:
            RigError: It did not start, or the table did not come to rest.

        """
        self._controller.kill()
        self._watch = Stopwatch()
        self._start()

    @property
    def _now(self) -> float:
        return self._runner.get_loop().time()

    def _start(self) -> None:
        self._started_s = self._now
        shoe = self._simulation.any_shoe
        if isinstance(shoe, LineShoeSimulator):
            shoe.expect_opening(self.state.shoe.boot_id)
        if isinstance(self._simulation, PinSimulation):
            self._simulation.expect_start(self.state)
        else:
            for seat, module in self._simulation.modules.items():
                module.expect_start(panel_of(self.state, seat).boot_id)
        self._controller.start()
        self._settle()

    def _end(self) -> None:
        self._controller.kill()
        self._runner.run(self._simulation.__aexit__(None, None, None))
        self._runner.close()

    def _say(self, line: Line) -> None:
        self._runner.run(ask(self._files.control_socket, line_text(line)))

    async def _wait(self, seconds: float) -> None:
        """Let real time pass; a stage that is over by then must also be said to be."""
        await asyncio.sleep(seconds)
        due = deadline(self._watch, self.state)
        if due is not None and due <= self._now + TIMER_SLACK_S:
            await self._until(self._stage_lasts)

    def _stage_lasts(self) -> str:
        self._read_on()
        if running(self.state) != self._watch.wait:
            return ""
        return "a stage of waiting is over, and the table does not say so"

    def _settle(self) -> None:
        self._runner.run(self._until(self._unsettled))
        self._watch = follow(self._watch, self.state, self._now)

    async def _until(self, lacking: Callable[[], str]) -> None:
        """Wait until nothing is lacking any more, which is said in words."""
        bound_s = SETTLE_TIMEOUT_S + self._simulation.pushes_due * PUSH_S
        here, controller = os.getpid(), self._controller.pid
        both = (here,) if controller is None else (here, controller)
        patience = Patience(bound_s, lambda: queued_s(both))
        while words := lacking():
            self._controller.check()
            if patience.is_over:
                raise NotSettledError(f"not at rest after {bound_s:g} s: {words}")
            await asyncio.sleep(LOOK_AGAIN_S)

    def _read_on(self) -> None:
        self._caused += self._followed.read_on()

    def _unsettled(self) -> str:
        """Return what is still under way, in words; empty once all is at rest."""
        if not self._simulation.all_taken:
            return "presses or events of the shoe are not taken yet"
        # What was taken is on disk: the reading must come after the look above.
        self._read_on()
        here = self._controller
        if isinstance(here, ControllerHere) and not here.is_at(self.state):
            return "the table does not show yet what its journal says"
        return difference(self._simulation, self.state, self._started_s)


def _is_in_words(step: DeviceStep) -> TypeGuard[PressDealerButton]:
    """Return whether the dealer says more than a button can."""
    return isinstance(step, PressDealerButton) and bool(step.words)
