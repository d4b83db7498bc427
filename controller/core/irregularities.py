"""Which irregularities there are, and whether the cause of one is still there.

The words are what the supervisor reads; the clause says where the rule stands.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from controller.core.actions import asked, peek_is_due, seats_to_answer
from controller.core.cards import UNKNOWN, rank
from controller.core.ids import DEALER, HandId, Kind, Phase
from controller.core.shoe import clash, owed
from controller.core.state import (
    Irregularity,
    Play,
    Shoe,
    TableState,
    hole_number,
    is_void,
)


class KindOf(msgspec.Struct, frozen=True):
    """What a kind of irregularity is called, where it stands, what to do about it."""

    clause: str
    words: str
    what_to_do: str


KINDS: Final[dict[Kind, KindOf]] = {
    Kind.CARD_DRAWN_IN_ERROR: KindOf(
        "IRR-6 to IRR-9",
        "A card was drawn though none was due",
        "Decide what becomes of the card",
    ),
    Kind.CARD_UNREAD: KindOf(
        "MISREAD",
        "A card could not be read",
        "Read the card and key it, with a witness",
    ),
    Kind.CARD_IMPOSSIBLE: KindOf(
        "DECK",
        "More of one card are out than the shoe holds",
        "Compare the cards on the felt with the screen and correct the wrong one",
    ),
    Kind.SHOE_FAULT: KindOf(
        "SHOE", "The shoe cannot deal", "Clear the shoe, then resume"
    ),
    Kind.SHOE_POSITION_UNKNOWN: KindOf(
        "POSITION",
        "Cards left the shoe while it was out of sight",
        "Key each card that lies there, or say that none was drawn",
    ),
    Kind.SHOE_EMPTY: KindOf(
        "IRR-11",
        "The shoe is empty and cards are due",
        "Shuffle and cut the discards, then resume",
    ),
    Kind.PANEL_LOST: KindOf(
        "PANEL",
        "The panel of a seat that must act is lost",
        "Reconnect the panel, or allow the dealer to enter the player's choices",
    ),
    Kind.RECONCILIATION_MISMATCH: KindOf(
        "PICKUP-2",
        "The cards in the shoe are not the cards of the record",
        "Return the missing cards to the shoe, or take a new shoe",
    ),
    Kind.CALLED: KindOf("IRR-1", "The dealer calls", "Hear the dealer and decide"),
    Kind.INTERNAL_FAULT: KindOf(
        "Faults",
        "The program could not handle an input",
        "Compare the felt with the screen, then resume or void the round",
    ),
    Kind.JOURNAL_DAMAGED: KindOf(
        "Faults", "The journal is damaged", "Call the technician"
    ),
    Kind.JOURNAL_BEHIND: KindOf(
        "Faults",
        "A device has been acknowledged more than the journal holds",
        "Call the technician",
    ),
    Kind.JOURNAL_FULL: KindOf(
        "Faults", "There is no room to write the journal", "Call the technician"
    ),
    Kind.SOFTWARE_CHANGED: KindOf(
        "Faults",
        "The program is not the one that was accepted",
        "Call the technician: with a supervisor, accept it, or put the other back",
    ),
}


def persists(state: TableState, found: Irregularity) -> bool:
    """Return whether the cause of an irregularity is still there."""
    return _CAUSES[found.kind](state, found)


def _undecided(state: TableState, found: Irregularity) -> bool:
    return any(card.number == found.number for card in state.undecided)


def _unread(state: TableState, found: Irregularity) -> bool:
    """An unread hole card counts as gone until its face is needed (MISREAD).

    One that lies open on the hole place is like any other card (IRR-5).
    """
    if unread_at(state.play, found.number) is not None:
        return not is_void(state.play)
    in_hole = found.number == hole_number(state.play)
    return in_hole and state.play.dealer.hole_unread and hole_is_needed(state)


def _impossible(state: TableState, _found: Irregularity) -> bool:
    return clash(state, state.play.seen) is not None


def _shoe_fault(state: TableState, _found: Irregularity) -> bool:
    return shoe_fault(state.shoe) != ""


def _position(state: TableState, _found: Irregularity) -> bool:
    return bool(state.missing)


def _empty(state: TableState, _found: Irregularity) -> bool:
    return state.shoe.empty and bool(state.play.places)


def _panel(state: TableState, found: Irregularity) -> bool:
    return found.seat in seats_to_act_in_the_dark(state)


def _mismatch(state: TableState, _found: Irregularity) -> bool:
    return owed(state.shoe) or state.shoe.count_differs


def _never(_state: TableState, _found: Irregularity) -> bool:
    return False


def _other_software(state: TableState, _found: Irregularity) -> bool:
    return bool(state.software_found.components)


def _always(_state: TableState, _found: Irregularity) -> bool:
    return True


_CAUSES: Final[dict[Kind, Callable[[TableState, Irregularity], bool]]] = {
    Kind.CARD_DRAWN_IN_ERROR: _undecided,
    Kind.CARD_UNREAD: _unread,
    Kind.CARD_IMPOSSIBLE: _impossible,
    Kind.SHOE_FAULT: _shoe_fault,
    Kind.SHOE_POSITION_UNKNOWN: _position,
    Kind.SHOE_EMPTY: _empty,
    Kind.PANEL_LOST: _panel,
    Kind.RECONCILIATION_MISMATCH: _mismatch,
    Kind.CALLED: _never,
    Kind.INTERNAL_FAULT: _never,
    Kind.JOURNAL_DAMAGED: _always,
    Kind.JOURNAL_BEHIND: _always,
    Kind.JOURNAL_FULL: _always,
    Kind.SOFTWARE_CHANGED: _other_software,
}


def hole_is_needed(state: TableState) -> bool:
    """Return whether the hole card's face is needed now: a due peek, or the reveal."""
    if state.play_phase is Phase.DEALER_DRAWING:
        return True
    if not peek_is_due(state) or state.play.places:
        return False
    if state.play_phase is Phase.INSURANCE:
        return state.play.insurance_closed
    return state.play_phase is Phase.DEALING and not insurance_is_due(state)


def insurance_is_due(state: TableState) -> bool:
    """Return whether insurance is to be offered: under an ace, before play (INS)."""
    upcard = state.play.dealer.cards[:1]
    return bool(upcard) and state.rules.insurance and rank(upcard[0]) == "A"


def unread_at(play: Play, number: int) -> HandId | None:
    """Return the hand at which the card of that number lies unread."""
    return next((hand for laid, hand in _lying_unread(play) if laid == number), None)


def first_unread(play: Play) -> tuple[int, HandId] | None:
    """Return number and hand of the oldest card lying unread face up."""
    return min(_lying_unread(play), default=None)


def _lying_unread(play: Play) -> Iterator[tuple[int, HandId]]:
    """Yield number and hand of each card that lies face up with its face unknown."""
    for hand in play.hands:
        if UNKNOWN in hand.cards:
            for number, card in zip(hand.numbers, hand.cards, strict=True):
                if card == UNKNOWN:
                    yield number, hand.id
    dealer = play.dealer
    if UNKNOWN in dealer.cards:
        hole = -1 if dealer.revealed else dealer.hole
        for at, card in enumerate(dealer.cards):
            if card == UNKNOWN and at != hole:
                yield dealer.numbers[at], DEALER


def shoe_fault(shoe: Shoe) -> str:
    """Return why the shoe cannot deal, in words; empty when it can."""
    faults = (
        (shoe.lost, "The shoe does not answer"),
        (shoe.lid_open, "The shoe's lid is open"),
        (shoe.jammed, "The shoe is jammed"),
        (shoe.shuffling_out_of_turn, "The shoe began to shuffle during a round"),
    )
    return next((words for wrong, words in faults if wrong), "")


def seats_to_act_in_the_dark(state: TableState) -> tuple[int, ...]:
    """Return the seats that must act now and whose panel is lost (PANEL).

    A seat whose card is due is not held up before that card.
    """
    dark = [
        number
        for number, seat in enumerate(state.seats, start=1)
        if seat.panel_lost and not seat.dealer_entry
    ]
    # Nearly always every panel is there, and nobody need be asked for.
    return tuple(seat for seat in seats_to_act(state) if seat in dark) if dark else ()


def seats_to_act(state: TableState) -> tuple[int, ...]:
    """Return the seats from which a press is awaited; in a voided round none is."""
    if is_void(state.play):
        return ()
    if state.play_phase is Phase.INSURANCE:
        return seats_to_answer(state)
    if state.play_phase is not Phase.PLAYING:
        return ()
    hand = asked(state)
    return () if hand is None else (hand.seat,)
