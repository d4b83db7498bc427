"""What drivers tell, as commands; what the core shows, as lamps and cursors."""

import typing

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.cards import UNKNOWN, Card
from controller.core.ids import Button, DealerButton, Kind, ShoeRemark, ShoeSign
from controller.core.state import SeatState, Shoe, TableState, new_table
from controller.runtime import translate
from controller.runtime.translate import Addresses
from drivers import events as de
from drivers.panel import messages as pm
from drivers.shoe import messages as sm
from tests.core.table import rules
from tests.runtime.equipment import (
    DEALER_ADDRESS,
    PANEL_BOOT,
    SEAT_ADDRESSES,
    SHOE,
    SHOE_BOOT,
    drawn,
    happened,
    panel,
    pressed,
    stands,
)

ADDRESSES = Addresses(SEAT_ADDRESSES, DEALER_ADDRESS)
CURSOR = cm.Cursor(SHOE_BOOT, 1)


def state() -> TableState:
    return new_table("BJ-01", 3, rules())


def test_seats_and_addresses_belong_to_each_other() -> None:
    for seat in range(4):
        assert ADDRESSES.seat_of(ADDRESSES.of_seat(seat)) == seat
    assert ADDRESSES.of_seat(0) == DEALER_ADDRESS
    assert ADDRESSES.of_seat(3) == 13


# --- Presses ----------------------------------------------------------------------


@pytest.mark.parametrize("button", [b for b in pm.Button if b in pm.SEAT_BUTTONS])
def test_every_button_of_a_seat_is_a_press_of_that_seat(button: pm.Button) -> None:
    assert translate.press_command(ADDRESSES, pressed(2, button, 7, 58)) == (
        cm.PressButton(
            seat=2,
            button=Button(button.value),
            prompt=58,
            boot_id=PANEL_BOOT,
            number=7,
            age_ms=12,
        )
    )


@pytest.mark.parametrize("button", [b for b in pm.Button if b in pm.DEALER_BUTTONS])
def test_every_button_of_the_dealer_is_a_press_of_the_dealer(button: pm.Button) -> None:
    assert translate.press_command(ADDRESSES, pressed(0, button, 7, 58)) == (
        cm.PressDealerButton(
            button=DealerButton(button.value), prompt=58, boot_id=PANEL_BOOT, number=7
        )
    )


def test_an_amount_and_a_spot_come_along() -> None:
    event = pressed(2, pm.Button.BET, cents=2500)
    event = replace(event, press=replace(event.press, spot=3))
    command = translate.press_command(ADDRESSES, event)
    assert isinstance(command, cm.PressButton)
    assert (command.amount_cents, command.with_amount, command.spot) == (2500, True, 3)


@pytest.mark.parametrize(("seat", "button"), [(2, pm.Button.DEAL), (0, pm.Button.HIT)])
def test_a_button_that_such_a_panel_lacks_is_a_stray_press(
    seat: int, button: pm.Button
) -> None:
    command = translate.press_command(ADDRESSES, pressed(seat, button))
    assert isinstance(command, cm.ReportStrayPress)
    assert (command.seat, command.button) == (seat, button.value)
    assert translate.panel_of(command) == seat


def test_a_press_is_of_its_panel_and_nothing_else_is() -> None:
    assert translate.panel_of(cm.PressButton(seat=2, button=Button.HIT, prompt=1)) == 2
    deal = cm.PressDealerButton(button=DealerButton.DEAL)
    assert translate.panel_of(deal) == 0
    assert translate.panel_of(cm.OpenSeat(seat=2)) is None
    assert translate.panel_of(None) is None


# --- The shoe ---------------------------------------------------------------------


def test_a_card_keeps_its_number_at_the_shoe_and_its_raw_bytes() -> None:
    assert translate.shoe_command(drawn("Th")) == cm.ReportCard(
        number=1, card=Card("Th"), raw="0102", cursor=CURSOR
    )


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (
            sm.CardUnread(1),
            cm.ReportCard(number=1, card=UNKNOWN, unread=True),
        ),
        (sm.CardReturned("Th"), cm.ReportReturn(card=Card("Th"))),
        (sm.CardReturned("??"), cm.ReportReturn(card=UNKNOWN)),
        (sm.ShuffleEnded(312), cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=312)),
        (sm.ShuffleEnded(0), cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=0)),
        (sm.ShuffleEnded(None), cm.ReportShoe(sign=ShoeSign.SHUFFLED)),
        (sm.LidOpened(), cm.ReportShoe(sign=ShoeSign.LID_OPEN)),
        (sm.LidClosed(), cm.ReportShoe(sign=ShoeSign.LID_CLOSED)),
        (sm.CutCardReached(), cm.ReportShoe(sign=ShoeSign.CUT_CARD)),
        (sm.ShoeEmptied(), cm.ReportShoe(sign=ShoeSign.EMPTY)),
        (sm.ShuffleStarted(), cm.ReportShoe(sign=ShoeSign.SHUFFLE_STARTED)),
        (sm.Jammed(), cm.ReportShoe(sign=ShoeSign.JAM)),
        (sm.JamCleared(), cm.ReportShoe(sign=ShoeSign.CLEARED)),
    ],
)
def test_every_event_of_the_shoe_is_a_command(
    event: sm.ShoeEvent, command: cm.ReportCard | cm.ReportReturn | cm.ReportShoe
) -> None:
    expected = replace(command, raw="0102", cursor=CURSOR)
    assert translate.shoe_command(happened(event)) == expected


def test_no_event_of_the_shoe_is_without_a_command() -> None:
    shown = {
        *(sm.CardDrawn, sm.CardUnread, sm.CardReturned, sm.ShuffleEnded),
        *translate._SIGNS,  # noqa: SLF001 - is the table whole?
    }
    assert shown == set(typing.get_args(sm.ShoeEvent))


def test_a_gap_names_the_last_missing_card() -> None:
    cursor = de.ShoeCursor(SHOE_BOOT, 9, 5)
    found = de.ShoeGapFound(cursor, 3, 2, 3, b"")
    assert translate.gap_command(found) == cm.ReportGap(
        last=4, cursor=cm.Cursor(SHOE_BOOT, 9)
    )


def test_a_gap_without_cards_names_the_last_card_before_it() -> None:
    found = de.ShoeGapFound(de.ShoeCursor(SHOE_BOOT, 9, 5), 3, 5, 0, b"")
    command = translate.gap_command(found)
    assert isinstance(command, cm.ReportGap)
    assert command.last == 4


@pytest.mark.parametrize("remark", de.Remark)
def test_every_remark_of_a_line_shoe_is_a_command(remark: de.Remark) -> None:
    remarked = de.ShoeRemarked(de.ShoeCursor(SHOE_BOOT, 9, 5), remark, "E5")
    assert translate.remark_command(remarked) == cm.ReportRemark(
        remark=ShoeRemark(remark.value), words="E5", cursor=cm.Cursor(SHOE_BOOT, 9)
    )


def test_how_the_shoe_stands_comes_flag_by_flag() -> None:
    flag = sm.ShoeFlag
    fields = {
        flag.LID_OPEN: "lid_open",
        flag.JAMMED: "jammed",
        flag.EMPTY: "empty",
        flag.CUT_CARD: "cut_card_out",
    }
    nothing = cm.ReportShoeState(boot_id=SHOE_BOOT, event_number=0, next_card=1)
    for one in flag:
        expected = nothing
        if one in fields:
            expected = replace(nothing, **{fields[one]: True})
        assert translate.state_command(stands(one)) == expected


def test_the_next_card_is_that_of_the_line_where_it_is_known() -> None:
    # Three cards lie before the next one of the heartbeat, still to be handed over.
    known = stands(next_card=53, cursor=de.ShoeCursor(SHOE_BOOT, 48, 50))
    command = translate.state_command(known)
    assert isinstance(command, cm.ReportShoeState)
    assert (command.event_number, command.next_card) == (48, 50)


def test_the_next_card_of_a_shoe_that_another_journal_served_is_its_own_word() -> None:
    served = stands(next_card=53, cursor=de.ShoeCursor(SHOE_BOOT, 51, None))
    command = translate.state_command(served)
    assert isinstance(command, cm.ReportShoeState)
    assert (command.event_number, command.next_card) == (51, 53)


# --- Links ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (de.DeviceLost(panel(2)), cm.ReportPanel(seat=2, lost=True)),
        (de.DeviceBack(panel(2)), cm.ReportPanel(seat=2, lost=False)),
        (de.DeviceLost(panel(0)), cm.ReportPanel(seat=0, lost=True)),
        (de.DeviceLost(SHOE), cm.ReportShoe(sign=ShoeSign.LOST)),
        (de.DeviceBack(SHOE), cm.ReportShoe(sign=ShoeSign.BACK)),
    ],
)
def test_a_device_lost_or_back_is_told_by_its_seat(
    event: de.DeviceLost | de.DeviceBack, command: cm.Command
) -> None:
    assert translate.link_command(ADDRESSES, event) == command


@pytest.mark.parametrize(
    ("device", "who"), [(panel(2), "panel 12"), (SHOE, "the shoe")]
)
def test_a_device_ahead_of_the_journal_stops_the_table_in_words(
    device: de.Device, who: str
) -> None:
    behind = de.HostBehind(device, PANEL_BOOT, acknowledged=20, taken=16)
    assert translate.behind_command(behind) == cm.ReportFault(
        kind=Kind.JOURNAL_BEHIND,
        words=f"{who} was told that 20 is taken, the journal holds 16",
    )


# --- From the core to the devices -------------------------------------------------


def test_every_button_of_the_core_has_a_lamp() -> None:
    words = tuple(button.value for button in (*Button, *DealerButton))
    assert translate.lamps_of(words) == frozenset(pm.Button)


def test_sessions_start_behind_what_was_taken() -> None:
    taken = SeatState(boot_id=PANEL_BOOT, press_number=9)
    served = replace(
        state(),
        seats=(SeatState(), taken, SeatState()),
        dealer_panel=replace(taken, press_number=4),
        shoe=Shoe(boot_id=SHOE_BOOT, event_number=70, last_card=212, card_offset=150),
    )
    assert translate.press_cursor(served, 1) is None
    assert translate.press_cursor(served, 2) == de.Cursor(PANEL_BOOT, 9)
    assert translate.press_cursor(served, 0) == de.Cursor(PANEL_BOOT, 4)
    assert translate.shoe_cursor(served) == de.ShoeCursor(SHOE_BOOT, 70, 63)


def test_a_shoe_never_met_gives_no_cursor() -> None:
    assert translate.shoe_cursor(state()) is None


def test_stuck_buttons_are_named_with_their_seat() -> None:
    stuck = replace(
        state(),
        seats=(SeatState(), SeatState(stuck=("hit", "bet")), SeatState()),
        dealer_panel=SeatState(stuck=("deal",)),
    )
    assert translate.stuck_buttons(stuck) == ((0, "deal"), (2, "hit"), (2, "bet"))
