"""Hands on all seven panels at once: bursts, held buttons, presses said again.

They press anything, lit or dark, in every phase, also while the bus stalls, so that
whole bursts reach the host in one read. What each panel was showing is kept beside
each press, and every press that counts is held against it.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.commands import PressButton
from controller.core.ids import Button, Phase
from drivers.panel import messages as pm
from simulators.devices.panel import PanelSimulator
from simulators.rigs.checkers.checker import Step
from simulators.rigs.virtual.scene import Scene, soon

STORM_ANSWERED: Final = "storm_answered"

_BETTING: Final = frozenset({Button.BET, Button.CLEAR, Button.REBET})
_BETS: Final = frozenset(pm.Button(button.value) for button in _BETTING)
_BREAKS_OUT: Final = {
    Phase.BETTING: 0.6,
    Phase.DEALING: 0.6,
    Phase.PLAYING: 0.8,
    Phase.DEALER_DRAWING: 0.4,
    Phase.SETTLED: 0.8,
}
"""How likely a storm is when a phase begins; the rarer phases always have one."""

_REST_S: Final = (0.2, 1.0)
_BETWEEN_PRESSES_S: Final = (0.0, 0.04)
_STALL_S: Final = (0.1, 0.9)
_WAVES_MAX: Final = 6
_STALLS: Final = 0.5
_HOLDS: Final = 0.15
_CALLS: Final = 0.05
_PRESSES_LIT: Final = 0.5


class Seen(msgspec.Struct, frozen=True):
    """What a panel showed when a button was pressed.

    In BETTING the buttons change under one prompt, so there any lamp will do (Prompts).
    """

    prompt: int
    lit: bool


class Storm:
    """Hands that wait for their moment, then press on every panel.

    `phases` counts the storms by the phase in which each broke out.
    """

    def __init__(self, rng: Random, seats: int, stall: Callable[[float], None]) -> None:
        """Take the panels of seats from 1; `stall` holds their bus until a time."""
        self.wake_at: float | None = None
        self.phases: Counter[Phase] = Counter()
        self.presses = 0
        self.seen: dict[tuple[int, int, int], Seen] = {}
        self._rng = rng
        self._stall = stall
        self._seats = range(1, seats + 1)
        self._waves = 0
        self._phase: Phase | None = None
        self._rests_until_s = 0.0

    def look_up(self, scene: Scene) -> None:
        """Break out where a phase begins, after a rest."""
        phase = scene.state.phase
        if phase is self._phase:
            return
        self._phase = phase
        if self._waves or scene.now < self._rests_until_s:
            return
        if self._rng.random() < _BREAKS_OUT.get(phase, 1.0):
            self.phases[phase] += 1
            self._waves = self._rng.randint(2, _WAVES_MAX)
            self.wake_at = scene.now + soon(scene, self._rng, *_BETWEEN_PRESSES_S)

    def act(self, scene: Scene) -> None:
        """Press once on every panel, in any order; perhaps let the bus stall."""
        for seat in self._rng.sample(self._seats, len(self._seats)):
            self._press(_panel(scene, seat), scene.now, seat)
        if self._rng.random() < _CALLS:
            scene.panel_of(0).press(pm.Button.CALL, scene.now)
        self._waves -= 1
        if self._waves == 0:
            self.wake_at = None
            self._rests_until_s = scene.now + soon(scene, self._rng, *_REST_S)
            self._let_go(scene)
            return
        if self._rng.random() < _STALLS / _WAVES_MAX:
            stall_s = soon(scene, self._rng, *_STALL_S)
            self._stall(scene.now + stall_s)
        self.wake_at = scene.now + soon(scene, self._rng, *_BETWEEN_PRESSES_S)

    def _press(self, panel: PanelSimulator, now: float, seat: int) -> None:
        choice = panel.buttons
        if panel.lamps and self._rng.random() < _PRESSES_LIT:
            choice = panel.lamps
        button = self._rng.choice(sorted(choice, key=lambda one: one.value))
        lit, prompt = _is_lit(button, panel.lamps), panel.prompt_number
        push = panel.hold if self._rng.random() < _HOLDS else panel.press
        made = push(button, now)
        if made is not None:
            self.presses += 1
            key = (seat, made.boot_id, made.press.number)
            self.seen[key] = Seen(prompt, lit)

    def _let_go(self, scene: Scene) -> None:
        for seat in self._seats:
            panel = _panel(scene, seat)
            for button in tuple(panel.held):
                panel.release(button, scene.now)


def _panel(scene: Scene, seat: int) -> PanelSimulator:
    panel = scene.panel_of(seat)
    assert isinstance(panel, PanelSimulator), "a storm is told by presses' numbers"
    return panel


def _is_lit(button: pm.Button, lamps: frozenset[pm.Button]) -> bool:
    return button in lamps or (button in _BETS and bool(lamps & _BETS))


class StormWitness:
    """Holds that at most one press answers a prompt, and only where it was lit.

    `accepted` counts the presses of the storm that did.
    """

    def __init__(self, storm: Storm, blame: Callable[[str, str], None]) -> None:
        self.accepted = 0
        self._storm = storm
        self._blame = blame
        self._answered: set[tuple[int, int]] = set()

    def see(self, step: Step) -> None:
        """Hold an accepted press against what its panel was showing."""
        given = step.given
        if isinstance(given, PressButton):
            for record in step.records:
                if isinstance(record, ev.PressAccepted):
                    self._answers(given, record)

    def _answers(self, given: PressButton, record: ev.PressAccepted) -> None:
        seen = self._storm.seen.get((given.seat, given.boot_id, given.number))
        if seen is not None:
            self.accepted += 1
            if not seen.lit or seen.prompt != given.prompt:
                self._blame(STORM_ANSWERED, f"{given} counted though it saw {seen}")
        if record.button in _BETTING:
            return
        prompt = (given.seat, given.prompt)
        if prompt in self._answered:
            self._blame(STORM_ANSWERED, f"prompt {prompt} is answered twice")
        self._answered.add(prompt)
