"""What ends hands and pays them: at once, at the end of the round, or once more."""

from controller.core import events as ev
from controller.core.decide.draft import Draft
from controller.core.decide.hole import hole_is_up, reveal
from controller.core.ids import InsuranceResult, Outcome
from controller.core.payouts import net_cents, settle
from controller.core.state import Hand, TableState
from controller.core.totals import is_blackjack


def all_settled(state: TableState) -> bool:
    """Return whether no hand's wager is open any more."""
    return all(hand.settled is not None for hand in state.play.hands)


# --- Hands that end whatever the dealer has ------------------------------------


def settle_ended_hands(draft: Draft) -> None:
    """Settle every hand whose end does not depend on the dealer."""
    while ended_hand_settles(draft):
        pass


def ended_hand_settles(draft: Draft) -> bool:
    """Settle the next of those hands; return whether there was one."""
    for hand in draft.state.play.hands:
        if hand.ending is not None and hand.settled is None:
            _settle_ended(draft, hand, hand.ending)
            return True
    return False


def _settle_ended(draft: Draft, hand: Hand, ending: Outcome) -> None:
    ratio = draft.state.rules.blackjack_ratio
    net = net_cents(ending, hand.wager_cents, ratio)
    draft.record(ev.HandSettled(hand=hand.id, outcome=ending, net_cents=net))
    if ending in (Outcome.DEAD, Outcome.VOID):
        draft.record(
            ev.WagerReturned(
                spot=hand.spot, seat=hand.seat, amount_cents=hand.wager_cents
            )
        )
    if ending is Outcome.BUST:
        # PICKUP-1a: the hand leaves the layout before the next player acts.
        draft.record(ev.HandPickedUp(hand=hand.id, cards=hand.cards))


# --- The end of the round ------------------------------------------------------


def end_round(draft: Draft) -> bool:
    """Reveal what is still hidden and settle every wager (REVEAL, PAY).

    Return whether the round went on: it cannot where the hole card is unread.
    """
    if not hole_is_up(draft.state):
        return reveal(draft)
    burn_offer(draft)
    state = draft.state
    dealer = state.play.dealer.cards
    for hand in state.play.hands:
        if hand.settled is None:
            outcome, net = settle(hand, dealer, state.rules)
            draft.record(ev.HandSettled(hand=hand.id, outcome=outcome, net_cents=net))
    blackjack = is_blackjack(dealer, state.rules.joker_value)
    settle_insurance(draft, blackjack=blackjack)
    draft.record(ev.RoundSettled())
    return True


def burn_offer(draft: Draft) -> None:
    """Burn an offered card that nobody took and the dealer cannot use (IRR-8)."""
    offer = draft.state.play.offer
    if offer is not None:
        draft.record(ev.CardBurned(number=offer.number, card=offer.card))


def settle_again(draft: Draft) -> bool:
    """Settle a hand anew that a decision changed after the settlement (IRR-4).

    Return whether there was one.
    """
    state = draft.state
    for hand in state.play.hands:
        if hand.settled is None:
            outcome, net = settle(hand, state.play.dealer.cards, state.rules)
            draft.record(ev.HandSettled(hand=hand.id, outcome=outcome, net_cents=net))
            if outcome is Outcome.BUST:
                # PICKUP-1a holds after the settlement too.
                draft.record(ev.HandPickedUp(hand=hand.id, cards=hand.cards))
            return True
    return False


def settle_insurance(draft: Draft, *, blackjack: bool) -> None:
    """Pay insurance two to one, or take it (INS)."""
    for answer in draft.state.play.insured:
        if answer.amount_cents and answer.result is None:
            amount = answer.amount_cents
            draft.record(
                ev.InsuranceSettled(
                    seat=answer.seat,
                    result=InsuranceResult.WIN if blackjack else InsuranceResult.LOSE,
                    net_cents=2 * amount if blackjack else -amount,
                )
            )
