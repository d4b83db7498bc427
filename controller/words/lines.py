"""What the staff of a table say: the shift, the dealer, the cash, the supervisor."""

from typing import TypeAlias

from controller.words.decisions import Decision
from controller.words.names import Button, PickupDirection
from controller.words.values import Said


class ShiftOpen(Said, frozen=True):
    """A dealer begins a shift, which fixes the direction of the pickup."""

    dealer: str
    pickup: PickupDirection


class ShiftClose(Said, frozen=True):
    """The dealer's shift ends."""


class DealerDeal(Said, frozen=True):
    """No more bets; the deal begins."""


class DealerUndoDeal(Said, frozen=True):
    """The bets are reopened before the first card (UNDO)."""


class DealerNext(Said, frozen=True):
    """The dealer moves on after a reasonable time (PLAY-3)."""


class DealerPickup(Said, frozen=True):
    """The cards were picked up (PICKUP-1b)."""


class DealerCloseInsurance(Said, frozen=True):
    """No more insurance (INS)."""


class DealerCall(Said, frozen=True):
    """The dealer calls the supervisor; the reason may be empty."""

    reason: str


class DealerSeatOpen(Said, frozen=True):
    """A new player takes the seat (LIMIT-MIN)."""

    seat: int


class DealerClarify(Said, frozen=True):
    """The dealer enters a choice for a seat whose panel is lost (PLAY-4)."""

    seat: int
    button: Button


class CashSpread(Said, frozen=True):
    """A player's cash is spread in view (CASH)."""

    seat: int


class CashState(Said, frozen=True):
    """The amount of the cash is stated (CASH)."""

    seat: int
    amount_cents: int


class CashChips(Said, frozen=True):
    """Chips are given for the cash (CASH)."""

    seat: int
    amount_cents: int


class CashDrop(Said, frozen=True):
    """The cash goes to the drop box (CASH)."""

    seat: int


class CashBack(Said, frozen=True):
    """The cash goes back to the player (CASH)."""

    seat: int


class SupervisorDecides(Said, frozen=True):
    """A supervisor decides; a reason in words and a second person where given."""

    person: str
    decision: Decision
    reason: str | None
    witness: str | None


ShiftLine: TypeAlias = ShiftOpen | ShiftClose
DealerLine: TypeAlias = (
    DealerDeal
    | DealerUndoDeal
    | DealerNext
    | DealerPickup
    | DealerCloseInsurance
    | DealerCall
    | DealerSeatOpen
    | DealerClarify
)
CashLine: TypeAlias = CashSpread | CashState | CashChips | CashDrop | CashBack
Line: TypeAlias = ShiftLine | DealerLine | CashLine | SupervisorDecides
