"""The table that a successor journal begins with (rules.md, Faults).

A journal that cannot be gone on with, or that has fallen behind its devices, leaves
a table of which only a part is sure. Its successor keeps what that part says of
people, rules, money lent and cash, and forgets what only the lost part could tell:
where the devices' numbers stand and which cards have left the shoe. The open round
is void.
"""

import msgspec
from msgspec.structs import replace

from controller.core.ids import ROUND_OPEN
from controller.core.state import (
    Insurance,
    Prompt,
    SeatState,
    Shoe,
    TableState,
    Wager,
    Wait,
    new_table,
)


class AtStake(msgspec.Struct, frozen=True):
    """What lies in the circles and goes back to its players, in cents.

    `wagers` has one entry for each hand, also for each of a split. `round` is the
    round that is void, 0 where none was open.
    """

    round: int
    wagers: tuple[Wager, ...]
    insurance: tuple[Insurance, ...]


def at_stake(state: TableState) -> AtStake:
    """Return the wagers that lie at this table."""
    if state.opening is None:
        return AtStake(0, state.wagers, ())
    hands = tuple(
        Wager(hand.spot, hand.seat, hand.wager_cents) for hand in state.play.hands
    )
    insured = tuple(answer for answer in state.play.insured if answer.amount_cents)
    return AtStake(state.round, hands, insured)


def handed_over(state: TableState, next_round: int = 1) -> TableState:
    """Return the closed table that goes on from this one.

    The shoe must be shuffled before the next deal: nobody knows for sure what left
    it. `next_round` is the least number that the next round may have.
    """
    void = state.opening is not None and state.play_phase in ROUND_OPEN
    last_card = state.shoe.last_card
    return replace(
        new_table(state.table, state.seat_count, state.rules),
        shift_number=state.shift_number,
        last_dealer=state.last_dealer,
        round=max(state.round + void, next_round),
        seats=tuple(_same_player(seat) for seat in state.seats),
        prompts=tuple(Prompt(prompt.seat, prompt.number) for prompt in state.prompts),
        wait=Wait(number=state.wait.number),
        irregularity_count=state.irregularity_count,
        shoe=Shoe(last_card=last_card, counted_after=last_card, needs_shuffle=True),
        rules_set_in_round=state.rules_set_in_round,
        disk_nearly_full=state.disk_nearly_full,
        mirror_fault=state.mirror_fault,
        enclosure_open=state.enclosure_open,
        key_switch_on=state.key_switch_on,
        computer_faults=state.computer_faults,
        usb_devices=state.usb_devices,
        usb_own=state.usb_own,
        login_failures=state.login_failures,
        software_accepted=state.software_accepted,
    )


def _same_player(seat: SeatState) -> SeatState:
    """Return what is held for and against a player, without the panel's part."""
    return replace(
        seat,
        boot_id=0,
        press_number=0,
        panel_lost=False,
        dealer_entry=False,
        stuck=(),
        refused=None,
    )
