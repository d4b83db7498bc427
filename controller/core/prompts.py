"""What each seat, and the dealer, may press now (rules.md, Prompts).

The wanted buttons are a function of the state; `decide` numbers them whenever
they change. A panel shows them as lamps.
"""

from controller.core.actions import actor, legal
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

_DARK: tuple[tuple[str, ...], HandId] = ((), NO_HAND)


def wanted(state: TableState) -> tuple[tuple[tuple[str, ...], HandId], ...]:
    """Return buttons and hand for the dealer's panel and every seat, seat 0 first."""
    return (_dealer(state), *_seats(state))


def _seats(state: TableState) -> tuple[tuple[tuple[str, ...], HandId], ...]:
    match state.phase:
        case Phase.BETTING:
            return tuple(
                (betting_buttons(state, seat), NO_HAND)
                for seat in range(1, state.seat_count + 1)
            )
        case Phase.INSURANCE:
            return tuple(
                (insurance_buttons(state, seat), NO_HAND)
                for seat in range(1, state.seat_count + 1)
            )
        case Phase.PLAYING:
            return _playing(state)
        case _:
            return (_DARK,) * state.seat_count


def _playing(state: TableState) -> tuple[tuple[tuple[str, ...], HandId], ...]:
    hand = actor(state)
    if hand is None:
        return (_DARK,) * state.seat_count
    buttons = tuple(button.value for button in legal(state, hand))
    lit = (buttons, hand.id) if buttons else _DARK
    return tuple(
        lit if seat == hand.seat else _DARK for seat in range(1, state.seat_count + 1)
    )


def betting_buttons(state: TableState, seat: int) -> tuple[str, ...]:
    """Return which of bet, clear and rebet a plain press would be accepted for."""
    own = next((wager for wager in state.wagers if wager.spot == seat), None)
    buttons = []
    if own is None or own.seat == seat:
        buttons.append(Button.BET.value)
    if own is not None and own.seat == seat:
        buttons.append(Button.CLEAR.value)
    if may_rebet(state, seat):
        buttons.append(Button.REBET.value)
    return tuple(buttons)


def may_rebet(state: TableState, seat: int) -> bool:
    """Return whether the last round's wagers can be placed again (BET)."""
    last = state.seats[seat - 1].last_wagers
    return bool(last) and all(not taken(state, seat, wager.spot) for wager in last)


def taken(state: TableState, seat: int, spot: int) -> bool:
    """Return whether another seat's wager lies on a spot."""
    return any(wager.spot == spot and wager.seat != seat for wager in state.wagers)


def insurance_buttons(state: TableState, seat: int) -> tuple[str, ...]:
    """Return what a seat may answer to the offer of insurance (INS)."""
    play = state.play
    if play.insurance_closed or seat not in play.asked_seats:
        return ()
    if any(answer.seat == seat for answer in play.insured):
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


def _dealer(state: TableState) -> tuple[tuple[str, ...], HandId]:
    buttons = [button.value for button in dealer_buttons(state)]
    hand = state.play.turn if state.phase is Phase.PLAYING else NO_HAND
    return tuple(buttons), hand


def dealer_buttons(state: TableState) -> tuple[DealerButton, ...]:
    """Return the lit buttons of the dealer's panel; CALL always is."""
    call = (DealerButton.CALL,)
    match state.phase:
        case Phase.BETTING if state.wagers:
            return (DealerButton.DEAL, *call)
        case Phase.INSURANCE:
            return (DealerButton.CLOSE_INSURANCE, *call)
        case Phase.PLAYING if may_move_on(state):
            return (DealerButton.NEXT, *call)
        case Phase.SETTLED:
            return (DealerButton.PICKUP, *call)
        case Phase.CLOSED:
            return ()
        case _:
            return call


def may_move_on(state: TableState) -> bool:
    """Return whether the dealer may press NEXT (PLAY-3)."""
    if state.phase is not Phase.PLAYING or state.wait.stage is not Stage.OVER:
        return False
    hand = actor(state)
    return hand is not None and bool(legal(state, hand))
