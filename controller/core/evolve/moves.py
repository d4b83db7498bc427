"""Small steps that several folds share."""

from collections.abc import Callable

from msgspec.structs import replace

from controller.core.ids import HandId, Stage
from controller.core.phases import advance
from controller.core.state import Hand, Play, SeatState, TableState, Wait


def enter(state: TableState, trigger: str) -> TableState:
    """Return the table in the phase that `trigger` leads to.

    While the table is suspended the remembered phase moves instead: a decision
    may end the round, or take play back, before the suspension ends.
    """
    if state.came_from is not None:
        return replace(state, came_from=advance(state.came_from, trigger))
    return replace(state, phase=advance(state.phase, trigger))


def with_hand(
    play: Play, wanted: HandId, change: Callable[[Hand], Hand]
) -> tuple[Hand, ...]:
    """Return the hands with one of them changed."""
    hands = play.hands
    for at, hand in enumerate(hands):
        if hand.id == wanted:
            return (*hands[:at], change(hand), *hands[at + 1 :])
    return hands


def with_seat(
    state: TableState, seat: int, change: Callable[[SeatState], SeatState]
) -> TableState:
    """Return the table with one seat changed; seat 0 is the dealer's panel."""
    if seat == 0:
        return replace(state, dealer_panel=change(state.dealer_panel))
    seats = list(state.seats)
    seats[seat - 1] = change(seats[seat - 1])
    return replace(state, seats=tuple(seats))


def new_wait(state: TableState) -> Wait:
    """Return the wait that begins with a card or a turn (PLAY-3)."""
    return Wait(state.wait.number + 1, Stage.ASK)
