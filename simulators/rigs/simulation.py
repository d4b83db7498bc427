"""All simulated devices of one table on pseudo-terminals, and hands to work them.

The devices know nothing of the game: a step is a finger on a button, a card that
leaves the shoe, a cable that breaks. What follows is the controller's to say.
"""

import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias, assert_never

from controller.core.commands import PressDealerButton
from controller.core.ids import DEALER_SEAT
from drivers.line_shoe.profiles import PROFILES
from drivers.modbus.wiring import module_wiring
from drivers.panel.messages import Button
from hw_config.schema import PanelKind, TableHardware
from simulators.devices.decks import Decks
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.devices.modbus import ModbusBus, ModbusModule
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.pty_port import PtyPort
from simulators.devices.serve import Device, DeviceServer, Station
from simulators.devices.shoe import ShoeSimulator
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.module_hands import work_module
from simulators.rigs.scenario import steps as st
from simulators.rigs.shoe_hands import work_any_shoe

DeviceStep: TypeAlias = st.PlayerStep | st.ShoeStep | st.PanelStep | PressDealerButton
"""A step that hands at the devices can take."""

_AN_AMOUNT_OF_0: Final = "an amount of 0 cannot be keyed in at a panel"


class Simulation:
    """The panels and the shoe of one table; use it as an asynchronous context.

    `any_panels` are by seat, 0 for the dealer's. `decks` are the cards inside the shoe,
    for who draws without naming a card. With `at_line_speed` bytes take the time
    that they take on a real line. `bet_step_cents` is what one BET adds, for hands at a
    panel that takes no amounts.
    """

    def __init__(
        self,
        hardware: TableHardware,
        source: random.Random,
        decks: Decks | None = None,
        *,
        at_line_speed: bool = False,
        bet_step_cents: int = 0,
    ) -> None:
        bus, shoe = hardware.bus, hardware.shoe
        self.any_panels = _panels(hardware, source)
        self.any_shoe = _shoe(hardware, source, decks)
        self._bet_step_cents = bet_step_cents
        self._out: list[str] = []
        bus_port = PtyPort(Path(bus.port), baud=bus.baud if at_line_speed else None)
        shoe_port = PtyPort(Path(shoe.port), baud=shoe.baud if at_line_speed else None)
        self._server = DeviceServer(
            [
                Station(bus_port, _bus(self.any_panels.values())),
                Station(shoe_port, self.any_shoe),
            ]
        )

    @property
    def panels(self) -> dict[int, PanelSimulator]:
        """The panels of a table that has those of the reference protocol."""
        return {
            seat: panel
            for seat, panel in self.any_panels.items()
            if isinstance(panel, PanelSimulator)
        }

    @property
    def modules(self) -> dict[int, ModbusModule]:
        """The panels of a table that has Modbus modules."""
        return {
            seat: panel
            for seat, panel in self.any_panels.items()
            if isinstance(panel, ModbusModule)
        }

    @property
    def shoe(self) -> ShoeSimulator:
        """The shoe of a table that has one of the reference protocol."""
        assert isinstance(self.any_shoe, ShoeSimulator), "this shoe prints lines"
        return self.any_shoe

    async def __aenter__(self) -> Self:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._server.__aexit__(kind, error, trace)

    def do(self, step: DeviceStep, now: float) -> None:
        """Let hands at the devices take a step.

        Raises:
            DeviceStepError: No hand can: a dark panel, an amount of 0.

        """
        match step:
            case st.PanelLost():
                self.any_panels[step.seat].lose()
            case st.PanelBack():
                self.any_panels[step.seat].come_back()
            case PressDealerButton():
                self.press(DEALER_SEAT, Button(step.button.value), now)
            case st.Bet() | st.Clear() | st.Press() | st.LatePress():
                self._play(step, now)
            case st.ReturnCards():
                self._return(step)
            case _:
                work_any_shoe(self.any_shoe, step)
        self._server.run_once()

    def press(
        self, seat: int, button: Button, now: float, amount_cents: int = 0
    ) -> None:
        """Push a button of a seat's panel, seat 0 for the dealer's.

        Raises:
            DeviceStepError: The panel makes no press of it.

        """
        self._press(seat, button, now, amount_cents=amount_cents)
        self._server.run_once()

    def draw_next(self) -> str | None:
        """Draw the next card of the decks inside; None where none is left."""
        card = self.any_shoe.draw_next()
        if card is not None:
            self._out.append(card)
        self._server.run_once()
        return card

    def shuffle(self) -> None:
        """Put all cards that were drawn back in, shuffle and count them."""
        shoe = self.any_shoe
        if shoe.decks is not None:
            shoe.decks.put_back(self._out)
        self._out.clear()
        if isinstance(shoe, ShoeSimulator):
            shoe.start_shuffle()
            shoe.end_shuffle()
        elif shoe.decks is not None:
            shoe.decks.shuffle()
        self._server.run_once()

    @property
    def cards_due(self) -> int:
        """How many cards the gate lets out now; a shoe without one never says."""
        shoe = self.any_shoe
        if isinstance(shoe, LineShoeSimulator):
            return 0
        return max(shoe.gate_up_to - shoe.next_card_number + 1, 0)

    @property
    def all_taken(self) -> bool:
        """Whether the table has all that panels and shoe had to say.

        A shoe that prints lines is never told, nor is a module; only the journal can
        show that.
        """
        shoe = self.any_shoe
        if isinstance(shoe, ShoeSimulator):
            memory = shoe.memory
            if memory.acknowledged_number != memory.last_event:
                return False
        waiting = [panel.memory.waiting for panel in self.panels.values()]
        fingers = [module.waiting for module in self.modules.values()]
        return not any((*waiting, *fingers))

    @property
    def pushes_due(self) -> int:
        """How many pushes the fingers at modules have still to make."""
        return sum(len(module.waiting) for module in self.modules.values())

    def replace_shoe(self) -> None:
        """Let another shoe stand in its place: nothing is the matter with that one."""
        if isinstance(self.any_shoe, ShoeSimulator):
            self.any_shoe.be_replaced()

    def _return(self, step: st.ReturnCards) -> None:
        """Put cards back one by one; they are then no longer out of the shoe."""
        work_any_shoe(self.any_shoe, step)
        for card in step.cards:
            if card in self._out:
                self._out.remove(card)

    def _play(self, step: st.PlayerStep, now: float) -> None:
        panel = self._panel(step.seat)
        if isinstance(panel, ModbusModule):
            work_module(panel, step, self._bet_step_cents)
            return
        match step:
            case st.Bet(amount_cents=0) | st.Clear():
                # On the wire an amount of 0 is none, and CLEAR says the same.
                self._press(step.seat, Button.CLEAR, now, spot=step.spot or 0)
            case st.Bet(seat, amount, spot):
                self._press(seat, Button.BET, now, amount, spot or 0)
            case st.Press(amount_cents=0):
                raise DeviceStepError(f"{_AN_AMOUNT_OF_0}; leave it out or clear")
            case st.Press(seat, button, amount):
                self._press(seat, Button(button.value), now, amount or 0)
            case st.LatePress(seat, button):
                self._press(seat, Button(button.value), now, prompts_ago=1)
            case _:
                assert_never(step)

    def _press(
        self,
        seat: int,
        button: Button,
        now: float,
        amount_cents: int = 0,
        spot: int = 0,
        prompts_ago: int = 0,
    ) -> None:
        panel = self._panel(seat)
        if isinstance(panel, ModbusModule):
            work_module(panel, button, self._bet_step_cents)
        elif panel.press(button, now, amount_cents, spot, prompts_ago) is None:
            whose = f"panel {seat}" if seat else "the dealer's panel"
            raise DeviceStepError(
                f"{whose} made no press of {button.value}: it has no power, four "
                "presses wait already, or the button is held down"
            )

    def _panel(self, seat: int) -> PanelSimulator | ModbusModule:
        panel = self.any_panels.get(seat)
        if panel is None:
            raise DeviceStepError(f"no panel at seat {seat}; this table has fewer")
        return panel


def _panels(
    hardware: TableHardware, source: random.Random
) -> Mapping[int, PanelSimulator | ModbusModule]:
    bus = hardware.bus
    by_seat = enumerate((bus.dealer_address, *bus.seat_addresses))
    match bus.kind:
        case PanelKind.REFERENCE:
            return {seat: PanelSimulator(at, seat, source) for seat, at in by_seat}
        case PanelKind.MODBUS:
            return {
                seat: ModbusModule(at, seat, wiring=module_wiring(bus, seat))
                for seat, at in by_seat
            }
        case _:
            assert_never(bus.kind)


def _bus(panels: Iterable[PanelSimulator | ModbusModule]) -> Device:
    """Return the bus that these panels hang on; a table has panels of one kind."""
    modules = [panel for panel in panels if isinstance(panel, ModbusModule)]
    if modules:
        return ModbusBus(modules)
    return PanelBus(panel for panel in panels if isinstance(panel, PanelSimulator))


def _shoe(
    hardware: TableHardware, source: random.Random, decks: Decks | None
) -> ShoeSimulator | LineShoeSimulator:
    profile = hardware.shoe.profile
    if profile is None:
        return ShoeSimulator(source, decks)
    return LineShoeSimulator(PROFILES[profile], decks)
