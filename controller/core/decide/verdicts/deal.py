"""The deal as a list of places: IRR-2, IRR-3 and IRR-10."""

from typing import Final

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.actions import points
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import NotApplicableError, need
from controller.core.decide.draft import Draft
from controller.core.decide.layout import act_of_card
from controller.core.decide.retell import PLAYED, again, take_back_to
from controller.core.decide.verdicts.common import lay_open
from controller.core.ids import (
    DEALER,
    HandId,
    Outcome,
    Phase,
)
from controller.core.state import HOLE, Hand, Place, TableState, hole_number

_BEFORE_PLAY: Final = (Phase.DEALING, Phase.INSURANCE, Phase.PLAYING)


def missed_first(
    draft: Draft, decision: dc.MissedFirst, _command: TakeDecision
) -> None:
    """Take both places of a spot out of the list; it sits out (IRR-2)."""
    hand = _in_deal(draft.state, decision.spot)
    places = [p for p in _full_list(draft.state) if p.hand != hand.id]
    acts = _list_anew(draft, tuple(places))
    draft.record(ev.HandVoided(hand=hand.id, outcome=Outcome.VOID))
    again(draft, acts, laid_anew=True)


def missed_second(
    draft: Draft, decision: dc.MissedSecond, _command: TakeDecision
) -> None:
    """Move a spot's second place behind all other players (IRR-3)."""
    hand = _in_deal(draft.state, decision.spot)
    # The card that lay face down would be shown, and what follows hang on its face.
    dealing = draft.state.play_phase is Phase.DEALING
    need(not decision.after_dealer or dealing, "the deal is over")
    full = list(_full_list(draft.state))
    at = _last_index(full, Place(hand.id))
    place = full.pop(at)
    hole = full.index(HOLE)
    full.insert(hole + 1 if decision.after_dealer else hole, place)
    acts = _list_anew(draft, tuple(full))
    cards = ev.CardDealt | ev.HoleCardDealt | ev.CardBurned
    laid = sum(isinstance(act, cards) for act in acts)
    need(
        not decision.after_dealer or laid > full.index(HOLE),
        "the dealer's second card is not out yet",
    )
    again(draft, acts, laid_anew=True)


def dealer_missed(
    draft: Draft, decision: dc.DealerMissed, _command: TakeDecision
) -> None:
    """Move the dealer's first place, or give its second card away (IRR-10)."""
    if decision.second:
        _dealer_missed_second(draft, decision.hand)
        return
    _nobody_acted(draft.state)
    full = list(_full_list(draft.state))
    full.remove(Place(DEALER))
    full.insert(full.index(HOLE), Place(DEALER))
    again(draft, _list_anew(draft, tuple(full)), laid_anew=True)


def _dealer_missed_second(draft: Draft, wanted: HandId) -> None:
    state = draft.state
    dealer = state.play.dealer
    need(dealer.hole >= 0 and not dealer.revealed, "no hole card lies face down")
    number = hole_number(state.play)
    hand = wanted or _first_in_turn(state)
    acts = take_back_to(draft, act_of_card(state, number))
    lay_open(draft, number, hand)
    again(draft, acts[1:])


def _first_in_turn(state: TableState) -> HandId:
    for hand in state.play.hands:
        if hand.ending is None and points(hand, state.rules) < 21:  # noqa: PLR2004 - clause DRAW-1
            return hand.id
    raise NotApplicableError("no hand could have taken the card")


def _nobody_acted(state: TableState) -> None:
    """Refuse to tell a deal anew by which somebody has played (Taking back)."""
    acted = any(isinstance(record, PLAYED) for record in state.history)
    need(state.play_phase in _BEFORE_PLAY and not acted, "the deal is over")


def _in_deal(state: TableState, spot: int) -> Hand:
    _nobody_acted(state)
    hand = next((h for h in state.play.hands if h.spot == spot), None)
    need(hand is not None and hand.ending is None, f"spot {spot} has no live hand")
    assert hand is not None
    return hand


def _full_list(state: TableState) -> tuple[Place, ...]:
    """Return the whole list of the deal as it now is, from its first place."""
    return next(
        record.places for record in state.history if isinstance(record, ev.DealListed)
    )


def _list_anew(draft: Draft, places: tuple[Place, ...]) -> tuple[ev.Event, ...]:
    """Change the list of the deal; return the acts to do again on it."""
    at = next(
        at
        for at, record in enumerate(draft.state.history)
        if isinstance(record, ev.DealListed)
    )
    acts = take_back_to(draft, at)
    draft.record(ev.DealListed(places=places))
    return acts[1:]


def _last_index(places: list[Place], wanted: Place) -> int:
    return len(places) - 1 - places[::-1].index(wanted)
