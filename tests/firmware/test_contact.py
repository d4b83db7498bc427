"""What a contact does, and which of it is a press."""

import pytest

from firmware.panel.contact import Contact

Trace = list[tuple[int, bool]]
"""When a contact changed, in ms, and to what.

It is looked at every ms, so that it counts as steady from the first look that saw it.
"""


def presses(
    trace: Trace, until: int, *, closed_at_start: bool = False
) -> list[tuple[int, int]]:
    """Return moment and prompt of each press; the prompt shown is the time in tens."""
    contact = Contact(closed_at_start, 0)
    level = closed_at_start
    changes = dict(trace)
    made = []
    for now in range(1, until):
        level = changes.get(now, level)
        if contact.sample(level, now // 10, now):
            made.append((contact.pressed_at, contact.prompt))
    return made


def test_a_contact_that_stays_closed_for_ten_milliseconds_is_one_press() -> None:
    assert presses([(20, True), (30, False)], until=100) == []
    assert presses([(20, True), (31, False)], until=100) == [(20, 2)]


def test_a_press_has_moment_and_prompt_of_its_beginning() -> None:
    # While the ten milliseconds passed, prompt 3 went and prompt 4 came.
    assert presses([(39, True)], until=100) == [(39, 3)]


def test_bounces_at_either_end_are_no_press() -> None:
    closing = [(20, True), (22, False), (23, True), (27, False), (28, True)]
    opening = [(80, False), (82, True), (85, False), (86, True), (89, False)]
    assert presses([*closing, *opening], until=200) == [(28, 2)]


def test_a_button_that_sticks_is_pressed_once() -> None:
    assert presses([(20, True)], until=5000) == [(20, 2)]


def test_two_presses_need_ten_milliseconds_of_an_open_contact_between_them() -> None:
    assert presses([(20, True), (60, False), (70, True)], until=200) == [(20, 2)]
    assert len(presses([(20, True), (60, False), (71, True)], until=200)) == 2


@pytest.mark.parametrize(
    ("trace", "made"),
    [
        ([], []),
        ([(500, False), (1500, True)], []),
        ([(500, False), (1501, True)], [(1501, 150)]),
        # A bounce begins the second anew.
        ([(500, False), (900, True), (902, False), (1800, True)], []),
    ],
    ids=["stuck", "up too short", "up for a second", "bounced"],
)
def test_a_button_down_at_the_start_presses_after_it_was_up_for_a_second(
    trace: Trace, made: list[tuple[int, int]]
) -> None:
    assert presses(trace, until=3000, closed_at_start=True) == made


def test_a_button_down_at_the_start_shows_as_down_at_once() -> None:
    assert Contact(closed=True, now=0).down
    assert not Contact(closed=False, now=0).down
