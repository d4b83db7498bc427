"""Going on, and ending a hand or a round by decision: IRR-1 and MISDEAL."""

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import need
from controller.core.decide.draft import Draft
from controller.core.decide.hole import turn_up
from controller.core.decide.settling import settle_ended_hands
from controller.core.decide.verdicts.common import (
    burned,
    hand_named,
    lay_sealed,
    open_oldest_to_rack,
    round_is_open,
    take_back_draw_due,
)
from controller.core.ids import (
    BY_DECISION,
    InsuranceResult,
    Kind,
    Outcome,
    Phase,
)
from controller.core.irregularities import persists


def resume(draft: Draft, _decision: dc.Resume, _command: TakeDecision) -> None:
    """Go on where nothing is undecided and no cause persists (IRR-1)."""
    state = draft.state
    need(not state.undecided, "a card is undecided")
    need(not state.missing, f"{len(state.missing)} card numbers are not accounted for")
    for found in state.irregularities:
        need(not persists(state, found), f"{found.kind.value} persists")
    for card in state.waiting:
        _deal_waiting(draft, card.number)


def _deal_waiting(draft: Draft, number: int) -> None:
    """Deal the card that showed a gap, now that those before it are known."""
    state = draft.state
    waiting = next(card for card in state.waiting if card.number == number)
    if state.play.places:
        lay_sealed(draft, number, waiting.commitment)
        return
    draft.record(
        ev.CardDrawnInError(
            number=number, commitment=waiting.commitment, unread=waiting.unread
        )
    )
    draft.find(Kind.CARD_DRAWN_IN_ERROR, number=number)


def void_hand(draft: Draft, decision: dc.VoidHand, _command: TakeDecision) -> None:
    """Call one hand a push; an undecided card goes to the rack with it (IRR-1)."""
    round_is_open(draft.state)
    hand = hand_named(draft.state, decision.hand)
    need(
        hand.ending not in BY_DECISION,
        f"hand {hand.id} is void already",
    )
    open_oldest_to_rack(draft)
    take_back_draw_due(draft)
    draft.record(ev.HandVoided(hand=hand.id, outcome=Outcome.PUSH))
    settle_ended_hands(draft)


def void_round(draft: Draft, _decision: dc.VoidRound, _command: TakeDecision) -> None:
    """Call every hand a push, also one that was settled (IRR-1)."""
    round_is_open(draft.state)
    _end_all(draft, Outcome.PUSH, but=(Outcome.VOID, Outcome.DEAD))
    _return_insurance(draft, settled_too=False)


def misdeal(draft: Draft, _decision: dc.Misdeal, _command: TakeDecision) -> None:
    """Call every hand dead and return every wager (MISDEAL)."""
    round_is_open(draft.state)
    need(draft.state.play_phase is not Phase.SETTLED, "the round is settled")
    _end_all(draft, Outcome.DEAD, but=())
    _return_insurance(draft, settled_too=True)


def _end_all(draft: Draft, outcome: Outcome, but: tuple[Outcome, ...]) -> None:
    """End every hand, burn what is undecided and turn the hole card up (REVEAL)."""
    for loose in (*draft.state.undecided, *draft.state.waiting):
        draft.record(burned(draft.unseal(loose.number)))
    for number in draft.state.missing:
        draft.record(ev.MissingCardKnown(number=number, drawn=False))
    offer = draft.state.play.offer
    if offer is not None:
        draft.record(ev.CardBurned(number=offer.number, card=offer.card))
    for hand in draft.state.play.hands:
        if hand.ending not in but:
            draft.record(ev.HandVoided(hand=hand.id, outcome=outcome))
    draft.record(ev.DealListed(places=()))
    dealer = draft.state.play.dealer
    if dealer.hole >= 0 and not dealer.revealed:
        turn_up(draft)


def _return_insurance(draft: Draft, *, settled_too: bool) -> None:
    for answer in draft.state.play.insured:
        if answer.amount_cents and (settled_too or answer.result is None):
            draft.record(
                ev.InsuranceSettled(
                    seat=answer.seat, result=InsuranceResult.RETURNED, net_cents=0
                )
            )
