"""Fingers on the contacts of a panel that is wired to pins, and eyes on its lamps.

The pins are those of gpiozero's mock. A contact here bounces, as real ones do, within
one call: a bounce that a busy machine stretches would be a press of its own. The mock
calls back at each change, in the thread that makes it. Time is an argument.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from drivers.gpio.lines import Untyped
from drivers.gpio.wiring import Key, Line, PanelWiring
from drivers.panel.messages import Button
from hw_config.pins import Active

BOUNCES: Final = 2
HOLD_S: Final = 0.015
REST_S: Final = 0.025
"""Longer than a contact needs to count as pressed, and as released."""

Pins = Callable[[Line], Untyped]
"""Gives the mock pin of a line."""


class _Move(msgspec.Struct, frozen=True):
    """A contact is closed or opened, bouncing, and how long it then stays so."""

    line: Line
    is_closed: bool
    then_s: float


class WiredPanel:
    """One panel: keys that bounce, lamps that are lit or not.

    `pressed` counts the presses whose finger is off the key again.
    """

    def __init__(
        self, wiring: PanelWiring, pins: Pins, button: Active, lamp: Active
    ) -> None:
        self.wiring = wiring
        self.pressed = 0
        self._pins = pins
        self._closed_is_high = button is Active.HIGH
        self._lit_is_high = lamp is Active.HIGH
        self._moves: deque[_Move] = deque()
        self._free_at_s = 0.0
        self._then_s = 0.0
        for key in wiring.keys:
            self._drive(key.button, is_closed=False)

    @property
    def is_driven(self) -> bool:
        """Whether somebody drives the lamps, lit or dark."""
        return all(
            self._pins(key.lamp).function == "output" for key in self.wiring.keys
        )

    @property
    def lamps(self) -> frozenset[Button]:
        """What a person sees lit."""
        lit = (key for key in self.wiring.keys if self._is_lit(key))
        return frozenset(button for key in lit for button in key.does)

    @property
    def is_still(self) -> bool:
        """Whether no finger is on it or about to be."""
        return not self._moves

    @property
    def pushes_due(self) -> int:
        """How many keys the fingers have still to let go."""
        return sum(not move.is_closed for move in self._moves)

    @property
    def deadline(self) -> float | None:
        """When the next finger moves; None while none does."""
        return self._free_at_s if self._moves else None

    def press(self, button: Button) -> None:
        """Let a finger push a key and let it go, after those before it.

        Raises:
            ValueError: This panel has no such key.

        """
        key = next((key for key in self.wiring.keys if button in key.does), None)
        if key is None:
            raise ValueError(f"this panel has no button {button.value}")
        self._moves += [
            _Move(key.button, is_closed=True, then_s=HOLD_S),
            _Move(key.button, is_closed=False, then_s=REST_S),
        ]

    def handle_timer(self, now: float) -> None:
        """Make the move that is due; `rest` then hears when it was done."""
        if not self._moves or now < self._free_at_s:
            return
        move = self._moves.popleft()
        for _ in range(BOUNCES):
            self._drive(move.line, is_closed=move.is_closed)
            self._drive(move.line, is_closed=not move.is_closed)
        self._drive(move.line, is_closed=move.is_closed)
        self._then_s = move.then_s
        self.pressed += not move.is_closed

    def rest(self, now: float) -> None:
        """Let the next move keep its distance from the last, which ended at `now`.

        A busy machine takes its time over a move, and a finger stays all the same.
        """
        self._free_at_s = max(self._free_at_s, now + self._then_s)
        self._then_s = 0.0

    def _drive(self, line: Line, *, is_closed: bool) -> None:
        pin = self._pins(line)
        if is_closed is self._closed_is_high:
            pin.drive_high()
        else:
            pin.drive_low()

    def _is_lit(self, key: Key) -> bool:
        pin = self._pins(key.lamp)
        return pin.function == "output" and bool(pin.state) is self._lit_is_high
