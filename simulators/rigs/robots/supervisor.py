"""A robot supervisor: decides as the notices ask, and ends every suspension."""

from collections.abc import Iterator
from random import Random
from typing import Final

from controller.core import decisions as dc
from controller.core.cards import UNKNOWN
from controller.core.decisions import Decision
from controller.core.ids import HandId, Kind
from simulators.rigs.robots.sight import Sight

_FIRST: Final[dict[Kind, tuple[Decision, ...]]] = {
    Kind.CARD_DRAWN_IN_ERROR: (
        dc.OfferCard(),
        dc.UseCard(),
        dc.DiscardCard(),
        dc.BurnCard(),
        dc.NoCard(),
    ),
    Kind.CARD_UNREAD: (dc.Resume(), dc.KeyCard(UNKNOWN), dc.NoCard()),
    Kind.SHOE_POSITION_UNKNOWN: (dc.KeyCard(UNKNOWN), dc.NoCard()),
    Kind.CARD_IMPOSSIBLE: (dc.NoCard(), dc.DiscardCard()),
    Kind.CALLED: (dc.Resume(), dc.ExposeHole(), dc.DiscardCard(), dc.NoCard()),
}
# Whatever happened, one of these goes on: the game, or the end of the round.
_LAST: Final[tuple[Decision, ...]] = (
    dc.Resume(),
    dc.KeyCard(UNKNOWN),
    dc.NoCard(),
    dc.DiscardCard(),
    dc.VoidRound(),
    dc.Misdeal(),
)


def decisions(
    kinds: tuple[Kind, ...], sight: Sight, rng: Random, *, decks: int
) -> Iterator[Decision]:
    """Return decisions to try in turn, those that fit the notices first.

    The table refuses what does not apply. A keyed card is `??` here: the supervisor
    reads the face off the felt.
    """
    for kind in kinds:
        fitting = list(_FIRST.get(kind, ()))
        if kind is Kind.CARD_DRAWN_IN_ERROR:
            fitting += [dc.PlayAsDealt(hand) for hand in sight.hands]
            fitting += [dc.OfferChoice(hand) for hand in sight.hands]
        if kind is Kind.CALLED:
            fitting += _on_a_hand(sight)
        if kind is Kind.RECONCILIATION_MISMATCH:
            fitting.append(dc.NewShoe(decks))
        rng.shuffle(fitting)
        yield from fitting
    yield from _LAST


def _on_a_hand(sight: Sight) -> list[Decision]:
    """Return decisions on any hand or spot, as a dealer's call may ask for."""
    found: list[Decision] = [
        dc.DealerMissed(second=False),
        dc.DealerMissed(second=True),
    ]
    for hand in sight.hands:
        spot = int(hand.split(".")[0])
        found += [
            dc.VoidHand(hand),
            dc.LiesAt(HandId(hand)),
            dc.MissedFirst(spot),
            dc.MissedSecond(spot),
            dc.MissedSecond(spot, after_dealer=True),
        ]
    return found
