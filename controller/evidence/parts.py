"""Which part of a round something belongs to, as it is told aloud."""

import enum
from typing import Final

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.ids import Outcome, Phase
from controller.core.state import TableState
from controller.evidence.findings import COMMANDS


class Part(enum.StrEnum):
    """The parts of a round, in their usual order; a decision may go back to one."""

    WAGERS = "wagers"
    DEAL = "deal"
    INSURANCE = "insurance"
    PLAYERS = "players"
    DEALER = "dealer"
    SETTLEMENT = "settlement"
    PICKUP = "pickup"


_OF_PHASE: Final[dict[Phase, Part]] = {
    Phase.CLOSED: Part.WAGERS,
    Phase.BETTING: Part.WAGERS,
    Phase.DEALING: Part.DEAL,
    Phase.INSURANCE: Part.INSURANCE,
    Phase.PLAYING: Part.PLAYERS,
    Phase.DEALER_DRAWING: Part.DEALER,
    Phase.SETTLED: Part.PICKUP,
}

_COMPARED: Final = frozenset(
    {Outcome.BLACKJACK, Outcome.WIN, Outcome.PUSH, Outcome.LOSE}
)
"""What is settled at the end; other hands end where they bust or are given up."""


def part_of(fact: Fact, before: TableState, after: TableState) -> Part:
    """Return the part that a record belongs to.

    What came in belongs where the table was, what follows where it led to.
    """
    match fact:
        case ev.RoundSettled():
            return Part.SETTLEMENT
        case ev.HandSettled() if fact.outcome in _COMPARED:
            return Part.SETTLEMENT
        case ev.RoundClosed():
            return Part.PICKUP
        case _:
            state = before if isinstance(fact, COMMANDS) else after
            return _OF_PHASE[state.play_phase]
