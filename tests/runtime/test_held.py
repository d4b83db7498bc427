"""Buttons that are held down say nothing until they were released for a second."""

from controller.runtime.held import HELD_TOO_LONG_S, HeldButtons, StuckChange

HIT = frozenset({"hit"})
BOTH = frozenset({"hit", "stand"})
NONE = frozenset[str]()
STUCK = StuckChange(3, "hit", stuck=True)
COUNTS_AGAIN = StuckChange(3, "hit", stuck=False)


def test_a_short_press_is_no_held_button() -> None:
    held = HeldButtons()
    held.report(3, HIT, 100.0)
    assert held.deadline == 100.0 + HELD_TOO_LONG_S
    held.report(3, NONE, 100.2)
    assert held.deadline == 100.2
    assert held.handle_timer(100.2) == ()
    assert held.deadline is None


def test_a_button_held_for_too_long_is_stuck_once() -> None:
    held = HeldButtons()
    held.report(3, HIT, 100.0)
    assert held.handle_timer(109.9) == ()
    assert held.handle_timer(110.0) == (STUCK,)
    held.report(3, HIT, 111.0)
    assert held.deadline is None
    assert held.handle_timer(200.0) == ()


def test_a_button_held_at_the_start_of_its_panel_is_stuck_at_once() -> None:
    held = HeldButtons()
    held.panel_started(3)
    held.report(3, HIT, 100.0)
    assert held.deadline == 100.0
    assert held.handle_timer(100.0) == (STUCK,)


def test_a_button_pressed_after_a_start_with_none_held_is_an_ordinary_one() -> None:
    held = HeldButtons()
    held.panel_started(3)
    held.report(3, NONE, 100.0)
    held.report(3, HIT, 101.0)
    assert held.handle_timer(101.0) == ()
    assert held.deadline == 101.0 + HELD_TOO_LONG_S


def test_the_start_of_one_panel_says_nothing_of_another() -> None:
    held = HeldButtons()
    held.panel_started(4)
    held.report(3, HIT, 100.0)
    assert held.handle_timer(100.0) == ()


def test_a_stuck_button_counts_again_once_it_was_released_for_a_second() -> None:
    held = HeldButtons()
    held.report(3, HIT, 100.0)
    held.handle_timer(110.0)
    held.report(3, NONE, 120.0)
    assert held.deadline == 121.0
    assert held.handle_timer(120.9) == ()
    assert held.handle_timer(121.0) == (COUNTS_AGAIN,)
    assert held.deadline is None


def test_a_stuck_button_that_bounces_stays_stuck() -> None:
    held = HeldButtons()
    held.report(3, HIT, 100.0)
    held.handle_timer(110.0)
    for at in (120.0, 120.6, 121.2):
        held.report(3, NONE, at)
        held.report(3, HIT, at + 0.5)
    assert held.handle_timer(122.5) == ()
    held.report(3, NONE, 123.0)
    # The second counts from the release, however often it is told.
    held.report(3, NONE, 123.9)
    assert held.handle_timer(124.0) == (COUNTS_AGAIN,)


def test_a_button_stuck_before_a_restart_counts_again_like_any_other() -> None:
    held = HeldButtons([(3, "hit")], 100.0)
    assert held.deadline is None
    held.panel_started(3)
    held.report(3, NONE, 100.5)
    assert held.handle_timer(101.5) == (COUNTS_AGAIN,)


def test_a_button_stuck_before_a_restart_and_still_down_is_told_once() -> None:
    held = HeldButtons([(3, "hit")], 100.0)
    held.panel_started(3)
    held.report(3, BOTH, 100.5)
    assert held.handle_timer(100.5) == (StuckChange(3, "stand", stuck=True),)


def test_each_button_of_each_seat_has_its_own_time() -> None:
    held = HeldButtons()
    held.report(3, HIT, 100.0)
    held.report(5, HIT, 102.0)
    held.report(3, BOTH, 104.0)
    assert held.deadline == 110.0
    assert held.handle_timer(114.0) == (
        STUCK,
        StuckChange(5, "hit", stuck=True),
        StuckChange(3, "stand", stuck=True),
    )
