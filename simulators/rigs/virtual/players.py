"""People at the seats: each presses what is lit, in their own time."""

from random import Random
from typing import Final

from msgspec.structs import replace

from controller.core.ids import Button, HandId
from controller.core.outputs import Outputs
from controller.core.state import Prompt
from drivers.panel import messages as pm
from simulators.rigs.robots.players import Player, Press
from simulators.rigs.robots.sight import Sight, sight_of
from simulators.rigs.virtual.scene import PanelInSight, Scene, soon

_THINKS_S: Final = (0.02, 0.12)
_PATIENCE_S: Final = (0.8, 2.0)
_SLEEPS_S: Final = (25.0, 60.0)
_FALLS_ASLEEP: Final = 0.002
_BETTING: Final = frozenset({pm.Button.BET, pm.Button.CLEAR, pm.Button.REBET})


class SeatedPlayer:
    """A player at a panel: thinks, presses, and presses again where nothing follows."""

    def __init__(self, player: Player, rng: Random) -> None:
        self.wake_at: float | None = None
        self._player = player
        self._rng = rng
        self._lamps: tuple[int, frozenset[pm.Button]] = (0, frozenset())

    def look_up(self, scene: Scene) -> None:
        """See new lamps and begin to think about them."""
        panel = scene.panel_of(self._player.seat)
        lamps = (panel.prompt_number, panel.lamps)
        if lamps == self._lamps:
            return
        was_betting = self._lamps[1] & _BETTING
        self._lamps = lamps
        if not panel.lamps:
            self.wake_at = None
        elif not (panel.lamps & _BETTING and was_betting):
            self.wake_at = scene.now + self._thinking_s(scene)

    def act(self, scene: Scene) -> None:
        """Press, if something is lit; be patient, then look again."""
        panel = scene.panel_of(self._player.seat)
        if not panel.powered or not panel.lamps:
            return
        press = self._press(scene, panel)
        if press is not None:
            button = pm.Button(press.button.value)
            panel.press(button, scene.now, press.amount_cents or 0, press.spot)
        self.wake_at = scene.now + soon(scene, self._rng, *_PATIENCE_S)

    def _thinking_s(self, scene: Scene) -> float:
        if self._rng.random() < _FALLS_ASLEEP:
            return soon(scene, self._rng, *_SLEEPS_S)
        return soon(scene, self._rng, *_THINKS_S)

    def _press(self, scene: Scene, panel: PanelInSight) -> Press | None:
        seat = self._player.seat
        prompt = scene.state.prompts[seat]
        lit = _lit(panel)
        if panel.prompt_number != prompt.number:
            # The screen is ahead of the lamps: whoever presses now is too late.
            return (
                Press(seat, self._rng.choice(lit))
                if self._rng.random() < 1 / 2
                else None
            )
        sight = _through_lamps(scene, seat, lit, prompt.hand)
        if panel.lamps & _BETTING:
            return self._player.bet(sight)
        return self._player.answer(sight)


def _lit(panel: PanelInSight) -> tuple[Button, ...]:
    """Return the lit buttons in the order of their names, the same in every process."""
    lamps = sorted(panel.lamps, key=lambda button: button.value)
    return tuple(Button(button.value) for button in lamps)


def _through_lamps(
    scene: Scene, seat: int, lit: tuple[Button, ...], hand: HandId
) -> Sight:
    """Return what a player sees: the screens, and the lamps of the own panel."""
    shown: Outputs = scene.shown
    names = tuple(button.value for button in Button if button in lit)
    prompts = list(shown.prompts)
    prompts[seat] = Prompt(seat, prompts[seat].number, names, hand)
    return sight_of(scene.state, replace(shown, prompts=tuple(prompts)))
