"""A table wired to pins, without pins: edges in, presses and lamps out."""

from collections.abc import Iterable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import AcknowledgedAheadError, UnknownAddressError
from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    HeldButtonsChanged,
    HouseInput,
    HouseInputChanged,
    PinEvent,
    PressesDropped,
    PressReceived,
)
from drivers.gpio.contact import TIMING
from drivers.gpio.panel import REMEMBERED_S, PinPanel
from drivers.gpio.session import LOOK_AGAIN_S, PinSession
from drivers.gpio.wiring import Key, Line, PanelWiring, Wiring
from drivers.identity import DeviceType
from drivers.link import LinkState
from drivers.panel.messages import PRESSES_HELD_MAX, Button

BET_HIT: Final = Key(Line("a", 1), Line("a", 11), (Button.BET, Button.HIT))
STAND: Final = Key(Line("a", 2), Line("a", 12), (Button.STAND,))
DEAL: Final = Key(Line("b", 1), Line("b", 11), (Button.DEAL,))
DOOR: Final = Line("b", 2)
WIRING: Final = Wiring(
    (PanelWiring(0, (DEAL,)), PanelWiring(1, (BET_HIT, STAND))),
    {HouseInput.DOOR: DOOR},
    table_lamp=Line("b", 12),
    shoe_gate=Line("b", 13),
)
SEAT: Final = 1
DEALER: Final = 2
LOST_AFTER_S: Final = 2.0
OPEN: Final = dict.fromkeys(WIRING.contacts, False) | {DOOR: True}
HIT_STAND: Final = frozenset({Button.HIT, Button.STAND})


class Bench:
    """One session, whose lamps are written whenever something is to be written."""

    def __init__(
        self, levels: dict[Line, bool] | None = None, cursor: Cursor | None = None
    ) -> None:
        dealer, seat = WIRING.panels
        self.now = 10.0
        panels = (PinPanel(dealer, DEALER, None), PinPanel(seat, SEAT, cursor))
        self.session = PinSession(WIRING, panels, LOST_AFTER_S, self.now)
        self.session.set_lamps(SEAT, 1, frozenset({Button.BET}))
        self.session.connection_made(levels or OPEN, self.now)
        self.began = self.events()
        self.write(self.now)

    def write(self, at: float) -> dict[Line, bool]:
        levels = self.session.lines_to_write()
        self.session.lines_written(levels, at)
        return levels

    def show(self, number: int, lamps: Iterable[Button], at: float) -> None:
        self.session.set_lamps(SEAT, number, frozenset(lamps))
        self.write(at)

    def edge(self, key: Key, *, level: bool, at: float) -> None:
        self.session.receive_edge(key.button, level, at, at)

    def press(self, key: Key, at: float, lasts_s: float = 0.05) -> None:
        self.edge(key, level=True, at=at)
        self.edge(key, level=False, at=at + lasts_s)

    def events(self) -> list[PinEvent]:
        found = []
        while (event := self.session.next_event()) is not None:
            found.append(event)
        return found

    def until(self, now: float) -> list[PinEvent]:
        self.session.handle_timer(now)
        return self.events()

    def presses(self, now: float = 1_000.0) -> list[tuple[Button, int]]:
        """Return which buttons were pressed, and for which prompt."""
        return [
            (event.press.button, event.press.prompt_number)
            for event in self.until(now)
            if isinstance(event, PressReceived)
        ]


def test_opened_lines_say_who_is_there_and_how_everything_stands() -> None:
    bench = Bench()
    kinds = [type(event) for event in bench.began]
    assert kinds[:4] == [DeviceIdentified, DeviceBack] * 2
    assert bench.began[4:] == [
        HeldButtonsChanged(DEALER, frozenset()),
        HeldButtonsChanged(SEAT, frozenset()),
        HouseInputChanged(HouseInput.DOOR, is_active=True),
    ]
    assert bench.session.state is LinkState.READY


def test_a_press_is_told_once_with_prompt_number_and_age() -> None:
    bench = Bench()
    bench.edge(BET_HIT, level=True, at=11.0)
    event = bench.until(11.0 + TIMING.press_s)[0]
    assert isinstance(event, PressReceived)
    assert (event.address, event.cursor) == (SEAT, Cursor(1, 1))
    assert (event.press.button, event.press.prompt_number) == (Button.BET, 1)
    assert event.press.age_ms == 10
    bench.edge(BET_HIT, level=False, at=12.0)
    assert bench.presses() == []


def test_a_press_after_the_lamps_is_for_their_prompt() -> None:
    bench = Bench()
    bench.show(2, HIT_STAND, at=20.0)
    bench.press(STAND, at=20.001)
    assert bench.presses() == [(Button.STAND, 2)]


def test_a_press_that_began_before_the_lamps_is_for_the_prompt_before() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=19.999)
    bench.show(2, HIT_STAND, at=20.0)
    assert bench.presses() == [(Button.STAND, 1)]


def test_a_press_in_the_very_moment_of_the_lamps_is_for_the_prompt_before() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=20.0)
    bench.show(2, HIT_STAND, at=20.0)
    assert bench.presses() == [(Button.STAND, 1)]


def test_a_press_whose_bounce_meets_the_lamps_is_as_old_as_its_first_edge() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=19.998)
    bench.edge(STAND, level=False, at=19.999)
    bench.show(2, HIT_STAND, at=20.0)
    bench.edge(STAND, level=True, at=20.001)
    assert bench.presses() == [(Button.STAND, 1)]


def test_lamps_count_once_they_are_written_and_not_when_they_are_wanted() -> None:
    bench = Bench()
    bench.session.set_lamps(SEAT, 2, HIT_STAND)
    bench.edge(STAND, level=True, at=20.0)
    bench.write(20.002)
    assert bench.presses() == [(Button.STAND, 1)]


def test_a_new_number_for_the_same_lamps_is_shown_as_well() -> None:
    bench = Bench()
    bench.show(2, HIT_STAND, at=20.0)
    bench.session.set_lamps(SEAT, 3, HIT_STAND)
    assert bench.write(21.0) == {}
    bench.press(STAND, at=21.5)
    assert bench.presses() == [(Button.STAND, 3)]


def test_a_button_with_two_meanings_has_the_one_that_is_lit() -> None:
    bench = Bench()
    bench.press(BET_HIT, at=15.0)
    assert bench.presses(16.0) == [(Button.BET, 1)]
    bench.show(2, HIT_STAND, at=20.0)
    bench.press(BET_HIT, at=21.0)
    assert bench.presses(22.0) == [(Button.HIT, 2)]
    bench.show(3, (), at=30.0)
    bench.press(BET_HIT, at=31.0)
    assert bench.presses(32.0) == [(Button.BET, 3)]


def test_a_press_older_than_every_lamp_answers_nothing() -> None:
    bench = Bench()
    bench.session.connection_lost(20.0)
    bench.session.handle_timer(30.0)
    bench.session.connection_made(OPEN, 30.0)
    bench.edge(STAND, level=True, at=30.001)
    bench.session.handle_timer(30.5)
    bench.write(30.5)
    assert bench.presses() == []
    assert bench.session.counters.strays == 1


def test_what_was_lit_is_known_for_as_long_as_a_press_may_take() -> None:
    bench = Bench()
    for number in range(2, 200):
        bench.show(number, HIT_STAND, at=20.0 + number * 0.1)
    before = 20.0 + 199 * 0.1 - REMEMBERED_S + 0.05
    bench.session.receive_edge(STAND.button, level=True, at=before, now=40.0)
    ((button, number),) = bench.presses()
    assert button is Button.STAND
    assert 20.0 + number * 0.1 < before < 20.0 + (number + 1) * 0.1


def test_lamps_are_written_where_they_differ_and_dark_ones_first() -> None:
    bench = Bench()
    assert bench.write(11.0) == {}
    bench.session.set_lamps(SEAT, 2, frozenset({Button.STAND}))
    assert list(bench.write(12.0).items()) == [
        (BET_HIT.lamp, False),
        (STAND.lamp, True),
    ]
    bench.session.set_house(table_lamp=True, gate_open=True)
    assert bench.write(13.0) == {Line("b", 12): True, Line("b", 13): True}


def test_all_lines_are_written_anew_after_the_chip_came_back() -> None:
    bench = Bench()
    bench.session.connection_lost(20.0)
    assert bench.session.lines_to_write() == {}
    bench.session.handle_timer(21.0)
    assert bench.session.wants_port
    bench.session.connection_made(OPEN, 21.0)
    assert set(bench.session.lines_to_write()) == {
        *WIRING.lamps,
        Line("b", 13),
    }


# --- Held buttons and other symptoms from the field ---------------------------------


def test_a_button_held_at_the_start_is_told_as_held_and_makes_no_press() -> None:
    bench = Bench(OPEN | {STAND.button: True})
    assert HeldButtonsChanged(SEAT, frozenset({Button.STAND})) in bench.began
    bench.edge(STAND, level=False, at=30.0)
    assert bench.until(31.0) == [HeldButtonsChanged(SEAT, frozenset())]


def test_a_held_button_reporting_nothing_is_told_as_held_all_the_same() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=11.0)
    assert HeldButtonsChanged(SEAT, frozenset({Button.STAND})) in bench.until(11.5)
    assert bench.until(60.0) == []


def test_nothing_is_held_after_the_release() -> None:
    # Where a timer of its own says what is held, it may fire after the release.
    bench = Bench()
    bench.edge(STAND, level=True, at=11.0)
    bench.edge(STAND, level=False, at=12.0)
    held = [e for e in bench.until(99.0) if isinstance(e, HeldButtonsChanged)]
    assert held == [HeldButtonsChanged(SEAT, frozenset())] or held == []
    assert bench.until(200.0) == []


def test_a_key_with_two_meanings_is_held_in_both() -> None:
    bench = Bench()
    bench.edge(BET_HIT, level=True, at=11.0)
    assert bench.until(12.0)[-1] == HeldButtonsChanged(
        SEAT, frozenset({Button.BET, Button.HIT})
    )


def test_a_lamp_flashing_a_neighbours_input_makes_no_press() -> None:
    bench = Bench()
    bench.show(2, HIT_STAND, at=20.0)
    for at in (20.0001, 20.3, 20.6):
        bench.press(BET_HIT, at=at, lasts_s=0.002)
    assert bench.presses() == []


def test_a_release_that_no_edge_told_of_is_found_by_looking() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=11.0)
    assert len(bench.presses(12.0)) == 1
    assert bench.session.wants_levels(12.0)
    bench.session.receive_levels(OPEN, 12.0)
    assert bench.until(12.1) == [HeldButtonsChanged(SEAT, frozenset())]
    assert bench.session.counters.gaps == 1


def test_an_edge_of_a_bounce_that_comes_late_makes_no_second_press() -> None:
    bench = Bench()
    bench.edge(STAND, level=True, at=11.0)
    assert len(bench.presses(11.5)) == 1
    # It bounces for a millisecond; the thread that tells of it is held up meanwhile.
    bench.edge(STAND, level=False, at=12.0)
    assert bench.session.wants_levels(12.0 + TIMING.release_s)
    down = OPEN | {STAND.button: True}
    bench.session.receive_levels(down, 12.0 + TIMING.release_s)
    bench.edge(STAND, level=True, at=12.030)
    assert bench.presses(13.0) == []


def test_a_press_that_only_a_look_shows_is_for_the_older_prompt() -> None:
    bench = Bench()
    bench.session.receive_levels(OPEN, 20.0)
    bench.show(2, HIT_STAND, at=20.1)
    bench.session.receive_levels(OPEN | {STAND.button: True}, 20.25)
    assert bench.presses() == [(Button.STAND, 1)]


def test_a_contact_that_chatters_is_held_and_makes_no_press() -> None:
    bench = Bench()
    for n in range(501):
        bench.edge(STAND, level=n % 2 == 0, at=11.0 + n * 0.004)
    events = bench.until(20.0)
    assert events == [HeldButtonsChanged(SEAT, frozenset({Button.STAND}))]
    assert bench.session.counters.errors == 1


def test_lines_are_looked_at_again_and_again() -> None:
    bench = Bench()
    assert bench.session.deadline == 10.0 + LOOK_AGAIN_S
    assert not bench.session.wants_levels(10.1)
    assert bench.session.wants_levels(10.0 + LOOK_AGAIN_S)
    bench.session.receive_levels(OPEN, 10.3)
    assert bench.session.deadline == 10.3 + LOOK_AGAIN_S


def test_a_door_is_told_once_it_has_come_to_rest() -> None:
    bench = Bench()
    for at, level in ((11.0, False), (11.004, True), (11.008, False)):
        bench.session.receive_edge(DOOR, level, at, at)
    assert bench.until(11.02) == []
    assert bench.until(12.0) == [HouseInputChanged(HouseInput.DOOR, is_active=False)]


# --- Numbers, acknowledgements, loss ------------------------------------------------


def test_numbers_begin_under_the_boot_id_after_the_journals() -> None:
    bench = Bench(cursor=Cursor(7, 812))
    bench.press(STAND, at=11.0)
    (press,) = [e for e in bench.until(12.0) if isinstance(e, PressReceived)]
    assert press.cursor == Cursor(8, 1)
    assert Bench(cursor=Cursor(0xFFFFFFFF, 1)).session.wiring is WIRING


def test_boot_ids_never_become_nothing() -> None:
    panel = PinPanel(WIRING.panels[1], SEAT, Cursor(0xFFFFFFFF, 1))
    assert panel.boot_id == 1


def test_no_more_than_four_presses_wait_and_the_others_are_counted() -> None:
    bench = Bench()
    for n in range(PRESSES_HELD_MAX + 2):
        bench.press(STAND, at=11.0 + n)
    events = bench.until(99.0)
    assert [e for e in events if isinstance(e, PressesDropped)] == [
        PressesDropped(SEAT, 1, 1),
        PressesDropped(SEAT, 1, 2),
    ]
    bench.session.acknowledge(SEAT, Cursor(1, PRESSES_HELD_MAX))
    bench.press(STAND, at=100.0)
    assert len(bench.presses()) == 1


def test_a_press_that_was_never_handed_over_cannot_be_acknowledged() -> None:
    bench = Bench()
    bench.session.acknowledge(SEAT, Cursor(99, 5))
    with pytest.raises(AcknowledgedAheadError, match="press 1 of panel 1"):
        bench.session.acknowledge(SEAT, Cursor(1, 1))
    with pytest.raises(UnknownAddressError, match="no panel is wired as 9; 1, 2 are"):
        bench.session.acknowledge(9, Cursor(1, 1))


def test_pins_that_stay_away_are_lost_panels_told_once_and_come_back() -> None:
    bench = Bench()
    bench.session.connection_lost(20.0)
    assert bench.until(21.9) == []
    lost = [DeviceLost(Device(DeviceType.PANEL, address)) for address in (DEALER, SEAT)]
    assert bench.until(20.0 + LOST_AFTER_S) == lost
    assert bench.until(30.0) == []
    bench.session.connection_made(OPEN, 30.0)
    back = [event for event in bench.events() if isinstance(event, DeviceBack)]
    assert len(back) == 2
    assert bench.session.counters.reopens == 1


def test_pins_that_were_never_there_are_lost_after_a_start_too() -> None:
    session = PinSession(WIRING, [PinPanel(WIRING.panels[1], SEAT, None)], 2.0, 10.0)
    session.connection_lost(10.0)
    session.handle_timer(12.0)
    assert session.next_event() == DeviceLost(Device(DeviceType.PANEL, SEAT))


def test_edges_of_lines_that_are_not_held_are_counted_and_nothing_else() -> None:
    bench = Bench()
    bench.session.connection_lost(20.0)
    bench.press(STAND, at=20.5)
    assert bench.presses(21.0) == []
    assert bench.session.counters.strays == 2


@given(
    st.lists(st.floats(0.0, 10.0), max_size=30),
    st.lists(st.floats(0.0, 10.0), max_size=8),
)
def test_at_most_one_press_is_made_of_one_push_and_none_is_for_a_later_prompt(
    bounces: list[float], prompts: list[float]
) -> None:
    bench = Bench()
    steps: list[tuple[float, bool | None]] = [(20.0 + at, None) for at in prompts]
    steps += [(20.0 + at, n % 2 == 0) for n, at in enumerate(sorted(bounces))]
    written, number = {1: 10.0}, 1
    firsts: list[float] = []
    for at, level in sorted(steps, key=lambda step: step[0]):
        if level is None:
            number += 1
            bench.show(number, HIT_STAND, at=at)
            written[number] = at
        else:
            firsts += [at] if level else []
            bench.edge(STAND, level=level, at=at)
    made = bench.presses()
    assert len(made) <= len(firsts)
    for _, prompt in made:
        assert any(written[prompt] < first for first in firsts)
