"""How a table is brought back to BETTING, whatever has happened to it."""

from collections.abc import Iterator
from typing import Final

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.commands import Command
from controller.core.ids import DealerButton, Direction, Phase, ShoeSign
from controller.core.state import TableState
from simulators.rigs.explore.moves import DEALS, DECIDES, WITNESSES

STEPS_MAX: Final = 60
"""So many steps bring any table home; what needs more is taken to be stuck."""


def home_steps(state: TableState) -> Iterator[Command]:
    """Yield what to try here, the surest way first: each moves the table or is refused.

    A round is ended by calling a supervisor who voids it, a suspension between rounds
    by whatever answers its cause.
    """
    if state.suspended:
        yield from _ending(state)
    elif state.phase is Phase.CLOSED:
        yield cm.OpenShift(dealer=DEALS, direction=Direction.RIGHT_TO_LEFT)
    elif state.phase is Phase.SETTLED:
        yield cm.PressDealerButton(button=DealerButton.PICKUP)
    else:
        yield cm.PressDealerButton(button=DealerButton.CALL)


def _ending(state: TableState) -> Iterator[Command]:
    decisions = (
        dc.VoidRound(),
        dc.Resume(),
        dc.NoCard(),
        dc.NewShoe(state.rules.decks),
    )
    for decision in decisions:
        yield cm.TakeDecision(person=DECIDES, decision=decision, witness=WITNESSES)
    for sign in (ShoeSign.LID_CLOSED, ShoeSign.CLEARED, ShoeSign.BACK):
        yield cm.ReportShoe(sign=sign)


def is_home(state: TableState) -> bool:
    """Return whether bets can be placed."""
    return state.phase is Phase.BETTING
