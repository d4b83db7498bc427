"""Where each card lies, from the shoe's exit to the rack."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.evolve.moves import new_wait, with_hand
from controller.core.ids import DEALER, NO_HAND, HandId
from controller.core.state import (
    Dealer,
    Group,
    LooseCard,
    OpenOffer,
    Place,
    Play,
    TableState,
)


def _without(loose: tuple[LooseCard, ...], number: int) -> tuple[LooseCard, ...]:
    if not loose:
        return loose
    return tuple(card for card in loose if card.number != number)


def _left_shoe(state: TableState, number: int) -> TableState:
    """Return the table with a card no longer loose, and its number taken."""
    if number > state.shoe.last_card:
        return replace(state, shoe=replace(state.shoe, last_card=number))
    return replace(
        state,
        undecided=_without(state.undecided, number),
        held=_without(state.held, number),
        waiting=_without(state.waiting, number),
    )


def _seen(state: TableState, number: int, card: Card) -> tuple[Card, ...]:
    uncounted = card == UNKNOWN or number <= state.shoe.counted_after
    return state.play.seen if uncounted else (*state.play.seen, card)


def _after_place(play: Play, hand: HandId, *, face_down: bool) -> tuple[Place, ...]:
    """Return the places still due once a card was laid at the first of them."""
    if play.places and play.places[0] == Place(hand, face_down):
        return play.places[1:]
    return play.places


def _card_dealt(state: TableState, event: ev.CardDealt) -> TableState:
    play = state.play
    places = _after_place(play, event.hand, face_down=False)
    offered = play.offer is not None and play.offer.number == event.number
    seen = play.seen if offered else _seen(state, event.number, event.card)
    if event.hand == DEALER:
        dealer = replace(
            play.dealer,
            cards=(*play.dealer.cards, event.card),
            numbers=(*play.dealer.numbers, event.number),
        )
        laid = replace(play, dealer=dealer, places=places, seen=seen)
    else:
        hands = with_hand(
            play,
            event.hand,
            lambda hand: replace(
                hand,
                cards=(*hand.cards, event.card),
                numbers=(*hand.numbers, event.number),
            ),
        )
        laid = replace(play, hands=hands, places=places, seen=seen)
    if offered:
        laid = replace(laid, offer=None)
    return replace(_left_shoe(state, event.number), play=laid, wait=new_wait(state))


def _hole_card_dealt(state: TableState, event: ev.HoleCardDealt) -> TableState:
    play = state.play
    dealer = Dealer(
        cards=(*play.dealer.cards, UNKNOWN),
        numbers=(*play.dealer.numbers, event.number),
        hole=len(play.dealer.cards),
        hole_unread=event.unread,
        commitment=event.commitment,
    )
    places = _after_place(play, DEALER, face_down=True)
    return replace(
        _left_shoe(state, event.number),
        play=replace(play, dealer=dealer, places=places),
    )


def _hole_card_keyed(state: TableState, event: ev.HoleCardKeyed) -> TableState:
    dealer = replace(state.play.dealer, commitment=event.commitment, hole_unread=False)
    return replace(state, play=replace(state.play, dealer=dealer))


def _hole_card_revealed(state: TableState, event: ev.HoleCardRevealed) -> TableState:
    play = state.play
    cards = list(play.dealer.cards)
    cards[play.dealer.hole] = event.card
    dealer = replace(play.dealer, cards=tuple(cards), revealed=True)
    return replace(
        state,
        play=replace(play, dealer=dealer, seen=_seen(state, event.number, event.card)),
    )


def _card_drawn_in_error(state: TableState, event: ev.CardDrawnInError) -> TableState:
    card = LooseCard(event.number, event.commitment, event.unread, event.card)
    after = _left_shoe(state, event.number)
    return replace(after, undecided=(*after.undecided, card))


def _face_changed(
    play: Play, hand_name: HandId, number: int, card: Card
) -> tuple[Play, Card]:
    """Return the round with the face of one laid card changed, and what it was."""
    if hand_name == DEALER:
        at = play.dealer.numbers.index(number)
        was = play.dealer.cards[at]
        cards = (*play.dealer.cards[:at], card, *play.dealer.cards[at + 1 :])
        return replace(play, dealer=replace(play.dealer, cards=cards)), was
    hand = next(hand for hand in play.hands if hand.id == hand_name)
    at = hand.numbers.index(number)
    was = hand.cards[at]
    cards = (*hand.cards[:at], card, *hand.cards[at + 1 :])
    hands = with_hand(play, hand_name, lambda hand: replace(hand, cards=cards))
    return replace(play, hands=hands), was


def _racked_face_changed(play: Play, number: int, card: Card) -> tuple[Group, ...]:
    return tuple(
        replace(
            group,
            cards=tuple(
                card if laid == number else face
                for laid, face in zip(group.numbers, group.cards, strict=True)
            ),
        )
        for group in play.rack
    )


def _with_face(state: TableState, hand: HandId, number: int, card: Card) -> TableState:
    play, was = _face_changed(state.play, hand, number, card)
    seen = play.seen
    if number > state.shoe.counted_after:
        others = list(seen)
        if was in others:
            others.remove(was)
        seen = (*others, card)
    rack = _racked_face_changed(play, number, card)
    changed = replace(play, rack=rack, seen=seen)
    return replace(state, play=changed, wait=new_wait(state))


def _card_identified(state: TableState, event: ev.CardIdentified) -> TableState:
    return _with_face(state, event.hand, event.number, event.card)


def _card_corrected(state: TableState, event: ev.CardCorrected) -> TableState:
    return _with_face(state, event.hand, event.number, event.card)


def _racked(state: TableState, number: int, card: Card) -> TableState:
    """Return the table with one card in the rack as a group of its own (RACK)."""
    group = Group(NO_HAND, (card,), (number,))
    after = _left_shoe(state, number)
    if state.opening is None:
        return replace(after, early=(*state.early, group))
    play = state.play
    rack = (*play.rack, group)
    if play.offer is not None and play.offer.number == number:
        return replace(after, play=replace(play, rack=rack, offer=None))
    return replace(
        after, play=replace(play, rack=rack, seen=_seen(state, number, card))
    )


def _card_burned(state: TableState, event: ev.CardBurned) -> TableState:
    after = _racked(state, event.number, event.card)
    if event.card == UNKNOWN and event.commitment:
        sealed = LooseCard(event.number, event.commitment)
        # A taking back may burn it a second time; it is one card all the same.
        others = _without(after.sealed, event.number)
        after = replace(after, sealed=(*others, sealed))
    places = _after_place(after.play, NO_HAND, face_down=True)
    return replace(after, play=replace(after.play, places=places))


def _card_discarded(state: TableState, event: ev.CardDiscarded) -> TableState:
    return _racked(state, event.number, event.card)


def _card_withdrawn(state: TableState, event: ev.CardWithdrawn) -> TableState:
    """Keep what nobody has seen sealed: it is opened at the end of the shoe."""
    sealed = tuple(
        card
        for card in state.undecided
        if card.number == event.number and card.face == UNKNOWN and not card.unread
    )
    if event.commitment:
        sealed = (LooseCard(event.number, event.commitment),)
    return replace(
        state,
        undecided=_without(state.undecided, event.number),
        # The round may be told anew, and a hole card then be withdrawn again.
        sealed=(*_without(state.sealed, event.number), *sealed)
        if sealed
        else state.sealed,
    )


def _card_held(state: TableState, event: ev.CardHeld) -> TableState:
    held = tuple(card for card in state.undecided if card.number == event.number)
    return replace(
        state,
        undecided=_without(state.undecided, event.number),
        held=(*state.held, *held),
    )


def _card_opened(state: TableState, event: ev.CardOpened) -> TableState:
    return replace(state, sealed=_without(state.sealed, event.number))


def _card_offered(state: TableState, event: ev.CardOffered) -> TableState:
    play = replace(
        state.play,
        offer=OpenOffer(event.number, event.card),
        seen=_seen(state, event.number, event.card),
    )
    return replace(_left_shoe(state, event.number), play=play, wait=new_wait(state))


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.CardDealt: _card_dealt,
    ev.HoleCardDealt: _hole_card_dealt,
    ev.HoleCardKeyed: _hole_card_keyed,
    ev.HoleCardRevealed: _hole_card_revealed,
    ev.CardDrawnInError: _card_drawn_in_error,
    ev.CardIdentified: _card_identified,
    ev.CardCorrected: _card_corrected,
    ev.CardBurned: _card_burned,
    ev.CardDiscarded: _card_discarded,
    ev.CardWithdrawn: _card_withdrawn,
    ev.CardHeld: _card_held,
    ev.CardOpened: _card_opened,
    ev.CardOffered: _card_offered,
}
