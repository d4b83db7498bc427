"""Placing a wager in the circle, and DEAL, which commits it (BET, LIMIT-*, MULTI)."""

from controller.core import events as ev
from controller.core.commands import PressButton
from controller.core.deal import deal_places
from controller.core.decide.draft import Draft, Refusal
from controller.core.ids import SEATS_MAX, Button, Kind, Phase, Reason
from controller.core.prompts import may_rebet, owners_of_spots, plays_enough_spots
from controller.core.ruleset_digest import ruleset_digest
from controller.core.shoe import must_shuffle, owed
from controller.core.state import TableState, Wager


def why_not(state: TableState, command: PressButton) -> Refusal | None:
    """Return why a press of bet, clear or rebet is refused, in BETTING."""
    seat, spot = command.seat, command.spot or command.seat
    if command.button is Button.REBET:
        return _rebet_reason(state, seat)
    if not _reaches(state, seat, spot):
        return Refusal(Reason.SIDE_WAGERS_PROHIBITED)
    owners = owners_of_spots(state)
    if owners.get(spot, seat) != seat:
        return Refusal(Reason.SPOT_TAKEN)
    clears = command.button is Button.CLEAR or (
        command.with_amount and not command.amount_cents
    )
    if clears:
        return None if spot in owners else Refusal(Reason.NO_WAGER)
    if spot not in owners and plays_enough_spots(state, owners, seat):
        return Refusal(Reason.SIDE_WAGERS_PROHIBITED)
    return None


def _rebet_reason(state: TableState, seat: int) -> Refusal | None:
    last = state.seats[seat - 1].last_wagers
    if not last:
        return Refusal(Reason.NO_PREVIOUS_WAGER)
    if len(last) > state.rules.spots_per_player_max:
        return Refusal(Reason.SIDE_WAGERS_PROHIBITED)
    if may_rebet(state, owners_of_spots(state), seat):
        return None
    return Refusal(Reason.SPOT_TAKEN)


def _reaches(state: TableState, seat: int, spot: int) -> bool:
    """Return whether a seat may play a spot: its own and its neighbours (MULTI)."""
    if not 1 <= spot <= min(state.seat_count, SEATS_MAX):
        return False
    if spot == seat:
        return True
    return abs(spot - seat) == 1 and state.rules.spots_per_player_max > 1


def _wager_on(state: TableState, spot: int) -> Wager | None:
    return next((wager for wager in state.wagers if wager.spot == spot), None)


def place(draft: Draft, command: PressButton) -> None:
    """Place, raise, clear or repeat a wager."""
    if command.button is Button.REBET:
        _repeat(draft, command.seat)
        return
    spot = command.spot or command.seat
    amount = _new_amount(draft.state, command, spot)
    draft.record(ev.WagerPlaced(seat=command.seat, spot=spot, amount_cents=amount))


def _new_amount(state: TableState, command: PressButton, spot: int) -> int:
    if command.button is Button.CLEAR:
        return 0
    if command.with_amount or command.amount_cents:
        return command.amount_cents
    lying = _wager_on(state, spot)
    return (lying.amount_cents if lying else 0) + state.rules.bet_step_cents


def _repeat(draft: Draft, seat: int) -> None:
    """Place the last round's wagers again; others of this seat are taken away."""
    last = draft.state.seats[seat - 1].last_wagers
    again = {wager.spot for wager in last}
    for wager in draft.state.wagers:
        if wager.seat == seat and wager.spot not in again:
            draft.record(ev.WagerPlaced(seat=seat, spot=wager.spot, amount_cents=0))
    for wager in last:
        draft.record(
            ev.WagerPlaced(seat=seat, spot=wager.spot, amount_cents=wager.amount_cents)
        )


# --- DEAL ----------------------------------------------------------------------


def deal(draft: Draft) -> Refusal | None:
    """Close the bets, apply the limits and list the places of the deal."""
    state = draft.state
    refusal = _deal_reason(state)
    if refusal is not None:
        return refusal
    if owed(state.shoe) or state.shoe.count_differs:
        # PICKUP-2: DEAL has to be pressed again once this is settled.
        draft.find(Kind.RECONCILIATION_MISMATCH)
        return None
    if state.missing:
        draft.find(Kind.SHOE_POSITION_UNKNOWN, number=state.shoe.last_card)
        return None
    burns = state.burns_due
    draft.record(
        ev.BetsClosed(
            round=state.round,
            wagers=state.wagers,
            ruleset_digest=ruleset_digest(state.rules),
        )
    )
    for wager in state.wagers:
        _apply_limits(draft, wager)
    hands = tuple(hand.id for hand in draft.state.play.hands if hand.ending is None)
    places = deal_places(hands, burns) if hands else ()
    draft.record(ev.DealListed(places=places))
    return None


def _deal_reason(state: TableState) -> Refusal | None:
    if state.phase is not Phase.BETTING:
        return Refusal(Reason.WRONG_PHASE)
    if state.disk_nearly_full:
        return Refusal(Reason.DISK_FULL)
    if must_shuffle(state.shoe):
        return Refusal(Reason.SHUFFLE_DUE)
    if any(seat.cash_spread for seat in state.seats):
        return Refusal(Reason.CASH_TRANSACTION_OPEN)
    if not state.wagers:
        return Refusal(Reason.NO_WAGER)
    if any(_extra_spot_too_low(state, seat) for seat in range(1, state.seat_count + 1)):
        return Refusal(Reason.EXTRA_SPOT_MINIMUM)
    return None


def _extra_spot_too_low(state: TableState, seat: int) -> bool:
    """Return whether a seat with several spots wagers too little on one (MULTI)."""
    amounts = {w.spot: w.amount_cents for w in state.wagers if w.seat == seat}
    if len(amounts) < 2:  # noqa: PLR2004 - "more than one spot"
        return False
    rules = state.rules
    least = rules.extra_spot_minimum_multiple * rules.wager_min_cents
    return seat not in amounts or min(amounts.values()) < least


def _apply_limits(draft: Draft, wager: Wager) -> None:
    rules = draft.state.rules
    if wager.amount_cents > rules.wager_max_cents:
        draft.record(
            ev.WagerReduced(
                spot=wager.spot,
                seat=wager.seat,
                honoured_cents=rules.wager_max_cents,
                returned_cents=wager.amount_cents - rules.wager_max_cents,
            )
        )
    elif wager.amount_cents < rules.wager_min_cents:
        _below_minimum(draft, wager)


def _below_minimum(draft: Draft, wager: Wager) -> None:
    """Honour it the first time; again, the hand is dead (LIMIT-MIN)."""
    if draft.state.seats[wager.seat - 1].below_minimum:
        draft.record(ev.MinimumRefused(seat=wager.seat, spot=wager.spot))
    else:
        draft.record(ev.MinimumExplained(seat=wager.seat, spot=wager.spot))


def undo_deal(draft: Draft) -> Refusal | None:
    """Reopen the bets before the first card (UNDO)."""
    state = draft.state
    if state.opening is None:
        return Refusal(Reason.WRONG_PHASE)
    if state.decided_this_round or _a_card_is_out(state):
        return Refusal(Reason.SUPERVISOR_REQUIRED)
    assert state.phase in (Phase.DEALING, Phase.SETTLED)
    draft.record(ev.DealUndone(round=state.round, wagers=state.opening.wagers))
    return None


def _a_card_is_out(state: TableState) -> bool:
    play = state.play
    burned_before = len(state.opening.early) if state.opening else 0
    return (
        bool(play.dealer.cards)
        or any(hand.cards for hand in play.hands)
        or len(play.rack) > burned_before
    )
