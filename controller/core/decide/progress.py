"""What follows by itself: turns, busts, the peek, the dealer's hand, settlement.

`advance_round` takes the round as far as it goes without anybody's doing. It is
the only place that emits consequences, so that a decision which takes play back
can let them follow anew.
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
from controller.core.cards import UNKNOWN, Card
from controller.core.decide.draft import Draft
from controller.core.ids import DEALER, InsuranceResult, Kind, Outcome, Phase
from controller.core.irregularities import (
    first_unread,
    insurance_is_due,
    seats_to_act_in_the_dark,
    shoe_fault,
)
from controller.core.payouts import net_cents, settle
from controller.core.shoe import clash
from controller.core.state import Hand, TableState, hole_number, is_void
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
    while draft.state.opening is not None and not _blocked(draft):
        if until(draft):
            return
        if not _step(draft, lay_held=lay_held):
            return


def _blocked(draft: Draft) -> bool:
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
    if not any(
        found.kind is Kind.CARD_UNREAD and found.number == number
        for found in draft.state.irregularities
    ):
        draft.find(Kind.CARD_UNREAD, hand=hand, number=number)


def _step(draft: Draft, *, lay_held: bool) -> bool:
    """Take one step that follows by itself; return whether there was one."""
    if _ended_hand_settles(draft):
        return True
    if _nobody_is_dealt_to(draft.state):
        return _end_round(draft)
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
            return _settle_again(draft)


# --- Hands that end whatever the dealer has ------------------------------------


def settle_ended_hands(draft: Draft) -> None:
    """Settle every hand whose end does not depend on the dealer."""
    while _ended_hand_settles(draft):
        pass


def _ended_hand_settles(draft: Draft) -> bool:
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


def _all_settled(state: TableState) -> bool:
    return all(hand.settled is not None for hand in state.play.hands)


def _nobody_is_dealt_to(state: TableState) -> bool:
    """Return whether no card that is due could change any outcome (DRAW-3)."""
    if state.play_phase not in (Phase.DEALING, Phase.DEALER_DRAWING):
        return False
    # What was insured still hangs on the dealer's second card.
    insured = any(a.amount_cents and a.result is None for a in state.play.insured)
    return _all_settled(state) and not insured


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
    if _all_settled(draft.state):
        return _end_round(draft)
    return _open_play(draft)


def _open_play(draft: Draft) -> bool:
    """Peek where the rules say so; then play, or the end at a dealer blackjack."""
    if peek_is_due(draft.state):
        return _peek(draft)
    if draft.state.play.peeked:
        return _end_round(draft)
    draft.record(ev.PlayOpened())
    return True


def _peek(draft: Draft) -> bool:
    play = draft.state.play
    sealed = draft.secrets.of(hole_number(play))
    face = play.dealer.cards[play.dealer.hole] if play.dealer.revealed else UNKNOWN
    if face == UNKNOWN and sealed is not None:
        face = sealed.card
    if face == UNKNOWN:
        return _hole_is_unread(draft)
    upcard = next(
        card for at, card in enumerate(play.dealer.cards) if at != play.dealer.hole
    )
    blackjack = is_blackjack((upcard, face), draft.state.rules.joker_value)
    draft.record(ev.DealerPeeked(blackjack=blackjack))
    _settle_insurance(draft, blackjack=blackjack)
    return True


def _hole_is_unread(draft: Draft) -> bool:
    """Stop the table because the hole card's face is needed and not known."""
    number = hole_number(draft.state.play)
    if not any(
        found.kind is Kind.CARD_UNREAD and found.number == number
        for found in draft.state.irregularities
    ):
        draft.find(Kind.CARD_UNREAD, hand=DEALER, number=number)
    return False


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


# --- The dealer's hand and the end of the round --------------------------------


def _dealer_on(draft: Draft) -> bool:
    state = draft.state
    if _busted(state) is not None:
        return _play_on(draft)
    if not _hole_is_up(state):
        return reveal(draft)
    offer = state.play.offer
    if offer is not None:
        if dealer_must_draw(state):
            draft.record(
                ev.CardDealt(number=offer.number, hand=DEALER, card=offer.card)
            )
        else:
            _burn_offer(draft)
        return True
    if state.play.places:
        return False
    if dealer_must_draw(state):
        draft.record(ev.DealerDraws())
        return True
    return _end_round(draft)


def _hole_is_up(state: TableState) -> bool:
    dealer = state.play.dealer
    return dealer.hole < 0 or dealer.revealed


def reveal(draft: Draft) -> bool:
    """Turn the hole card up; stop the table where its face is not known (REVEAL)."""
    number = hole_number(draft.state.play)
    sealed = draft.secrets.of(number)
    if sealed is None or sealed.card == UNKNOWN:
        return _hole_is_unread(draft)
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


def _end_round(draft: Draft) -> bool:
    """Reveal what is still hidden and settle every wager (REVEAL, PAY)."""
    if not _hole_is_up(draft.state):
        return reveal(draft)
    _burn_offer(draft)
    state = draft.state
    dealer = state.play.dealer.cards
    for hand in state.play.hands:
        if hand.settled is None:
            outcome, net = settle(hand, dealer, state.rules)
            draft.record(ev.HandSettled(hand=hand.id, outcome=outcome, net_cents=net))
    blackjack = is_blackjack(dealer, state.rules.joker_value)
    _settle_insurance(draft, blackjack=blackjack)
    draft.record(ev.RoundSettled())
    return True


def _burn_offer(draft: Draft) -> None:
    """Burn an offered card that nobody took and the dealer cannot use (IRR-8)."""
    offer = draft.state.play.offer
    if offer is not None:
        draft.record(ev.CardBurned(number=offer.number, card=offer.card))


def _settle_again(draft: Draft) -> bool:
    """Settle a hand anew that a decision changed after the settlement (IRR-4)."""
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


def _settle_insurance(draft: Draft, *, blackjack: bool) -> None:
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
