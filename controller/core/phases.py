"""Which phase follows which event.

Every rule about the order of phases lives in this file, and nothing else does.
Only events that can change the phase are triggers; what else may occur in which
phase is each command's own business.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from transitions import EventData, Machine, MachineError

from controller.core.errors import IllegalPhaseError
from controller.core.ids import Phase


class _Cursor:
    """The only thing `transitions` ever mutates."""

    __slots__ = ("came_from", "state")

    def __init__(self, state: Phase, came_from: Phase | None) -> None:
        self.state = state
        self.came_from = came_from


def _came_from(phase: Phase) -> Callable[[EventData], bool]:
    """Return the guard that lets a suspension end only where it began."""

    def guard(event_data: EventData) -> bool:
        cursor = event_data.model
        assert isinstance(cursor, _Cursor)
        return cursor.came_from is phase

    guard.__name__ = f"came_from_{phase.value}"
    return guard


_OTHERS: Final[list[Phase]] = [phase for phase in Phase if phase is not Phase.SUSPENDED]


def _step(trigger: str, sources: list[Phase] | Phase, dest: Phase) -> dict[str, Any]:
    return {"trigger": trigger, "source": sources, "dest": dest}


TRANSITIONS: Final[list[dict[str, Any]]] = [
    _step("shift_opened", Phase.CLOSED, Phase.BETTING),
    _step("shift_closed", Phase.BETTING, Phase.CLOSED),
    _step("bets_closed", Phase.BETTING, Phase.DEALING),
    # DEAL may find no live hand; taking it back then comes from SETTLED (UNDO).
    _step("deal_undone", [Phase.DEALING, Phase.SETTLED], Phase.BETTING),
    _step("insurance_opened", Phase.DEALING, Phase.INSURANCE),
    _step("play_opened", [Phase.DEALING, Phase.INSURANCE], Phase.PLAYING),
    _step("dealer_turn_began", Phase.PLAYING, Phase.DEALER_DRAWING),
    _step(
        "round_settled",
        [Phase.DEALING, Phase.INSURANCE, Phase.PLAYING, Phase.DEALER_DRAWING],
        Phase.SETTLED,
    ),
    _step("round_closed", Phase.SETTLED, Phase.BETTING),
    _step("table_suspended", _OTHERS, Phase.SUSPENDED),
    *(
        {
            **_step("table_resumed", Phase.SUSPENDED, phase),
            "conditions": [_came_from(phase)],
        }
        for phase in _OTHERS
    ),
]

_MACHINE: Final = Machine(
    model=None,
    states=Phase,
    initial=Phase.CLOSED,
    transitions=TRANSITIONS,
    auto_transitions=False,
    ignore_invalid_triggers=False,
    queued=False,
    send_event=True,
)


@cache
def advance(phase: Phase, trigger: str, came_from: Phase | None = None) -> Phase:
    """Return the phase that follows the event whose tag is `trigger`.

    `came_from` is the phase that a suspension interrupted. The answer to each
    question is kept: it is always the same, and a trigger takes long.

    Raises:
        IllegalPhaseError: The event cannot happen in `phase`; nothing changed.

    """
    cursor = _Cursor(phase, came_from)
    try:
        moved = _MACHINE.events[trigger].trigger(cursor)
    except MachineError as error:
        raise IllegalPhaseError(f"{trigger} cannot happen in {phase.name}") from error
    if not moved:
        raise IllegalPhaseError(
            f"{trigger} cannot end in {came_from} from {phase.name}"
        )
    return cursor.state
