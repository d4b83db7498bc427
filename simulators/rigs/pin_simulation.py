"""The devices of a table that is wired to pins: mock pins here, the shoe on a pty.

The pins live in this process, so the controller must too.
"""

import asyncio
import random
from pathlib import Path
from types import TracebackType
from typing import Final, Self, assert_never

from controller.core.commands import PressDealerButton
from controller.core.ids import DEALER_SEAT
from controller.core.outputs import gate_up_to
from controller.core.state import TableState
from drivers.events import HouseInput
from drivers.gpio.lines import Chips, Untyped
from drivers.gpio.wiring import Line, wiring_of
from drivers.panel.messages import Button
from hw_config.pins import Active, PinBoard
from hw_config.schema import TableHardware
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator
from simulators.devices.wired_panel import WiredPanel
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario import steps as st
from simulators.rigs.shoe_hands import work_any_shoe
from simulators.rigs.simulation import DeviceStep

BOOT_IDS: Final = 0xFFFFFFFF


class PinSimulation:
    """The panels and the shoe of one wired table; use it as an asynchronous context.

    `any_panels` are by seat, 0 for the dealer's.
    """

    def __init__(
        self,
        hardware: TableHardware,
        board: PinBoard,
        chips: Chips,
        source: random.Random,
    ) -> None:
        self._chips = chips
        self._board = board
        self.wiring = wiring_of(board)
        self.any_panels = {
            panel.seat: WiredPanel(
                panel, self.pin, board.button_active, board.lamp_active
            )
            for panel in self.wiring.panels
        }
        self.any_shoe = ShoeSimulator(source)
        shoe_port = PtyPort(Path(hardware.shoe.port))
        self._server = DeviceServer([Station(shoe_port, self.any_shoe)])
        self._boot_ids: dict[int, int] = {}
        self._pressed: dict[int, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.set_contact(HouseInput.DOOR, is_active=True)
        self.set_contact(HouseInput.KEY_SWITCH, is_active=False)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._server.__aexit__(kind, error, trace)

    def pin(self, line: Line) -> Untyped:
        """Return the mock pin of a line."""
        return self._chips.open(line.chip).pin(line.number)

    def set_contact(self, contact: HouseInput, *, is_active: bool) -> None:
        """Shut or open the door, turn the key: a table without one has none to turn."""
        line = self.wiring.inputs.get(contact)
        if line is None:
            return
        active_is_high = self._board.button_active is Active.HIGH
        pin = self.pin(line)
        if is_active is active_is_high:
            pin.drive_high()
        else:
            pin.drive_low()

    def expect_start(self, state: TableState) -> None:
        """Note how the record stands before a controller starts: it numbers anew."""
        for seat, panel in self.any_panels.items():
            known = state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]
            self._boot_ids[seat] = known.boot_id % BOOT_IDS + 1
            self._pressed[seat] = panel.pressed

    def do(self, step: DeviceStep, state: TableState) -> None:
        """Let hands at the devices take a step; they see the table as it is.

        Raises:
            DeviceStepError: No hand can: these buttons say no amount, no spot, no
                number, and no panel is lost alone.

        """
        match step:
            case PressDealerButton():
                self.press(DEALER_SEAT, Button(step.button.value))
            case st.Bet() | st.Clear() | st.Press():
                for button in _presses(step, state):
                    self.press(step.seat, button)
            case st.LatePress():
                raise DeviceStepError("a pin carries no number of an earlier prompt")
            case st.PanelLost() | st.PanelBack():
                raise DeviceStepError("panels on pins are lost all together or not")
            case _:
                work_any_shoe(self.any_shoe, step)
                self._server.run_once()

    def press(self, seat: int, button: Button) -> None:
        """Push a button of a seat, seat 0 for the dealer's.

        Raises:
            DeviceStepError: There is none.

        """
        panel = self.any_panels.get(seat)
        if panel is None:
            raise DeviceStepError(f"no panel at seat {seat}; this table has fewer")
        try:
            panel.press(button)
        except ValueError as error:
            raise DeviceStepError(str(error)) from error
        self._move_fingers()

    @property
    def pushes_due(self) -> int:
        """How many pushes the fingers have still to make."""
        return sum(panel.pushes_due for panel in self.any_panels.values())

    @property
    def all_taken(self) -> bool:
        """Whether no finger is on a button and the table has all the shoe said."""
        memory = self.any_shoe.memory
        taken = memory.acknowledged_number == memory.last_event
        return taken and all(panel.is_still for panel in self.any_panels.values())

    def replace_shoe(self) -> None:
        """Let another shoe stand in its place: nothing is the matter with that one."""
        self.any_shoe.be_replaced()

    def panel_difference(self, state: TableState, seat: int) -> str:
        """Say in what a panel is not as the state wants it, or has more to say."""
        panel = self.any_panels[seat]
        known = state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]
        if known.panel_lost or not panel.is_driven:
            return f"nobody drives the lamps of panel {seat}"
        pressed = panel.pressed - self._pressed[seat]
        taken = known.press_number if known.boot_id == self._boot_ids[seat] else 0
        if taken != pressed:
            return f"{taken} presses of panel {seat} are taken, {pressed} were made"
        wanted = set(state.prompts[seat].buttons)
        lit = {lamp.value for lamp in panel.lamps}
        if lit != wanted:
            return f"panel {seat} shows {sorted(lit)}, expected {sorted(wanted)}"
        return ""

    def house_difference(self, state: TableState) -> str:
        """Say in what the table's lamp and relay are not as the state wants them."""
        wiring, board = self.wiring, self._board
        lines = (
            ("lamp", wiring.table_lamp, board.lamp_active, state.suspended),
            ("relay", wiring.shoe_gate, board.gate_active, gate_up_to(state) > 0),
        )
        for name, line, active, wanted in lines:
            if line is None:
                continue
            pin = self.pin(line)
            is_on = bool(pin.state) is (active is Active.HIGH)
            if pin.function != "output" or is_on is not wanted:
                return f"the table's {name} is not {'on' if wanted else 'off'}"
        return ""

    def _move_fingers(self) -> None:
        assert self._loop is not None, "the simulation is entered first"
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for panel in self.any_panels.values():
            panel.handle_timer(self._loop.time())
            panel.rest(self._loop.time())
        dues = [panel.deadline for panel in self.any_panels.values()]
        due = min((due for due in dues if due is not None), default=None)
        if due is not None:
            self._timer = self._loop.call_at(due, self._move_fingers)


def _presses(
    step: st.Bet | st.Clear | st.Press, state: TableState
) -> tuple[Button, ...]:
    """Return which buttons a player pushes to say so much.

    Raises:
        DeviceStepError: Buttons cannot say it.

    """
    match step:
        case st.Bet(spot=None) if not 1 <= step.seat <= state.seat_count:
            return (Button.BET,)
        case st.Bet(seat, amount, None):
            lies = any(wager.spot == seat for wager in state.wagers)
            clear = (Button.CLEAR,) if lies or not amount else ()
            return (*clear, *_bets(amount, state.rules.bet_step_cents))
        case st.Clear(spot=None):
            return (Button.CLEAR,)
        case st.Press(button=button, amount_cents=None):
            return (Button(button.value),)
        case st.Bet() | st.Clear() | st.Press():
            raise DeviceStepError("a button on a pin says neither amount nor spot")
        case _:
            assert_never(step)


def _bets(amount_cents: int, step_cents: int) -> tuple[Button, ...]:
    count, rest = divmod(amount_cents, step_cents)
    if rest:
        raise DeviceStepError(
            f"BET adds {step_cents} cents at a time, which makes no {amount_cents}"
        )
    return (Button.BET,) * count
