"""Irregularities."""

from controller.core.events.base import EventBase
from controller.core.ids import NO_HAND, HandId, Kind, Phase, Role


class IrregularityFound(EventBase, frozen=True, tag="irregularity_found"):
    """Something is wrong; the supervisor is told."""

    irregularity: int
    kind: Kind
    hand: HandId = NO_HAND
    seat: int = 0
    number: int = 0
    words: str = ""


class TableSuspended(EventBase, frozen=True, tag="table_suspended"):
    """All action lamps off, waits stopped, gate locked."""

    kind: Kind


class DecisionTaken(EventBase, frozen=True, tag="decision_taken"):
    """A supervisor decided: what, who, why, under which clause."""

    command: str
    person: str
    clause: str
    reason: str = ""
    witness: str = ""
    hand: HandId = NO_HAND
    role: Role = Role.SUPERVISOR


class IrregularityCleared(EventBase, frozen=True, tag="irregularity_cleared"):
    """The cause of an irregularity is gone."""

    irregularity: int
    kind: Kind


class TableResumed(EventBase, frozen=True, tag="table_resumed"):
    """The table goes on where it was."""

    phase: Phase


IrregularityEvent = (
    IrregularityFound
    | TableSuspended
    | DecisionTaken
    | IrregularityCleared
    | TableResumed
)
