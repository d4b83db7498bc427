"""A card that lies at another hand than it was meant for: IRR-4 and WRONG-HAND."""

import msgspec

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import need
from controller.core.decide.draft import Draft
from controller.core.decide.layout import act_of_card, last_card_laid, lies_at
from controller.core.decide.retell import again, may_get_against_signal, take_back_to
from controller.core.decide.verdicts.common import (
    hand_named,
    lay_open,
    round_is_open,
    take_back_draw_due,
)
from controller.core.ids import (
    HandId,
    Phase,
)
from controller.core.state import Hand, TableState, find_hand


def play_as_dealt(
    draft: Draft, decision: dc.PlayAsDealt, _command: TakeDecision
) -> None:
    """Give a hand the card dealt against its signal; it is complete (IRR-4)."""
    hand = _dealt_against_signal(draft.state, decision.hand)
    acts = _give_card(draft, hand.id)
    draft.record(ev.CompletedAsDealt(hand=hand.id))
    again(draft, acts)


def offer_choice(
    draft: Draft, decision: dc.OfferChoice, _command: TakeDecision
) -> None:
    """Give a hand that card and let its player choose (IRR-4)."""
    need(
        draft.state.play_phase is Phase.PLAYING,
        "a choice is offered only before the dealer's hand is exposed",
    )
    hand = _dealt_against_signal(draft.state, decision.hand)
    acts = _give_card(draft, hand.id)
    draft.record(ev.ChoiceOffered(hand=hand.id))
    again(draft, acts)


def _dealt_against_signal(state: TableState, name: HandId) -> Hand:
    phases = (Phase.PLAYING, Phase.DEALER_DRAWING, Phase.SETTLED)
    need(state.play_phase in phases, "the players have not acted yet")
    hand = hand_named(state, name)
    need(
        hand.ending is None and not hand.picked_up and not hand.doubled,
        f"hand {name} is bust, doubled, surrendered or void",
    )
    need(may_get_against_signal(state, name), f"hand {name} has not acted")
    return hand


def _give_card(draft: Draft, hand: HandId) -> tuple[ev.Event, ...]:
    """Lay the undecided card at a hand, else the last one dealt by itself."""
    state = draft.state
    if state.undecided:
        take_back_draw_due(draft)
        lay_open(draft, state.undecided[0].number, hand)
        return ()
    number = last_card_laid(state)
    at = act_of_card(state, number)
    laid = state.history[at]
    need(_came_by_itself(state, at), f"card {number} was asked for by a player")
    acts = take_back_to(draft, _before_card(state, at))
    draft.record(msgspec.structs.replace(laid, hand=hand, by_decision=True))
    need(len(acts) == 1, "a press followed the card")
    return ()


def _before_card(state: TableState, at: int) -> int:
    """Return where to cut so that a card finds another hand.

    The dealer's need of a card is found anew; every other place stays due.
    """
    return at - 1 if isinstance(state.history[at - 1], ev.DealerDraws) else at


def _came_by_itself(state: TableState, at: int) -> bool:
    """Return whether a card came to the dealer's draw, or to a split hand's turn."""
    before = state.history[at - 1]
    if isinstance(before, ev.DealerDraws):
        return True
    return isinstance(before, ev.TurnPassed | ev.HandSplit)


def lay_at_other(draft: Draft, decision: dc.LiesAt, _command: TakeDecision) -> None:
    """Lay the last card at the hand where it lies (WRONG-HAND)."""
    state = draft.state
    round_is_open(state)
    need(not state.undecided, "a card is undecided")
    number = last_card_laid(state)
    was = lies_at(state.play, number)
    need(was != decision.hand, f"card {number} lies there already")
    at = act_of_card(state, number)
    laid = state.history[at]
    acts = take_back_to(draft, _before_card(state, at))
    need(
        _may_get_card(draft.state, decision.hand),
        f"hand {decision.hand} was settled before the card, or picked up",
    )
    if isinstance(laid, ev.HoleCardDealt):
        lay_open(draft, number, decision.hand)
    else:
        moved = msgspec.structs.replace(laid, hand=decision.hand, by_decision=True)
        draft.record(moved)
    again(draft, acts[1:])


def _may_get_card(state: TableState, name: HandId) -> bool:
    """Return whether a card at this hand can still count, or at least be racked."""
    hand = find_hand(state.play, name)
    if hand is None:
        return state.play_phase is not Phase.SETTLED
    if hand.ending is None:
        return hand.settled is None
    return not hand.picked_up
