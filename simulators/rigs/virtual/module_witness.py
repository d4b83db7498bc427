"""A module's side of the story: what fingers did there, and what the host wrote.

A module numbers no press, so a record is held against the pushes: it must be one of
them, each at most once and in their order, and one that counted saw its lamp. A push
may be missing from the record: this hardware loses some.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

import msgspec

from controller.core.state import Prompt
from controller.runtime.translate import lamps_of
from drivers.panel.messages import Button
from simulators.rigs.virtual.module import ModuleAtTable, Push
from simulators.rigs.virtual.testimony import (
    PRESSES_ONCE,
    PROMPTS_FIT,
    PROMPTS_KEPT,
    SHOWN_IS_COMMITTED,
    Blame,
    PressCommand,
)

_KEPT_S: Final = 5.0
"""No press takes longer from the finger to the disk, on a disk that stalls twice."""

_BETTING: Final = frozenset({Button.BET, Button.CLEAR, Button.REBET})
"""In BETTING the buttons change under one prompt, so there any lamp will do."""


class _Known(msgspec.Struct, frozen=True):
    """A prompt that was on disk from a time on, and the coils that show it."""

    number: int
    since_s: float
    coils: int


class ModuleWitness:
    """One module's testimony.

    `pushed` counts the pushes that are over and done with, `told` those on disk.
    """

    def __init__(self, module: ModuleAtTable, blame: Blame) -> None:
        self.module = module
        self._blame = blame
        self._highest: dict[int, int] = {}
        self._prompts: deque[_Known] = deque(maxlen=PROMPTS_KEPT)
        self.pushed = self.told = 0

    def committed(self, prompt: Prompt, now: float) -> None:
        """Note a prompt that is on disk from now on."""
        coils = self.module.wiring.coils(lamps_of(prompt.buttons))
        if not any(
            (one.number, one.coils) == (prompt.number, coils) for one in self._prompts
        ):
            self._prompts.append(_Known(prompt.number, now, coils))

    def recorded(self, command: PressCommand, answered: int | None) -> None:
        """Hold a press on disk against the pushes.

        `answered` is the prompt that stood when it was accepted, None if it was not.
        """
        key = (command.boot_id, command.number)
        if command.number <= self._highest.get(command.boot_id, 0):
            self._blame(PRESSES_ONCE, f"press {key} of {self._name} is taken twice")
        self._highest[command.boot_id] = command.number
        self.told += 1
        button = Button(command.button.value)
        pushes = [one for one in self._pushes_of(button) if one.was_seen]
        if not pushes:
            self._blame(PRESSES_ONCE, f"{key} of {self._name}: {button} was not pushed")
            return
        fitting = (one for one in pushes if self._saw(one, button, answered))
        push = next(fitting, None)
        if push is None:
            words = f"{key} of {self._name}: {button} answered {answered}, saw {pushes}"
            self._blame(PROMPTS_FIT, words)
        self._forget_until(push or pushes[0])

    def hear_out(self, now: float) -> None:
        """Look at what was written to the coils, and forget what is long ago."""
        for write in self.module.writes:
            mask = (1 << write.count) - 1
            known = {0, *(one.coils & mask for one in self._prompts)}
            if write.coils not in known:
                self._blame(SHOWN_IS_COMMITTED, f"{self._name} was told {write}")
        self.module.writes.clear()
        pushes = self.module.pushes
        while pushes and pushes[0].at_s < now - _KEPT_S:
            pushes.popleft()
            self.pushed += 1

    @property
    def _name(self) -> str:
        return f"panel {self.module.address}"

    def _pushes_of(self, button: Button) -> Iterable[Push]:
        place = self.module.place(button)
        return (one for one in self.module.pushes if one.place == place)

    def _saw(self, push: Push, button: Button, answered: int | None) -> bool:
        """Return whether a push may have answered a prompt, by what was lit then."""
        if answered is None:
            return True
        since_s = [one.since_s for one in self._prompts if one.number == answered]
        lamp = self.module.wiring.coils(frozenset({button}))
        is_lit = button in _BETTING or bool(push.coils & lamp)
        return is_lit and bool(since_s) and min(since_s) <= push.at_s

    def _forget_until(self, push: Push) -> None:
        """Forget a push that is told, and those before it at the same input."""
        kept = []
        is_past = True
        for one in self.module.pushes:
            if one.place == push.place and is_past:
                self.pushed += 1
                is_past = one is not push
            else:
                kept.append(one)
        self.module.pushes = deque(kept)
