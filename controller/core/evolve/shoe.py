"""The shoe: what it says of itself, its numbers, and the cards that it returns."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.ids import ShoeSign
from controller.core.remarks import OUT_OF_SIGHT, remark_words
from controller.core.state import LooseCard, Shoe, TableState

_SIGNS: Final[dict[ShoeSign, dict[str, bool]]] = {
    ShoeSign.LID_OPEN: {"lid_open": True},
    ShoeSign.LID_CLOSED: {"lid_open": False},
    ShoeSign.JAM: {"jammed": True},
    ShoeSign.CLEARED: {"jammed": False},
    ShoeSign.CUT_CARD: {"cut_card_out": True},
    ShoeSign.EMPTY: {"empty": True},
    ShoeSign.SHUFFLE_STARTED: {"shuffling": True},
    ShoeSign.LOST: {"lost": True},
    ShoeSign.BACK: {"lost": False},
}


def _shoe_changed(state: TableState, event: ev.ShoeChanged) -> TableState:
    shoe = replace(state.shoe, **_SIGNS[event.sign])
    if event.sign is ShoeSign.SHUFFLE_STARTED and state.opening is not None:
        # A shuffle belongs between rounds, or where the shoe ran out (CUT).
        shoe = replace(shoe, shuffling_out_of_turn=not state.shoe.empty)
    return replace(state, shoe=shoe)


def _shoe_remarked(state: TableState, event: ev.ShoeRemarked) -> TableState:
    words = remark_words(event.remark, event.words)
    return replace(state, shoe=replace(state.shoe, remark=words))


def _shoe_replaced(state: TableState, _event: ev.ShoeReplaced) -> TableState:
    """Start the inventory anew; cards still on the table belong to no count (SHOE)."""
    old = state.shoe
    shoe = Shoe(
        boot_id=old.boot_id,
        event_number=old.event_number,
        card_offset=old.card_offset,
        last_card=old.last_card,
        counted_after=old.last_card,
        lost=old.lost,
        uncounted=old.uncounted,
    )
    return replace(
        state,
        shoe=shoe,
        play=replace(state.play, seen=(), groups_shuffled=len(state.play.rack)),
        burns_due=state.rules.burn_after_shuffle if state.opening is None else 0,
    )


def _card_returned(state: TableState, event: ev.CardReturned) -> TableState:
    due_back = dict(state.shoe.due_back)
    due_back[event.card] = due_back.get(event.card, 0) - 1
    kept = {card: count for card, count in due_back.items() if count}
    return replace(state, shoe=replace(state.shoe, due_back=kept))


def _card_numbers_missing(
    state: TableState, event: ev.CardNumbersMissing
) -> TableState:
    numbers = tuple(range(event.first, event.last + 1))
    shoe = replace(state.shoe, last_card=event.last)
    return replace(state, shoe=shoe, missing=(*state.missing, *numbers))


def _unseen_card_numbered(
    state: TableState, event: ev.UnseenCardNumbered
) -> TableState:
    shoe = replace(
        state.shoe,
        last_card=event.number,
        card_offset=state.shoe.card_offset + 1,
    )
    return replace(state, shoe=shoe, missing=(*state.missing, event.number))


def _card_waiting(state: TableState, event: ev.CardWaiting) -> TableState:
    card = LooseCard(event.number, event.commitment, event.unread)
    shoe = replace(state.shoe, last_card=event.number)
    return replace(state, shoe=shoe, waiting=(*state.waiting, card))


def _missing_card_known(state: TableState, event: ev.MissingCardKnown) -> TableState:
    missing = tuple(number for number in state.missing if number != event.number)
    return replace(state, missing=missing)


def _shoe_adopted(state: TableState, event: ev.ShoeAdopted) -> TableState:
    """Take a shoe that numbers anew; in a round nobody knows how many cards left."""
    in_round, is_first = state.opening is not None, not state.shoe.boot_id
    unseen = "" if in_round or is_first else OUT_OF_SIGHT
    shoe = replace(
        state.shoe,
        boot_id=event.boot_id,
        event_number=event.event_number,
        card_offset=event.card_offset,
        uncounted=in_round,
        remark=state.shoe.remark or unseen,
    )
    return replace(state, shoe=shoe)


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.ShoeChanged: _shoe_changed,
    ev.ShoeRemarked: _shoe_remarked,
    ev.ShoeReplaced: _shoe_replaced,
    ev.CardReturned: _card_returned,
    ev.CardNumbersMissing: _card_numbers_missing,
    ev.UnseenCardNumbered: _unseen_card_numbered,
    ev.CardWaiting: _card_waiting,
    ev.MissingCardKnown: _missing_card_known,
    ev.ShoeAdopted: _shoe_adopted,
}
