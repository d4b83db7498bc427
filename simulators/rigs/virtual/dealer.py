"""The dealer: draws while the gate is open, presses what is lit, shuffles when told."""

from random import Random
from typing import Final, assert_never

from controller.core import commands as cm
from controller.core.commands import Person
from controller.core.ids import (
    Button,
    CashStep,
    DealerButton,
    Direction,
    Phase,
    Role,
)
from controller.core.irregularities import seats_to_act
from drivers.panel import messages as pm
from drivers.shoe.messages import ShoeFlag
from simulators.rigs.robots.dealer import DealerMove, next_move
from simulators.rigs.robots.sight import sight_of
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.scene import Scene, Ticket, soon

DEALER: Final = Person("D1", Role.DEALER)

_THINKS_S: Final = (0.02, 0.08)
_DRAWS_S: Final = (0.015, 0.05)
_PATIENCE_S: Final = (0.3, 0.8)
_BETS_TAKE_S: Final = (0.2, 0.5)
_SHUFFLES_S: Final = (0.5, 3.0)
_ENTERS: Final = (Button.STAND, Button.PASS, Button.HIT)


def _is_shuffling(shoe: TableShoe) -> bool:
    """Return whether a shoe with power is shuffling."""
    return shoe.powered and ShoeFlag.SHUFFLING in shoe.flags_standing


class DealerAtTable:
    """The dealer of the shift."""

    def __init__(self, rng: Random, *, always_shuffled: bool = False) -> None:
        self.wake_at: float | None = 0.1
        self._rng = rng
        self._always_shuffled = always_shuffled
        self._deals_from: float | None = None
        self._shuffled_for = 0
        self._ticket: Ticket | None = None

    def look_up(self, scene: Scene) -> None:
        """See that something is to do."""
        if self.wake_at is None or self.wake_at > scene.now + _THINKS_S[1]:
            self.wake_at = scene.now + soon(scene, self._rng, *_THINKS_S)

    def act(self, scene: Scene) -> None:
        """Do the one thing that the dealer's prompt asks for."""
        self.wake_at = scene.now + soon(scene, self._rng, *_PATIENCE_S)
        if self._ticket is not None and self._ticket.is_open:
            return
        self._ticket = None
        shoe = scene.shoe
        if isinstance(shoe, TableShoe) and _is_shuffling(shoe):
            self._end_shuffle(scene, shoe)
        elif shoe.gate_is_open and shoe.powered:
            self._draw(scene)
        elif not scene.state.suspended:
            self._move(scene)

    def shuffle(self, scene: Scene) -> None:
        """Start to shuffle what lies in the rack; or call for another shoe."""
        if isinstance(scene.shoe, LineShoeAtTable):
            scene.shoe.call_for_another()
        elif scene.shoe.powered and ShoeFlag.SHUFFLING not in scene.shoe.flags_standing:
            scene.shoe.start_shuffle()
        self.wake_at = scene.now + soon(scene, self._rng, *_SHUFFLES_S)

    def _end_shuffle(self, scene: Scene, shoe: TableShoe) -> None:
        if not shoe.all_is_taken:
            # What lies where is known only once the table has all the shoe told it.
            return
        scene.felt.shuffle(scene.state)
        shoe.end_shuffle()

    def _draw(self, scene: Scene) -> None:
        if scene.shoe.draw_next() is not None:
            self.wake_at = scene.now + soon(scene, self._rng, *_DRAWS_S)

    def _move(self, scene: Scene) -> None:
        if self._enters_for_a_lost_panel(scene):
            return
        move = next_move(sight_of(scene.state, scene.shown))
        if move is not DealerButton.DEAL:
            self._deals_from = None
        match move:
            case DealerMove.OPEN_SHIFT:
                opening = cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)
                self._ticket = scene.console(opening)
            case DealerMove.SHUFFLE:
                self.shuffle(scene)
            case DealerMove.DRAW | DealerMove.WAIT:
                pass
            case DealerButton.DEAL:
                self._deal(scene)
            case DealerButton():
                self._press(scene, move)
            case _:
                assert_never(move)

    def _deal(self, scene: Scene) -> None:
        """Give everybody the time to bet; then perhaps shuffle, and deal."""
        if self._ends_open_cash(scene):
            return
        if isinstance(scene.shoe, LineShoeAtTable) and scene.shoe.another_is_wanted:
            return
        if self._always_shuffled and self._shuffled_for != scene.state.round:
            self._shuffled_for = scene.state.round
            self.shuffle(scene)
            return
        if self._deals_from is None:
            self._deals_from = scene.now + soon(scene, self._rng, *_BETS_TAKE_S)
        if scene.now < self._deals_from:
            self.wake_at = self._deals_from
            return
        self._deals_from = None
        self._press(scene, DealerButton.DEAL)

    def _ends_open_cash(self, scene: Scene) -> bool:
        """End an exchange that a power cut left half done: no deal before that."""
        for at, seat in enumerate(scene.state.seats, start=1):
            if seat.cash_spread:
                step = CashStep.DROP if seat.cash_chips_given else CashStep.BACK
                self._ticket = scene.console(cm.MoveCash(seat=at, step=step))
                return True
        return False

    def _press(self, scene: Scene, button: DealerButton) -> None:
        panel = scene.panel_of(0)
        if pm.Button(button.value) in panel.lamps:
            panel.press(pm.Button(button.value), scene.now)
        elif scene.state.dealer_panel.panel_lost:
            self._ticket = scene.console(cm.PressDealerButton(button=button))

    def _enters_for_a_lost_panel(self, scene: Scene) -> bool:
        """Ask a player whose panel is lost and enter what they say (PLAY-4)."""
        state = scene.state
        for seat in seats_to_act(state):
            lost = state.seats[seat - 1]
            if lost.panel_lost and lost.dealer_entry:
                insuring = state.phase is Phase.INSURANCE
                button = Button.PASS if insuring else self._rng.choice(_ENTERS)
                self._ticket = scene.console(cm.ClarifyChoice(seat=seat, button=button))
                return True
        return False
