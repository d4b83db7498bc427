"""The table as anybody may see it, as plain JSON: for the console and displays.

Made of state and outputs alone, never of what is sealed: hidden cards are `??`.
What is left in the shoe does not show either (COUNT), nor do the shoe's numbers
of cards, from which it could be told. Amounts are whole cents.
"""

from typing import Final

import msgspec

from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card
from controller.core.decide.supervisor import name_of
from controller.core.guidance import Offered, Use
from controller.core.ids import (
    HandId,
    Phase,
)
from controller.core.irregularities import shoe_fault
from controller.core.outputs import (
    DealerPrompt,
    Notice,
    gate_up_to,
    outputs,
    turn_of,
)
from controller.core.shoe import must_shuffle
from controller.core.state import Shift, TableState, Wager
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
from controller.words.writing import decision_text


class ShoeView(msgspec.Struct, frozen=True):
    """What a dealer has to know of the shoe; `fault` is empty while it can deal."""

    gate_open: bool
    fault: str
    lost: bool
    shuffle_due: bool


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """A supervisor's decision that applies now, as the console spells it.

    In `words`, what stands in capitals is still to be typed and what stands in
    brackets may be left out. `does` says what it will do, `answers` names the
    irregularities for which it is the usual answer. `witness`: a second person has
    to be named.
    """

    command: str
    words: str
    clause: str
    does: str
    use: Use
    answers: tuple[int, ...]
    witness: bool


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """How one port and the devices on it fare, for a technician.

    `error` is why the port is not open, empty where it is. Frames and bytes are None
    for the shoe: they would tell how many cards have left it (COUNT). `worst_answer_ms`
    is the longest that a device took to answer, `worst_scan_ms` the longest that a
    panel without a memory waited to be looked at.
    """

    name: str
    port: str
    error: str
    errors: int
    strays: int
    gaps: int
    resends: int
    reopens: int
    frames_received: int | None = None
    frames_sent: int | None = None
    bytes_received: int | None = None
    bytes_sent: int | None = None
    worst_answer_ms: float | None = None
    worst_scan_ms: int | None = None


class LimitsView(msgspec.Struct, frozen=True):
    """What may be wagered."""

    ruleset: str
    wager_min_cents: int
    wager_max_cents: int
    bet_step_cents: int


class RestartsView(msgspec.Struct, frozen=True):
    """How often the controller began again since it was last stopped.

    `abrupt` are those after it ended by itself, was killed or hung, `power` those after
    the host lost its power or was reset. A stop begins both at 0.
    """

    abrupt: int
    power: int


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table as anybody may see it.

    `round` is the one that is open, between rounds the next; `wagers` are the bets
    for it, while hands and rack are the last round's until the deal. `interrupted`
    is the phase that a suspension interrupted. `undecided` counts cards that lie at
    no hand. `decisions` are all that apply, None while that is still worked out.
    `test_mode` is who tries buttons by hand, empty at a table in play.
    """

    table: str
    phase: Phase
    interrupted: Phase | None
    round: int
    turn: HandId
    prompt: DealerPrompt
    shift: Shift | None
    limits: LimitsView
    seats: tuple[SeatView, ...]
    wagers: tuple[Wager, ...]
    hands: tuple[HandView, ...]
    dealer: DealerView
    insurance: tuple[InsuranceView, ...]
    undecided: int
    rack: tuple[tuple[Card, ...], ...]
    shoe: ShoeView
    irregularities: tuple[IrregularityView, ...]
    decisions: tuple[DecisionView, ...] | None
    notices: tuple[Notice, ...]
    restarts: RestartsView = RestartsView(0, 0)
    links: tuple[LinkView, ...] = ()
    test_mode: str = ""


class Around(msgspec.Struct, frozen=True):
    """What the runtime knows beside the state: notices of its own, its links."""

    notices: tuple[Notice, ...] = ()
    links: tuple[LinkView, ...] = ()


NOTHING_AROUND: Final = Around()


def encoded_view(
    state: TableState,
    decisions: tuple[Offered, ...] | None = None,
    around: Around = NOTHING_AROUND,
) -> bytes:
    """Return the public view as one JSON object without a line feed."""
    return msgspec.json.encode(view_of(state, decisions, around))


def view_of(
    state: TableState,
    decisions: tuple[Offered, ...] | None = None,
    around: Around = NOTHING_AROUND,
) -> View:
    """Return the public view of a state; `decisions` as `guidance` offers them."""
    shown = outputs(state)
    return View(
        table=state.table,
        phase=state.phase,
        interrupted=state.came_from,
        round=state.round,
        turn=turn_of(state),
        prompt=shown.dealer,
        shift=state.shift,
        limits=_limits(state),
        seats=seat_views(state),
        wagers=state.wagers,
        hands=hand_views(state),
        dealer=dealer_view(state),
        insurance=insurance_views(state),
        undecided=len(state.undecided),
        rack=tuple(group.cards for group in (*state.play.rack, *state.early)),
        shoe=_shoe(state),
        irregularities=irregularity_views(state),
        decisions=None if decisions is None else tuple(map(_decision, decisions)),
        notices=(*shown.notices, *around.notices),
        restarts=RestartsView(state.abrupt_ends, state.power_losses),
        links=around.links,
        test_mode="" if state.test_mode is None else state.test_mode.person,
    )


def _limits(state: TableState) -> LimitsView:
    rules = state.rules
    return LimitsView(
        ruleset=rules.name,
        wager_min_cents=rules.wager_min_cents,
        wager_max_cents=rules.wager_max_cents,
        bet_step_cents=rules.bet_step_cents,
    )


def _shoe(state: TableState) -> ShoeView:
    return ShoeView(
        gate_open=gate_up_to(state) > 0,
        fault=shoe_fault(state.shoe),
        lost=state.shoe.lost,
        shuffle_due=must_shuffle(state.shoe),
    )


def _decision(offer: Offered) -> DecisionView:
    decision = offer.decision
    return DecisionView(
        command=name_of(decision),
        words=_words(decision),
        clause=decision.CLAUSE,
        does=offer.does,
        use=offer.use,
        answers=offer.answers,
        witness=offer.needs_witness,
    )


def _words(decision: dc.Decision) -> str:
    if isinstance(decision, dc.SetRules):
        return "set-rules [NAME] [KEY=VALUE]"
    return decision_text(decision).replace(UNKNOWN, "CARD")
