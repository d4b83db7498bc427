"""What each seat, and the dealer, may press now (rules.md, Prompts).

The wanted buttons are a function of the state; `decide` numbers them whenever
they change. A panel shows them as lamps.
"""

from typing import Final

from controller.core.actions import asked, legal, seats_to_answer
from controller.core.ids import (
    NO_HAND,
    Button,
    DealerButton,
    HandId,
    Phase,
    Stage,
)
from controller.core.payouts import insurance_max_cents
from controller.core.state import TableState

Lamps = tuple[tuple[str, ...], HandId]
"""The buttons of one panel that are lit, and the hand they are for."""

_DARK: Final[Lamps] = ((), NO_HAND)
_ONLY_CALL: Final = (DealerButton.CALL.value,)
_BET, _CLEAR, _REBET = Button.BET.value, Button.CLEAR.value, Button.REBET.value


def wanted(state: TableState) -> tuple[Lamps, ...]:
    """Return buttons and hand for the dealer's panel and every seat, seat 0 first."""
    return (_dealer(state), *_seats(state))


def _seats(state: TableState) -> tuple[Lamps, ...]:
    match state.phase:
        case Phase.BETTING:
            return _betting(state)
        case Phase.INSURANCE:
            return tuple(
                (insurance_buttons(state, seat), NO_HAND)
                for seat in range(1, state.seat_count + 1)
            )
        case Phase.PLAYING:
            return _playing(state)
        case _:
            return (_DARK,) * state.seat_count


def _playing(state: TableState) -> tuple[Lamps, ...]:
    hand = asked(state)
    if hand is None:
        return (_DARK,) * state.seat_count
    lit = (tuple(button.value for button in legal(state, hand)), hand.id)
    before, after = hand.seat - 1, state.seat_count - hand.seat
    return (_DARK,) * before + (lit,) + (_DARK,) * after


def _betting(state: TableState) -> tuple[Lamps, ...]:
    owners = owners_of_spots(state)
    return tuple(
        (_betting_buttons(state, owners, seat), NO_HAND)
        for seat in range(1, state.seat_count + 1)
    )


def _betting_buttons(
    state: TableState, owners: dict[int, int], seat: int
) -> tuple[str, ...]:
    """Return which of bet, clear and rebet a plain press would be accepted for."""
    buttons = []
    own = owners.get(seat)
    if own == seat or (own is None and not plays_enough_spots(state, owners, seat)):
        buttons.append(_BET)
    if own == seat:
        buttons.append(_CLEAR)
    if may_rebet(state, owners, seat):
        buttons.append(_REBET)
    return tuple(buttons)


def owners_of_spots(state: TableState) -> dict[int, int]:
    """Return which seat's wager lies on each spot, while the bets are open."""
    return {wager.spot: wager.seat for wager in state.wagers}


def plays_enough_spots(state: TableState, owners: dict[int, int], seat: int) -> bool:
    """Return whether a seat has wagers on as many spots as it may (MULTI)."""
    most = state.rules.spots_per_player_max
    return len(owners) >= most and list(owners.values()).count(seat) >= most


def may_rebet(state: TableState, owners: dict[int, int], seat: int) -> bool:
    """Return whether the last round's wagers can be placed again (BET)."""
    last = state.seats[seat - 1].last_wagers
    if not 0 < len(last) <= state.rules.spots_per_player_max:
        return False
    return all(owners.get(wager.spot, seat) == seat for wager in last)


def insurance_buttons(state: TableState, seat: int) -> tuple[str, ...]:
    """Return what a seat may answer to the offer of insurance (INS)."""
    if seat not in seats_to_answer(state):
        return ()
    if insurable_cents(state, seat):
        return (Button.INSURE.value, Button.PASS.value)
    return (Button.PASS.value,)


def insurable_cents(state: TableState, seat: int) -> int:
    """Return the most this seat may insure (INS)."""
    return insurance_max_cents(
        tuple(
            hand.wager_cents
            for hand in state.play.hands
            if hand.seat == seat and hand.settled is None
        )
    )


def _dealer(state: TableState) -> Lamps:
    """Return what the dealer's panel shows; at an open table CALL always is lit."""
    match state.phase:
        case Phase.BETTING if state.wagers:
            return _with_call(DealerButton.DEAL, NO_HAND)
        case Phase.INSURANCE:
            return _with_call(DealerButton.CLOSE_INSURANCE, NO_HAND)
        case Phase.PLAYING if may_move_on(state):
            return _with_call(DealerButton.NEXT, state.play.turn)
        case Phase.PLAYING:
            return _ONLY_CALL, state.play.turn
        case Phase.SETTLED:
            return _with_call(DealerButton.PICKUP, NO_HAND)
        case Phase.CLOSED:
            return _DARK
        case _:
            return _ONLY_CALL, NO_HAND


def _with_call(button: DealerButton, hand: HandId) -> Lamps:
    return (button.value, *_ONLY_CALL), hand


def may_move_on(state: TableState) -> bool:
    """Return whether the dealer may press NEXT (PLAY-3)."""
    if state.phase is not Phase.PLAYING or state.wait.stage is not Stage.OVER:
        return False
    return asked(state) is not None
