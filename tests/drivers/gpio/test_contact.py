"""A contact: what counts as a press, however its line bounces."""

from itertools import pairwise
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from drivers.gpio.contact import (
    TIMING,
    Contact,
    Settled,
    at_rest,
    counts_as_down,
    deadline,
    edge,
    sample,
    settle,
)

PRESS_S: Final = TIMING.press_s
RELEASE_S: Final = TIMING.release_s
LATER_S: Final = 100.0

Trace = tuple[tuple[float, bool], ...]


def changes(
    trace: Trace, looks: tuple[float, ...] = (), *, down: bool = False
) -> list[Settled]:
    """Return what came of edges, looked at when they came and at other times too."""
    contact, found = at_rest(down, 0.0), []
    steps = [(at, level) for at, level in trace] + [(at, None) for at in looks]
    for at, level in sorted(steps, key=lambda step: step[0]):
        if level is None:
            contact, settled = settle(contact, at)
        else:
            contact, settled = edge(contact, level, at)
        found += [settled] if settled else []
    contact, settled = settle(contact, LATER_S)
    return found + ([settled] if settled else [])


def pressed(since_s: float) -> Settled:
    return Settled(is_down=True, since_s=since_s, was_restless=False)


def released(since_s: float) -> Settled:
    return Settled(is_down=False, since_s=since_s, was_restless=False)


def test_a_clean_press_and_its_release_are_one_of_each() -> None:
    assert changes(((1.0, True), (1.2, False))) == [pressed(1.0), released(1.2)]


def test_a_bouncing_press_is_one_press_as_old_as_its_first_edge() -> None:
    bouncing = (
        (1.0, True),
        (1.001, False),
        (1.0015, True),
        (1.004, False),
        (1.005, True),
    )
    assert changes(bouncing) == [pressed(1.0)]


def test_a_press_counts_once_it_has_lasted_and_not_before() -> None:
    contact, _ = edge(at_rest(level=False, now=0.0), level=True, at=1.0)
    assert settle(contact, 1.0 + PRESS_S - 1e-6)[1] is None
    assert settle(contact, 1.0 + PRESS_S)[1] == pressed(1.0)
    assert deadline(contact) == 1.0 + PRESS_S


def test_debounce_drops_no_release_that_follows_a_short_press() -> None:
    # A filter that ignores changes for a while after the first loses this release.
    for lasts_s in (PRESS_S, 1.5 * PRESS_S, 5 * PRESS_S):
        trace = ((1.0, True), (1.0 + lasts_s, False))
        assert changes(trace) == [pressed(1.0), released(1.0 + lasts_s)]


def test_a_release_that_bounces_is_no_second_press() -> None:
    trace = ((1.0, True), (1.2, False), (1.203, True), (1.206, False))
    assert changes(trace) == [pressed(1.0), released(1.2)]


def test_a_pulse_shorter_than_a_press_is_nothing() -> None:
    # A lamp that is switched flashes its neighbour's line for some microseconds.
    assert changes(((1.0, True), (1.0 + PRESS_S / 2, False))) == []


def test_two_pulses_do_not_add_up_to_a_press() -> None:
    short = PRESS_S * 0.6
    trace = ((1.0, True), (1.0 + short, False), (1.5, True), (1.5 + short, False))
    assert changes(trace) == []


def test_what_is_down_at_the_start_was_not_pressed() -> None:
    assert changes((), down=True) == []
    assert changes(((5.0, False),), down=True) == [released(5.0)]


def test_a_contact_that_chatters_for_long_makes_a_press_of_unknown_age() -> None:
    chatter = tuple((1.0 + n * 0.004, n % 2 == 0) for n in range(501))
    (found,) = changes(chatter)
    assert found.is_down
    assert found.was_restless


def test_a_contact_that_never_rests_counts_as_held() -> None:
    contact = at_rest(level=False, now=0.0)
    for n in range(501):
        contact, settled = edge(contact, level=n % 2 == 0, at=1.0 + n * 0.004)
        assert settled is None
    assert not counts_as_down(contact, 1.9)
    assert counts_as_down(contact, 3.0)


def test_a_lost_release_is_found_by_looking() -> None:
    contact, _ = edge(at_rest(level=False, now=0.0), level=True, at=1.0)
    contact, _ = settle(contact, 2.0)
    contact, settled = sample(contact, level=False, known_since_s=2.9, now=3.0)
    assert settled is None
    assert settle(contact, 3.0 + RELEASE_S)[1] == released(2.9)


def test_what_a_look_contradicts_has_not_lasted() -> None:
    contact, _ = edge(at_rest(level=False, now=0.0), level=True, at=1.0)
    due_s = 1.0 + PRESS_S
    contact, settled = sample(contact, level=False, known_since_s=0.9, now=due_s)
    assert settled is None
    assert settle(contact, due_s + RELEASE_S) == (at_rest_since(contact), None)


def at_rest_since(contact: Contact) -> Contact:
    return Contact(contact.level, contact.level, contact.level_since_s)


def test_a_press_found_by_looking_may_be_as_old_as_the_last_look() -> None:
    contact, _ = sample(
        at_rest(level=False, now=0.0), level=True, known_since_s=2.0, now=2.25
    )
    assert settle(contact, 3.0)[1] == pressed(2.0)


def test_an_edge_that_comes_after_a_look_at_it_says_when_it_was() -> None:
    contact, _ = sample(
        at_rest(level=False, now=0.0), level=True, known_since_s=2.0, now=2.25
    )
    contact, _ = edge(contact, level=True, at=2.2499)
    assert settle(contact, 3.0)[1] == pressed(2.2499)


def test_an_edge_that_comes_late_makes_no_press_younger_than_the_look() -> None:
    contact, _ = sample(
        at_rest(level=False, now=0.0), level=True, known_since_s=2.0, now=2.25
    )
    contact, _ = edge(contact, level=True, at=2.255)
    assert settle(contact, 3.0)[1] == pressed(2.0)


def test_a_contact_that_came_to_rest_guesses_no_more() -> None:
    contact, _ = sample(
        at_rest(level=False, now=0.0), level=True, known_since_s=2.0, now=2.25
    )
    contact, _ = settle(contact, 3.0)
    assert not contact.is_guess


def test_a_bounce_of_a_press_found_by_looking_does_not_make_it_younger() -> None:
    contact, _ = sample(
        at_rest(level=False, now=0.0), level=True, known_since_s=2.0, now=2.25
    )
    for at, level in ((2.252, False), (2.254, True)):
        contact, _ = edge(contact, level, at)
    assert settle(contact, 3.0)[1] == pressed(2.0)


MOMENTS: Final = st.lists(
    st.floats(0.0, 3.0, allow_nan=False), max_size=40, unique=True
)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Draw the edges of one line: the level alternates, as on a wire."""
    return tuple((at, n % 2 == 0) for n, at in enumerate(sorted(draw(MOMENTS))))


@given(traces(), MOMENTS)
def test_what_counts_does_not_depend_on_when_anybody_looks(
    trace: Trace, looks: list[float]
) -> None:
    assert changes(trace, tuple(looks)) == changes(trace)


@given(traces())
def test_presses_and_releases_take_turns_and_end_where_the_line_does(
    trace: Trace,
) -> None:
    found = changes(trace)
    assert [one.is_down for one in found] == [n % 2 == 0 for n in range(len(found))]
    ends = trace[-1][1] if trace else False
    assert (found[-1].is_down if found else False) == ends


@given(traces())
def test_every_press_began_at_a_rising_edge_and_the_line_then_stayed_down(
    trace: Trace,
) -> None:
    rests = [
        (since, until)
        for (since, level), (until, _) in pairwise((*trace, (LATER_S, False)))
        if level and until - since >= PRESS_S
    ]
    for one in changes(trace):
        if one.is_down:
            assert (one.since_s, True) in trace
            assert any(since >= one.since_s for since, _ in rests)


@given(traces(), st.data())
def test_a_lost_edge_is_mended_by_the_next_look(
    trace: Trace, data: st.DataObject
) -> None:
    contact: Contact = at_rest(level=False, now=0.0)
    level = False
    for at, now_at in trace:
        level = now_at
        if not data.draw(st.booleans(), label="lost"):
            contact, _ = edge(contact, level, at)
    contact, _ = sample(contact, level, known_since_s=3.0, now=4.0)
    contact, _ = settle(contact, 5.0)
    assert contact.is_down == level
    assert deadline(contact) is None
