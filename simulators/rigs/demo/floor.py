"""Robots at the devices of a table: they look at lamps and prompt, and use hands.

Nobody acts before the devices show what the table said: a robot that saw an old
lamp would press for a prompt that is gone, as a person might, and be refused.
"""

import asyncio
import random
from collections.abc import Hashable, Mapping
from typing import Final, assert_never

import msgspec

from controller.core.decisions import UseCard
from controller.core.ids import (
    DEALER_SEAT,
    Button,
    DealerButton,
    Direction,
    Kind,
    Phase,
)
from controller.core.outputs import outputs
from controller.core.state import TableState
from controller.words.lines import ShiftOpen, SupervisorDecides
from controller.words.writing import line_text
from drivers.panel.messages import Button as PanelButton
from simulators.rigs.control_client import ask
from simulators.rigs.live_table import LiveTable
from simulators.rigs.robots.dealer import DealerMove, next_move
from simulators.rigs.robots.players import BasicPlayer, Press
from simulators.rigs.robots.sight import Sight, sight_of

DEALER: Final = "D1"
SUPERVISOR: Final = "S1"
_SUPERVISOR_SEAT: Final = -1
"""Who is timed where seats and the dealer are."""

_DECISIONS: Final = {
    # Nobody has seen its face: it is dealt at the next need (IRR-7).
    Kind.CARD_DRAWN_IN_ERROR: (UseCard(), "drawn in error, its face not seen"),
}


class Pace(msgspec.Struct, frozen=True):
    """How long people take, in seconds: the least and the most of each.

    They look at the table every `look_s`.
    """

    look_s: float
    think: tuple[float, float]
    card: tuple[float, float]
    dealer: tuple[float, float]


HUMAN: Final = Pace(0.02, think=(0.3, 0.9), card=(0.1, 0.25), dealer=(0.6, 1.0))
FAST: Final = Pace(0.002, think=(0.0, 0.0), card=(0.0, 0.0), dealer=(0.0, 0.0))


class Floor:
    """The people of a table: who sees that they have to act does so, after a while."""

    def __init__(
        self,
        table: LiveTable,
        wagers_cents: Mapping[int, int],
        source: random.Random,
        pace: Pace,
    ) -> None:
        """Seat a player of basic strategy at each seat that wagers something."""
        self._table = table
        self._source = source
        self.pace = pace
        hits_soft_17 = table.state.rules.dealer_hits_soft_17
        self._players = tuple(
            BasicPlayer(seat, cents, hits_soft_17=hits_soft_17)
            for seat, cents in wagers_cents.items()
        )
        self._due: dict[int, tuple[Hashable, float]] = {}

    async def act(self) -> None:
        """Let everybody do what they have to do by now."""
        state = self._table.state
        if state.suspended:
            await self._supervise(state)
            return
        sight = sight_of(state, outputs(state))
        for player in self._players:
            if self._table.panel_agrees(player.seat):
                self._play(player, sight)
        if self._table.panel_agrees(DEALER_SEAT) and self._table.shoe_agrees:
            await self._deal(next_move(sight), sight)

    # --- Players ------------------------------------------------------------------

    def _play(self, player: BasicPlayer, sight: Sight) -> None:
        prompt = sight.prompt(player.seat)
        if not prompt.buttons:
            return
        betting = self._table.state.phase is Phase.BETTING
        press = player.bet(sight) if betting else player.answer(sight)
        if press and self._is_time(player.seat, prompt.number, self.pace.think):
            self._push(press)

    def _push(self, press: Press) -> None:
        self._table.simulation.press(
            press.seat,
            PanelButton(press.button.value),
            asyncio.get_running_loop().time(),
            press.amount_cents or 0,
        )

    # --- The dealer ---------------------------------------------------------------

    async def _deal(self, move: DealerMove | DealerButton, sight: Sight) -> None:
        simulation = self._table.simulation
        card_number = simulation.shoe.next_card_number
        match move:
            case DealerMove.WAIT:
                return
            case DealerMove.DRAW:
                if self._is_time(DEALER_SEAT, ("card", card_number), self.pace.card):
                    simulation.draw_next()
            case DealerMove.SHUFFLE:
                if self._is_time(DEALER_SEAT, (move, card_number), self.pace.dealer):
                    simulation.shuffle()
            case DealerMove.OPEN_SHIFT:
                line = line_text(ShiftOpen(DEALER, Direction.RIGHT_TO_LEFT))
                await ask(self._table.files.control_socket, line)
            case DealerButton.DEAL if not self._all_have_bet(sight):
                return
            case DealerButton():
                prompt = (move, sight.prompt(DEALER_SEAT).number)
                if self._is_time(DEALER_SEAT, prompt, self.pace.dealer):
                    now = asyncio.get_running_loop().time()
                    simulation.press(DEALER_SEAT, PanelButton(move.value), now)
            case _:
                assert_never(move)

    async def _supervise(self, state: TableState) -> None:
        """Let the supervisor decide the oldest irregularity, if a robot can."""
        oldest = state.irregularities[0]
        decision, reason = _DECISIONS.get(oldest.kind, (None, None))
        what = ("decide", oldest.irregularity)
        if decision and self._is_time(_SUPERVISOR_SEAT, what, self.pace.dealer):
            line = SupervisorDecides(SUPERVISOR, decision, reason, witness=None)
            await ask(self._table.files.control_socket, line_text(line))

    def _all_have_bet(self, sight: Sight) -> bool:
        """Return whether a wager lies at every player's spot: then CLEAR is lit."""
        clear = Button.CLEAR.value
        return all(clear in sight.prompt(p.seat).buttons for p in self._players)

    def _is_time(self, who: int, what: Hashable, takes_s: tuple[float, float]) -> bool:
        """Return whether somebody has had the time that a thing takes them."""
        now = asyncio.get_running_loop().time()
        if self._due.get(who, (None, 0.0))[0] != what:
            self._due[who] = (what, now + self._source.uniform(*takes_s))
        return now >= self._due[who][1]
