"""Cards from the shoe to the rack."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.ids import DEALER, NO_HAND, HandId, Phase
from controller.core.state import Place
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import (
    card_words,
    dealer_strength,
    hand_words,
    holding,
    is_natural,
    listed,
    sentence,
)


def _listed(event: ev.DealListed, _moment: Moment) -> Iterable[Line]:
    text = (
        f"The next cards go to {listed(map(_place, event.places))}"
        if event.places
        else "No more cards are due"
    )
    yield Line(None, text, "PLAY-1")


def _place(place: Place) -> str:
    if place.is_burn:
        return "the rack, unseen"
    return hand_words(place.hand) + (" face down" if place.face_down else "")


def _dealt(event: ev.CardDealt, moment: Moment) -> Iterable[Line]:
    text = f"{hand_words(event.hand)} gets {card_words(event.card)}"
    hand = moment.hand(event.hand)
    cards = moment.after.play.dealer.cards if hand is None else hand.cards
    if hand is not None and is_natural(hand, moment.after):
        text += f": {' '.join(cards)}, blackjack"
    elif len(cards) > 1:
        text += f": {holding(cards, moment.after)}"
    yield Line(moment.seat_of(event.hand), sentence(text), _clause(event.hand, moment))


def _clause(hand: HandId, moment: Moment) -> str:
    if moment.before.play_phase is Phase.DEALING:
        return "PLAY-1"
    return "DRAW-2" if hand == DEALER else "DRAW-1"


def _hole_dealt(event: ev.HoleCardDealt, _moment: Moment) -> Iterable[Line]:
    text = "The dealer's hole card is dealt face down"
    yield Line(
        None, text + (", and could not be read" if event.unread else ""), "SECRET-2"
    )


def _hole_keyed(_event: ev.HoleCardKeyed, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The hole card is read now, and still shown to nobody", "MISREAD")


def _peeked(event: ev.DealerPeeked, _moment: Moment) -> Iterable[Line]:
    has = "has blackjack" if event.blackjack else "has no blackjack"
    yield Line(None, f"The hole card is checked: the dealer {has}", "PEEK")


def _revealed(event: ev.HoleCardRevealed, moment: Moment) -> Iterable[Line]:
    cards = " ".join(moment.after.play.dealer.cards)
    has = f"The dealer has {cards}, {dealer_strength(moment.after)}"
    text = f"The hole card is turned up: {card_words(event.card)}. {has}"
    yield Line(None, text, "REVEAL")


def _drawn_in_error(event: ev.CardDrawnInError, _moment: Moment) -> Iterable[Line]:
    text = f"Card number {event.number} was drawn though none was due; nobody sees it"
    yield Line(None, text, "IRR-6 to IRR-9")


def _identified(event: ev.CardIdentified, moment: Moment) -> Iterable[Line]:
    where = hand_words(event.hand)
    text = f"The unread card of {where} is {card_words(event.card)}"
    yield Line(moment.seat_of(event.hand), text, "MISREAD")


def _corrected(event: ev.CardCorrected, moment: Moment) -> Iterable[Line]:
    text = (
        f"What lies at {hand_words(event.hand)} is {card_words(event.card)}, not "
        f"{card_words(event.was)}"
    )
    yield Line(moment.seat_of(event.hand), text, "MISREAD")


def _burned(event: ev.CardBurned, _moment: Moment) -> Iterable[Line]:
    unseen = event.card == UNKNOWN
    what = "a card" if unseen else card_words(event.card)
    text = f"{what} is burned{' unseen' if unseen else ''}"
    yield Line(None, sentence(text), "BURN")


def _discarded(event: ev.CardDiscarded, _moment: Moment) -> Iterable[Line]:
    text = f"{card_words(event.card)} goes to the rack unused"
    yield Line(None, sentence(text), "IRR-6")


def _withdrawn(event: ev.CardWithdrawn, moment: Moment) -> Iterable[Line]:
    at = f", reported at {hand_words(event.hand)}," if event.hand != NO_HAND else ""
    text = f"Card number {event.number}{at} was never drawn"
    yield Line(moment.seat_of(event.hand), text, "MISREAD")


def _held(event: ev.CardHeld, _moment: Moment) -> Iterable[Line]:
    text = f"Card number {event.number} is held face down for the next need"
    yield Line(None, text, "IRR-7")


def _opened(event: ev.CardOpened, _moment: Moment) -> Iterable[Line]:
    text = f"Card number {event.number}, never shown, was {card_words(event.card)}"
    yield Line(None, text, "BURN")


def _offered(event: ev.CardOffered, _moment: Moment) -> Iterable[Line]:
    text = f"{card_words(event.card)}, drawn in error and seen, is offered in order"
    yield Line(None, sentence(text), "IRR-8")


def _taken_back(event: ev.PlayTakenBack, _moment: Moment) -> Iterable[Line]:
    yield Line(None, f"Taken back: {listed(event.undone)}", "MISREAD")


def _picked_up(event: ev.HandPickedUp, moment: Moment) -> Iterable[Line]:
    seat = moment.seat_of(event.hand)
    bust = moment.before.play_phase is not Phase.SETTLED
    cards = " ".join(event.cards) or "no cards"
    whose = "the dealer's hand" if event.hand == DEALER else f"hand {event.hand}"
    text = f"{whose} goes to the rack: {cards}"
    yield Line(seat, sentence(text), "PICKUP-1a" if bust else "PICKUP-1b")


def _missing(event: ev.CardNumbersMissing, _moment: Moment) -> Iterable[Line]:
    numbers = (
        f"number {event.first}"
        if event.first == event.last
        else f"numbers {event.first} to {event.last}"
    )
    text = f"Cards left the shoe while it was out of sight: {numbers}"
    yield Line(None, text, "POSITION")


def _waiting(event: ev.CardWaiting, _moment: Moment) -> Iterable[Line]:
    text = f"Card number {event.number} waits until the missing ones are known"
    yield Line(None, text, "POSITION")


def _known(event: ev.MissingCardKnown, _moment: Moment) -> Iterable[Line]:
    what = "lies on the table" if event.drawn else "was never drawn"
    yield Line(None, f"Card number {event.number} {what}", "POSITION")


def _lost(event: ev.SealedCardsLost, _moment: Moment) -> Iterable[Line]:
    numbers = listed(f"number {number}" for number in event.numbers)
    text = f"The faces of hidden cards are lost and count as unread: {numbers}"
    yield Line(None, text, "MISREAD")


TELLERS: Final[dict[type, Teller]] = {
    ev.DealListed: _listed,
    ev.CardDealt: _dealt,
    ev.HoleCardDealt: _hole_dealt,
    ev.HoleCardKeyed: _hole_keyed,
    ev.DealerPeeked: _peeked,
    ev.HoleCardRevealed: _revealed,
    ev.CardDrawnInError: _drawn_in_error,
    ev.CardIdentified: _identified,
    ev.CardCorrected: _corrected,
    ev.CardBurned: _burned,
    ev.CardDiscarded: _discarded,
    ev.CardWithdrawn: _withdrawn,
    ev.CardHeld: _held,
    ev.CardOpened: _opened,
    ev.CardOffered: _offered,
    ev.PlayTakenBack: _taken_back,
    ev.HandPickedUp: _picked_up,
    ev.CardNumbersMissing: _missing,
    ev.CardWaiting: _waiting,
    ev.MissingCardKnown: _known,
    ev.SealedCardsLost: _lost,
}
