"""While buttons and lamps are tried by hand, nobody plays (Faults)."""

from collections.abc import Iterator
from typing import ClassVar, Final

from controller.core import events as ev
from controller.core.evolve import Record
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.tabletop import Tabletop

_PLAYS: Final = (
    ev.ShiftOpened,
    ev.ShiftClosed,
    ev.SeatOpened,
    ev.RulesetSet,
    ev.WagerPlaced,
    ev.BetsClosed,
    ev.PressAccepted,
    ev.PromptsChanged,
    ev.CashMoved,
    ev.CashDropped,
    ev.CashReturned,
    ev.DecisionTaken,
    ev.ShoeReplaced,
    ev.IrregularityFound,
    ev.TableSuspended,
)
"""What people do at a table in play, and what stops it."""


class NothingCountsByHand(Checker):
    """Buttons are tried only between rounds, and nothing comes of any press."""

    name: ClassVar[str] = "nothing_counts_by_hand"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Look for what must not happen while buttons are tried."""
        if isinstance(record, ev.TestModeBegun) and (top.round_open or top.suspended):
            yield "buttons are tried while a round is open or the table is stopped"
        if top.by_hand and isinstance(record, _PLAYS):
            yield f"{record} while buttons are tried"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Look for wagers, and for a lamp of play, while buttons are tried."""
        if not top.by_hand:
            return
        if step.state.wagers:
            yield "buttons are tried while wagers lie"
        lit = [prompt.seat for prompt in step.shown.prompts if prompt.buttons]
        if lit:
            yield f"panels {lit} show their own prompts while lamps are tried"
