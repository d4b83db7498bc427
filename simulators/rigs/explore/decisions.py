"""Every decision that a supervisor could name at a table, with every argument."""

from collections.abc import Iterable, Iterator

from controller.core import decisions as dc
from controller.core.cards import Card
from controller.core.decisions import Decision
from controller.core.ids import DEALER, HandId
from controller.core.state import TableState


def all_decisions(state: TableState, faces: Iterable[Card]) -> Iterator[Decision]:
    """Yield each decision; `faces` are those that a keyed or corrected card may get."""
    hands = [hand.id for hand in state.play.hands]
    yield from _plain(state)
    yield from _about_hands(hands)
    yield from _about_cards(state, tuple(faces))
    for number in range(1, state.seat_count + 1):
        yield dc.MissedFirst(number)
        yield dc.MissedSecond(number)
        yield dc.MissedSecond(number, after_dealer=True)
        yield dc.AllowDealerEntry(number)


def _plain(state: TableState) -> Iterator[Decision]:
    yield dc.Resume()
    yield dc.VoidRound()
    yield dc.Misdeal()
    yield dc.ExposeHole()
    yield dc.UseCard()
    yield dc.OfferCard()
    yield dc.BurnCard()
    yield dc.DiscardCard()
    yield dc.NoCard()
    yield dc.DealerMissed(second=False)
    yield dc.DealerMissed(second=True)
    yield dc.NewShoe(state.rules.decks)


def _about_hands(hands: Iterable[HandId]) -> Iterator[Decision]:
    yield dc.LiesAt(DEALER)
    for hand in hands:
        yield dc.VoidHand(hand)
        yield dc.PlayAsDealt(hand)
        yield dc.OfferChoice(hand)
        yield dc.LiesAt(hand)
        yield dc.DealerMissed(second=True, hand=hand)


def _about_cards(state: TableState, faces: tuple[Card, ...]) -> Iterator[Decision]:
    for face in faces:
        yield dc.KeyCard(face)
    lying = [(hand.id, len(hand.cards)) for hand in state.play.hands]
    for name, count in (*lying, (DEALER, len(state.play.dealer.cards))):
        for position in range(1, count + 1):
            yield dc.DiscardCard(name, position)
            yield dc.NoCard(name, position)
            for face in faces:
                yield dc.CorrectCard(name, position, face)
