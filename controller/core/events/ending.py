"""The end of a round."""

from controller.core.cards import Card
from controller.core.events.base import EventBase
from controller.core.ids import HandId, Outcome


class DealerTurnBegan(EventBase, frozen=True, tag="dealer_turn_began"):
    """The players are done; the dealer's hand is played."""


class DealerDraws(EventBase, frozen=True, tag="dealer_draws"):
    """One card is due at the dealer's hand (DRAW-2)."""


class HandVoided(EventBase, frozen=True, tag="hand_voided"):
    """A hand is ended by decision: a push, dead, or void."""

    hand: HandId
    outcome: Outcome


class HandSettled(EventBase, frozen=True, tag="hand_settled"):
    """A wager was paid, taken or returned; `net_cents` as the player sees it."""

    hand: HandId
    outcome: Outcome
    net_cents: int


class HandPickedUp(EventBase, frozen=True, tag="hand_picked_up"):
    """A hand's cards went to the rack, in the order dealt."""

    hand: HandId
    cards: tuple[Card, ...]


class RoundSettled(EventBase, frozen=True, tag="round_settled"):
    """Every wager of the round is settled."""


class RoundClosed(EventBase, frozen=True, tag="round_closed"):
    """The pickup is complete; the next round's bets are open."""

    round: int
    net_cents: int
    cards: int


EndingEvent = (
    DealerTurnBegan
    | DealerDraws
    | HandVoided
    | HandSettled
    | HandPickedUp
    | RoundSettled
    | RoundClosed
)
