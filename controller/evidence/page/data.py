"""The public table that is drawn: the parts that people see, and nothing sealed."""

import msgspec

from controller.core.cards import Card
from controller.core.ids import NO_HAND, HandId, Phase
from controller.core.outputs import DealerPrompt, dealer_prompt, gate_up_to, turn_of
from controller.core.state import TableState, Wager
from controller.core.views import (
    DealerView,
    HandView,
    InsuranceView,
    IrregularityView,
    SeatView,
    dealer_view,
    hand_views,
    insurance_views,
    irregularity_views,
    seat_views,
)


class Driven(msgspec.Struct, frozen=True):
    """What the table shows and drives between two decisions: prompt and gate."""

    prompt: DealerPrompt
    gate_open: bool


class PublicTable(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a drawing of the table shows.

    `due` is the hand that the next card goes to. `seats` are the panels, the dealer's
    first. `wagers` lie in the circles while
    bets are open. Of the cards that lie at no hand, `undecided` and `held` count
    those that nobody sees; `offered` is the one that is offered in turn (IRR-8).
    """

    phase: Phase
    interrupted: Phase | None
    turn: HandId
    due: HandId
    driven: Driven
    seats: tuple[SeatView, ...]
    wagers: tuple[Wager, ...]
    hands: tuple[HandView, ...]
    dealer: DealerView
    insurance: tuple[InsuranceView, ...]
    undecided: int
    held: int
    offered: Card | None
    rack: tuple[tuple[Card, ...], ...]
    irregularities: tuple[IrregularityView, ...]


def driven_by(state: TableState) -> Driven:
    """Return prompt and gate of a table at which nothing is half decided."""
    return Driven(dealer_prompt(state), gate_open=gate_up_to(state) > 0)


def public_table(state: TableState, driven: Driven) -> PublicTable:
    """Return what is drawn of a table.

    In the middle of a decision prompt and gate still are what they were before it:
    nothing is shown or driven before the decision is on disk.
    """
    offer = state.play.offer
    return PublicTable(
        phase=state.phase,
        interrupted=state.came_from,
        turn=turn_of(state),
        due=_due(state),
        driven=driven,
        seats=seat_views(state),
        wagers=state.wagers,
        hands=hand_views(state),
        dealer=dealer_view(state),
        insurance=insurance_views(state),
        undecided=len(state.undecided),
        held=len(state.held),
        offered=None if offer is None else offer.card,
        rack=tuple(group.cards for group in state.play.rack),
        irregularities=irregularity_views(state),
    )


def _due(state: TableState) -> HandId:
    places = state.play.places
    return NO_HAND if state.suspended or not places else places[0].hand
