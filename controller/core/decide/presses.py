"""A press on a player's panel: counted once, or refused with a reason.

The reasons come in a fixed order: the table, the phase, whose turn, whether the
press is for the prompt now shown, whether the button is lit, then the amount.
"""

from controller.core import events as ev
from controller.core.actions import actor
from controller.core.commands import ClarifyChoice, PressButton
from controller.core.decide import wagers
from controller.core.decide.draft import Draft, Refusal
from controller.core.ids import NO_HAND, Button, HandId, Phase, Reason
from controller.core.prompts import insurable_cents
from controller.core.state import Hand, TableState

_BETTING = frozenset({Button.BET, Button.CLEAR, Button.REBET})
_PLAYING = frozenset(
    {Button.HIT, Button.STAND, Button.DOUBLE, Button.SPLIT, Button.SURRENDER}
)


def is_repeated(state: TableState, command: PressButton) -> bool:
    """Return whether this press was taken before: its number is not new."""
    if not 1 <= command.seat <= state.seat_count:
        return False
    seat = state.seats[command.seat - 1]
    return command.boot_id == seat.boot_id and command.number <= seat.press_number


def press(draft: Draft, command: PressButton) -> None:
    """Let a press answer its prompt, or refuse it."""
    refusal = (
        why_not(draft.state, command)
        or _late(draft.state, command)
        or _particular(draft.state, command)
    )
    if refusal is not None:
        draft.record(
            ev.PressRefused(
                seat=command.seat,
                button=command.button,
                prompt=command.prompt,
                reason=refusal.reason,
            )
        )
        return
    _accept(draft, command, by_dealer=False)


def _late(state: TableState, command: PressButton) -> Refusal | None:
    """A lost panel is dark: what it says was pressed for lamps that were (PLAY-4)."""
    lost = state.seats[command.seat - 1].panel_lost
    return Refusal(Reason.STALE_PRESS) if lost else None


def _accept(draft: Draft, command: PressButton, *, by_dealer: bool) -> None:
    hand = _hand_asked(draft.state, command)
    draft.record(
        ev.PressAccepted(
            seat=command.seat,
            button=command.button,
            prompt=command.prompt,
            hand=hand.id if hand is not None else NO_HAND,
            by_dealer=by_dealer,
        )
    )
    draft.answered.add(command.seat)
    if command.button in _BETTING:
        wagers.place(draft, command)
    elif draft.state.phase is Phase.INSURANCE:
        _answer_insurance(draft, command)
    else:
        assert hand is not None
        act(draft, hand, command.button)


def _hand_asked(state: TableState, command: PressButton) -> Hand | None:
    if state.phase is not Phase.PLAYING:
        return None
    hand = actor(state)
    return hand if hand is not None and hand.seat == command.seat else None


def why_not(state: TableState, command: PressButton) -> Refusal | None:
    """Return why this press cannot answer a prompt now; None when it can."""
    if not 1 <= command.seat <= state.seat_count:
        return Refusal(Reason.UNKNOWN_SEAT)
    reason = (
        _table_reason(state)
        or _phase_reason(state, command.button)
        or _seat_reason(state, command.seat)
        or _prompt_reason(state, command)
    )
    return Refusal(reason) if reason is not None else None


def _table_reason(state: TableState) -> Reason | None:
    if state.shift is None:
        return Reason.SHIFT_CLOSED
    if state.suspended:
        return Reason.TABLE_SUSPENDED
    return Reason.TEST_MODE if state.test_mode is not None else None


def _phase_reason(state: TableState, button: Button) -> Reason | None:
    if button in _BETTING:
        return None if state.phase is Phase.BETTING else Reason.BETS_CLOSED
    if button in _PLAYING:
        phases = {Phase.PLAYING}
    elif button is Button.INSURE:
        phases = {Phase.INSURANCE}
    else:
        phases = {Phase.INSURANCE, Phase.PLAYING}
    return None if state.phase in phases else Reason.WRONG_PHASE


def _seat_reason(state: TableState, seat: int) -> Reason | None:
    if state.phase is Phase.INSURANCE:
        return None if seat in state.play.asked_seats else Reason.NO_WAGER
    if state.phase is Phase.PLAYING:
        hand = actor(state)
        in_turn = hand is not None and hand.seat == seat
        return None if in_turn else Reason.NOT_YOUR_TURN
    return None


def _prompt_reason(state: TableState, command: PressButton) -> Reason | None:
    prompt = state.prompts[command.seat]
    if command.prompt != prompt.number:
        return Reason.STALE_PRESS
    if state.phase is Phase.INSURANCE and any(
        answer.seat == command.seat for answer in state.play.insured
    ):
        return Reason.ALREADY_ANSWERED
    if command.button.value in state.seats[command.seat - 1].stuck:
        # A button that is held down says nothing (rules.md, Faults).
        return Reason.ACTION_NOT_ALLOWED
    if state.phase is Phase.BETTING or prompt.lit(command.button):
        return None
    return Reason.ACTION_NOT_ALLOWED


def _particular(state: TableState, command: PressButton) -> Refusal | None:
    if command.button in _BETTING:
        return wagers.why_not(state, command)
    if command.button is Button.INSURE:
        most = insurable_cents(state, command.seat)
        if command.with_amount and not command.amount_cents:
            return Refusal(Reason.NO_WAGER)
        if command.amount_cents > most:
            return Refusal(Reason.INSURANCE_OVER_HALF)
    return None


def _answer_insurance(draft: Draft, command: PressButton) -> None:
    if command.button is Button.PASS:
        draft.record(ev.InsuranceDeclined(seat=command.seat))
        return
    most = insurable_cents(draft.state, command.seat)
    draft.record(
        ev.InsuranceTaken(seat=command.seat, amount_cents=command.amount_cents or most)
    )


def act(draft: Draft, hand: Hand, button: Button) -> None:
    """Let a hand do what its player chose; the cards follow (PLAY-1)."""
    if hand.choosing:
        draft.record(ev.ChoiceMade(hand=hand.id, button=button))
    elif draft.state.play.offer is not None:
        _answer_offer(draft, hand, button)
    else:
        draft.record(_action(hand, button))


def _answer_offer(draft: Draft, hand: Hand, button: Button) -> None:
    """HIT accepts the offered card, PASS refuses it and every other (IRR-8)."""
    offer = draft.state.play.offer
    assert offer is not None
    if button is Button.PASS:
        draft.record(ev.OfferRefused(hand=hand.id))
        return
    draft.record(ev.OfferAccepted(hand=hand.id))
    draft.record(ev.CardDealt(number=offer.number, hand=hand.id, card=offer.card))


def _action(hand: Hand, button: Button) -> ev.Event:
    wager, name = hand.wager_cents, HandId(hand.id)
    match button:
        case Button.HIT:
            return ev.CardAsked(hand=name)
        case Button.DOUBLE:
            return ev.HandDoubled(hand=name, wager_cents=2 * wager)
        case Button.SPLIT:
            return ev.HandSplit(hand=name, wager_cents=wager)
        case Button.SURRENDER:
            return ev.HandSurrendered(hand=name)
        case _:
            return ev.HandStood(hand=name)


# --- The dealer's entry for a lost panel (PLAY-4) ------------------------------


def clarify(draft: Draft, command: ClarifyChoice) -> Refusal | None:
    """Let the dealer enter a choice by leave; return why not otherwise."""
    pressed = PressButton(
        seat=command.seat,
        button=command.button,
        prompt=draft.state.prompts[command.seat].number,
    )
    refusal = _clarify_reason(draft.state, pressed)
    if refusal is not None:
        return refusal
    _accept(draft, pressed, by_dealer=True)
    return None


def _clarify_reason(state: TableState, pressed: PressButton) -> Refusal | None:
    seat = state.seats[pressed.seat - 1]
    reason = _table_reason(state) or _phase_reason(state, pressed.button)
    if reason is None and not seat.panel_lost:
        reason = Reason.PANEL_NOT_LOST
    if reason is None and not seat.dealer_entry:
        reason = Reason.SUPERVISOR_REQUIRED
    if reason is not None:
        return Refusal(reason)
    return why_not(state, pressed) or _particular(state, pressed)
