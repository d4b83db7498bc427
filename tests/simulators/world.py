"""A host, its devices, the cables between them and people who act, on virtual time.

Everything that happens follows from one seed and a script of power cuts.
"""

import enum
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from drivers.panel.messages import Button
from drivers.shoe.messages import RANKS, SUITS
from simulators.devices.fault_player import FaultPlayer, Hardware
from simulators.devices.faults import CLEAN, FaultPlan, chance
from simulators.devices.memory_port import MemoryCable
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.shoe import ShoeSimulator
from tests.simulators.host import LIT, ROLES, Host, Moment, PowerCutError

QUIET_MAX_S = 90.0
STEPS_AT_ONE_TIME_MAX = 2000


class Restart(enum.Enum):
    """Who loses power."""

    HOST = "host"
    PANEL = "panel"
    SHOE_THAT_FORGETS = "shoe that forgets"
    SHOE_THAT_KEEPS = "shoe that keeps its numbers"


class At(NamedTuple):
    """The moment of this kind that is the `nth` of the whole run, counted from 1."""

    moment: Moment
    nth: int


class Script(msgspec.Struct, frozen=True):
    """One run: its faults, how long people act, and who restarts at which message.

    A host that lost its power starts again after `off_s`.
    """

    plan: FaultPlan
    actions: int = 40
    restarts: Mapping[At, Restart] = {}
    off_s: float = 0.0


class World:
    """One run of a script."""

    def __init__(self, script: Script, host_type: type[Host] = Host) -> None:
        seed = script.plan.seed
        self.script = script
        self.now = 0.0
        self.moments: Counter[Moment] = Counter()
        self._steps_here = 0
        self.journal = host_type.journal_type()
        self.panel_cable = MemoryCable(seed, script.plan.rates, name="panels")
        self.shoe_cable = MemoryCable(seed, script.plan.rates, name="shoe")
        self.bus = PanelBus(
            PanelSimulator(address, role, chance(seed, f"panel {address}"))
            for address, role in ROLES.items()
        )
        self.shoe = ShoeSimulator(chance(seed, "shoe"))
        hardware = Hardware(
            self.bus.panels, self.shoe, self.panel_cable, self.shoe_cable
        )
        self.faults = FaultPlayer(script.plan, hardware)
        self._people = chance(seed, "people")
        self._act_at_s: float | None = 0.5
        self._actions_left = script.actions
        self._host_type = host_type
        self._start_at_s = 0.0
        self.host: Host | None = None
        self.host_starts = 0

    def run(self) -> "World":
        """Play the script to its end, then let the table come to rest.

        Raises:
            AssertionError: it does not come to rest.
        """
        while self._act_at_s is not None or self.faults.deadline is not None:
            self._step()
        self._calm()
        end_s = self.now + QUIET_MAX_S
        while not self.is_at_rest:
            assert self.now < end_s, "the table does not come to rest"
            self._step()
        return self

    @property
    def is_at_rest(self) -> bool:
        """Whether every device knows that all it reported is taken."""
        shoe = self.shoe.memory
        return shoe.acknowledged_number == shoe.last_event and not any(
            panel.memory.waiting for panel in self.bus.panels.values()
        )

    def _step(self) -> None:
        self._let_devices_speak()
        if self.host is None and self.now >= self._start_at_s:
            self.host = self._started()
        if self.host is not None:
            try:
                self.host.run_once(self.now)
            except PowerCutError:
                self.host = None
                self._start_at_s = self.now + self.script.off_s
        self.faults.handle_timer(self.now)
        if self._act_at_s is not None and self.now >= self._act_at_s:
            self._act()
        self._let_devices_speak()
        self._go_on()

    def _started(self) -> Host:
        cables = (self.panel_cable, self.shoe_cable)
        self.host_starts += 1
        return self._host_type(self.journal, cables, self._at, self.now)

    def _let_devices_speak(self) -> None:
        now = self.now
        for device, end in (
            (self.bus, self.panel_cable.device),
            (self.shoe, self.shoe_cable.device),
        ):
            device.receive_data(end.read(now), now)
            device.handle_timer(now)
            end.write(device.data_to_send(now), now)

    def _go_on(self) -> None:
        """Move time on to whatever is due next."""
        dues = [
            self.panel_cable.device.deadline,
            self.shoe_cable.device.deadline,
            self.bus.deadline,
            self.shoe.deadline,
            self.faults.deadline,
            self._act_at_s,
            self._start_at_s if self.host is None else self.host.deadline,
        ]
        due_s = min(due for due in dues if due is not None)
        self._count_steps(due_s)
        self.now = max(self.now, due_s)

    def _count_steps(self, due_s: float) -> None:
        self._steps_here = self._steps_here + 1 if due_s <= self.now else 0
        assert self._steps_here < STEPS_AT_ONE_TIME_MAX, "time stands still"

    def _at(self, moment: Moment) -> None:
        """Count a message, and let somebody restart if the script says so."""
        self.moments[moment] += 1
        restart = self.script.restarts.get(At(moment, self.moments[moment]))
        if restart is not None:
            self._restart(restart)

    def _restart(self, restart: Restart) -> None:
        match restart:
            case Restart.HOST:
                raise PowerCutError
            case Restart.PANEL:
                address = sorted(ROLES)[self.moments.total() % len(ROLES)]
                self.bus.panels[address].reboot()
                # Whoever sits there goes on pressing, before the host has noticed.
                self._press_at(address)
            case Restart.SHOE_THAT_FORGETS:
                self.shoe.lose()
                self.shoe.come_back()
            case Restart.SHOE_THAT_KEEPS:
                self.shoe.pause()
                self.shoe.come_back()

    def _calm(self) -> None:
        """Let nothing more go wrong."""
        for cable in (self.panel_cable, self.shoe_cable):
            cable.to_host.rates = CLEAN
            cable.to_device.rates = CLEAN

    # What people do.

    def _act(self) -> None:
        actions: list[Callable[[], None]] = [self._press, self._press, self._at_shoe]
        self._people.choice(actions)()
        self._actions_left -= 1
        pause_s = self._people.choice((0.0, 0.01, 0.05, 0.2, 0.6))
        self._act_at_s = self.now + pause_s if self._actions_left else None

    def _press(self) -> None:
        self._press_at(self._people.choice(list(ROLES)))

    def _press_at(self, address: int) -> None:
        buttons = sorted(LIT[address], key=lambda button: button.value)
        button = self._people.choice(buttons)
        amount_cents = self._people.randrange(1, 50000) if button is Button.BET else 0
        panel = self.bus.panels[address]
        panel.press(button, self.now, amount_cents, self._people.randrange(8))

    def _at_shoe(self) -> None:
        shoe = self.shoe
        happen: Callable[[], object] = self._people.choice(
            (
                self._draw,
                self._draw,
                self._draw,
                shoe.draw_unread,
                self._read_again,
                shoe.open_lid,
                shoe.close_lid,
                shoe.jam,
                shoe.clear_jam,
                shoe.reach_cut_card,
                shoe.start_shuffle,
                lambda: shoe.end_shuffle(312),
                lambda: shoe.return_card(random_card(self._people)),
            )
        )
        happen()

    def _draw(self) -> None:
        self.shoe.draw(random_card(self._people))

    def _read_again(self) -> None:
        if self.shoe.next_card_number > 1:
            card_number = self.shoe.next_card_number - 1
            self.shoe.read_again(card_number, random_card(self._people))


def random_card(source: random.Random) -> str:
    """Return a card that chance draws."""
    return source.choice(RANKS) + source.choice(SUITS)
