"""What each decision of a supervisor does (rules.md, Irregularities).

Every function here takes the draft and works the decision out, or raises
NotApplicableError with the reason. Nothing else says whether a decision applies:
the console offers exactly those that can be worked out.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.actions import points
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import TakeDecision
from controller.core.decide.draft import Draft
from controller.core.decide.progress import settle_ended_hands, turn_up
from controller.core.decide.retell import (
    NotApplicableError,
    act_of_card,
    again,
    came_into_play,
    card_laid_at,
    last_card_laid,
    lies_at,
    opened,
    take_back_to,
)
from controller.core.decide.shoe import open_sealed
from controller.core.ids import (
    BY_DECISION,
    DEALER,
    ROUND_OPEN,
    HandId,
    InsuranceResult,
    Kind,
    Outcome,
    Phase,
)
from controller.core.irregularities import first_unread, persists
from controller.core.rules import composition
from controller.core.secrets import SealedCard
from controller.core.state import HOLE, Hand, Place, TableState, find_hand, hole_number

Verdict = Callable[[Draft, Any, TakeDecision], None]


def _need(holds: object, because: str) -> None:
    if not holds:
        raise NotApplicableError(because)


def _round_is_open(state: TableState) -> None:
    _need(state.play_phase in ROUND_OPEN, "no round is open")


def _hand(state: TableState, name: HandId) -> Hand:
    hand = find_hand(state.play, name)
    assert hand is not None
    return hand


# --- IRR-1 and MISDEAL ---------------------------------------------------------


def _resume(draft: Draft, _decision: dc.Resume, _command: TakeDecision) -> None:
    state = draft.state
    _need(not state.undecided, "a card is undecided")
    _need(not state.missing, f"{len(state.missing)} card numbers are not accounted for")
    for found in state.irregularities:
        _need(not persists(state, found), f"{found.kind.value} persists")
    for card in state.waiting:
        _deal_waiting(draft, card.number)


def _deal_waiting(draft: Draft, number: int) -> None:
    """Deal the card that showed a gap, now that those before it are known."""
    state = draft.state
    waiting = next(card for card in state.waiting if card.number == number)
    if state.play.places:
        _lay_sealed(draft, number, waiting.commitment)
        return
    draft.record(ev.CardDrawnInError(number=number, commitment=waiting.commitment))
    draft.find(Kind.CARD_DRAWN_IN_ERROR, number=number)


def _lay_sealed(draft: Draft, number: int, commitment: str) -> None:
    """Lay a sealed card at the first place that is due."""
    place = draft.state.play.places[0]
    if place.is_burn:
        draft.record(ev.CardBurned(number=number, commitment=commitment))
    elif place.face_down:
        unread = draft.secrets.of(number) is None
        draft.record(
            ev.HoleCardDealt(number=number, commitment=commitment, unread=unread)
        )
    else:
        _lay_open(draft, number, place.hand)


def _lay_open(draft: Draft, number: int, hand: HandId) -> None:
    card = opened(draft, number)
    draft.record(
        ev.CardDealt(
            number=number,
            hand=hand,
            card=card.card,
            salt=card.salt,
            raw=card.raw,
            by_decision=draft.state.play.places[:1] != (Place(hand),),
        )
    )
    if card.card == UNKNOWN:
        draft.find(Kind.CARD_UNREAD, hand=hand, number=number)


def _void_hand(draft: Draft, decision: dc.VoidHand, _command: TakeDecision) -> None:
    _round_is_open(draft.state)
    hand = _hand(draft.state, decision.hand)
    _need(
        hand.ending not in BY_DECISION,
        f"hand {hand.id} is void already",
    )
    _open_oldest_to_rack(draft)
    _take_back_draw_due(draft)
    draft.record(ev.HandVoided(hand=hand.id, outcome=Outcome.PUSH))
    settle_ended_hands(draft)


def _take_back_draw_due(draft: Draft) -> None:
    """Take back the dealer's draw that is due: fewer hands may need none (DRAW-3).

    Where one is still needed it is found again when the table goes on.
    """
    state = draft.state
    if state.play_phase is not Phase.DEALER_DRAWING or not state.play.places:
        return
    at = max(
        at
        for at, record in enumerate(state.history)
        if isinstance(record, ev.DealerDraws)
    )
    take_back_to(draft, at)


def _open_oldest_to_rack(draft: Draft) -> None:
    """Put an undecided card to the rack as a group of its own (IRR-1)."""
    for loose in draft.state.undecided[:1]:
        card = draft.unseal(loose.number)
        draft.record(_discarded(card))


def _discarded(card: SealedCard) -> ev.CardDiscarded:
    return ev.CardDiscarded(
        number=card.number, card=card.card, salt=card.salt, raw=card.raw
    )


def _burned(card: SealedCard) -> ev.CardBurned:
    return ev.CardBurned(
        number=card.number, card=card.card, salt=card.salt, raw=card.raw
    )


def _void_round(draft: Draft, _decision: dc.VoidRound, _command: TakeDecision) -> None:
    _round_is_open(draft.state)
    _end_all(draft, Outcome.PUSH, but=(Outcome.VOID, Outcome.DEAD))
    _return_insurance(draft, settled_too=False)


def _misdeal(draft: Draft, _decision: dc.Misdeal, _command: TakeDecision) -> None:
    _round_is_open(draft.state)
    _need(draft.state.play_phase is not Phase.SETTLED, "the round is settled")
    _end_all(draft, Outcome.DEAD, but=())
    _return_insurance(draft, settled_too=True)


def _end_all(draft: Draft, outcome: Outcome, but: tuple[Outcome, ...]) -> None:
    """End every hand, burn what is undecided and turn the hole card up (REVEAL)."""
    for loose in (*draft.state.undecided, *draft.state.waiting):
        draft.record(_burned(draft.unseal(loose.number)))
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


# --- The deal as a list: IRR-2, IRR-3, IRR-10 ----------------------------------


def _missed_first(
    draft: Draft, decision: dc.MissedFirst, _command: TakeDecision
) -> None:
    hand = _in_deal(draft.state, decision.spot)
    places = [p for p in _full_list(draft.state) if p.hand != hand.id]
    acts = _list_anew(draft, tuple(places))
    draft.record(ev.HandVoided(hand=hand.id, outcome=Outcome.VOID))
    again(draft, acts, laid_anew=True)


def _missed_second(
    draft: Draft, decision: dc.MissedSecond, _command: TakeDecision
) -> None:
    hand = _in_deal(draft.state, decision.spot)
    full = list(_full_list(draft.state))
    at = _last_index(full, Place(hand.id))
    place = full.pop(at)
    hole = full.index(HOLE)
    full.insert(hole + 1 if decision.after_dealer else hole, place)
    again(draft, _list_anew(draft, tuple(full)), laid_anew=True)


def _dealer_missed(
    draft: Draft, decision: dc.DealerMissed, _command: TakeDecision
) -> None:
    if decision.second:
        _dealer_missed_second(draft, decision.hand)
        return
    _need(draft.state.play_phase is Phase.DEALING, "the deal is over")
    full = list(_full_list(draft.state))
    full.remove(Place(DEALER))
    full.insert(full.index(HOLE), Place(DEALER))
    again(draft, _list_anew(draft, tuple(full)), laid_anew=True)


def _dealer_missed_second(draft: Draft, wanted: HandId) -> None:
    state = draft.state
    dealer = state.play.dealer
    _need(dealer.hole >= 0 and not dealer.revealed, "no hole card lies face down")
    number = hole_number(state.play)
    hand = wanted or _first_in_turn(state)
    acts = take_back_to(draft, act_of_card(state, number))
    _lay_open(draft, number, hand)
    again(draft, acts[1:])


def _first_in_turn(state: TableState) -> HandId:
    for hand in state.play.hands:
        if hand.ending is None and points(hand, state.rules) < 21:  # noqa: PLR2004 - clause DRAW-1
            return hand.id
    raise NotApplicableError("no hand could have taken the card")


def _in_deal(state: TableState, spot: int) -> Hand:
    _need(state.play_phase is Phase.DEALING, "the deal is over")
    hand = next((h for h in state.play.hands if h.spot == spot), None)
    _need(hand is not None and hand.ending is None, f"spot {spot} has no live hand")
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


# --- A card against the signal: IRR-4 ------------------------------------------


def _play_as_dealt(
    draft: Draft, decision: dc.PlayAsDealt, _command: TakeDecision
) -> None:
    hand = _dealt_against_signal(draft.state, decision.hand)
    acts = _give_card(draft, hand.id)
    draft.record(ev.CompletedAsDealt(hand=hand.id))
    again(draft, acts)


def _offer_choice(
    draft: Draft, decision: dc.OfferChoice, _command: TakeDecision
) -> None:
    _need(
        draft.state.play_phase is Phase.PLAYING,
        "a choice is offered only before the dealer's hand is exposed",
    )
    hand = _dealt_against_signal(draft.state, decision.hand)
    acts = _give_card(draft, hand.id)
    draft.record(ev.ChoiceOffered(hand=hand.id))
    again(draft, acts)


def _dealt_against_signal(state: TableState, name: HandId) -> Hand:
    phases = (Phase.PLAYING, Phase.DEALER_DRAWING, Phase.SETTLED)
    _need(state.play_phase in phases, "the players have not acted yet")
    hand = _hand(state, name)
    in_turn = state.play.turn == name
    _need(hand.acted or hand.stood or in_turn, f"hand {name} has not acted")
    _need(
        hand.ending is None and not hand.doubled,
        f"hand {name} is bust, doubled, surrendered or void",
    )
    return hand


def _give_card(draft: Draft, hand: HandId) -> tuple[ev.Event, ...]:
    """Lay the undecided card at a hand, else the last one dealt by itself."""
    state = draft.state
    if state.undecided:
        _lay_open(draft, state.undecided[0].number, hand)
        return ()
    number = last_card_laid(state)
    at = act_of_card(state, number)
    laid = state.history[at]
    _need(_came_by_itself(state, at), f"card {number} was asked for by a player")
    acts = take_back_to(draft, _before_card(state, at))
    draft.record(msgspec.structs.replace(laid, hand=hand, by_decision=True))
    _need(len(acts) == 1, "a press followed the card")
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


def _lies_at(draft: Draft, decision: dc.LiesAt, _command: TakeDecision) -> None:
    state = draft.state
    _round_is_open(state)
    _need(not state.undecided, "a card is undecided")
    number = last_card_laid(state)
    was = lies_at(state.play, number)
    _need(was != decision.hand, f"card {number} lies there already")
    at = act_of_card(state, number)
    laid = state.history[at]
    acts = take_back_to(draft, _before_card(state, at))
    _need(
        _may_get_card(draft.state, decision.hand),
        f"hand {decision.hand} was settled before the card, or picked up",
    )
    if isinstance(laid, ev.HoleCardDealt):
        _lay_open(draft, number, decision.hand)
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


# --- Exposed and undecided cards: IRR-5 to IRR-9 -------------------------------


def _expose_hole(
    draft: Draft, _decision: dc.ExposeHole, _command: TakeDecision
) -> None:
    dealer = draft.state.play.dealer
    _need(
        dealer.hole >= 0 and not dealer.revealed and not dealer.picked_up,
        "no hole card lies face down",
    )
    _need(not dealer.hole_unread, "the hole card is not read: key it first")
    turn_up(draft)


def _discard_card(
    draft: Draft, decision: dc.DiscardCard, _command: TakeDecision
) -> None:
    state = draft.state
    if state.undecided and not decision.hand:
        _open_oldest_to_rack(draft)
        return
    number, laid_anew = _named_card(state, decision.hand, decision.position)
    face = _face_of(draft, number)
    acts = take_back_to(draft, came_into_play(state, number))
    draft.record(_discarded(face))
    again(draft, _others(acts, number), laid_anew=laid_anew)


def _no_card(draft: Draft, decision: dc.NoCard, _command: TakeDecision) -> None:
    state = draft.state
    if not decision.hand and state.missing:
        draft.record(ev.MissingCardKnown(number=state.missing[0], drawn=False))
        return
    if not decision.hand and state.undecided:
        draft.record(ev.CardWithdrawn(number=state.undecided[0].number))
        return
    number, laid_anew = _named_card(state, decision.hand, decision.position)
    hand = lies_at(state.play, number) or DEALER
    acts = take_back_to(draft, came_into_play(state, number))
    draft.record(ev.CardWithdrawn(number=number, hand=hand))
    again(draft, _others(acts, number), laid_anew=laid_anew)


def _others(acts: tuple[ev.Event, ...], number: int) -> tuple[ev.Event, ...]:
    """Return the acts that do not concern the card of that number."""
    return tuple(act for act in acts if getattr(act, "number", None) != number)


def _named_card(state: TableState, hand: HandId, position: int) -> tuple[int, bool]:
    """Return the number of the card meant, and whether the deal is still on."""
    _round_is_open(state)
    number = card_laid_at(state.play, hand, position) if hand else last_card_laid(state)
    return number, state.play_phase is Phase.DEALING


def _face_of(draft: Draft, number: int) -> SealedCard:
    """Return a laid card's face; a hole card's leaves the escrow."""
    play = draft.state.play
    if number == hole_number(play) and not play.dealer.revealed:
        return draft.unseal(number)
    lying = [(play.dealer.numbers, play.dealer.cards)]
    lying += [(hand.numbers, hand.cards) for hand in play.hands]
    card = next(
        cards[numbers.index(number)] for numbers, cards in lying if number in numbers
    )
    return SealedCard(number, draft.state.round, card)


def _use_card(draft: Draft, _decision: dc.UseCard, _command: TakeDecision) -> None:
    _need(draft.state.undecided, "no card is undecided")
    card = draft.state.undecided[0]
    draft.record(ev.CardHeld(number=card.number, commitment=card.commitment))


_AFTER_TWO_CARDS: Final = frozenset(
    {Phase.INSURANCE, Phase.PLAYING, Phase.DEALER_DRAWING}
)


def _offer_card(draft: Draft, _decision: dc.OfferCard, _command: TakeDecision) -> None:
    state = draft.state
    _need(state.undecided, "no card is undecided")
    _need(
        state.play_phase in _AFTER_TWO_CARDS,
        "a card is offered only after the first two cards and before the settlement",
    )
    _need(state.play.offer is None, "a card is on offer already")
    card = draft.unseal(state.undecided[0].number)
    _need(card.card != UNKNOWN, "the card is not read")
    draft.record(
        ev.CardOffered(number=card.number, card=card.card, salt=card.salt, raw=card.raw)
    )


def _burn_card(draft: Draft, _decision: dc.BurnCard, _command: TakeDecision) -> None:
    state = draft.state
    _need(state.undecided, "no card is undecided")
    _need(
        state.play_phase not in _AFTER_TWO_CARDS,
        "IRR-8 holds here: the card is offered, used or discarded",
    )
    draft.record(_burned(draft.unseal(state.undecided[0].number)))


# --- MISREAD and POSITION ------------------------------------------------------


def key_target(state: TableState) -> tuple[int, bool] | None:
    """Return which card number `key-card` would name, and whether it stays secret."""
    if state.missing:
        places = state.play.places
        return state.missing[0], not places or places[0].face_down
    unread = first_unread(state.play)
    if unread is not None:
        return unread[0], False
    dealer = state.play.dealer
    if dealer.hole_unread and not dealer.revealed:
        return hole_number(state.play), True
    return None


def _key_card(draft: Draft, decision: dc.KeyCard, command: TakeDecision) -> None:
    state = draft.state
    target = key_target(state)
    _need(target is not None, "no card is unread")
    _exists(state, decision.card)
    assert target is not None
    number, secret = target
    sealed = SealedCard(number, state.round, decision.card, command.salt)
    if state.missing:
        _key_missing(draft, sealed, command.commitment)
    elif secret:
        draft.seal(sealed)
        draft.record(ev.HoleCardKeyed(number=number, commitment=command.commitment))
    else:
        hand = lies_at(state.play, number)
        assert hand is not None
        draft.record(ev.CardIdentified(number=number, hand=hand, card=decision.card))


def _key_missing(draft: Draft, card: SealedCard, commitment: str) -> None:
    """A card that was not reported lies there: deal it, in its order (POSITION)."""
    draft.seal(card)
    draft.record(ev.MissingCardKnown(number=card.number, drawn=True))
    if draft.state.play.places:
        _lay_sealed(draft, card.number, commitment)
        return
    draft.record(ev.CardDrawnInError(number=card.number, commitment=commitment))
    draft.find(Kind.CARD_DRAWN_IN_ERROR, number=card.number)


def _exists(state: TableState, card: Card) -> None:
    _need(card in composition(state.rules), f"{card} is not in this shoe's decks")


def _correct_card(
    draft: Draft, decision: dc.CorrectCard, _command: TakeDecision
) -> None:
    state = draft.state
    _round_is_open(state)
    number = card_laid_at(state.play, decision.hand, decision.position)
    dealer = state.play.dealer
    hole = number == hole_number(state.play)
    _need(not hole or dealer.revealed, "the hole card is not revealed")
    was = _face_of(draft, number).card
    _need(was != decision.card, f"the record says {was} already")
    _exists(state, decision.card)
    acts = take_back_to(draft, _where_its_face_told(state, number))
    # Before a split the card lay at the hand that was split.
    hand = lies_at(draft.state.play, number)
    assert hand is not None
    draft.record(
        ev.CardCorrected(number=number, hand=hand, was=was, card=decision.card)
    )
    again(draft, _others(acts, number))


def _where_its_face_told(state: TableState, number: int) -> int:
    """Return where in the history the first consequence of a laid card's face stands.

    That is where it became public; but a blackjack that the peek saw ended the round
    before the hole card was turned up (PEEK).
    """
    peeks_count = number == hole_number(state.play)
    return next(
        at if isinstance(record, ev.DealerPeeked) else at + 1
        for at, record in enumerate(state.history)
        if (
            isinstance(record, ev.CardDealt | ev.HoleCardRevealed)
            and record.number == number
        )
        or (peeks_count and isinstance(record, ev.DealerPeeked) and record.blackjack)
    )


# --- Shoe, panel, rules --------------------------------------------------------


def _new_shoe(draft: Draft, decision: dc.NewShoe, _command: TakeDecision) -> None:
    state = draft.state
    _need(
        decision.decks == state.rules.decks,
        f"the ruleset plays with {state.rules.decks} decks",
    )
    short = {card: n for card, n in state.shoe.due_back.items() if n > 0}
    over = {card: -n for card, n in state.shoe.due_back.items() if n < 0}
    copies = composition(state.rules)
    for card, out in state.shoe.out.items():
        if out > copies.get(card, 0):
            over[card] = over.get(card, 0) + out - copies.get(card, 0)
    for loose in state.sealed:
        open_sealed(draft, loose.number)
    draft.record(ev.ShoeReplaced(decks=decision.decks, short=short, over=over))


def _allow_dealer_entry(
    draft: Draft, decision: dc.AllowDealerEntry, _command: TakeDecision
) -> None:
    seat = draft.state.seats[decision.seat - 1]
    _need(seat.panel_lost, f"the panel of seat {decision.seat} works")
    _need(not seat.dealer_entry, f"seat {decision.seat} has this leave already")
    draft.record(ev.DealerEntryAllowed(seat=decision.seat))


def _set_rules(draft: Draft, decision: dc.SetRules, _command: TakeDecision) -> None:
    rules = decision.rules
    if rules is None:
        raise NotApplicableError(decision.problem)
    draft.record(ev.RulesetSet(rules=rules))


VERDICTS: Final[dict[type, Verdict]] = {
    dc.Resume: _resume,
    dc.VoidHand: _void_hand,
    dc.VoidRound: _void_round,
    dc.Misdeal: _misdeal,
    dc.MissedFirst: _missed_first,
    dc.MissedSecond: _missed_second,
    dc.DealerMissed: _dealer_missed,
    dc.PlayAsDealt: _play_as_dealt,
    dc.OfferChoice: _offer_choice,
    dc.LiesAt: _lies_at,
    dc.ExposeHole: _expose_hole,
    dc.DiscardCard: _discard_card,
    dc.NoCard: _no_card,
    dc.UseCard: _use_card,
    dc.OfferCard: _offer_card,
    dc.BurnCard: _burn_card,
    dc.KeyCard: _key_card,
    dc.CorrectCard: _correct_card,
    dc.NewShoe: _new_shoe,
    dc.AllowDealerEntry: _allow_dealer_entry,
    dc.SetRules: _set_rules,
}
