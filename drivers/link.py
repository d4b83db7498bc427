"""The life of one link, without I/O and without a clock.

A link is a port and the device behind it, or one address on a shared bus. The
caller passes `now` in (monotonic seconds) and reads `deadline` to learn when to come
back. Which event leads where is a table; anything else raises and changes nothing.
"""

import enum
from typing import Final, assert_never

import msgspec

from drivers.errors import IllegalLinkEventError


class LinkState(enum.Enum):
    """What we know about the far end."""

    CONNECTING = "connecting"
    IDENTIFYING = "identifying"
    READY = "ready"
    BACKOFF = "backoff"
    FAULTED = "faulted"


class LinkEvent(enum.Enum):
    """What may happen to a link."""

    OPENED = "opened"  # the port is open, the device is asked who it is
    IDENTIFIED = "identified"  # the right device answered
    MISMATCHED = "mismatched"  # another device answered
    HEARD = "heard"  # something valid came
    RESTARTED = "restarted"  # numbers of another boot id came
    LOST = "lost"  # the port failed or the device is silent
    WAITED = "waited"  # the deadline of backoff or fault passed


NEXT: Final = {
    (LinkState.CONNECTING, LinkEvent.OPENED): LinkState.IDENTIFYING,
    (LinkState.CONNECTING, LinkEvent.LOST): LinkState.BACKOFF,
    (LinkState.IDENTIFYING, LinkEvent.IDENTIFIED): LinkState.READY,
    (LinkState.IDENTIFYING, LinkEvent.MISMATCHED): LinkState.FAULTED,
    (LinkState.IDENTIFYING, LinkEvent.LOST): LinkState.BACKOFF,
    (LinkState.READY, LinkEvent.HEARD): LinkState.READY,
    (LinkState.READY, LinkEvent.RESTARTED): LinkState.IDENTIFYING,
    (LinkState.READY, LinkEvent.MISMATCHED): LinkState.FAULTED,
    (LinkState.READY, LinkEvent.LOST): LinkState.BACKOFF,
    (LinkState.BACKOFF, LinkEvent.WAITED): LinkState.CONNECTING,
    (LinkState.FAULTED, LinkEvent.LOST): LinkState.BACKOFF,
    (LinkState.FAULTED, LinkEvent.WAITED): LinkState.CONNECTING,
}


class LinkTiming(msgspec.Struct, frozen=True):
    """How patient a link is.

    `silence_s` is how long a device may say nothing; None where the caller counts
    unanswered questions instead.
    """

    silence_s: float | None = 2.0
    backoff_min_s: float = 0.5
    backoff_max_s: float = 5.0
    mismatch_retry_s: float = 2.0


class Link(msgspec.Struct, frozen=True):
    """Where a link is, until when, and how long it waits after the next loss."""

    timing: LinkTiming
    state: LinkState
    deadline: float | None
    backoff_s: float

    @property
    def is_up(self) -> bool:
        """Whether something can be sent to the far end."""
        # Asked thousands of times a second; hashing members for a set shows.
        return self.state is LinkState.READY or self.state is LinkState.IDENTIFYING

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open, or be opened now."""
        return self.is_up or self.state is LinkState.CONNECTING


def new_link(timing: LinkTiming) -> Link:
    """Return a link that wants to be opened at once."""
    return Link(timing, LinkState.CONNECTING, None, timing.backoff_min_s)


def advance(link: Link, event: LinkEvent, now: float) -> Link:
    """Return the link after an event.

    Raises:
        IllegalLinkEventError: The event cannot happen in the link's state.

    """
    state = NEXT.get((link.state, event))
    if state is None:
        raise IllegalLinkEventError(
            f"a link that is {link.state.value} cannot be {event.value}; "
            "this is a bug in the session that owns it"
        )
    deadline = _deadline(link, state, now)
    return Link(link.timing, state, deadline, _next_backoff_s(link, state))


def handle_timer(link: Link, now: float) -> Link:
    """Return the link after `now`; before its deadline nothing changes."""
    if link.deadline is None or now < link.deadline:
        return link
    return advance(link, LinkEvent.LOST if link.is_up else LinkEvent.WAITED, now)


def _deadline(link: Link, state: LinkState, now: float) -> float | None:
    timing = link.timing
    match state:
        case LinkState.CONNECTING:
            return None
        case LinkState.IDENTIFYING | LinkState.READY:
            return None if timing.silence_s is None else now + timing.silence_s
        case LinkState.BACKOFF:
            return now + link.backoff_s
        case LinkState.FAULTED:
            return now + timing.mismatch_retry_s
        case _:
            assert_never(state)


def _next_backoff_s(link: Link, state: LinkState) -> float:
    if state is LinkState.READY:
        return link.timing.backoff_min_s
    if state is LinkState.BACKOFF:
        return min(link.backoff_s * 2, link.timing.backoff_max_s)
    return link.backoff_s


class LinkCounters(msgspec.Struct):
    """What a link has seen since the program began; for health, never for the game.

    `errors` are bytes that were no frame or no message; `strays` sound frames that
    nobody waits for: late, foreign, or twice; `gaps` frames or answers that did not
    come; `resends` questions asked again; `reopens` openings after the first.
    `worst_scan_s` is the longest that a panel which remembers no press waited to be
    looked at; 0 where panels remember. `worst_answer_s` is the longest from a question
    to its answer; 0 where nothing is asked.
    """

    bytes_received: int = 0
    bytes_sent: int = 0
    frames_received: int = 0
    frames_sent: int = 0
    errors: int = 0
    strays: int = 0
    gaps: int = 0
    resends: int = 0
    reopens: int = 0
    worst_scan_s: float = 0.0
    worst_answer_s: float = 0.0

    def answered(self, after_s: float) -> None:
        """Note that an answer came so long after its question."""
        self.worst_answer_s = max(self.worst_answer_s, after_s)
