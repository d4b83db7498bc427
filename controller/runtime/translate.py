"""From what drivers tell to what the core is asked.

A driver speaks of addresses and events of devices, the core of seats and cards;
this is the only place that knows both.
"""

from typing import Final, assert_never

import msgspec

from controller.core import commands as cm
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command
from controller.core.ids import (
    DEALER_SEAT,
    Button,
    DealerButton,
    HouseInput,
    Kind,
    ShoeRemark,
    ShoeSign,
)
from controller.core.state import TableState
from drivers import events as de
from drivers.panel import messages as pm
from drivers.shoe import messages as sm


class Addresses(msgspec.Struct, frozen=True):
    """Which panel has which address on the bus."""

    seats: tuple[int, ...]
    dealer: int

    def seat_of(self, address: int) -> int:
        """Return the seat of a panel, 0 for the dealer's."""
        return DEALER_SEAT if address == self.dealer else self.seats.index(address) + 1

    def of_seat(self, seat: int) -> int:
        """Return the address of a seat's panel; seat 0 is the dealer's."""
        return self.dealer if seat == DEALER_SEAT else self.seats[seat - 1]


_DEALER_BUTTONS: Final = {button.value for button in DealerButton}


def press_command(addresses: Addresses, received: de.PressReceived) -> Command:
    """Return the command of a press, stray if such a panel has no such button."""
    seat, press = addresses.seat_of(received.address), received.press
    boot_id, number = received.cursor.boot_id, received.cursor.number
    for_dealer = press.button.value in _DEALER_BUTTONS
    if for_dealer is not (seat == DEALER_SEAT):
        return cm.ReportStrayPress(
            seat=seat, button=press.button.value, boot_id=boot_id, number=number
        )
    if for_dealer:
        return cm.PressDealerButton(
            button=DealerButton(press.button.value),
            prompt=press.prompt_number,
            boot_id=boot_id,
            number=number,
        )
    return cm.PressButton(
        seat=seat,
        button=Button(press.button.value),
        prompt=press.prompt_number,
        boot_id=boot_id,
        number=number,
        amount_cents=press.amount_cents,
        with_amount=press.amount_cents > 0,
        spot=press.spot,
        age_ms=press.age_ms,
    )


def panel_of(command: Command | None) -> int | None:
    """Return the seat of the panel that a press came from, the dealer's as 0.

    None for what is no press of a panel.
    """
    match command:
        case cm.PressButton() | cm.ReportStrayPress():
            return command.seat
        case cm.PressDealerButton():
            return DEALER_SEAT
        case _:
            return None


def shoe_command(received: de.ShoeEventReceived) -> Command:
    """Return the command of something that happened at the shoe."""
    cursor = cm.Cursor(received.cursor.boot_id, received.cursor.number)
    raw = received.raw.hex()
    match received.event:
        case sm.CardDrawn(card_number, card):
            return cm.ReportCard(
                number=card_number, card=Card(card), raw=raw, cursor=cursor
            )
        case sm.CardUnread(card_number):
            return cm.ReportCard(
                number=card_number, card=UNKNOWN, unread=True, raw=raw, cursor=cursor
            )
        case sm.CardReturned(card):
            return cm.ReportReturn(card=Card(card), raw=raw, cursor=cursor)
        case sm.ShuffleEnded(count):
            return cm.ReportShoe(
                sign=ShoeSign.SHUFFLED,
                count=-1 if count is None else count,
                raw=raw,
                cursor=cursor,
            )
        case _:
            sign = _SIGNS[type(received.event)]
            return cm.ReportShoe(sign=sign, raw=raw, cursor=cursor)


_SIGNS: Final = {
    sm.LidOpened: ShoeSign.LID_OPEN,
    sm.LidClosed: ShoeSign.LID_CLOSED,
    sm.CutCardReached: ShoeSign.CUT_CARD,
    sm.ShoeEmptied: ShoeSign.EMPTY,
    sm.ShuffleStarted: ShoeSign.SHUFFLE_STARTED,
    sm.Jammed: ShoeSign.JAM,
    sm.JamCleared: ShoeSign.CLEARED,
}


def gap_command(found: de.ShoeGapFound) -> Command:
    """Return the command of card numbers that the shoe cannot give again."""
    return cm.ReportGap(
        last=found.first_card_number + found.cards_missing - 1,
        cursor=cm.Cursor(found.cursor.boot_id, found.cursor.number),
    )


def report_command(
    event: de.ShoeRemarked
    | de.ShoeStateChanged
    | de.ScanChanged
    | de.HouseInputChanged,
) -> Command:
    """Return the command of what a driver tells and no device waits to hear of."""
    match event:
        case de.ShoeRemarked():
            return remark_command(event)
        case de.ShoeStateChanged():
            return state_command(event)
        case de.ScanChanged():
            return scan_command(event)
        case de.HouseInputChanged():
            return house_command(event)
        case _:
            assert_never(event)


def remark_command(remarked: de.ShoeRemarked) -> Command:
    """Return the command of what a shoe that prints lines says beside cards."""
    return cm.ReportRemark(
        remark=ShoeRemark(remarked.remark.value),
        words=remarked.words,
        cursor=cm.Cursor(remarked.cursor.boot_id, remarked.cursor.number),
    )


def house_command(changed: de.HouseInputChanged) -> Command:
    """Return the command of a contact of the table itself."""
    return cm.ReportHouseInput(
        house_input=HouseInput(changed.house_input.value), active=changed.is_active
    )


def state_command(changed: de.ShoeStateChanged) -> Command:
    """Return the command of how the shoe stands."""
    next_card = changed.cursor.next_card_number
    return cm.ReportShoeState(
        boot_id=changed.boot_id,
        event_number=changed.cursor.number,
        next_card=changed.next_card_number if next_card is None else next_card,
        lid_open=sm.ShoeFlag.LID_OPEN in changed.flags,
        jammed=sm.ShoeFlag.JAMMED in changed.flags,
        empty=sm.ShoeFlag.EMPTY in changed.flags,
        cut_card_out=sm.ShoeFlag.CUT_CARD in changed.flags,
    )


def link_command(addresses: Addresses, event: de.DeviceLost | de.DeviceBack) -> Command:
    """Return the command of a device that is lost, or back."""
    lost = isinstance(event, de.DeviceLost)
    if event.device.address == 0:
        return cm.ReportShoe(sign=ShoeSign.LOST if lost else ShoeSign.BACK)
    return cm.ReportPanel(seat=addresses.seat_of(event.device.address), lost=lost)


def scan_command(changed: de.ScanChanged) -> Command:
    """Return the command of panels that are looked at too seldom, or no more."""
    return cm.ReportScan(slow=changed.is_slow, scan_ms=round(changed.mean_s * 1000))


def behind_command(behind: de.HostBehind) -> Command:
    """Return the command of a device that was told more than the journal holds."""
    where = f"panel {behind.device.address}" if behind.device.address else "the shoe"
    return cm.ReportFault(
        kind=Kind.JOURNAL_BEHIND,
        words=(
            f"{where} was told that {behind.acknowledged} is taken, "
            f"the journal holds {behind.taken}"
        ),
    )


# --- From the core to the devices ------------------------------------------------


def lamps_of(buttons: tuple[str, ...]) -> frozenset[pm.Button]:
    """Return a prompt's buttons as a panel's lamps."""
    return frozenset(pm.Button(button) for button in buttons)


def press_cursor(state: TableState, seat: int) -> de.Cursor | None:
    """Return the last press taken of a panel, to start its session with."""
    panel = state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]
    return de.Cursor(panel.boot_id, panel.press_number) if panel.boot_id else None


def stuck_buttons(state: TableState) -> tuple[tuple[int, str], ...]:
    """Return the seats and buttons that count as stuck, the dealer's panel as 0."""
    panels = (state.dealer_panel, *state.seats)
    return tuple(
        (seat, button) for seat, panel in enumerate(panels) for button in panel.stuck
    )


def shoe_cursor(state: TableState) -> de.ShoeCursor | None:
    """Return the last event taken of the shoe, to start its session with."""
    shoe = state.shoe
    if not shoe.boot_id:
        return None
    next_card = shoe.last_card - shoe.card_offset + 1
    return de.ShoeCursor(shoe.boot_id, shoe.event_number, next_card)
