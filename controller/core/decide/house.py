"""What the dealer does: shifts, the dealer's buttons, seats, cash."""

from typing import assert_never

from controller.core import events as ev
from controller.core.actions import actor, asked, seats_to_answer
from controller.core.commands import (
    CloseShift,
    MoveCash,
    OpenSeat,
    OpenShift,
    PressDealerButton,
    ReachTime,
    UndoDeal,
)
from controller.core.decide import pickup, wagers
from controller.core.decide.draft import Draft, Refusal
from controller.core.decide.testing import IN_TEST_MODE
from controller.core.ids import (
    ROUND_OPEN,
    Button,
    CashStep,
    DealerButton,
    Kind,
    Phase,
    Reason,
    Role,
    Stage,
)
from controller.core.prompts import may_move_on
from controller.core.state import SeatState, TableState


def is_repeated(state: TableState, command: PressDealerButton) -> bool:
    """Return whether this press of the dealer's panel was taken before."""
    panel = state.dealer_panel
    same_boot = command.boot_id == panel.boot_id
    return bool(command.number) and same_boot and command.number <= panel.press_number


# --- Shifts and seats ----------------------------------------------------------


def open_shift(draft: Draft, command: OpenShift) -> Refusal | None:
    """Let a dealer's stay begin; its direction of pickup is fixed (PICKUP-1b)."""
    state = draft.state
    if state.suspended:
        return Refusal(Reason.TABLE_SUSPENDED)
    if state.test_mode is not None:
        return IN_TEST_MODE
    if state.phase is not Phase.CLOSED:
        return Refusal(Reason.WRONG_PHASE, "a shift is open already")
    if command.dealer.role not in (Role.DEALER, Role.SUPERVISOR):
        return Refusal(Reason.UNKNOWN_PERSON, "a shift is opened by who deals in it")
    draft.record(
        ev.ShiftOpened(
            shift=state.shift_number + 1,
            dealer=command.dealer.id,
            direction=command.direction,
        )
    )
    return None


def close_shift(draft: Draft, _command: CloseShift) -> Refusal | None:
    """Let the dealer go, between rounds and with no cash on the table."""
    refusal = _between_rounds(draft.state)
    if refusal is not None:
        return refusal
    if any(seat.cash_spread for seat in draft.state.seats):
        return Refusal(Reason.CASH_TRANSACTION_OPEN)
    draft.record(ev.ShiftClosed(shift=draft.state.shift_number))
    return None


def open_seat(draft: Draft, command: OpenSeat) -> Refusal | None:
    """Forget what the last player of a seat did (LIMIT-MIN, BET)."""
    refusal = _between_rounds(draft.state)
    if refusal is None:
        draft.record(ev.SeatOpened(seat=command.seat))
    return refusal


def _table_reason(state: TableState) -> Refusal | None:
    if state.shift is None:
        return Refusal(Reason.SHIFT_CLOSED)
    if state.suspended:
        return Refusal(Reason.TABLE_SUSPENDED)
    return IN_TEST_MODE if state.test_mode is not None else None


def _between_rounds(state: TableState) -> Refusal | None:
    refusal = _table_reason(state)
    if refusal is None and state.phase in ROUND_OPEN:
        return Refusal(Reason.ROUND_OPEN)
    return refusal


# --- The dealer's buttons ------------------------------------------------------


def press(draft: Draft, command: PressDealerButton) -> Refusal | None:
    """Let the dealer's button do what it says, or say why not."""
    if command.button is DealerButton.CALL:
        return _call(draft, command.words)
    refusal = _table_reason(draft.state)
    if refusal is not None:
        return refusal
    # Only a panel numbers its presses; the console shows no prompt to go by.
    if command.number and command.prompt != draft.state.prompts[0].number:
        return Refusal(Reason.STALE_PRESS)
    match command.button:
        case DealerButton.DEAL:
            return wagers.deal(draft)
        case DealerButton.NEXT:
            return _move_on(draft)
        case DealerButton.PICKUP:
            return pickup.pick_up(draft)
        case DealerButton.CLOSE_INSURANCE:
            return _close_insurance(draft)
        case _:
            assert_never(command.button)


def _call(draft: Draft, words: str) -> Refusal | None:
    """Stop the table; a call is never refused while a dealer is there (IRR-1)."""
    if draft.state.shift is None:
        return Refusal(Reason.SHIFT_CLOSED)
    draft.find(Kind.CALLED, words=words)
    return None


def _move_on(draft: Draft) -> Refusal | None:
    """Leave a silent player's hand as it stands (PLAY-3)."""
    state = draft.state
    if state.phase is not Phase.PLAYING:
        return Refusal(Reason.WRONG_PHASE)
    hand = asked(state)
    if hand is None:
        return Refusal(Reason.ACTION_NOT_ALLOWED)
    if not may_move_on(state):
        return Refusal(Reason.TOO_EARLY_TO_MOVE_ON)
    if hand.choosing:
        draft.record(ev.ChoiceMade(hand=hand.id, button=Button.STAND, passed_over=True))
    elif state.play.offer is not None:
        draft.record(ev.OfferRefused(hand=hand.id, passed_over=True))
    else:
        draft.record(ev.PlayerPassedOver(seat=hand.seat, hand=hand.id))
    return None


def _close_insurance(draft: Draft) -> Refusal | None:
    """Close insurance; who had not answered has declined, marked so (INS)."""
    state = draft.state
    if state.phase is not Phase.INSURANCE:
        return Refusal(Reason.WRONG_PHASE)
    for seat in seats_to_answer(state):
        draft.record(ev.InsuranceDeclined(seat=seat, by_closing=True))
    return None


def undo_deal(draft: Draft, _command: UndoDeal) -> Refusal | None:
    """Take DEAL back before the first card (UNDO)."""
    return _table_reason(draft.state) or wagers.undo_deal(draft)


def reach_time(draft: Draft, command: ReachTime) -> None:
    """Note that a stage of waiting is over (PLAY-3); never act for the player."""
    state = draft.state
    hand = actor(state)
    assert hand is not None
    if command.stage is Stage.ASK:
        draft.record(ev.PlayerAsked(seat=hand.seat, hand=hand.id))
    else:
        draft.record(ev.MoveOnAllowed(seat=hand.seat, hand=hand.id))


# --- Cash ----------------------------------------------------------------------


def move_cash(draft: Draft, command: MoveCash) -> Refusal | None:
    """Take the four steps of accepting cash in their order (CASH)."""
    refusal = _table_reason(draft.state)
    if refusal is not None:
        return refusal
    seat = draft.state.seats[command.seat - 1]
    reason = _cash_reason(seat, command)
    if reason is not None:
        return Refusal(reason)
    amount = seat.cash_stated_cents or 0
    match command.step:
        case CashStep.DROP:
            draft.record(ev.CashDropped(seat=command.seat, amount_cents=amount))
        case CashStep.BACK:
            draft.record(ev.CashReturned(seat=command.seat, amount_cents=amount))
        case CashStep.SPREAD | CashStep.STATE | CashStep.CHIPS:
            draft.record(
                ev.CashMoved(
                    seat=command.seat,
                    step=command.step,
                    amount_cents=command.amount_cents,
                )
            )
        case _:
            assert_never(command.step)
    return None


def _cash_reason(seat: SeatState, command: MoveCash) -> Reason | None:
    stated = seat.cash_stated_cents is not None
    in_order = {
        CashStep.SPREAD: not seat.cash_spread,
        CashStep.STATE: seat.cash_spread and not seat.cash_chips_given,
        CashStep.CHIPS: stated and not seat.cash_chips_given,
        CashStep.DROP: seat.cash_chips_given,
        CashStep.BACK: seat.cash_spread and not seat.cash_chips_given,
    }
    if not in_order[command.step]:
        return Reason.CASH_OUT_OF_ORDER
    if command.step is CashStep.CHIPS and (
        command.amount_cents != seat.cash_stated_cents
    ):
        return Reason.CASH_AMOUNTS_DIFFER
    return None
