"""The table around a round: rules, shifts, seats, prompts, cash, links, stops."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.evolve.history import without_faces
from controller.core.evolve.moves import enter, with_seat
from controller.core.ids import CashStep, Phase
from controller.core.phases import advance
from controller.core.rules import composition
from controller.core.software import Software
from controller.core.state import (
    InTestMode,
    Irregularity,
    LooseCard,
    SeatState,
    Shift,
    TableState,
    hole_number,
    new_table,
)

_LEAVE_THE_DEAL: Final = ("resume", "allow-dealer-entry")


def _unchanged(state: TableState, _event: object) -> TableState:
    return state


def _journal_opened(_state: TableState, event: ev.JournalOpened) -> TableState:
    return new_table(event.table, event.seats, event.rules)


def _power_loss_found(state: TableState, _event: ev.PowerLossFound) -> TableState:
    return replace(state, power_losses=state.power_losses + 1)


def _abrupt_end_found(state: TableState, _event: ev.AbruptEndFound) -> TableState:
    return replace(state, abrupt_ends=state.abrupt_ends + 1)


def _ruleset_set(state: TableState, event: ev.RulesetSet) -> TableState:
    """Put other rules in force; other decks need a shuffled or new shoe first."""
    same_cards = composition(state.rules) == composition(event.rules)
    shoe = replace(state.shoe, needs_shuffle=state.shoe.needs_shuffle or not same_cards)
    return replace(state, rules=event.rules, shoe=shoe, rules_set_in_round=state.round)


def _table_state(_state: TableState, event: ev.TableStateRecorded) -> TableState:
    return event.state


def _shift_opened(state: TableState, event: ev.ShiftOpened) -> TableState:
    opened = enter(state, "shift_opened")
    changed = bool(state.last_dealer) and state.last_dealer != event.dealer
    burns = state.rules.burn_at_dealer_change if changed else 0
    return replace(
        opened,
        shift=Shift(event.shift, event.dealer, event.direction),
        shift_number=event.shift,
        last_dealer=event.dealer,
        burns_due=max(state.burns_due, burns),
    )


def _shift_closed(state: TableState, _event: ev.ShiftClosed) -> TableState:
    return replace(enter(state, "shift_closed"), shift=None)


def _seat_opened(state: TableState, event: ev.SeatOpened) -> TableState:
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(seat, below_minimum=0, last_wagers=()),
    )


def _prompts_changed(state: TableState, event: ev.PromptsChanged) -> TableState:
    prompts = list(state.prompts)
    for prompt in event.prompts:
        prompts[prompt.seat] = prompt
    return replace(state, prompts=tuple(prompts))


def _press_refused(state: TableState, event: ev.PressRefused) -> TableState:
    """Keep why, for the seat's notice; what the dealer entered is none of theirs."""
    if event.by_dealer or not 1 <= event.seat <= state.seat_count:
        return state
    return with_seat(
        state, event.seat, lambda seat: replace(seat, refused=event.reason)
    )


def _press_accepted(state: TableState, event: ev.PressAccepted) -> TableState:
    if state.seats[event.seat - 1].refused is None:
        return state
    return with_seat(state, event.seat, lambda seat: replace(seat, refused=None))


def _cash_moved(state: TableState, event: ev.CashMoved) -> TableState:
    def move(seat: SeatState) -> SeatState:
        match event.step:
            case CashStep.SPREAD:
                return replace(seat, cash_spread=True)
            case CashStep.STATE:
                return replace(seat, cash_stated_cents=event.amount_cents)
            case _:
                return replace(seat, cash_chips_given=True)

    return with_seat(state, event.seat, move)


def _cash_ended(
    state: TableState, event: ev.CashDropped | ev.CashReturned
) -> TableState:
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(
            seat, cash_spread=False, cash_stated_cents=None, cash_chips_given=False
        ),
    )


def _panel_lost(state: TableState, event: ev.PanelLost) -> TableState:
    return with_seat(state, event.seat, lambda seat: replace(seat, panel_lost=True))


def _panel_back(state: TableState, event: ev.PanelBack) -> TableState:
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(seat, panel_lost=False, dealer_entry=False),
    )


def _dealer_entry_allowed(
    state: TableState, event: ev.DealerEntryAllowed
) -> TableState:
    return with_seat(state, event.seat, lambda seat: replace(seat, dealer_entry=True))


def _button_stuck(state: TableState, event: ev.ButtonStuck) -> TableState:
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(seat, stuck=(*seat.stuck, event.button)),
    )


def _button_released(state: TableState, event: ev.ButtonReleased) -> TableState:
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(
            seat, stuck=tuple(name for name in seat.stuck if name != event.button)
        ),
    )


def _disk_nearly_full(state: TableState, _event: ev.DiskNearlyFull) -> TableState:
    return replace(state, disk_nearly_full=True)


def _disk_roomy(state: TableState, _event: ev.DiskRoomy) -> TableState:
    return replace(state, disk_nearly_full=False)


def _mirror_lost(state: TableState, event: ev.MirrorLost) -> TableState:
    return replace(state, mirror_fault=event.fault)


def _mirror_back(state: TableState, _event: ev.MirrorBack) -> TableState:
    return replace(state, mirror_fault=None)


def _enclosure_opened(state: TableState, _event: ev.EnclosureOpened) -> TableState:
    return replace(state, enclosure_open=True)


def _enclosure_closed(state: TableState, _event: ev.EnclosureClosed) -> TableState:
    return replace(state, enclosure_open=False)


def _key_switch_turned(state: TableState, event: ev.KeySwitchTurned) -> TableState:
    return replace(state, key_switch_on=event.on)


def _panels_slow(state: TableState, _event: ev.PanelsSlow) -> TableState:
    return replace(state, panels_slow=True)


def _panels_timely(state: TableState, _event: ev.PanelsTimely) -> TableState:
    return replace(state, panels_slow=False)


def _sealed_cards_lost(state: TableState, event: ev.SealedCardsLost) -> TableState:
    def forget(cards: tuple[LooseCard, ...]) -> tuple[LooseCard, ...]:
        return tuple(
            replace(card, unread=card.unread or card.number in event.numbers)
            for card in cards
        )

    dealer = state.play.dealer
    hole_lost = hole_number(state.play) in event.numbers
    dealer = replace(dealer, hole_unread=dealer.hole_unread or hole_lost)
    return replace(
        state,
        play=replace(state.play, dealer=dealer),
        undecided=forget(state.undecided),
        held=forget(state.held),
        waiting=forget(state.waiting),
        history=without_faces(state.history, event.numbers),
    )


def _internal_fault(state: TableState, event: ev.InternalFault) -> TableState:
    """Move the cursor past the input, so that it cannot come again."""
    if event.shoe:
        last = max(state.shoe.last_card, event.card_number)
        shoe = replace(
            state.shoe,
            boot_id=event.boot_id,
            event_number=event.number,
            last_card=last,
        )
        face = LooseCard(event.card_number, event.commitment)
        sealed = (*state.sealed, face) if event.commitment else state.sealed
        return replace(state, shoe=shoe, sealed=sealed)
    if event.seat is None or not 0 <= event.seat <= state.seat_count:
        return state
    return with_seat(
        state,
        event.seat,
        lambda seat: replace(seat, boot_id=event.boot_id, press_number=event.number),
    )


def _test_mode_begun(state: TableState, event: ev.TestModeBegun) -> TableState:
    return replace(state, test_mode=InTestMode(event.person))


def _test_mode_ended(state: TableState, _event: ev.TestModeEnded) -> TableState:
    return replace(state, test_mode=None)


def _software_accepted(state: TableState, event: ev.SoftwareAccepted) -> TableState:
    return replace(state, software_accepted=event.software, software_found=Software())


def _irregularity_found(state: TableState, event: ev.IrregularityFound) -> TableState:
    found = Irregularity(
        event.irregularity,
        event.kind,
        event.hand,
        event.seat,
        event.number,
        event.words,
    )
    return replace(
        state,
        irregularities=(*state.irregularities, found),
        irregularity_count=event.irregularity,
    )


def _table_suspended(state: TableState, _event: ev.TableSuspended) -> TableState:
    return replace(enter(state, "table_suspended"), came_from=state.phase)


def _decision_taken(state: TableState, event: ev.DecisionTaken) -> TableState:
    """Keep that the deal is a supervisor's now, who alone may take it back (UNDO)."""
    if event.command in _LEAVE_THE_DEAL:
        return state
    return replace(state, decided_this_round=True)


def _irregularity_cleared(
    state: TableState, event: ev.IrregularityCleared
) -> TableState:
    left = tuple(
        found
        for found in state.irregularities
        if found.irregularity != event.irregularity
    )
    return replace(state, irregularities=left)


def _table_resumed(state: TableState, event: ev.TableResumed) -> TableState:
    back = advance(Phase.SUSPENDED, "table_resumed", event.phase)
    shoe = replace(state.shoe, uncounted=False)
    return replace(state, phase=back, came_from=None, shoe=shoe)


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.JournalOpened: _journal_opened,
    ev.SigningKeySet: _unchanged,
    ev.HeadSigned: _unchanged,
    ev.RulesetSet: _ruleset_set,
    ev.TableStateRecorded: _table_state,
    ev.ShiftOpened: _shift_opened,
    ev.ShiftClosed: _shift_closed,
    ev.SeatOpened: _seat_opened,
    ev.CommandRefused: _unchanged,
    ev.ControlResumed: _unchanged,
    ev.PowerLossFound: _power_loss_found,
    ev.AbruptEndFound: _abrupt_end_found,
    ev.PromptsChanged: _prompts_changed,
    ev.PressAccepted: _press_accepted,
    ev.PressRefused: _press_refused,
    ev.CashMoved: _cash_moved,
    ev.CashDropped: _cash_ended,
    ev.CashReturned: _cash_ended,
    ev.PanelLost: _panel_lost,
    ev.PanelBack: _panel_back,
    ev.DealerEntryAllowed: _dealer_entry_allowed,
    ev.ButtonStuck: _button_stuck,
    ev.ButtonReleased: _button_released,
    ev.PressesDropped: _unchanged,
    ev.ClockStepped: _unchanged,
    ev.DiskNearlyFull: _disk_nearly_full,
    ev.DiskRoomy: _disk_roomy,
    ev.MirrorLost: _mirror_lost,
    ev.MirrorBack: _mirror_back,
    ev.EnclosureOpened: _enclosure_opened,
    ev.EnclosureClosed: _enclosure_closed,
    ev.KeySwitchTurned: _key_switch_turned,
    ev.PanelsSlow: _panels_slow,
    ev.PanelsTimely: _panels_timely,
    ev.SealedCardsLost: _sealed_cards_lost,
    ev.InternalFault: _internal_fault,
    ev.TestModeBegun: _test_mode_begun,
    ev.TestModeEnded: _test_mode_ended,
    ev.SoftwareChanged: _unchanged,
    ev.SoftwareAccepted: _software_accepted,
    ev.IrregularityFound: _irregularity_found,
    ev.TableSuspended: _table_suspended,
    ev.DecisionTaken: _decision_taken,
    ev.IrregularityCleared: _irregularity_cleared,
    ev.TableResumed: _table_resumed,
}
