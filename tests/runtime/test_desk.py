"""Between devices and game: every event a command, every state its lamps and gate."""

import typing
from collections import Counter

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Kind, Phase, Reason
from controller.core.outputs import gate_up_to
from controller.core.state import Prompt, SeatState
from controller.runtime.desk import Desk, Input
from drivers import events as de
from drivers.framing import FrameReader
from drivers.panel.codec import from_frame
from drivers.panel.messages import Button, Poll
from drivers.shoe.messages import ShoeFlag
from tests.runtime.bench import Bench, refusals, standing_open
from tests.runtime.equipment import (
    PANEL_BOOT,
    SHOE,
    SHOE_BOOT,
    drawn,
    hardware,
    identified,
    panel,
    pressed,
    stands,
)

NOW = 1000.0


def desk(*, is_new_journal: bool = False) -> Desk:
    state = standing_open().state
    return Desk(hardware(), "a.toml", state, NOW, is_new_journal=is_new_journal)


def taken(event: de.DriverEvent, at: Desk | None = None) -> list[Input]:
    return list((at or desk()).take(event, NOW))


def phase(bench: Bench) -> Phase:
    return bench.state.phase


def waiting(bench: Bench, seat: int) -> int:
    return len(bench.panels[seat].memory.waiting)


def stuck(bench: Bench, seat: int) -> tuple[str, ...]:
    return bench.state.seats[seat - 1].stuck


# --- From devices -----------------------------------------------------------------

REMARK = de.ShoeRemarked(de.ShoeCursor(SHOE_BOOT, 9, 5), de.Remark.ALARM, "E5")
GAP = de.ShoeGapFound(de.ShoeCursor(SHOE_BOOT, 9, 5), 3, 2, 3, b"")


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (pressed(2, Button.HIT), cm.PressButton),
        (pressed(0, Button.DEAL), cm.PressDealerButton),
        (drawn("Th"), cm.ReportCard),
        (GAP, cm.ReportGap),
        (stands(ShoeFlag.JAMMED), cm.ReportShoeState),
        (REMARK, cm.ReportRemark),
        (
            de.HouseInputChanged(de.HouseInput.DOOR, is_active=False),
            cm.ReportHouseInput,
        ),
        (de.DeviceLost(panel(2)), cm.ReportPanel),
        (de.DeviceBack(SHOE), cm.ReportShoe),
        (de.HostBehind(panel(2), PANEL_BOOT, 20, 16), cm.ReportFault),
    ],
)
def test_an_event_that_matters_to_the_game_is_a_command(
    event: de.DriverEvent, command: type[cm.Command]
) -> None:
    (one,) = taken(event)
    assert type(one.command) is command
    waits_for_it = de.PressReceived | de.ShoeEventReceived | de.ShoeGapFound
    assert (one.acknowledge is not None) is isinstance(event, waits_for_it)


@pytest.mark.parametrize(
    "event",
    [
        identified(2),
        de.HeldButtonsChanged(12, frozenset({Button.HIT})),
        de.PressesDropped(12, PANEL_BOOT, 3),
        de.DeviceMismatched(panel(2), "panel 12 answered as panel 5"),
    ],
)
def test_an_event_of_the_desk_alone_asks_nothing_at_once(event: de.DriverEvent) -> None:
    assert taken(event) == []


def test_no_event_of_a_driver_is_without_a_meaning() -> None:
    here = desk()
    kinds: set[type] = {de.ShoeGapFound, de.ShoeEventReceived, de.ShoeStateChanged}
    kinds |= {de.DeviceIdentified, de.DeviceMismatched, de.DeviceLost, de.DeviceBack}
    kinds |= {de.HostBehind, de.PressReceived, de.HeldButtonsChanged}
    kinds |= {de.PressesDropped, de.ShoeRemarked, de.HouseInputChanged}
    kinds |= {de.DeviceAnswered, de.ScanChanged}
    assert kinds == set(typing.get_args(de.DriverEvent))
    with pytest.raises(AssertionError):
        list(here.take(typing.cast("de.DriverEvent", "noise"), NOW))


def test_the_wrong_device_is_named_for_the_technician() -> None:
    here = desk()
    taken(de.DeviceMismatched(panel(2), "panel 12 answered as panel 5"), here)
    assert here.messages == ["panel 12 answered as panel 5"]


def test_a_button_that_the_panel_should_not_have_is_an_input_like_any_other() -> None:
    (one,) = taken(pressed(2, Button.DEAL))
    assert isinstance(one.command, cm.ReportStrayPress)
    assert one.acknowledge is not None


def test_an_older_journal_is_behind_a_device_that_was_told_more() -> None:
    for device in (panel(2), SHOE):
        (one,) = taken(de.HostBehind(device, PANEL_BOOT, 20, 16))
        assert isinstance(one.command, cm.ReportFault)
        assert one.command.kind is Kind.JOURNAL_BEHIND


def test_a_new_journal_adopts_a_panel_that_another_served() -> None:
    here = desk(is_new_journal=True)
    (one,) = taken(de.HostBehind(panel(2), PANEL_BOOT, 20, 0), here)
    assert one.command == cm.AdoptPanel(seat=2, boot_id=PANEL_BOOT, number=20)
    (dealer,) = taken(de.HostBehind(panel(0), PANEL_BOOT, 20, 0), here)
    assert dealer.command == cm.AdoptPanel(seat=0, boot_id=PANEL_BOOT, number=20)


def test_a_new_journal_lets_the_shoe_say_itself_how_it_stands() -> None:
    here = desk(is_new_journal=True)
    (one,) = taken(de.HostBehind(SHOE, SHOE_BOOT, 20, 0), here)
    assert one == Input(None)


# --- To devices -------------------------------------------------------------------


def test_lamps_and_gate_follow_the_state() -> None:
    bench = Bench().run()
    assert bench.panels[2].lamps == {Button.BET}
    assert bench.panels[0].lamps == {Button.CALL}
    assert bench.shoe.gate_up_to == 0
    bench.press(2, Button.BET, 2500)
    bench.run()
    assert Button.DEAL in bench.panels[0].lamps
    bench.press(0, Button.DEAL)
    bench.run()
    assert phase(bench) is Phase.DEALING
    assert bench.panels[2].lamps == frozenset()
    assert bench.shoe.gate_up_to == 4
    for card in ("9s", "8h", "7s", "6d"):
        bench.shoe.draw(card)
        bench.run()
    assert phase(bench) is Phase.PLAYING
    assert Button.HIT in bench.panels[2].lamps
    assert bench.panels[2].prompt_number == bench.state.prompts[2].number
    assert bench.shoe.gate_up_to == 0


def test_only_a_panel_whose_prompt_differs_is_hurried() -> None:
    bench = Bench().run()
    bench.desk.show(bench.state)
    due = bench.desk.bus.deadline
    assert due is not None
    assert due > bench.now
    prompts = list(bench.state.prompts)
    prompts[2] = Prompt(2, 77, ("hit",))
    bench.desk.show(replace(bench.state, prompts=tuple(prompts)))
    (frame,) = FrameReader().receive_data(bench.desk.bus.data_to_send(bench.now))
    assert frame.address == 12
    assert from_frame(frame) == Poll(
        77, frozenset({Button.HIT}), bench.panels[2].memory.boot_id, 0
    )


def test_the_gate_is_said_in_the_numbers_of_the_shoe() -> None:
    bench = Bench()
    # Another journal took forty cards of this shoe: its next one is our first.
    for _ in range(40):
        bench.shoe.draw("9s")
    bench.shoe.data_to_send(bench.now)
    bench.shoe.memory.acknowledge(bench.shoe.memory.boot_id, 40)
    bench.run()
    assert bench.state.shoe.card_offset == -40
    bench.press(1, Button.BET, 2500)
    bench.run()
    bench.press(0, Button.DEAL)
    bench.run()
    assert gate_up_to(bench.state) == 4
    assert bench.shoe.gate_up_to == 44


def test_a_table_that_starts_again_shows_the_same_lamps_and_gate() -> None:
    bench = deal_to_seat_2()
    shown = (bench.panels[2].lamps, bench.panels[2].prompt_number)
    bench.run(5.0)
    before = len(bench.records)
    bench.start()
    assert (bench.panels[2].lamps, bench.panels[2].prompt_number) == shown
    bench.run()
    assert (bench.panels[2].lamps, bench.panels[2].prompt_number) == shown
    # What is known already leads to no records: only that the shoe is back.
    kinds = [type(record) for record in bench.records[before:]]
    assert kinds == [cm.ReportShoe, ev.ShoeChanged]


def deal_to_seat_2() -> Bench:
    """Return a table at which seat 2 has 16 against a seven, and is asked."""
    bench = Bench().run()
    bench.press(2, Button.BET, 2500)
    bench.run()
    bench.press(0, Button.DEAL)
    bench.run()
    for card in ("9s", "8h", "7s", "6d"):
        bench.shoe.draw(card)
    return bench.run()


# --- Acknowledgements -------------------------------------------------------------


def test_nothing_is_acknowledged_before_it_is_committed() -> None:
    bench = deal_to_seat_2()
    bench.disk_stalls = True
    bench.press(2, Button.HIT)
    bench.shoe.open_lid()
    bench.run(3.0)
    assert waiting(bench, 2) == 1
    assert bench.shoe.memory.acknowledged_number < bench.shoe.memory.last_event
    # Whoever waits still sees the lamps: the panels are polled on.
    assert Button.HIT in bench.panels[2].lamps
    bench.disk_stalls = False
    bench.run()
    assert waiting(bench, 2) == 0
    assert bench.shoe.memory.acknowledged_number == bench.shoe.memory.last_event
    assert bench.panels[2].lamps == frozenset()


def test_an_unknown_button_does_not_stop_the_presses_behind_it() -> None:
    bench = deal_to_seat_2()
    bench.panels[2].buttons = frozenset(Button)
    bench.press(2, Button.DEAL)
    bench.press(2, Button.STAND)
    bench.run()
    assert waiting(bench, 2) == 0
    assert len(bench.happened(ev.HandStood)) == 1


def test_a_press_at_a_dark_panel_of_the_dealer_answers_no_prompt() -> None:
    bench = Bench().run()
    bench.press(2, Button.BET, 2500)
    bench.run()
    bench.panels[0].reboot()
    bench.press(0, Button.DEAL)
    bench.run()
    assert phase(bench) is Phase.BETTING
    (refused,) = bench.happened(ev.CommandRefused)
    assert isinstance(refused, ev.CommandRefused)
    assert refused.reason is Reason.STALE_PRESS
    bench.press(0, Button.DEAL)
    bench.run()
    assert phase(bench) is Phase.DEALING


def test_a_gap_of_the_shoe_stops_the_table_and_is_acknowledged() -> None:
    bench = deal_to_seat_2()
    bench.press(2, Button.HIT)
    bench.run()
    bench.shoe.draw_lost(1)
    bench.run(3.0)
    assert bench.state.suspended
    found = bench.state.irregularities[0]
    assert found.kind is Kind.SHOE_POSITION_UNKNOWN
    assert bench.shoe.memory.acknowledged_number == bench.shoe.memory.last_event


# --- A shoe that starts anew ------------------------------------------------------


def test_a_shoe_that_starts_anew_between_rounds_is_adopted() -> None:
    bench = Bench().run()
    bench.shoe.lose()
    bench.shoe.come_back()
    bench.run()
    assert not bench.state.suspended
    assert bench.state.shoe.boot_id == bench.shoe.memory.boot_id


def test_a_shoe_that_starts_anew_in_a_round_is_at_an_unknown_position() -> None:
    bench = deal_to_seat_2()
    bench.shoe.lose()
    bench.shoe.come_back()
    bench.run()
    (found,) = bench.state.irregularities
    assert found.kind is Kind.SHOE_POSITION_UNKNOWN
    assert bench.shoe.gate_up_to == 0


def test_a_card_in_the_same_read_as_its_shoes_first_words_is_not_lost() -> None:
    bench = Bench()
    bench.press(1, Button.BET, 2500)
    bench.run(0.0)
    bench.shoe.draw("9s")
    bench.run(3.0)
    assert bench.state.shoe.last_card == 1
    assert bench.shoe.memory.acknowledged_number == 1


def test_a_card_drawn_right_after_a_shoe_came_back_is_not_lost() -> None:
    """The line stalls: identity, state and card arrive in one read."""
    bench = Bench().run()
    bench.shoe.lose()
    bench.shoe.come_back()
    bench.desk.shoe.handle_timer(bench.now)
    bench.desk.shoe.receive_data(_burst(bench), bench.now)
    bench.run(2.0)
    drawn_in_error = bench.happened(ev.CardDrawnInError)
    assert len(drawn_in_error) == 1
    assert bench.state.shoe.last_card == 1


def _burst(bench: Bench) -> bytes:
    """Return what the restarted shoe says until a card is drawn, as one read."""
    shoe, session, now = bench.shoe, bench.desk.shoe, bench.now
    # Its first words make the host ask who it is.
    shoe.handle_timer(now)
    session.receive_data(shoe.data_to_send(now), now)
    shoe.receive_data(session.data_to_send(now), now)
    said = shoe.data_to_send(now)
    shoe.draw("9s")
    return said + shoe.data_to_send(now)


# --- Storms, held buttons, counts -------------------------------------------------


@pytest.mark.parametrize(("seat", "button"), [(3, Button.HIT), (0, Button.PICKUP)])
def test_a_storm_of_presses_fills_no_journal_and_loses_none_that_was_taken(
    seat: int, button: Button
) -> None:
    bench = Bench().run()
    made = 0
    for _ in range(500):
        # Either is refused in BETTING.
        bench.press(seat, button)
        made += 1
        bench.run(0.01)
    bench.run(3.0)
    memory = bench.panels[seat].memory
    assert memory.pressed == made
    assert not memory.waiting
    assert len(memory.acknowledged) == refusals(bench)
    assert len(memory.acknowledged) + memory.without_room == made
    # Five seconds of storm, the seconds they began in, and four that were held.
    assert 100 <= refusals(bench) <= 124
    drops = [r.total for r in bench.records if isinstance(r, ev.PressesDropped)]
    assert drops == sorted(drops)
    assert drops[-1] == memory.without_room
    assert len(drops) <= 8


def test_no_second_of_a_storm_has_more_than_twenty_refusals() -> None:
    bench = Bench().run()
    begun, counts = bench.now, Counter[int]()
    while bench.now < begun + 4.0:
        bench.disk_stalls = int(bench.now * 50) % 3 == 0
        before = refusals(bench)
        bench.press(3, Button.HIT)
        bench.run(0.005)
        counts[int((bench.now - begun) * 1000)] += refusals(bench) - before
    moments = sorted(counts.elements())
    spans = [b - a for a, b in zip(moments, moments[20:], strict=False)]
    assert spans
    assert min(spans) >= 1000 - 5


def test_a_storm_at_one_panel_does_not_hold_up_another() -> None:
    bench = Bench().run()
    for _ in range(100):
        bench.press(3, Button.HIT)
        bench.run(0.005)
    bench.press(1, Button.BET, 2500)
    bench.run(0.3)
    assert [wager.seat for wager in bench.state.wagers] == [1]


def test_presses_that_waited_are_taken_in_their_order() -> None:
    here = desk()
    for hundredth in range(20):
        here.refused(2, NOW + hundredth / 100)
    for number in (1, 2, 3):
        assert list(here.take(pressed(2, Button.HIT, number), NOW + 0.5)) == []
    assert here.deadline == NOW + 1.0
    assert here.handle_timer(NOW + 0.9) == ()
    numbers = []
    # Each place in the second becomes free when the refusal that had it is over.
    for hundredth in range(100, 104):
        due = here.handle_timer(NOW + hundredth / 100)
        numbers += [_number(one) for one in due]
    assert numbers == [1, 2, 3]
    assert [_number(one) for one in here.take(pressed(2, Button.HIT, 4), NOW + 2)] == [
        4
    ]


def _number(one: Input) -> int:
    assert isinstance(one.command, cm.PressButton)
    return one.command.number


def test_an_ordinary_press_after_the_start_makes_no_stuck_button() -> None:
    bench = Bench().run()
    bench.panels[2].hold(Button.BET, bench.now)
    bench.run(0.3)
    bench.panels[2].release(Button.BET, bench.now)
    bench.run(2.0)
    assert bench.happened(cm.ReportStuckButton) == []
    assert [wager.seat for wager in bench.state.wagers] == [2]


def test_a_button_held_too_long_is_stuck_until_released_for_a_second() -> None:
    bench = Bench().run()
    bench.panels[2].hold(Button.HIT, bench.now)
    bench.run(11.0)
    assert stuck(bench, 2) == ("hit",)
    bench.panels[2].release(Button.HIT, bench.now)
    bench.run(0.9)
    assert stuck(bench, 2) == ("hit",)
    bench.run(0.5)
    assert stuck(bench, 2) == ()


def test_a_button_held_at_the_start_of_a_panel_is_stuck() -> None:
    bench = Bench()
    bench.panels[2].hold(Button.HIT, bench.now)
    bench.panels[2].reboot()
    bench.run()
    assert stuck(bench, 2) == ("hit",)


def test_a_button_stuck_before_a_restart_counts_again_once_it_is_up() -> None:
    standing = standing_open()
    seats = (SeatState(), SeatState(stuck=("hit",)), SeatState())
    before = replace(standing, state=replace(standing.state, seats=seats))
    bench = Bench(before, is_new_journal=False).run(3.0)
    assert stuck(bench, 2) == ()


def test_a_dropped_press_is_told_with_the_count_of_its_panel() -> None:
    bench = Bench().run()
    for _ in range(6):
        bench.press(2, Button.HIT)
    bench.run()
    (told,) = bench.happened(ev.PressesDropped)
    assert isinstance(told, ev.PressesDropped)
    assert (told.seat, told.total) == (2, 2)
