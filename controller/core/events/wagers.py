"""Wagers."""

from typing import ClassVar

from controller.core.events.base import EventBase
from controller.core.state import Place, Wager


class WagerPlaced(EventBase, frozen=True, tag="wager_placed"):
    """The wager on a spot is now this much; 0 when the circle was cleared."""

    seat: int
    spot: int
    amount_cents: int


class BetsClosed(EventBase, frozen=True, tag="bets_closed"):
    """DEAL: the wagers are committed and the round begins.

    `ruleset_digest` names the rules that it is played by (VAR), so that the round's
    own records prove them; empty in journals of earlier versions.
    """

    VERSION: ClassVar[int] = 2

    round: int
    wagers: tuple[Wager, ...]
    ruleset_digest: str


class WagerReduced(EventBase, frozen=True, tag="wager_reduced"):
    """A wager over the maximum is honoured to it, the rest returned (LIMIT-MAX)."""

    spot: int
    seat: int
    honoured_cents: int
    returned_cents: int


class MinimumExplained(EventBase, frozen=True, tag="minimum_explained"):
    """A wager under the minimum is honoured the first time (LIMIT-MIN)."""

    seat: int
    spot: int


class MinimumRefused(EventBase, frozen=True, tag="minimum_refused"):
    """A wager under the minimum, not the first time: the hand is dead (LIMIT-MIN)."""

    seat: int
    spot: int


class WagerReturned(EventBase, frozen=True, tag="wager_returned"):
    """A wager went back to the player undecided."""

    spot: int
    seat: int
    amount_cents: int


class DealListed(EventBase, frozen=True, tag="deal_listed"):
    """The places that the next cards go to, in order."""

    places: tuple[Place, ...]


class DealUndone(EventBase, frozen=True, tag="deal_undone"):
    """DEAL was taken back before the first card (UNDO)."""

    round: int
    wagers: tuple[Wager, ...]


WagerEvent = (
    WagerPlaced
    | BetsClosed
    | WagerReduced
    | MinimumExplained
    | MinimumRefused
    | WagerReturned
    | DealListed
    | DealUndone
)
