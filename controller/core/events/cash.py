"""Cash."""

from controller.core.events.base import EventBase
from controller.core.ids import CashStep


class CashMoved(EventBase, frozen=True, tag="cash_moved"):
    """Cash was spread, stated or changed into chips (CASH)."""

    seat: int
    step: CashStep
    amount_cents: int


class CashDropped(EventBase, frozen=True, tag="cash_dropped"):
    """The cash went to the drop box; the transaction is complete (CASH)."""

    seat: int
    amount_cents: int


class CashReturned(EventBase, frozen=True, tag="cash_returned"):
    """The cash went back to the player; the transaction is ended (CASH)."""

    seat: int
    amount_cents: int


CashEvent = CashMoved | CashDropped | CashReturned
