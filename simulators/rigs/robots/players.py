"""Robot players: one of basic strategy, one that presses any lit button."""

from random import Random
from typing import Final, Protocol

import msgspec

from controller.core.ids import Button
from controller.core.state import Prompt
from controller.core.totals import TWENTY_ONE, total_of
from simulators.rigs.robots.sight import Sight
from simulators.rigs.strategy import choose

_SITS_OUT: Final = 0.15
_WAGERS_CENTS: Final = (500, 1000, 1500, 2500, 505, 50000)


class Press(msgspec.Struct, frozen=True):
    """A button pressed at a panel; the amount where one was keyed in."""

    seat: int
    button: Button
    amount_cents: int | None = None
    spot: int = 0


class Player(Protocol):
    """Somebody at a seat."""

    @property
    def seat(self) -> int:
        """Which seat."""

    def bet(self, sight: Sight) -> Press | None:
        """Return the press that places a wager; None to leave things as they are."""

    def answer(self, sight: Sight) -> Press:
        """Return the press that answers the lamps of the seat, which are lit."""


def lit_buttons(prompt: Prompt) -> tuple[Button, ...]:
    """Return the lit buttons of a prompt."""
    return tuple(Button(name) for name in prompt.buttons)


class BasicPlayer:
    """Wagers the same each round, plays basic strategy, takes no insurance."""

    def __init__(self, seat: int, wager_cents: int, *, hits_soft_17: bool) -> None:
        self.seat = seat
        self._wager_cents = wager_cents
        self._hits_soft_17 = hits_soft_17

    def bet(self, sight: Sight) -> Press | None:
        """Place the wager where none lies: CLEAR is lit while one does."""
        if Button.CLEAR.value in sight.prompt(self.seat).buttons:
            return None
        return Press(self.seat, Button.BET, self._wager_cents)

    def answer(self, sight: Sight) -> Press:
        """Play the hand in turn as the printed tables say."""
        prompt = sight.prompt(self.seat)
        lit = lit_buttons(prompt)
        if Button.INSURE in lit or lit == (Button.PASS,):
            return Press(self.seat, Button.PASS)
        if (
            Button.PASS in lit
            and total_of(sight.hands[prompt.hand]).points > TWENTY_ONE
        ):
            return Press(self.seat, Button.PASS)
        button = choose(
            sight.hands[prompt.hand],
            sight.upcard,
            lit,
            hits_soft_17=self._hits_soft_17,
        )
        return Press(self.seat, button)


class AnyPlayer:
    """Wagers any amount and presses any button that is lit."""

    def __init__(self, seat: int, rng: Random) -> None:
        self.seat = seat
        self._rng = rng

    def bet(self, sight: Sight) -> Press | None:
        """Place some wager, repeat the last one, or sit the round out."""
        buttons = sight.prompt(self.seat).buttons
        if Button.CLEAR.value in buttons or self._rng.random() < _SITS_OUT:
            return None
        if Button.REBET.value in buttons and self._rng.random() < 1 / 2:
            return Press(self.seat, Button.REBET)
        return Press(self.seat, Button.BET, self._rng.choice(_WAGERS_CENTS))

    def answer(self, sight: Sight) -> Press:
        """Press one of the lit buttons."""
        lit = lit_buttons(sight.prompt(self.seat))
        return Press(self.seat, self._rng.choice(lit))
