"""What each event means for the state: `evolve(state, event) -> state`.

It never refuses: the event has happened. Commands are folded too, since a
command's record is what moves a device's cursor.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, Final

from controller.core.commands import Command
from controller.core.events import Event, PlayTakenBack
from controller.core.evolve import (
    cards,
    computer,
    hands,
    inputs,
    people,
    rounds,
    shoe,
    table,
)
from controller.core.evolve.history import HISTORY, remember, take_back
from controller.core.state import TableState

Record = Command | Event

_APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    **inputs.APPLY,
    **table.APPLY,
    **shoe.APPLY,
    **rounds.APPLY,
    **cards.APPLY,
    **hands.APPLY,
    **people.APPLY,
    **computer.APPLY,
}


def evolve(state: TableState, record: Record) -> TableState:
    """Return the table after one record of the journal."""
    kind = type(record)
    if kind is PlayTakenBack:
        return take_back(state, record, evolve)  # type: ignore[arg-type]  # `kind is` narrows for us, not for mypy
    after = _APPLY[kind](state, record)
    return remember(after, record) if kind in HISTORY else after


def replay(state: TableState, records: Iterable[Record]) -> TableState:
    """Fold records into a state."""
    return reduce(evolve, records, state)


def applied_types() -> frozenset[type]:
    """Return every type of record that the fold knows."""
    return frozenset(_APPLY) | {PlayTakenBack}
