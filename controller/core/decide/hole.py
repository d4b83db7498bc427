"""The hole card is turned up: in its turn, or by decision (REVEAL, IRR-5)."""

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.decide.draft import Draft
from controller.core.decide.watching import stop_for_unread_hole
from controller.core.state import TableState, hole_number


def hole_is_up(state: TableState) -> bool:
    """Return whether no card lies face down in the dealer's hand."""
    dealer = state.play.dealer
    return dealer.hole < 0 or dealer.revealed


def reveal(draft: Draft) -> bool:
    """Turn the hole card up; stop the table where its face is not known (REVEAL).

    Return whether it was turned up.
    """
    number = hole_number(draft.state.play)
    sealed = draft.secrets.of(number)
    if sealed is None or sealed.card == UNKNOWN:
        stop_for_unread_hole(draft)
        return False
    turn_up(draft)
    return True


def turn_up(draft: Draft) -> None:
    """Turn the hole card up as it is known; in a voided round that may be `??`."""
    number = hole_number(draft.state.play)
    sealed = draft.unseal(number)
    draft.record(
        ev.HoleCardRevealed(
            number=number, card=sealed.card, salt=sealed.salt, raw=sealed.raw
        )
    )
