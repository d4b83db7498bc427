"""Which pushed of a contact is a press, and for which prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.contacts import (
    DEBOUNCE_S,
    UP_AFTER_START_S,
    Contacts,
    Look,
    Pushed,
    Shown,
)
from drivers.panel.messages import NO_PROMPT, Button

HIT = frozenset({Button.HIT})
FIRST, SECOND = Shown(7, HIT), Shown(8, HIT)
START = 100.0
SCAN_S = 0.025
ANSWER_S = 0.004


class Hand:
    """Contacts that are looked at every 25 ms unless a test says otherwise."""

    def __init__(self) -> None:
        self.contacts = Contacts()
        self.now = START

    def look(
        self, down: int, shown: Shown = FIRST, after_s: float = SCAN_S
    ) -> list[Pushed]:
        self.now += after_s
        return self.contacts.take(Look(down, self.now, self.now + ANSWER_S, shown))


def test_a_contact_that_closes_between_two_looks_is_a_press() -> None:
    hand = Hand()
    assert hand.look(0b000) == []
    assert hand.look(0b100) == [Pushed(2, FIRST)]
    assert hand.look(0b100) == []
    assert hand.contacts.down == 0b100
    assert hand.look(0b000) == []
    assert hand.look(0b100) == [Pushed(2, FIRST)]


def test_two_contacts_that_close_together_are_two_presses() -> None:
    hand = Hand()
    hand.look(0)
    assert hand.look(0b1010) == [Pushed(1, FIRST), Pushed(3, FIRST)]


def test_a_press_is_for_what_was_lit_when_the_contact_last_was_open() -> None:
    hand = Hand()
    hand.look(0, FIRST)
    # The lamps changed after the look that saw it open: it may have been down before.
    assert hand.look(1, SECOND) == [Pushed(0, FIRST)]


def test_a_press_after_the_contact_was_up_under_the_new_lamps_is_for_those() -> None:
    hand = Hand()
    hand.look(0, FIRST)
    hand.look(0, SECOND)
    assert hand.look(1, SECOND) == [Pushed(0, SECOND)]


def test_a_button_held_while_the_lamps_change_is_no_press_for_the_new_ones() -> None:
    hand = Hand()
    hand.look(0, FIRST)
    hand.look(1, FIRST)
    assert [hand.look(1, SECOND) for _ in range(40)] == [[]] * 40
    hand.look(0, SECOND)
    assert hand.look(1, SECOND) == [Pushed(0, SECOND)]


def test_a_press_begun_in_doubt_about_the_lamps_is_for_no_prompt() -> None:
    hand = Hand()
    hand.look(0, FIRST)
    hand.contacts.doubt_lamps()
    assert hand.look(1, FIRST) == [Pushed(0, Shown(NO_PROMPT, HIT))]
    hand.look(0, FIRST)
    assert hand.look(1, FIRST) == [Pushed(0, FIRST)]


def test_a_button_that_is_down_at_the_start_is_no_press() -> None:
    hand = Hand()
    assert hand.look(1) == []
    assert hand.contacts.down == 1
    hand.look(0)
    assert hand.look(1, after_s=UP_AFTER_START_S - 0.1) == []
    hand.look(0)
    assert hand.look(1, after_s=UP_AFTER_START_S + 0.1) == [Pushed(0, FIRST)]
    hand.look(0)
    assert hand.look(1) == [Pushed(0, FIRST)]


def test_what_is_down_after_being_forgotten_is_held_not_pressed() -> None:
    hand = Hand()
    hand.look(0)
    hand.contacts.forget()
    assert hand.contacts.down == 0
    assert hand.look(1) == []
    assert hand.contacts.down == 1


@pytest.mark.parametrize("bounces", [[0], [0, 1, 0], [0, 0, 1]])
def test_a_contact_that_bounces_as_it_closes_is_one_press(bounces: list[int]) -> None:
    hand = Hand()
    hand.look(0)
    pressed = hand.look(1)
    for level in bounces:
        pressed += hand.look(level, after_s=0.005)
    for _ in range(4):
        pressed += hand.look(1)
    assert pressed == [Pushed(0, FIRST)]


@pytest.mark.parametrize("bounces", [[1], [1, 0, 1], [1, 1]])
def test_a_contact_that_bounces_as_it_opens_is_no_second_press(
    bounces: list[int],
) -> None:
    hand = Hand()
    hand.look(0)
    pressed = hand.look(1)
    hand.look(0)
    for level in bounces:
        pressed += hand.look(level, after_s=0.005)
    for _ in range(4):
        pressed += hand.look(0)
    assert pressed == [Pushed(0, FIRST)]


def test_a_press_in_the_first_moment_after_opening_is_seen_once_it_is_believed() -> (
    None
):
    hand = Hand()
    hand.look(0)
    hand.look(1)
    hand.look(0)
    assert hand.look(1, after_s=DEBOUNCE_S / 2) == []
    assert hand.look(1) == [Pushed(0, FIRST)]


LOOKS = st.lists(
    st.tuples(
        st.integers(0, 255),
        st.sampled_from([0.005, 0.024, 0.1, 1.5]),
        st.integers(0, 2),
    ),
    max_size=60,
)


@given(LOOKS)
def test_a_press_is_only_for_lamps_under_which_the_contact_was_seen_open(
    looks: list[tuple[int, float, int]],
) -> None:
    """Whatever is seen: the prompt of a press was lit at an open look before it.

    And it never counts for lamps that came on later than that look.
    """
    hand, prompt = Hand(), 1
    up_under: list[set[int]] = [set() for _ in range(8)]
    latest_open: list[int | None] = [None] * 8
    for closed, after_s, advance in looks:
        prompt += advance
        for pushed in hand.look(closed, Shown(prompt, HIT), after_s):
            number = pushed.shown.prompt_number
            assert closed >> pushed.place & 1
            assert number in up_under[pushed.place]
            assert number == latest_open[pushed.place]
        for place in range(8):
            if not closed >> place & 1:
                up_under[place].add(prompt)
                latest_open[place] = prompt
