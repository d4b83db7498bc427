"""What shoe, panels and the process report: taken once, hidden until it may be seen."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Cursor
from controller.core.evolve import evolve
from controller.core.ids import Kind, Phase, Reason, ShoeRemark, ShoeSign
from controller.core.outputs import notices
from controller.core.remarks import OUT_OF_SIGHT, remark_words
from controller.core.secrets import Secrets, commitments, face_down_numbers
from tests.core.table import Table, cards, dealt, open_table, rules

SHOE_BOOT = 77


def kinds(table: Table) -> list[Kind]:
    return [found.kind for found in table.state.irregularities]


def reported(table: Table) -> cm.ReportCard:
    """Return the report of a card as it was recorded."""
    (report,) = [r for r in table.caused if isinstance(r, cm.ReportCard)]
    return report


# --- Cards -------------------------------------------------------------------------


def test_a_card_that_is_due_face_up_is_recorded_with_its_face() -> None:
    report = reported(dealt("Th"))
    assert (report.card, report.raw) == ("Th", "raw 1")
    assert (report.salt, report.commitment) == ("", "")


@pytest.mark.parametrize(
    "table", [dealt("Th 6c 9s"), open_table(), dealt("5h 6c 4d Kd")]
)
def test_a_card_that_nobody_may_see_is_recorded_without_face_salt_and_bytes(
    table: Table,
) -> None:
    after = table.card("Qh")
    report = reported(after)
    assert (report.card, report.salt, report.raw) == (UNKNOWN, "", "")
    assert report.commitment
    number = report.number
    sealed = after.secrets.of(number)
    assert sealed is not None
    assert (sealed.card, sealed.raw) == ("Qh", f"raw {number}")
    assert commitments(after.state)[number] == report.commitment
    assert number in face_down_numbers(after.state)


def test_an_unread_card_stops_the_table_until_it_is_read_again() -> None:
    table = dealt("Th ??")
    assert kinds(table) == [Kind.CARD_UNREAD]
    again = table.report("6c", 2)
    assert again.state.phase is Phase.DEALING
    assert again.state.play.dealer.cards == ("6c",)
    assert reported(again).card == "6c"
    assert table.report("??", 2).caused == ()


def test_an_unread_hole_card_that_is_read_again_stays_secret() -> None:
    table = dealt("Th 6c 9s ??")
    assert kinds(table) == [Kind.CARD_UNREAD]
    again = table.report("Kd", 4)
    assert again.state.phase is Phase.PLAYING
    assert reported(again).card == UNKNOWN
    assert again.state.play.dealer.cards == ("6c", UNKNOWN)
    assert again.secrets.of(4) is not None


def test_a_read_again_under_another_irregularity_does_not_end_that() -> None:
    table = dealt("Th ??").dealer("call").report("6c", 2)
    assert table.state.suspended
    assert kinds(table) == [Kind.CALLED]


def test_an_unread_burned_card_stops_nothing() -> None:
    table = open_table(rules(burn_after_shuffle=1)).shoe("shuffled")
    table = table.press(1, "bet", 2500).dealer("deal").card("??")
    assert kinds(table) == []
    assert table.state.play.rack[0].cards == (UNKNOWN,)


def test_a_gap_that_a_card_shows_lets_that_card_wait() -> None:
    table = dealt("Th").report("9s", 4)
    assert kinds(table) == [Kind.SHOE_POSITION_UNKNOWN]
    assert table.state.missing == (2, 3)
    assert [card.number for card in table.state.waiting] == [4]
    assert reported(table).card == UNKNOWN


def test_a_gap_that_is_known_or_tells_nothing_changes_nothing() -> None:
    table = dealt("Th 6c")
    assert table.after(cm.ReportGap(last=2)).caused == ()
    moved = table.after(cm.ReportGap(last=2, cursor=Cursor(SHOE_BOOT, 9)))
    assert moved.state.shoe.event_number == 9
    assert kinds(moved) == []
    assert moved.after(cm.ReportGap(last=2, cursor=Cursor(SHOE_BOOT, 9))).caused == ()


def test_a_gap_between_rounds_stops_the_next_deal() -> None:
    table = open_table().after(cm.ReportGap(last=2))
    assert kinds(table) == []
    assert kinds(table.press(1, "bet").dealer("deal")) == [Kind.SHOE_POSITION_UNKNOWN]
    in_round = dealt("Th").after(cm.ReportGap(last=3))
    assert kinds(in_round) == [Kind.SHOE_POSITION_UNKNOWN]


def test_the_cursor_of_the_shoe_moves_with_each_of_its_reports() -> None:
    reports: tuple[Command, ...] = (
        cm.ReportShoe(sign=ShoeSign.LID_OPEN, cursor=Cursor(SHOE_BOOT, 1)),
        cm.ReportReturn(card=Card("Th"), cursor=Cursor(SHOE_BOOT, 2)),
        cm.ReportCard(number=1, card=Card("Th"), cursor=Cursor(SHOE_BOOT, 3)),
    )
    table = open_table()
    for number, report in enumerate(reports, start=1):
        table = table.after(report)
        assert table.state.shoe.boot_id == SHOE_BOOT
        assert table.state.shoe.event_number == number


# --- A shoe that tells how it stands ------------------------------------------------


def stands(
    boot: int = SHOE_BOOT,
    next_card: int = 1,
    *,
    lid_open: bool = False,
    empty: bool = False,
) -> cm.ReportShoeState:
    return cm.ReportShoeState(
        boot_id=boot,
        event_number=5,
        next_card=next_card,
        lid_open=lid_open,
        empty=empty,
    )


def test_a_shoe_that_numbers_anew_is_adopted_between_rounds() -> None:
    table = open_table().after(stands(next_card=40))
    assert kinds(table) == []
    # The shoe's card 40 is our card 1.
    assert table.state.shoe.card_offset == -39
    assert table.state.shoe.event_number == 5
    assert table.after(stands(next_card=40)).caused == ()


def test_a_shoe_that_numbers_anew_in_a_round_was_out_of_sight() -> None:
    table = dealt("Th").after(stands())
    assert kinds(table) == [Kind.SHOE_POSITION_UNKNOWN]
    assert table.state.shoe.card_offset == 1


def test_cards_that_no_number_tells_of_are_keyed_in_their_order() -> None:
    table = dealt("Th").after(stands())
    keyed = table.decided(dc.KeyCard(Card("9c"))).decided(dc.KeyCard(Card("8d")))
    assert keyed.refused is None
    assert keyed.state.play.dealer.cards == ("9c",)
    assert keyed.hand("1").cards == ("Th", "8d")
    assert kinds(keyed) == [Kind.SHOE_POSITION_UNKNOWN]
    # The shoe's card 1 is our card 4 now.
    assert keyed.state.shoe.card_offset == 3
    resumed = keyed.decided(dc.Resume())
    assert resumed.state.phase is Phase.DEALING
    assert resumed.decided(dc.KeyCard(Card("8d"))).refused is not None


def test_a_card_keyed_unseen_for_the_hole_place_is_secret() -> None:
    keyed = dealt("Th 6c 9s").after(stands()).decided(dc.KeyCard(Card("Kd")))
    assert keyed.state.play.dealer.cards == ("6c", UNKNOWN)
    assert "Kd" not in repr(keyed.caused)
    sealed = keyed.secrets.of(4)
    assert sealed is not None
    assert sealed.card == "Kd"


def test_an_unseen_card_for_which_no_place_is_left_is_undecided() -> None:
    keyed = dealt("5h 6c 4d Kd").after(stands()).decided(dc.KeyCard(Card("9c")))
    assert kinds(keyed) == [Kind.SHOE_POSITION_UNKNOWN, Kind.CARD_DRAWN_IN_ERROR]


def test_a_shoe_that_comes_anew_between_rounds_leaves_nothing_to_key() -> None:
    table = open_table().after(stands()).dealer("call")
    assert (
        table.decided(dc.KeyCard(Card("8d"))).refused is Reason.DECISION_NOT_APPLICABLE
    )


def test_a_shoe_that_counts_anew_again_and_again_stops_the_table_once() -> None:
    table = dealt("Th").after(*(stands(boot) for boot in (77, 78, 79)))
    assert kinds(table) == [Kind.SHOE_POSITION_UNKNOWN]
    assert table.state.shoe.boot_id == 79
    resumed = table.decided(dc.Resume()).after(stands(80))
    assert kinds(resumed) == [Kind.SHOE_POSITION_UNKNOWN]


def shown_to(table: Table, to: str) -> list[str]:
    return [notice.words for notice in notices(table.state) if notice.to == to]


def test_a_shoe_that_was_out_of_sight_between_rounds_is_a_notice() -> None:
    first = open_table().after(stands())
    assert shown_to(first, "dealer") == []
    again = first.after(stands(SHOE_BOOT + 1))
    assert kinds(again) == []
    assert shown_to(again, "dealer") == [OUT_OF_SIGHT]
    closed = again.press(1, "bet").dealer("deal")
    assert shown_to(closed, "dealer") == []


# --- What a shoe that prints lines says beside cards --------------------------------


def remarked(remark: ShoeRemark, words: str = "E5") -> cm.ReportRemark:
    return cm.ReportRemark(remark=remark, words=words, cursor=Cursor(SHOE_BOOT, 8))


@pytest.mark.parametrize("remark", ShoeRemark)
def test_a_remark_of_the_shoe_between_rounds_is_a_notice(remark: ShoeRemark) -> None:
    table = open_table().after(remarked(remark))
    assert kinds(table) == []
    assert table.state.shoe.event_number == 8
    words = remark_words(remark, "E5")
    assert "E5" in words
    assert shown_to(table, "supervisor") == shown_to(table, "dealer") == [words]


@pytest.mark.parametrize("remark", ShoeRemark)
def test_an_alarm_and_an_unknown_line_in_a_round_are_shoe_faults(
    remark: ShoeRemark,
) -> None:
    table = dealt("Th").after(remarked(remark), remarked(remark))
    stops = remark in {ShoeRemark.ALARM, ShoeRemark.UNKNOWN_LINE}
    assert kinds(table) == ([Kind.SHOE_FAULT] if stops else [])
    if stops:
        resumed = table.decided(dc.Resume())
        assert resumed.state.phase is Phase.DEALING


def test_what_a_shoe_says_of_itself_is_taken_as_its_signs() -> None:
    table = open_table().after(stands(), stands(lid_open=True, empty=True))
    assert table.state.shoe.lid_open
    assert table.state.shoe.empty
    shut = table.after(stands())
    assert not shut.state.shoe.lid_open
    # Empty ends with a shuffle alone, which the shoe reports by itself.
    assert shut.state.shoe.empty


def test_a_new_shoe_in_the_same_device_goes_on_with_its_numbers() -> None:
    adopted = open_table().card("Th").after(stands(SHOE_BOOT + 1))
    assert adopted.state.shoe.card_offset == 1
    # Less would make the next card look like one that was taken before.
    assert adopted.decided(dc.NewShoe(6)).state.shoe.card_offset == 1


# --- Panels and buttons -------------------------------------------------------------


def lost(seat: int, *, is_lost: bool = True) -> cm.ReportPanel:
    return cm.ReportPanel(seat=seat, lost=is_lost)


def test_a_lost_panel_stops_the_table_in_its_turn_alone() -> None:
    table = dealt("5h 5s 6c 4d 6s Kd", (2500, 2500)).after(lost(2))
    assert kinds(table) == []
    assert kinds(table.press(1, "stand")) == [Kind.PANEL_LOST]
    assert table.after(lost(2)).caused == ()


def test_each_seat_that_must_answer_in_the_dark_is_named_once() -> None:
    table = dealt("5h 5s As 5d 6s Kd", (2500, 2500)).after(lost(1))
    assert kinds(table) == [Kind.PANEL_LOST]
    both = table.after(lost(2)).decided(dc.AllowDealerEntry(1))
    assert [found.seat for found in both.state.irregularities] == [2]
    entered = both.decided(dc.AllowDealerEntry(2))
    assert kinds(entered) == []
    assert entered.state.phase is Phase.INSURANCE


def test_the_dealers_panel_may_be_lost_without_a_stop() -> None:
    table = dealt("5h 6c 4d Kd").after(lost(0))
    assert table.state.dealer_panel.panel_lost
    assert kinds(table) == []
    assert not table.after(lost(0, is_lost=False)).state.dealer_panel.panel_lost


def test_a_button_is_noted_as_stuck_and_released_once() -> None:
    table = open_table()
    stuck = cm.ReportStuckButton(seat=2, button="hit", stuck=True)
    free = cm.ReportStuckButton(seat=2, button="hit", stuck=False)
    held = table.after(stuck)
    assert held.state.seats[1].stuck == ("hit",)
    assert held.after(stuck).types() == ["stuck_button_reported"]
    assert held.after(free).state.seats[1].stuck == ()
    assert table.after(free).types() == ["stuck_button_reported"]
    dealers = table.after(cm.ReportStuckButton(seat=0, button="deal", stuck=True))
    assert dealers.state.dealer_panel.stuck == ("deal",)


# --- The process around the core -----------------------------------------------------


def test_a_disk_that_is_nearly_full_is_told_once_and_till_there_is_room() -> None:
    nearly = cm.ReportDisk(nearly_full=True, free_bytes=10)
    roomy = cm.ReportDisk(nearly_full=False, free_bytes=10**9)
    full = open_table().after(nearly)
    assert full.state.disk_nearly_full
    assert full.after(nearly).types() == ["disk_reported"]
    assert not full.after(roomy).state.disk_nearly_full
    assert open_table().after(roomy).types() == ["disk_reported"]


def test_without_its_escrow_a_table_goes_on_with_the_faces_unread() -> None:
    table = dealt("Th 6c 9s Kd")
    robbed = Table(table.state, Secrets()).after(cm.ResumeControl())
    assert robbed.state.play.dealer.hole_unread
    lost_cards = next(r for r in robbed.caused if isinstance(r, ev.SealedCardsLost))
    assert lost_cards.numbers == (4,)
    whole = table.after(cm.ResumeControl())
    assert "sealed_cards_lost" not in whole.types()
    assert whole.state == table.state


def robbed_of_its_escrow(table: Table) -> Table:
    return Table(table.state, Secrets()).after(cm.ResumeControl())


def test_a_hole_card_that_was_lost_stays_unread_whatever_is_taken_back() -> None:
    asked = dealt("Th 6c 2s Kd").press(1, "hit").card("2h")
    after = robbed_of_its_escrow(asked).dealer("call").decided(dc.NoCard())
    assert "play_taken_back" in after.types()
    assert after.state.play.dealer.hole_unread
    drawing = after.card("3h").press(1, "stand")
    assert kinds(drawing) == [Kind.CARD_UNREAD]
    assert drawing.decided(dc.Resume()).refused is Reason.DECISION_NOT_APPLICABLE
    keyed = drawing.decided(dc.KeyCard(Card("Kd")))
    assert kinds(keyed) == []
    assert keyed.state.play.dealer.cards[1] == "Kd"


def test_a_lost_hole_card_that_lies_at_a_hand_is_unread_there() -> None:
    table = robbed_of_its_escrow(dealt("Th 6c 2s Kd")).dealer("call")
    after = table.decided(dc.DealerMissed(second=True))
    assert after.refused is None
    assert after.hand("1").cards == cards("Th 2s ??")
    assert Kind.CARD_UNREAD in kinds(after)


def test_a_keyed_hole_card_that_was_lost_is_unread_whatever_is_taken_back() -> None:
    keyed = dealt("Th 6c 2s ??").decided(dc.KeyCard(Card("Kd")))
    asked = keyed.press(1, "hit").card("2h")
    after = robbed_of_its_escrow(asked).dealer("call").decided(dc.NoCard())
    assert "play_taken_back" in after.types()
    assert after.state.play.dealer.hole_unread


def test_loose_cards_without_their_escrow_are_unread_too() -> None:
    table = open_table().card("5h").decided(dc.UseCard()).card("6h")
    robbed = Table(table.state, Secrets()).after(cm.ResumeControl())
    assert [card.unread for card in robbed.state.held] == [True]
    assert [card.unread for card in robbed.state.undecided] == [True]


def fault(
    seat: int | None = None,
    number: int = 0,
    card_number: int = 0,
    *,
    shoe: bool = False,
) -> ev.InternalFault:
    return ev.InternalFault(
        input="{}",
        error="boom",
        seat=seat,
        shoe=shoe,
        boot_id=8,
        number=number,
        card_number=card_number,
    )


def test_an_input_that_we_could_not_handle_moves_its_cursor_and_no_more() -> None:
    state = dealt("Th").state
    pressed = evolve(state, fault(seat=2, number=30))
    assert (pressed.seats[1].boot_id, pressed.seats[1].press_number) == (8, 30)
    dealers = evolve(state, fault(seat=0, number=31))
    assert dealers.dealer_panel.press_number == 31
    shoes = evolve(state, fault(shoe=True, number=4, card_number=2))
    assert (shoes.shoe.boot_id, shoes.shoe.event_number, shoes.shoe.last_card) == (
        8,
        4,
        2,
    )
    assert evolve(state, fault(seat=9)) == state
    assert evolve(state, fault()) == state


def test_a_card_that_shows_a_gap_stops_a_closed_table() -> None:
    table = open_table().after(cm.CloseShift()).report("5s", number=2)
    assert kinds(table) == [Kind.SHOE_POSITION_UNKNOWN]
    assert table.state.play_phase is Phase.CLOSED
    none_drawn = table.decided(dc.NoCard())
    assert none_drawn.state.suspended
    # All is accounted for, so the card that showed the gap is dealt: none is due.
    resumed = none_drawn.decided(dc.Resume())
    assert resumed.refused is None
    assert kinds(resumed) == [Kind.CARD_DRAWN_IN_ERROR]
    burned = resumed.decided(dc.BurnCard())
    assert burned.state.phase is Phase.CLOSED


# --- Panels -----------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "who"), [(1, "seat 1"), (0, "")])
def test_a_stray_press_is_refused_and_counted_once(seat: int, who: str) -> None:
    stray = cm.ReportStrayPress(seat=seat, button="deal", boot_id=9, number=1)
    after = open_table().after(stray)
    (refused,) = [r for r in after.caused if isinstance(r, ev.CommandRefused)]
    assert (refused.command, refused.person) == ("deal", who)
    panel = after.state.seats[0] if seat else after.state.dealer_panel
    assert (panel.boot_id, panel.press_number) == (9, 1)
    assert after.after(stray).caused == ()
