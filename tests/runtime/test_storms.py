"""A storm of refused presses waits; a count of dropped ones is told once a second."""

import itertools

from controller.runtime.storms import REFUSALS_MAX, WINDOW_S, OnceASecond, Storms

REFUSALS_A_SECOND = 20


def test_a_seat_that_is_not_refused_never_waits() -> None:
    storms = Storms()
    assert storms.over_at(3) == 0.0
    for tenth in range(REFUSALS_A_SECOND - 1):
        storms.refuse(3, 100.0 + tenth / 100)
    assert storms.over_at(3) == 0.0


def test_after_twenty_refusals_the_next_press_waits_until_the_second_is_over() -> None:
    storms = Storms()
    for hundredth in range(REFUSALS_A_SECOND):
        storms.refuse(3, 100.0 + hundredth / 100)
    assert storms.over_at(3) == 101.0
    assert storms.over_at(4) == 0.0


def test_presses_that_may_still_be_refused_count_as_if_they_were() -> None:
    storms = Storms()
    for hundredth in range(REFUSALS_A_SECOND - 2):
        storms.refuse(3, 100.0 + hundredth / 100)
    assert storms.over_at(3, undecided=1) == 0.0
    assert storms.over_at(3, undecided=2) == 101.0
    # Where three might be, two refusals must be past their second.
    assert storms.over_at(3, undecided=3) == 101.01


def test_presses_that_nobody_decides_make_no_storm() -> None:
    # A table that is read-only decides none, however often its panels start anew.
    storms = Storms()
    assert storms.over_at(3, undecided=40) == 0.0
    storms.refuse(3, 100.0)
    assert storms.over_at(3, undecided=40) == 101.0


def test_in_no_second_are_there_more_than_twenty_refusals() -> None:
    storms, now, refused = Storms(), 100.0, list[float]()
    while len(refused) < 200:
        now = max(now + 0.003, storms.over_at(3))
        storms.refuse(3, now)
        refused.append(now)
    spans = (
        later - earlier
        for earlier, later in zip(refused, refused[REFUSALS_MAX:], strict=False)
    )
    assert all(span >= WINDOW_S for span in spans)
    assert REFUSALS_MAX == REFUSALS_A_SECOND


def test_the_first_count_is_told_at_once() -> None:
    drops = OnceASecond()
    drops.count(3, 2)
    assert drops.deadline == 0.0
    assert drops.due(100.0) == ((3, 2),)


def test_without_a_count_nothing_is_due() -> None:
    drops = OnceASecond()
    assert drops.deadline is None
    assert drops.due(100.0) == ()


def test_the_newest_count_is_told_once_a_second() -> None:
    drops, told = OnceASecond(), list[tuple[float, int]]()
    for total, tick in enumerate(itertools.takewhile(lambda t: t <= 30, range(99)), 1):
        now = 100.0 + tick / 10
        drops.count(3, total)
        told += [(now, count) for _, count in drops.due(now)]
    assert told == [(100.0, 1), (101.0, 11), (102.0, 21), (103.0, 31)]


def test_seats_are_counted_apart() -> None:
    drops = OnceASecond()
    drops.count(3, 5)
    assert drops.due(100.0) == ((3, 5),)
    drops.count(4, 1)
    drops.count(3, 6)
    assert drops.due(100.5) == ((4, 1),)
    assert drops.deadline == 101.0
    assert drops.due(101.0) == ((3, 6),)
