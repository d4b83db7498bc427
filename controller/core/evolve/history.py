"""What a round remembers of itself, so that a decision can take play back.

Acts are what people and the shoe did; consequences follow from acts by
themselves. A taking back folds the table anew from the close of bets up to the
acts that stand, and gives the round back as it was then. What is not part of
the round (prompts, cursors, irregularities, the shift) is never taken back.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.events import PlayTakenBack
from controller.core.evolve.moves import new_wait
from controller.core.state import TableState

ACTS: Final = frozenset(
    {
        ev.BetsClosed,
        ev.DealListed,
        ev.CardDealt,
        ev.HoleCardDealt,
        ev.HoleCardKeyed,
        ev.CardIdentified,
        ev.CardCorrected,
        ev.CardBurned,
        ev.CardDiscarded,
        ev.CardWithdrawn,
        ev.InsuranceTaken,
        ev.InsuranceDeclined,
        ev.CardAsked,
        ev.HandStood,
        ev.HandDoubled,
        ev.HandSplit,
        ev.HandSurrendered,
        ev.PlayerPassedOver,
        ev.ChoiceOffered,
        ev.ChoiceMade,
        ev.CompletedAsDealt,
        ev.CardOffered,
        ev.OfferRefused,
        ev.OfferAccepted,
        ev.HandVoided,
        ev.ShoeShuffled,
    }
)

CONSEQUENCES: Final = frozenset(
    {
        ev.WagerReduced,
        ev.MinimumExplained,
        ev.MinimumRefused,
        ev.WagerReturned,
        ev.DealerPeeked,
        ev.HoleCardRevealed,
        ev.InsuranceOpened,
        ev.InsuranceClosed,
        ev.InsuranceSettled,
        ev.PlayOpened,
        ev.TurnPassed,
        ev.HandBusted,
        ev.HandSettled,
        ev.HandPickedUp,
        ev.DealerTurnBegan,
        ev.DealerDraws,
        ev.RoundSettled,
    }
)

HISTORY: Final = ACTS | CONSEQUENCES


def remember(state: TableState, record: Any) -> TableState:  # noqa: ANN401 - any record of HISTORY
    """Return the table with one more record of its round kept."""
    if state.opening is None:
        return state
    return replace(state, history=(*state.history, record))


def without_faces(history: tuple[Any, ...], numbers: Sequence[int]) -> tuple[Any, ...]:
    """Return what a round remembers once nobody has the faces of some cards any more.

    A hole card among them was dealt unread, as far as the round can say now, and was
    not keyed: however often play is taken back, it can be keyed (MISREAD).
    """

    def is_lost(record: object, kind: type) -> bool:
        return isinstance(record, kind) and getattr(record, "number", 0) in numbers

    return tuple(
        replace(record, unread=True) if is_lost(record, ev.HoleCardDealt) else record
        for record in history
        if not is_lost(record, ev.HoleCardKeyed)
    )


def take_back(
    state: TableState,
    event: PlayTakenBack,
    evolve: Callable[[TableState, Any], TableState],
) -> TableState:
    """Return the table with the round as it was when `event.kept` records stood.

    A reveal is never taken back (REVEAL): a hole card that was turned up stays
    so, as long as it is still the hole card.
    """
    assert state.opening is not None
    kept = state.history[: event.kept]
    counted_after = state.shoe.counted_after
    shoe = replace(state.opening.shoe, counted_after=counted_after)
    then = replace(state.opening, shoe=shoe)
    for record in kept:
        then = evolve(then, record)
    for record in state.history[event.kept :]:
        if isinstance(record, ev.HoleCardRevealed) and _is_hole(then, record.number):
            then = evolve(then, record)
            kept += (record,)
    came_from = then.phase if state.suspended else None
    return replace(
        state,
        phase=state.phase if state.suspended else then.phase,
        came_from=came_from,
        play=then.play,
        burns_due=then.burns_due,
        wait=new_wait(state),
        history=kept,
    )


def _is_hole(state: TableState, number: int) -> bool:
    dealer = state.play.dealer
    return dealer.hole >= 0 and dealer.numbers[dealer.hole] == number
