"""A module at a virtual table, and the fingers of whoever sits at it.

A finger goes down and comes up in its own time, whether anybody looks or not, so that a
flick between two looks is lost, as it is at a table. What was pushed, and what the host
wrote, is kept as testimony.
"""

import heapq
from collections import deque
from random import Random
from typing import Final

import msgspec

from drivers.modbus.messages import (
    CoilsWritten,
    InputsRead,
    ReadInputs,
    Reply,
    Request,
    WriteCoils,
)
from drivers.modbus.wiring import Wiring
from drivers.panel.messages import NO_PROMPT, Button
from simulators.devices.modbus import ModbusModule

FLICK_S: Final = (0.005, 0.03)
TAP_S: Final = (0.06, 0.2)
_FLICKS: Final = 0.1
_UP_S: Final = (0.06, 0.15)
"""How long a finger rests between two pushes of BET."""

_TAPS_MAX: Final = 5


class Push(msgspec.Struct):
    """A finger that went down: at which input, when, and what was lit then.

    `was_seen`: the module has said since, in some answer, that it is down.
    """

    place: int
    at_s: float
    coils: int
    was_seen: bool = False


class _Move(msgspec.Struct, order=True):
    """What a finger does next; `order` keeps moves of one moment as they were made."""

    at_s: float
    order: int
    button: Button
    goes_down: bool


class ModuleAtTable(ModbusModule):
    """One module, its buttons, and people who know what its lamps are asking for.

    `pushes` and `writes` are the testimony of its buttons and of its coils.
    """

    def __init__(
        self, address: int, role: int, wiring: Wiring, rng: Random, step_cents: int
    ) -> None:
        super().__init__(address, role, wiring=wiring)
        self.pushes: deque[Push] = deque()
        self.writes: list[WriteCoils] = []
        self._rng = rng
        self._step_cents = step_cents
        self._moves: list[_Move] = []
        self._made = 0
        self._asked_number = NO_PROMPT
        self._asked: frozenset[Button] = frozenset()

    # --- What a person sees -----------------------------------------------------------

    def ask(self, number: int, buttons: frozenset[Button]) -> None:
        """Let the screens say which buttons are asked for, under which prompt."""
        self._asked_number, self._asked = number, buttons

    @property
    def lamps(self) -> frozenset[Button]:
        """What is lit; of two words the one that the screens ask for."""
        return self.lamps_read_as(self._asked)

    @property
    def prompt_number(self) -> int:
        """The prompt that the lamps are for, as far as that can be seen."""
        shows_it = self.coils == self.wiring.coils(self._asked)
        return self._asked_number if shows_it else NO_PROMPT

    @property
    def held(self) -> frozenset[Button]:
        """The buttons on which a finger is."""
        return self.wiring.held(self.pushed)

    @property
    def is_at_rest(self) -> bool:
        """Whether no finger is down, or on its way."""
        return not self.pushed and not self._moves

    # --- What fingers do --------------------------------------------------------------

    def press(
        self, button: Button, now: float, amount_cents: int = 0, spot: int = 0
    ) -> None:
        """Push a button and let it go; an amount is as many pushes of BET.

        A spot cannot be said. Where a finger is already, there is no room for another.
        """
        del spot
        if not self.powered or self._is_taken(button):
            return
        steps = amount_cents // self._step_cents if button is Button.BET else 1
        at_s = now
        for _ in range(min(max(steps, 1), _TAPS_MAX)):
            self._plan(at_s, button, goes_down=True)
            at_s += self._rng.uniform(*self._some_duration())
            self._plan(at_s, button, goes_down=False)
            at_s += self._rng.uniform(*_UP_S)
        self.handle_timer(now)

    def hold(self, button: Button, now: float) -> None:
        """Push a button and keep it down, as a stuck one stays."""
        if self.powered and not self._is_taken(button):
            self._go_down(button, now)

    def release(self, button: Button, now: float) -> None:
        """Let a held button go; twice is fine."""
        del now
        self.let_go(button)

    def lose(self) -> None:
        """Take the module's power; fingers give up."""
        super().lose()
        self._moves.clear()

    # --- What the bus does ------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """When a finger moves, or the module puts its lamps out."""
        dues = [super().deadline, self._moves[0].at_s if self._moves else None]
        return min((due for due in dues if due is not None), default=None)

    def handle_timer(self, now: float) -> None:
        """Move the fingers, and do what else is due."""
        super().handle_timer(now)
        while self._moves and self._moves[0].at_s <= now:
            move = heapq.heappop(self._moves)
            if move.goes_down:
                self._go_down(move.button, now)
            else:
                self.let_go(move.button)

    def receive_request(self, request: Request, now: float) -> Reply | None:
        """Hear a request; keep what it wrote, and whom it saw."""
        reply = super().receive_request(request, now)
        match request, reply:
            case WriteCoils(), CoilsWritten():
                self.writes.append(request)
            case ReadInputs(), InputsRead():
                self._looked_at_fingers()
            case _:
                pass  # It is for another, or there is no power.
        return reply

    def _looked_at_fingers(self) -> None:
        """Note which pushes are seen: the last one at each input that is down."""
        down = self.pushed
        for push in reversed(self.pushes):
            if down >> push.place & 1:
                push.was_seen = True
                down &= ~(1 << push.place)

    def _go_down(self, button: Button, now: float) -> None:
        self.pushes.append(Push(self.place(button), now, self.coils))
        self.push_down(button)

    def _plan(self, at_s: float, button: Button, *, goes_down: bool) -> None:
        self._made += 1
        heapq.heappush(self._moves, _Move(at_s, self._made, button, goes_down))

    def _is_taken(self, button: Button) -> bool:
        place = self.place(button)
        coming = (self.place(move.button) == place for move in self._moves)
        return bool(self.pushed >> place & 1) or any(coming)

    def _some_duration(self) -> tuple[float, float]:
        return FLICK_S if self._rng.random() < _FLICKS else TAP_S
