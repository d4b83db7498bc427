"""What stops the table by itself, and holds up what would follow.

A shoe that cannot give the card that is due, a card that lies unread or cannot
exist, a seat that must act while its panel is lost.
"""

from controller.core.cards import Card
from controller.core.decide.draft import Draft
from controller.core.ids import DEALER, HandId, Kind
from controller.core.irregularities import (
    first_unread,
    seats_to_act_in_the_dark,
    shoe_fault,
)
from controller.core.shoe import clash
from controller.core.state import hole_number, is_void


def watch(draft: Draft) -> None:
    """Note every cause that stops the table now and is not on the list yet."""
    state = draft.state
    listed = {found.kind for found in state.irregularities}
    due = bool(state.play.places)
    if due and shoe_fault(state.shoe) and Kind.SHOE_FAULT not in listed:
        draft.find(Kind.SHOE_FAULT, words=shoe_fault(state.shoe))
    if due and state.shoe.empty and Kind.SHOE_EMPTY not in listed:
        draft.find(Kind.SHOE_EMPTY)
    _watch_unread(draft)
    card = None if Kind.CARD_IMPOSSIBLE in listed else _clash(draft)
    if card is not None:
        draft.find(
            Kind.CARD_IMPOSSIBLE, words=f"{card} is out more often than it exists"
        )
    for seat in seats_to_act_in_the_dark(state):
        if not any(
            found.kind is Kind.PANEL_LOST and found.seat == seat
            for found in state.irregularities
        ):
            draft.find(Kind.PANEL_LOST, seat=seat)


def _watch_unread(draft: Draft) -> None:
    """Note a card that lies unread where a decision laid it, and matters."""
    unread = first_unread(draft.state.play)
    if unread is None or is_void(draft.state.play):
        return
    number, hand = unread
    _find_unread(draft, hand, number)


def stop_for_unread_hole(draft: Draft) -> None:
    """Stop the table because the hole card's face is needed and not known."""
    _find_unread(draft, DEALER, hole_number(draft.state.play))


def _find_unread(draft: Draft, hand: HandId, number: int) -> None:
    """Note that a card is unread, unless that is on the list."""
    if not any(
        found.kind is Kind.CARD_UNREAD and found.number == number
        for found in draft.state.irregularities
    ):
        draft.find(Kind.CARD_UNREAD, hand=hand, number=number)


def is_blocked(draft: Draft) -> bool:
    """Return whether a card lies unread, or one that cannot exist.

    Neither matters to a voided round: no wager hangs on its faces any more.
    """
    play = draft.state.play
    if is_void(play):
        return False
    return first_unread(play) is not None or _clash(draft) is not None


def _clash(draft: Draft) -> Card | None:
    """Return a card of which more are out than the shoe holds, if there is one.

    A table that plays had no clash before this command, so that only cards which
    became public since can make one.
    """
    seen, before = draft.state.play.seen, draft.before
    if seen is before.play.seen and not before.suspended:
        return None
    known = 0 if before.suspended else len(before.play.seen)
    return clash(draft.state, seen[known:])
