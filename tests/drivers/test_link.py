"""The life of a link, and when a device counts as lost."""

import pytest

from drivers.errors import IllegalLinkEventError
from drivers.link import (
    NEXT,
    Link,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.presence import Presence

TIMING = LinkTiming(
    silence_s=2.0, backoff_min_s=0.5, backoff_max_s=1.5, mismatch_retry_s=5.0
)


def after(*events: LinkEvent) -> Link:
    link = new_link(TIMING)
    for event in events:
        link = advance(link, event, now=10.0)
    return link


def test_a_new_link_wants_its_port_and_waits_for_nothing() -> None:
    link = new_link(TIMING)
    assert (link.state, link.deadline) == (LinkState.CONNECTING, None)
    assert link.wants_port
    assert not link.is_up


def test_silence_backs_off_longer_each_time_and_tries_again() -> None:
    link = after(LinkEvent.OPENED)
    waits = []
    for _ in range(4):
        link = handle_timer(link, now=12.0)
        assert link.state is LinkState.BACKOFF
        assert not link.wants_port
        assert link.deadline is not None
        waits.append(link.deadline - 12.0)
        link = handle_timer(link, link.deadline)
        assert link.state is LinkState.CONNECTING
        link = advance(link, LinkEvent.OPENED, now=10.0)
    assert waits == [0.5, 1.0, 1.5, 1.5]


def test_before_its_deadline_nothing_changes() -> None:
    link = after(LinkEvent.OPENED)
    assert handle_timer(link, now=11.9) == link
    assert handle_timer(new_link(TIMING), now=1e9) == new_link(TIMING)


def test_a_device_that_speaks_is_given_more_time_and_a_fresh_start() -> None:
    link = after(LinkEvent.OPENED, LinkEvent.LOST, LinkEvent.WAITED, LinkEvent.OPENED)
    assert link.backoff_s == 1.0
    link = advance(link, LinkEvent.IDENTIFIED, now=11.0)
    assert (link.backoff_s, link.deadline) == (0.5, 13.0)
    assert advance(link, LinkEvent.HEARD, now=12.0).deadline == 14.0


def test_a_wrong_device_is_asked_again_much_later() -> None:
    link = after(LinkEvent.OPENED, LinkEvent.MISMATCHED)
    assert (link.state, link.deadline) == (LinkState.FAULTED, 15.0)
    assert handle_timer(link, now=15.0).state is LinkState.CONNECTING


def test_without_a_limit_of_silence_a_link_waits_for_ever() -> None:
    link = advance(new_link(LinkTiming(silence_s=None)), LinkEvent.OPENED, now=10.0)
    assert link.deadline is None


@pytest.mark.parametrize("state", LinkState)
@pytest.mark.parametrize("event", LinkEvent)
def test_what_the_table_does_not_allow_raises_and_changes_nothing(
    state: LinkState, event: LinkEvent
) -> None:
    link = Link(TIMING, state, None, 0.5)
    if (state, event) in NEXT:
        assert advance(link, event, now=0.0).state is NEXT[state, event]
    else:
        with pytest.raises(IllegalLinkEventError, match=event.value):
            advance(link, event, now=0.0)


def test_every_state_can_be_left_and_reached() -> None:
    assert {state for state, _ in NEXT} == set(LinkState)
    assert set(NEXT.values()) == set(LinkState)


def test_a_device_that_never_comes_counts_as_lost_once() -> None:
    presence = Presence(lost_after_s=3.0, now=10.0)
    assert presence.deadline == 13.0
    assert not presence.handle_timer(12.9)
    assert presence.handle_timer(13.0)
    assert not presence.handle_timer(99.0)


def test_a_lost_device_needs_no_further_attention() -> None:
    presence = Presence(lost_after_s=3.0, now=10.0)
    presence.handle_timer(13.0)
    assert presence.deadline is None


def test_a_device_that_comes_the_first_time_is_news() -> None:
    presence = Presence(lost_after_s=3.0, now=10.0)
    assert presence.came()
    assert presence.deadline is None
    assert not presence.handle_timer(99.0)


def test_a_device_that_is_away_for_a_moment_is_no_news() -> None:
    presence = Presence(lost_after_s=3.0, now=10.0)
    presence.came()
    presence.went(20.0)
    presence.went(22.0)
    assert presence.deadline == 23.0
    assert not presence.came()


def test_a_lost_device_that_comes_back_is_news() -> None:
    presence = Presence(lost_after_s=3.0, now=10.0)
    presence.came()
    presence.went(20.0)
    assert presence.handle_timer(23.0)
    assert presence.came()
