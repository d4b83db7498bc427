"""The parts of a table as anybody may see them, for every screen and page.

Made of the state alone, never of what is sealed: hidden cards are `??`. Amounts are
whole cents.
"""

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.ids import (
    DEALER_SEAT,
    HandId,
    InsuranceResult,
    Kind,
    Outcome,
)
from controller.core.irregularities import KINDS
from controller.core.outputs import shown_prompts
from controller.core.payouts import has_blackjack
from controller.core.state import Hand, Irregularity, TableState
from controller.core.totals import TWENTY_ONE, is_blackjack, total_of


class TotalView(msgspec.Struct, frozen=True):
    """What the cards that show are announced as (VALUE)."""

    points: int
    soft: bool = False
    blackjack: bool = False
    bust: bool = False


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's hand; `outcome` and `net_cents` once it is settled."""

    hand: HandId
    spot: int
    seat: int
    cards: tuple[Card, ...]
    total: TotalView | None
    wager_cents: int
    outcome: Outcome | None
    net_cents: int
    picked_up: bool


class DealerView(msgspec.Struct, frozen=True):
    """The dealer's cards; the total is of those that show.

    `hole` is where the hole card lies among them while it is face down, else -1.
    """

    cards: tuple[Card, ...]
    total: TotalView | None
    picked_up: bool
    hole: int = -1


class InsuranceView(msgspec.Struct, frozen=True):
    """What a seat answered to the offer of insurance; 0 cents: declined."""

    seat: int
    amount_cents: int
    result: InsuranceResult | None
    net_cents: int


class CashView(msgspec.Struct, frozen=True):
    """Cash that lies in view at a seat (CASH)."""

    stated_cents: int | None
    chips_given: bool


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's panel: the lamps of its prompt, all dark while the panel is lost.

    Seat 0 is the dealer's panel.
    """

    seat: int
    lamps: tuple[str, ...]
    hand: HandId
    panel_lost: bool
    dealer_entry: bool
    stuck: tuple[str, ...]
    cash: CashView | None


class IrregularityView(msgspec.Struct, frozen=True, kw_only=True):
    """Something a supervisor has to decide, in words, with its clause.

    `number` is that of the card in question, 0 where it is about none.
    """

    irregularity: int
    kind: Kind
    hand: HandId
    seat: int
    number: int
    words: str
    said: str
    clause: str
    what_to_do: str


def seat_views(state: TableState) -> tuple[SeatView, ...]:
    """Return every panel, the dealer's first."""
    return tuple(_seat(state, number) for number in range(state.seat_count + 1))


def hand_views(state: TableState) -> tuple[HandView, ...]:
    """Return every player's hand, in the order of the spots."""
    return tuple(_hand(state, hand) for hand in state.play.hands)


def dealer_view(state: TableState) -> DealerView:
    """Return the dealer's hand."""
    dealer = state.play.dealer
    natural = is_blackjack(dealer.cards, state.rules.joker_value)
    return DealerView(
        cards=dealer.cards,
        total=_total(state, dealer.cards, blackjack=natural),
        picked_up=dealer.picked_up,
        hole=-1 if dealer.revealed else dealer.hole,
    )


def insurance_views(state: TableState) -> tuple[InsuranceView, ...]:
    """Return what each seat answered to the offer of insurance."""
    return tuple(
        InsuranceView(answer.seat, answer.amount_cents, answer.result, answer.net_cents)
        for answer in state.play.insured
    )


def irregularity_views(state: TableState) -> tuple[IrregularityView, ...]:
    """Return everything that a supervisor has to decide."""
    return tuple(_irregularity(found) for found in state.irregularities)


def _seat(state: TableState, number: int) -> SeatView:
    seat = state.dealer_panel if number == DEALER_SEAT else state.seats[number - 1]
    prompt = shown_prompts(state)[number]
    cash = CashView(seat.cash_stated_cents, seat.cash_chips_given)
    return SeatView(
        seat=number,
        lamps=prompt.buttons,
        hand=prompt.hand,
        panel_lost=seat.panel_lost,
        dealer_entry=seat.dealer_entry,
        stuck=seat.stuck,
        cash=cash if seat.cash_spread else None,
    )


def _hand(state: TableState, hand: Hand) -> HandView:
    return HandView(
        hand=hand.id,
        spot=hand.spot,
        seat=hand.seat,
        cards=hand.cards,
        total=_total(state, hand.cards, blackjack=has_blackjack(hand, state.rules)),
        wager_cents=hand.wager_cents,
        outcome=hand.settled,
        net_cents=hand.net_cents,
        picked_up=hand.picked_up,
    )


def _total(
    state: TableState, cards: tuple[Card, ...], *, blackjack: bool
) -> TotalView | None:
    seen = tuple(card for card in cards if card != UNKNOWN)
    if not seen:
        return None
    total = total_of(seen, state.rules.joker_value)
    bust = total.points > TWENTY_ONE
    return TotalView(total.points, total.soft, blackjack=blackjack, bust=bust)


def _irregularity(found: Irregularity) -> IrregularityView:
    kind = KINDS[found.kind]
    return IrregularityView(
        irregularity=found.irregularity,
        kind=found.kind,
        hand=found.hand,
        seat=found.seat,
        number=found.number,
        words=kind.words,
        said=found.words,
        clause=kind.clause,
        what_to_do=kind.what_to_do,
    )
