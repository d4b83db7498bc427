"""What the verdicts share: laying a sealed card, racking one, finding its face."""

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.decide.applicable import need
from controller.core.decide.draft import Draft
from controller.core.decide.laying import opened
from controller.core.decide.retell import take_back_to
from controller.core.ids import (
    ROUND_OPEN,
    HandId,
    Kind,
    Phase,
)
from controller.core.secrets import SealedCard
from controller.core.state import Hand, Place, TableState, find_hand, hole_number


def round_is_open(state: TableState) -> None:
    """Refuse the decision between rounds."""
    need(state.play_phase in ROUND_OPEN, "no round is open")


def hand_named(state: TableState, name: HandId) -> Hand:
    """Return a hand that is known to be there."""
    hand = find_hand(state.play, name)
    assert hand is not None
    return hand


def lay_open(draft: Draft, number: int, hand: HandId) -> None:
    """Lay a sealed card face up at a hand; its face leaves the escrow."""
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


def lay_sealed(draft: Draft, number: int, commitment: str) -> None:
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
        lay_open(draft, number, place.hand)


def discarded(card: SealedCard) -> ev.CardDiscarded:
    """Return the record of a card that goes to the rack unused (IRR-6)."""
    return ev.CardDiscarded(
        number=card.number, card=card.card, salt=card.salt, raw=card.raw
    )


def burned(card: SealedCard) -> ev.CardBurned:
    """Return the record of a card that goes to the rack unplayed (IRR-9)."""
    return ev.CardBurned(
        number=card.number, card=card.card, salt=card.salt, raw=card.raw
    )


def open_oldest_to_rack(draft: Draft) -> None:
    """Put an undecided card to the rack as a group of its own (IRR-1)."""
    for loose in draft.state.undecided[:1]:
        card = draft.unseal(loose.number)
        draft.record(discarded(card))


def take_back_draw_due(draft: Draft) -> None:
    """Take back the dealer's draw that is due: fewer hands may need none (DRAW-3).

    Where one is still needed it is found again when the table goes on. What became
    of cards since then stays as it is.
    """
    state = draft.state
    if state.play_phase is not Phase.DEALER_DRAWING or not state.play.places:
        return
    draws = [
        at
        for at, record in enumerate(state.history)
        if isinstance(record, ev.DealerDraws)
    ]
    if not draws:
        return  # What is due is no draw of the dealer's.
    for act in take_back_to(draft, draws[-1]):
        draft.record(act)


def others(acts: tuple[ev.Event, ...], number: int) -> tuple[ev.Event, ...]:
    """Return the acts that do not concern the card of that number."""
    return tuple(act for act in acts if getattr(act, "number", None) != number)


def face_of(draft: Draft, number: int) -> SealedCard:
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
