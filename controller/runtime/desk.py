"""The desk between devices and game: sessions on one side, commands on the other.

No I/O and no clock: the pump moves the bytes on a real table, a rig on virtual time.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import assert_never

import msgspec

from controller.core import commands as cm
from controller.core.commands import Command
from controller.core.ids import BY_HAND
from controller.core.outputs import gate_up_to, shown_prompts
from controller.core.state import TableState
from controller.runtime import translate
from controller.runtime.held import HeldButtons, StuckChange
from controller.runtime.lamp_board import Lamps
from controller.runtime.sessions import (
    addresses_of,
    bus_session,
    pin_session,
    shoe_session,
)
from controller.runtime.storms import OnceASecond, Storms
from drivers import events as de
from drivers.gpio.session import PinSession
from drivers.identity import DeviceType
from drivers.panel.messages import Button
from drivers.session import BusLink, PanelLink
from hw_config.schema import TableHardware


class Input(msgspec.Struct, frozen=True):
    """A command that a device gives, and how to tell it that this is taken.

    `command` None: nothing for the game, only to be acknowledged.
    """

    command: Command | None
    acknowledge: Callable[[], None] | None = None


class Desk:
    """The sessions of one table's devices, and what the devices should show."""

    def __init__(
        self,
        hardware: TableHardware,
        source: str,
        state: TableState,
        now: float,
        *,
        is_new_journal: bool = False,
    ) -> None:
        """Start the sessions where the journal left the devices.

        `source` is the hardware file, for messages to the technician.
        """
        self._is_new_journal = is_new_journal
        self.addresses = addresses_of(hardware)
        self.pins: PinSession | None = None
        self._bus: BusLink | None = None
        if hardware.pins is not None:
            self.pins = pin_session(hardware, hardware.pins, state, now)
        else:
            self._bus = bus_session(hardware, source, state, now)
        self.shoe = shoe_session(hardware, source, state, now)
        self._held = HeldButtons(translate.stuck_buttons(state), now)
        self._storms = Storms()
        self._drops = OnceASecond()
        self._undecided: Counter[int] = Counter()
        self._parked: dict[int, deque[Input]] = {}
        self._shown: dict[int, tuple[int, frozenset[Button]]] = {}
        self._by_hand: dict[int, frozenset[Button]] = {}
        self.messages: list[str] = []
        self.show(state)

    @property
    def bus(self) -> BusLink:
        """The session with the bus of a table whose panels are on one."""
        assert self._bus is not None, "this table is wired to pins"
        return self._bus

    @property
    def panels(self) -> PanelLink:
        """The session with the panels, wherever they are."""
        return self.bus if self.pins is None else self.pins

    @property
    def deadline(self) -> float | None:
        """When `handle_timer` has something to tell."""
        parked = (self._may_press_at(seat) for seat in self._parked)
        dues = (self._held.deadline, self._drops.deadline, *parked)
        return min((due for due in dues if due is not None), default=None)

    def refused(self, seat: int, now: float) -> None:
        """Note that a press was refused; too many of them make the next ones wait."""
        self._storms.refuse(seat, now)

    def show(self, state: TableState) -> None:
        """Let lamps and gate follow the committed state: only what differs is said."""
        if state.test_mode is None:
            self._by_hand.clear()
        for prompt in shown_prompts(state):
            lit = self._by_hand.get(prompt.seat, translate.lamps_of(prompt.buttons))
            self._set_lamps(prompt.seat, prompt.number, lit)
        up_to = gate_up_to(state)
        if self.pins is not None:
            self.pins.set_house(table_lamp=state.suspended, gate_open=up_to > 0)
        gate = max(up_to - state.shoe.card_offset, 0) if up_to else 0
        # Said each time: the session sends it only where it differs, and forgets it
        # when the shoe starts anew.
        self.shoe.open_gate(state.shoe.boot_id, gate)

    def light(self, lamps: Lamps) -> None:
        """Light lamps by hand; only for a table that is shown in test mode."""
        for seat, lit in lamps.items():
            self._by_hand[seat] = lit
            self._set_lamps(seat, BY_HAND, lit)

    def _set_lamps(self, seat: int, number: int, lit: frozenset[Button]) -> None:
        if self._shown.get(seat) != (number, lit):
            self._shown[seat] = number, lit
            self.panels.set_lamps(self.addresses.of_seat(seat), number, lit)

    def handle_timer(self, now: float) -> tuple[Input, ...]:
        """Return what became due by `now`: held buttons, counts, parked presses."""
        held = tuple(_stuck(change) for change in self._held.handle_timer(now))
        drops = tuple(
            Input(cm.ReportDrops(seat=seat, total=total))
            for seat, total in self._drops.due(now)
        )
        return (*held, *drops, *self._unpark(now))

    def _unpark(self, now: float) -> tuple[Input, ...]:
        """Let one press of each seat on whose storm is over; in their order."""
        let_on = []
        for seat in tuple(self._parked):
            if self._may_press_at(seat) <= now:
                let_on.append(self._parked[seat].popleft())
                self._undecided[seat] += 1
                if not self._parked[seat]:
                    del self._parked[seat]
        return tuple(let_on)

    def take(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        """Return what a driver's event asks of the game."""
        match event:
            case de.PressReceived():
                yield from self._press(event, now)
            case de.ShoeEventReceived():
                yield Input(
                    translate.shoe_command(event),
                    lambda: self.shoe.acknowledge(event.cursor),
                )
            case de.ShoeGapFound():
                yield Input(
                    translate.gap_command(event),
                    lambda: self.shoe.acknowledge(event.cursor),
                )
            case (
                de.ShoeRemarked()
                | de.ShoeStateChanged()
                | de.ScanChanged()
                | de.HouseInputChanged()
            ):
                yield Input(translate.report_command(event))
            case de.DeviceLost() | de.DeviceBack():
                yield Input(translate.link_command(self.addresses, event))
            case de.HostBehind():
                yield self._behind(event)
            case de.DeviceIdentified() | de.DeviceAnswered():
                self._started(event.device)
            case de.HeldButtonsChanged():
                seat = self.addresses.seat_of(event.address)
                buttons = frozenset(button.value for button in event.held)
                self._held.report(seat, buttons, now)
            case de.DeviceMismatched():
                self.messages.append(event.message)
            case de.PressesDropped():
                seat = self.addresses.seat_of(event.address)
                self._drops.count(seat, event.total)
            case _:
                assert_never(event)

    def _may_press_at(self, seat: int) -> float:
        """Return from when on a press of this seat is handed on, in its storm."""
        return self._storms.over_at(seat, self._undecided[seat])

    def _press(self, event: de.PressReceived, now: float) -> Iterable[Input]:
        seat = self.addresses.seat_of(event.address)

        def taken() -> None:
            self._undecided[seat] -= 1
            self.panels.acknowledge(event.address, event.cursor)

        pressed = Input(translate.press_command(self.addresses, event), taken)
        if seat in self._parked or self._may_press_at(seat) > now:
            self._parked.setdefault(seat, deque()).append(pressed)
            return
        self._undecided[seat] += 1
        yield pressed

    def _behind(self, event: de.HostBehind) -> Input:
        """A new journal adopts a device that another served; an older one is behind."""
        if not self._is_new_journal:
            return Input(translate.behind_command(event))
        if event.device.device_type is DeviceType.SHOE:
            return Input(None)  # How the shoe stands is reported, and adopts it.
        return Input(
            cm.AdoptPanel(
                seat=self.addresses.seat_of(event.device.address),
                boot_id=event.boot_id,
                number=event.acknowledged,
            )
        )

    def _started(self, device: de.Device) -> None:
        if device.device_type is DeviceType.PANEL:
            self._held.panel_started(self.addresses.seat_of(device.address))


def _stuck(change: StuckChange) -> Input:
    return Input(
        cm.ReportStuckButton(seat=change.seat, button=change.button, stuck=change.stuck)
    )
