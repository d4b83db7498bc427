"""What goes wrong on purpose, so that one sees what the table does about it."""

from collections.abc import Callable
from typing import Final

from controller.core.ids import Phase
from simulators.rigs.demo.narration import Narrator
from simulators.rigs.live_table import LiveTable

CARD_IN_ERROR_AFTER: Final = 1
POWER_CUT_AFTER: Final = 2
"""After so many rounds: once, in the middle of the next."""


class Incidents:
    """A card that nobody asked for, and a power cut."""

    def __init__(self, table: LiveTable, say: Callable[[str], None]) -> None:
        self._table = table
        self._say = say
        self._to_come = {
            CARD_IN_ERROR_AFTER: self._draw_in_error,
            POWER_CUT_AFTER: self._cut_power,
        }

    def happen(self, narrator: Narrator) -> None:
        """Let go wrong what is to go wrong now: while a player thinks."""
        incident = self._to_come.get(narrator.rounds)
        if incident is not None and self._somebody_thinks():
            del self._to_come[narrator.rounds]
            incident()

    def _somebody_thinks(self) -> bool:
        """Return whether a player is to act, not the first, and no card is due."""
        state, table = self._table.state, self._table
        acted = any(hand.acted for hand in state.play.hands)
        due = state.play.places or not table.shoe_agrees
        return state.phase is Phase.PLAYING and acted and not due

    def _draw_in_error(self) -> None:
        self._say("INCIDENT: a card is drawn that nobody asked for")
        self._table.simulation.draw_next()

    def _cut_power(self) -> None:
        self._say("INCIDENT: the controller is killed, as by a power cut")
        self._table.restart()
