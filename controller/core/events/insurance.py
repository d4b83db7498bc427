"""Insurance."""

from controller.core.events.base import EventBase
from controller.core.ids import InsuranceResult


class InsuranceOpened(EventBase, frozen=True, tag="insurance_opened"):
    """All seats with a wager are asked at once (INS)."""

    seats: tuple[int, ...]


class InsuranceTaken(EventBase, frozen=True, tag="insurance_taken"):
    """A seat insures; the amount covers all of its spots."""

    seat: int
    amount_cents: int


class InsuranceDeclined(EventBase, frozen=True, tag="insurance_declined"):
    """A seat passes, or had not answered when the dealer closed."""

    seat: int
    by_closing: bool = False


class InsuranceClosed(EventBase, frozen=True, tag="insurance_closed"):
    """No more insurance is taken."""


class InsuranceSettled(EventBase, frozen=True, tag="insurance_settled"):
    """An insurance wager is paid, taken or returned."""

    seat: int
    result: InsuranceResult
    net_cents: int


InsuranceEvent = (
    InsuranceOpened
    | InsuranceTaken
    | InsuranceDeclined
    | InsuranceClosed
    | InsuranceSettled
)
