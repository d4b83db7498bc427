"""What of a table a scenario can see, as plain values.

Whoever plays a scenario fills these in, from the core's state or from what the
simulated devices show. Amounts are cents; cards are written as a player may see
them, `??` for one not shown.
"""

from typing import TypeAlias

import msgspec

from controller.core.ids import Button, InsuranceResult, Kind, Outcome, Phase
from simulators.rigs.scenario.vocabulary import Gate, Staff

FieldValue: TypeAlias = bool | int | str | None
"""What a field of an event may hold: cents, a seat, a card, a hand, yes or no."""


class SeatLamps(msgspec.Struct, frozen=True):
    """The lamps that are lit at a seat."""

    seat: int
    buttons: frozenset[Button]


class Settlement(msgspec.Struct, frozen=True):
    """How a hand ended, and what the player won or lost by it."""

    outcome: Outcome
    net_cents: int


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A hand on the layout, a player's or the dealer's.

    Attributes:
        hand: `3`, `3.2` after a split, or `dealer`.
        cards: in the order dealt.
        total: the best total of the cards that show, None while none does.
        soft: an ace counts 11 in that total.
        blackjack: it is a blackjack, and that may be known.
        wager_cents: None for the dealer.
        settled: None while it is not settled, and for the dealer.
    """

    hand: str
    cards: tuple[str, ...]
    total: int | None = None
    soft: bool = False
    blackjack: bool = False
    wager_cents: int | None = None
    settled: Settlement | None = None


class InsuranceView(msgspec.Struct, frozen=True):
    """How a seat's insurance was settled."""

    seat: int
    outcome: InsuranceResult
    net_cents: int


class NoticeView(msgspec.Struct, frozen=True):
    """A notice that is showing, and for whom: one of the staff, or a seat's number."""

    to: Staff | int
    text: str


class EventView(msgspec.Struct, frozen=True):
    """A record that the last step caused."""

    type: str
    fields: dict[str, FieldValue]


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """The table after a step.

    Attributes:
        turn: the hand in turn, `dealer`, or None.
        lamps: seats that are dark may be left out.
        hands: the players' hands.
        dealer: None while the dealer has no card.
        rack: this round's groups, bottom to top.
        irregularities: those that are open, the oldest first.
        prompt: the dealer's prompt.
        refused: why the last step was refused, None if it was accepted.
        events: what the last step caused.
    """

    phase: Phase
    turn: str | None = None
    lamps: tuple[SeatLamps, ...] = ()
    gate: Gate
    hands: tuple[HandView, ...] = ()
    dealer: HandView | None = None
    insurance: tuple[InsuranceView, ...] = ()
    rack: tuple[tuple[str, ...], ...] = ()
    irregularities: tuple[Kind, ...] = ()
    notices: tuple[NoticeView, ...] = ()
    prompt: str = ""
    refused: str | None = None
    events: tuple[EventView, ...] = ()

    def lit(self, seat: int) -> frozenset[Button]:
        """Return the lamps that are lit at a seat."""
        return frozenset().union(
            *(lamps.buttons for lamps in self.lamps if lamps.seat == seat)
        )

    def hand(self, name: str) -> HandView | None:
        """Return a hand by its name, `dealer` included, or None."""
        dealer = () if self.dealer is None else (self.dealer,)
        return next((hand for hand in self.hands + dealer if hand.hand == name), None)
