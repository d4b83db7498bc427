"""What follows by itself, in its order: turns, busts, the peek, the dealer's hand.

`advance_round` takes the round as far as it goes without anybody's doing. Nothing
else lets consequences follow, so that a decision which takes play back can let them
follow anew. How hands end and are paid is in `settling`, what stops the table in
`watching`.
"""

from collections.abc import Callable

from controller.core import events as ev
from controller.core.actions import (
    actor,
    dealer_must_draw,
    peek_is_due,
    points,
    seats_to_answer,
)
from controller.core.cards import UNKNOWN
from controller.core.decide.draft import Draft
from controller.core.decide.hole import hole_is_up, reveal
from controller.core.decide.settling import (
    all_settled,
    burn_offer,
    end_round,
    ended_hand_settles,
    settle_again,
    settle_insurance,
)
from controller.core.decide.watching import is_blocked, stop_for_unread_hole, watch
from controller.core.ids import DEALER, Kind, Phase
from controller.core.irregularities import insurance_is_due
from controller.core.state import Hand, TableState, hole_number
from controller.core.totals import TWENTY_ONE, is_blackjack


def progress(draft: Draft) -> None:
    """Let the table go on until it waits for somebody, or must stop."""
    if draft.state.suspended:
        return
    advance_round(draft)
    if not draft.state.suspended:
        watch(draft)


def advance_round(
    draft: Draft,
    *,
    lay_held: bool = True,
    until: Callable[[Draft], bool] = lambda _draft: False,
) -> None:
    """Let the round go on as far as the cards are known, suspended or not.

    With `lay_held` False a card held face down waits: cards that were laid before
    are still to be laid again, and the places are theirs. It stops where `until` is.
    """
    while draft.state.opening is not None and not is_blocked(draft):
        if until(draft):
            return
        if not _step(draft, lay_held=lay_held):
            return


def _step(draft: Draft, *, lay_held: bool) -> bool:
    """Take one step that follows by itself; return whether there was one."""
    if ended_hand_settles(draft):
        return True
    if _nobody_is_dealt_to(draft.state):
        return end_round(draft)
    if lay_held and draft.state.play.places and draft.state.held:
        return _lay_held(draft)
    match draft.state.play_phase:
        case Phase.DEALING:
            return _after_deal(draft)
        case Phase.INSURANCE:
            return _after_insurance(draft)
        case Phase.PLAYING:
            return _play_on(draft)
        case Phase.DEALER_DRAWING:
            return _dealer_on(draft)
        case _:
            # Only SETTLED is left: without an open round nothing follows by itself.
            return settle_again(draft)


def _nobody_is_dealt_to(state: TableState) -> bool:
    """Return whether no card that is due could change any outcome (DRAW-3)."""
    if state.play_phase not in (Phase.DEALING, Phase.DEALER_DRAWING):
        return False
    # What was insured still hangs on the dealer's second card.
    insured = any(a.amount_cents and a.result is None for a in state.play.insured)
    return all_settled(state) and not insured


# --- From the deal to play -----------------------------------------------------


def _after_deal(draft: Draft) -> bool:
    state = draft.state
    if state.play.places:
        return False
    if insurance_is_due(state):
        seats = dict.fromkeys(h.seat for h in state.play.hands if h.settled is None)
        draft.record(ev.InsuranceOpened(seats=tuple(sorted(seats))))
        return True
    return _open_play(draft)


def _after_insurance(draft: Draft) -> bool:
    play = draft.state.play
    if not play.insurance_closed:
        if seats_to_answer(draft.state):
            return False
        draft.record(ev.InsuranceClosed())
        return True
    if all_settled(draft.state):
        return end_round(draft)
    return _open_play(draft)


def _open_play(draft: Draft) -> bool:
    """Peek where the rules say so; then play, or the end at a dealer blackjack."""
    if peek_is_due(draft.state):
        return _peek(draft)
    if draft.state.play.peeked:
        return end_round(draft)
    draft.record(ev.PlayOpened())
    return True


def _peek(draft: Draft) -> bool:
    play = draft.state.play
    sealed = draft.secrets.of(hole_number(play))
    face = play.dealer.cards[play.dealer.hole] if play.dealer.revealed else UNKNOWN
    if face == UNKNOWN and sealed is not None:
        face = sealed.card
    if face == UNKNOWN:
        stop_for_unread_hole(draft)
        return False
    upcard = next(
        card for at, card in enumerate(play.dealer.cards) if at != play.dealer.hole
    )
    blackjack = is_blackjack((upcard, face), draft.state.rules.joker_value)
    draft.record(ev.DealerPeeked(blackjack=blackjack))
    settle_insurance(draft, blackjack=blackjack)
    return True


# --- Play ----------------------------------------------------------------------


def _play_on(draft: Draft) -> bool:
    state = draft.state
    busted = _busted(state)
    if busted is not None:
        total = points(busted, state.rules)
        draft.record(ev.HandBusted(hand=busted.id, points=total))
        return True
    hand = actor(state)
    if hand is None:
        draft.record(ev.DealerTurnBegan())
        draft.record(ev.TurnPassed(hand=DEALER))
        return True
    if hand.id != state.play.turn:
        draft.record(ev.TurnPassed(hand=hand.id))
        return True
    offer = state.play.offer
    if offer is not None and (len(hand.cards) == 1 or state.play.places):
        # IRR-8: a hand whose card is due takes the offered card.
        draft.record(ev.CardDealt(number=offer.number, hand=hand.id, card=offer.card))
        return True
    return False


def _busted(state: TableState) -> Hand | None:
    for hand in state.play.hands:
        over = hand.ending is None and points(hand, state.rules) > TWENTY_ONE
        if over and hand.settled is None and not hand.choosing:
            return hand
    return None


def _lay_held(draft: Draft) -> bool:
    """Deal a card that lies face down since it was drawn in error (IRR-7)."""
    state = draft.state
    place = state.play.places[0]
    if place.is_burn:
        return False
    held = state.held[0]
    if place.face_down:
        draft.record(
            ev.HoleCardDealt(
                number=held.number, commitment=held.commitment, unread=held.unread
            )
        )
        if held.face != UNKNOWN:
            # All have seen it, before a decision left it without a place (IRR-5).
            draft.record(ev.HoleCardRevealed(number=held.number, card=held.face))
        return True
    card = draft.unseal(held.number)
    draft.record(
        ev.CardDealt(
            number=held.number,
            hand=place.hand,
            card=card.card,
            salt=card.salt,
            raw=card.raw,
        )
    )
    if card.card == UNKNOWN:
        draft.find(Kind.CARD_UNREAD, hand=place.hand, number=held.number)
    return True


# --- The dealer's hand ---------------------------------------------------------


def _dealer_on(draft: Draft) -> bool:
    state = draft.state
    if _busted(state) is not None:
        return _play_on(draft)
    if not hole_is_up(state):
        return reveal(draft)
    offer = state.play.offer
    if offer is not None:
        if dealer_must_draw(state):
            draft.record(
                ev.CardDealt(number=offer.number, hand=DEALER, card=offer.card)
            )
        else:
            burn_offer(draft)
        return True
    if state.play.places:
        return False
    if dealer_must_draw(state):
        draft.record(ev.DealerDraws())
        return True
    return end_round(draft)
