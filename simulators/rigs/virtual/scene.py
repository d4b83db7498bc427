"""What people at a virtual table see and can reach: lamps, screens, shoe, console."""

from random import Random
from typing import Protocol

import msgspec

from controller.core.commands import Command
from controller.core.outputs import Outputs
from controller.core.state import TableState
from controller.runtime.planner import Answer
from drivers.panel.messages import Button
from simulators.rigs.virtual.felt import Felt, TableShoe
from simulators.rigs.virtual.line_shoe import LineShoeAtTable


class Ticket(msgspec.Struct):
    """A command given at the console; `lost` where the controller went away."""

    answer: Answer | None = None
    lost: bool = False

    @property
    def is_open(self) -> bool:
        """Whether there may still be an answer."""
        return self.answer is None and not self.lost


class PanelInSight(Protocol):
    """A panel of whatever kind, as a person knows it."""

    powered: bool

    @property
    def buttons(self) -> frozenset[Button]:
        """Its buttons."""

    @property
    def lamps(self) -> frozenset[Button]:
        """What is lit."""

    @property
    def prompt_number(self) -> int:
        """The prompt that the lamps are for, 0 where none is."""

    def press(
        self, button: Button, now: float, amount_cents: int = 0, spot: int = 0
    ) -> object:
        """Push a button and let it go."""

    def reboot(self) -> None:
        """Take its power for a moment."""


class Scene(Protocol):
    """The table around a person.

    `state` is what the screens show: what is committed. `haste` is by how much people
    are faster here than at a table where they take their time.
    """

    felt: Felt
    haste: float

    @property
    def shoe(self) -> TableShoe | LineShoeAtTable:
        """The shoe, of whatever kind."""

    @property
    def now(self) -> float:
        """The moment, in seconds."""

    @property
    def state(self) -> TableState:
        """The committed table."""

    @property
    def shown(self) -> Outputs:
        """The prompts and notices of the committed table."""

    def panel_of(self, seat: int) -> PanelInSight:
        """Return the panel of a seat, 0 for the dealer's."""

    def console(self, command: Command) -> Ticket:
        """Give a command at the console."""

    def cut_power(self, off_s: float) -> None:
        """Take the controller's power for so long."""

    def lose_escrow(self) -> None:
        """Take the controller's power; at the next start it finds no escrow."""


class Somebody(Protocol):
    """A person who acts when `wake_at` comes, and looks up when something changes."""

    wake_at: float | None

    def look_up(self, scene: Scene) -> None:
        """Notice that something has changed; perhaps wake sooner."""

    def act(self, scene: Scene) -> None:
        """Do what there is to do now."""


def soon(scene: Scene, rng: Random, least_s: float, most_s: float) -> float:
    """Return a time that a person takes at this table."""
    return rng.uniform(least_s, most_s) / scene.haste
