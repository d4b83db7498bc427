"""From bets closed to the pickup: phases, wagers, insurance, settlement, rack."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.evolve.moves import enter, new_wait, with_hand, with_seat
from controller.core.ids import DEALER, NO_HAND, Outcome
from controller.core.rules import Discards
from controller.core.shoe import after_round
from controller.core.state import (
    Group,
    Hand,
    Insurance,
    Place,
    Play,
    Shoe,
    TableState,
    Wager,
    find_hand,
)


def _wager_placed(state: TableState, event: ev.WagerPlaced) -> TableState:
    others = tuple(wager for wager in state.wagers if wager.spot != event.spot)
    if not event.amount_cents:
        return replace(state, wagers=others)
    placed = Wager(event.spot, event.seat, event.amount_cents)
    wagers = sorted((*others, placed), key=lambda wager: wager.spot)
    return replace(state, wagers=tuple(wagers))


def _bets_closed(state: TableState, event: ev.BetsClosed) -> TableState:
    hands = tuple(
        Hand(spot=wager.spot, seat=wager.seat, wager_cents=wager.amount_cents)
        for wager in event.wagers
    )
    seen = tuple(
        card
        for group in state.early
        for number, card in zip(group.numbers, group.cards, strict=True)
        if card != UNKNOWN and number > state.shoe.counted_after
    )
    play = Play(wagers=event.wagers, hands=hands, rack=state.early, seen=seen)
    closed = enter(state, "bets_closed")
    return replace(
        closed,
        wagers=(),
        early=(),
        play=play,
        shoe=replace(state.shoe, remark=""),
        opening=state,
        decided_this_round=False,
    )


def _wager_reduced(state: TableState, event: ev.WagerReduced) -> TableState:
    play = state.play
    wagers = tuple(
        replace(wager, amount_cents=event.honoured_cents)
        if wager.spot == event.spot
        else wager
        for wager in play.wagers
    )
    hands = tuple(
        replace(hand, wager_cents=event.honoured_cents)
        if hand.spot == event.spot
        else hand
        for hand in play.hands
    )
    reduced = (*play.reduced, event.spot)
    return replace(
        state, play=replace(play, wagers=wagers, hands=hands, reduced=reduced)
    )


def _minimum_explained(state: TableState, event: ev.MinimumExplained) -> TableState:
    explained = (*state.play.explained, event.spot)
    return with_seat(
        replace(state, play=replace(state.play, explained=explained)),
        event.seat,
        lambda seat: replace(seat, below_minimum=seat.below_minimum + 1),
    )


def _minimum_refused(state: TableState, event: ev.MinimumRefused) -> TableState:
    """Drop the wager from what RE-BET would repeat; the hand's end is an act."""
    kept = tuple(wager for wager in state.play.wagers if wager.spot != event.spot)
    hands = tuple(
        replace(hand, ending=Outcome.DEAD) if hand.spot == event.spot else hand
        for hand in state.play.hands
    )
    return replace(state, play=replace(state.play, wagers=kept, hands=hands))


def _deal_listed(state: TableState, event: ev.DealListed) -> TableState:
    burns = 0 if event.places else _burns_left(state)
    listed = replace(state.play, places=event.places)
    return replace(state, play=listed, burns_due=burns)


def _burns_left(state: TableState) -> int:
    """Return how many burns the next deal begins with if this one goes no further."""
    return state.burns_due + sum(place.is_burn for place in state.play.places)


def _deal_undone(state: TableState, event: ev.DealUndone) -> TableState:
    assert state.opening is not None
    before = state.opening
    seats = tuple(
        replace(seat, below_minimum=was.below_minimum)
        for seat, was in zip(state.seats, before.seats, strict=True)
    )
    return replace(
        enter(state, "deal_undone"),
        round=event.round + 1,
        seats=seats,
        wagers=event.wagers,
        early=before.early,
        burns_due=before.burns_due,
        play=before.play,
        opening=None,
        history=(),
    )


def _insurance_opened(state: TableState, event: ev.InsuranceOpened) -> TableState:
    opened = enter(state, "insurance_opened")
    return replace(opened, play=replace(state.play, asked_seats=event.seats))


def _answered(state: TableState, answer: Insurance) -> TableState:
    insured = (*state.play.insured, answer)
    return replace(state, play=replace(state.play, insured=insured))


def _insurance_taken(state: TableState, event: ev.InsuranceTaken) -> TableState:
    return _answered(state, Insurance(event.seat, event.amount_cents))


def _insurance_declined(state: TableState, event: ev.InsuranceDeclined) -> TableState:
    return _answered(state, Insurance(event.seat))


def _insurance_closed(state: TableState, _event: ev.InsuranceClosed) -> TableState:
    return replace(state, play=replace(state.play, insurance_closed=True))


def _insurance_settled(state: TableState, event: ev.InsuranceSettled) -> TableState:
    insured = tuple(
        replace(answer, result=event.result, net_cents=event.net_cents)
        if answer.seat == event.seat
        else answer
        for answer in state.play.insured
    )
    return replace(state, play=replace(state.play, insured=insured))


def _dealer_peeked(state: TableState, event: ev.DealerPeeked) -> TableState:
    return replace(state, play=replace(state.play, peeked=event.blackjack))


def _play_opened(state: TableState, _event: ev.PlayOpened) -> TableState:
    return enter(state, "play_opened")


def _turn_passed(state: TableState, event: ev.TurnPassed) -> TableState:
    """Begin a turn; a split hand gets its second card now (SPLIT)."""
    play = state.play
    hand = find_hand(play, event.hand)
    second = Place(event.hand)
    needs_second = hand is not None and len(hand.cards) == 1 and play.offer is None
    # Where another hand's choice came in between, the card is due already (IRR-4).
    is_due = needs_second and second not in play.places
    places = (*play.places, second) if is_due else play.places
    return replace(
        state,
        play=replace(play, turn=event.hand, places=places),
        wait=new_wait(state),
    )


def _dealer_turn_began(state: TableState, _event: ev.DealerTurnBegan) -> TableState:
    return enter(state, "dealer_turn_began")


def _dealer_draws(state: TableState, _event: ev.DealerDraws) -> TableState:
    return replace(state, play=replace(state.play, places=(Place(DEALER),)))


def _hand_settled(state: TableState, event: ev.HandSettled) -> TableState:
    hands = with_hand(
        state.play,
        event.hand,
        lambda hand: replace(hand, settled=event.outcome, net_cents=event.net_cents),
    )
    return replace(state, play=replace(state.play, hands=hands))


def _hand_picked_up(state: TableState, event: ev.HandPickedUp) -> TableState:
    play = state.play
    if event.hand == DEALER:
        group = Group(DEALER, event.cards, play.dealer.numbers)
        dealer = replace(play.dealer, picked_up=True)
        return replace(
            state, play=replace(play, dealer=dealer, rack=(*play.rack, group))
        )
    hand = find_hand(play, event.hand)
    assert hand is not None
    group = Group(event.hand, event.cards, hand.numbers)
    hands = with_hand(play, event.hand, lambda hand: replace(hand, picked_up=True))
    return replace(state, play=replace(play, hands=hands, rack=(*play.rack, group)))


def _round_settled(state: TableState, _event: ev.RoundSettled) -> TableState:
    settled = enter(state, "round_settled")
    play = replace(state.play, turn=NO_HAND, places=())
    return replace(settled, play=play, burns_due=_burns_left(state))


def _round_closed(state: TableState, event: ev.RoundClosed) -> TableState:
    closed = enter(state, "round_closed")
    seats = tuple(
        replace(seat, last_wagers=wagers)
        if (wagers := _of_seat(state, number))
        else seat
        for number, seat in enumerate(state.seats, start=1)
    )
    shoe = after_round(state.shoe, state.play, state.rules)
    return replace(
        closed,
        round=event.round + 1,
        seats=seats,
        shoe=_with_discards(shoe, state),
        # The round's cards now count as out of the shoe, and only there.
        play=replace(state.play, seen=()),
        opening=None,
        history=(),
    )


def _of_seat(state: TableState, seat: int) -> tuple[Wager, ...]:
    """Return what RE-BET will repeat: the seat's wagers, but for dead hands'."""
    live = {hand.spot for hand in state.play.hands if hand.settled is not Outcome.DEAD}
    return tuple(
        wager
        for wager in state.play.wagers
        if wager.seat == seat and wager.spot in live
    )


def _with_discards(shoe: Shoe, state: TableState) -> Shoe:
    """Return the shoe with this round's rack due back into it (PICKUP-2)."""
    if state.rules.discards is not Discards.SHOE:
        return shoe
    due_back = dict(shoe.due_back)
    for group in state.play.rack[state.play.groups_shuffled :]:
        for card in group.cards:
            due_back[card] = due_back.get(card, 0) + 1
    return replace(shoe, due_back={c: n for c, n in due_back.items() if n})


def _shoe_shuffled(state: TableState, event: ev.ShoeShuffled) -> TableState:
    """Put all racked cards back; those still lying on the table stay out (CUT)."""
    play = state.play
    shoe = replace(
        _settled_up(state, event),
        out={},
        empty=False,
        cut_card_out=False,
        shuffling=False,
        shuffling_out_of_turn=False,
        needs_shuffle=False,
    )
    if state.opening is None:
        # A change of dealers may have made some due already (BURN).
        burns = max(state.burns_due, state.rules.burn_after_shuffle)
        return replace(state, shoe=shoe, early=(), burns_due=burns)
    seen = _lying(play)
    shuffled = replace(play, seen=seen, groups_shuffled=len(play.rack))
    return replace(state, shoe=shoe, play=shuffled)


def _settled_up(state: TableState, event: ev.ShoeShuffled) -> Shoe:
    """Return the shoe with what it owes after a shuffle.

    A count says whether all is there; without one a shoe that is the rack still
    owes what it has not taken back (PICKUP-2).
    """
    if event.count < 0 and state.rules.discards is Discards.SHOE:
        return _with_discards(state.shoe, state) if state.opening else state.shoe
    return replace(state.shoe, due_back={}, count_differs=event.differs)


def _lying(play: Play) -> tuple[Card, ...]:
    hands = tuple(
        card for hand in play.hands if not hand.picked_up for card in hand.cards
    )
    dealer = () if play.dealer.picked_up else play.dealer.cards
    return tuple(card for card in (*hands, *dealer) if card != UNKNOWN)


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.WagerPlaced: _wager_placed,
    ev.BetsClosed: _bets_closed,
    ev.WagerReduced: _wager_reduced,
    ev.MinimumExplained: _minimum_explained,
    ev.MinimumRefused: _minimum_refused,
    ev.WagerReturned: lambda state, _event: state,
    ev.DealListed: _deal_listed,
    ev.DealUndone: _deal_undone,
    ev.InsuranceOpened: _insurance_opened,
    ev.InsuranceTaken: _insurance_taken,
    ev.InsuranceDeclined: _insurance_declined,
    ev.InsuranceClosed: _insurance_closed,
    ev.InsuranceSettled: _insurance_settled,
    ev.DealerPeeked: _dealer_peeked,
    ev.PlayOpened: _play_opened,
    ev.TurnPassed: _turn_passed,
    ev.DealerTurnBegan: _dealer_turn_began,
    ev.DealerDraws: _dealer_draws,
    ev.HandSettled: _hand_settled,
    ev.HandPickedUp: _hand_picked_up,
    ev.RoundSettled: _round_settled,
    ev.RoundClosed: _round_closed,
    ev.ShoeShuffled: _shoe_shuffled,
}
