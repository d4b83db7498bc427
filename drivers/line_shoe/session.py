"""The line from a shoe that prints what it sees, and hears nothing.

The host numbers the cards itself. Whenever a card may have passed unseen the count
begins anew under another boot id, and it is for people to say what lies on the table.
Source: docs/protocol/line-shoe.md.
"""

from collections import deque
from typing import Final, assert_never

import msgspec

from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceLost,
    LineShoeEvent,
    Remark,
    ShoeCursor,
    ShoeEventReceived,
    ShoeRemarked,
    ShoeStateChanged,
)
from drivers.identity import DeviceType
from drivers.line_shoe.codec import from_line, padded
from drivers.line_shoe.lines import Doubt, LineReader
from drivers.line_shoe.messages import (
    Alarm,
    CardNotRead,
    CardRead,
    LineMessage,
    Unknown,
    Warned,
)
from drivers.line_shoe.profiles import LineProfile
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.presence import Presence
from drivers.shoe.messages import SHOE_ADDRESS, CardDrawn, CardUnread

_DEVICE: Final = Device(DeviceType.SHOE, SHOE_ADDRESS)
_BOOT_IDS: Final = 0xFFFFFFFF
_DOUBTS: Final = frozenset({Remark.GARBLED_LINE, Remark.UNKNOWN_LINE})

_Said = tuple[Remark, str]
"""A remark and its words."""


class LineTiming(msgspec.Struct, frozen=True):
    """The times of the line, in seconds; docs/protocol/line-shoe.md.

    The shoe says nothing between cards, so silence tells nothing of the cable. `line_s`
    is how long the rest of a line may take, `remark_s` how often the same is told.
    """

    line_s: float = 1.0
    remark_s: float = 1.0
    lost_after_s: float = 3.0
    link: LinkTiming = LinkTiming(silence_s=None)


class LineShoeSession:
    """The host's side of the line; see `drivers.session.ShoeLink`."""

    def __init__(
        self,
        profile: LineProfile,
        cursor: ShoeCursor | None,
        timing: LineTiming,
        now: float,
    ) -> None:
        self._profile = profile
        self._timing = timing
        self._link = new_link(timing.link)
        self._presence = Presence(timing.lost_after_s, now)
        self._reader = LineReader(profile.line_max_bytes)
        self._counters = LinkCounters(reopens=-1)
        self._events: deque[LineShoeEvent] = deque()
        self._cursor = cursor or ShoeCursor(0, 0, None)
        self._card_number = 0
        self._line_ends_by: float | None = None
        self._told: dict[_Said, float] = {}
        self._owed: dict[_Said, None] = {}

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open; if it is not, open it now."""
        return self._link.wants_port

    @property
    def state(self) -> LinkState:
        """Where the link is; an open port is all that can be known of this shoe."""
        return self._link.state

    @property
    def is_up(self) -> bool:
        """Whether the port is open."""
        return self._link.is_up

    @property
    def counters(self) -> LinkCounters:
        """What the link has seen since the start; a frame is a line."""
        return msgspec.structs.replace(
            self._counters,
            strays=self._reader.empty_lines,
            reopens=max(self._counters.reopens, 0),
        )

    @property
    def deadline(self) -> float | None:
        """When to call `handle_timer` next at the latest."""
        owed = (self._told[said] for said in self._owed)
        times = (
            self._link.deadline,
            self._presence.deadline,
            self._line_ends_by,
            *owed,
        )
        return min((time for time in times if time is not None), default=None)

    @property
    def cursor(self) -> ShoeCursor:
        """The last event that was handed over, and the card number expected next."""
        return self._cursor

    def acknowledge(self, cursor: Cursor | ShoeCursor) -> None:
        """Do nothing: this shoe hears nothing and repeats nothing."""

    def open_gate(self, boot_id: int, up_to: int) -> None:
        """Do nothing: this shoe has no gate."""

    def connection_made(self, now: float) -> None:
        """Note that the port is open; what passed before is not known."""
        self._link = advance(self._link, LinkEvent.OPENED, now)
        # The shoe cannot be asked who it is: the profile is taken at its word.
        self._link = advance(self._link, LinkEvent.IDENTIFIED, now)
        self._forget_line()
        self._tell_owed(now)
        self._told.clear()
        self._counters.reopens += 1
        self._count_anew()
        if self._presence.came():
            self._events.append(DeviceBack(_DEVICE))

    def connection_lost(self, now: float) -> None:
        """Note that the port failed, or could not be opened."""
        if self._link.wants_port:
            self._link = advance(self._link, LinkEvent.LOST, now)
            self._presence.went(now)
            self._forget_line()

    def next_event(self) -> LineShoeEvent | None:
        """Return the oldest event that was not returned yet."""
        return self._events.popleft() if self._events else None

    def data_to_send(self, now: float) -> bytes:  # noqa: ARG002 - as every session
        """Return nothing: this shoe hears nothing."""
        return b""

    def receive_data(self, data: bytes, now: float) -> None:
        """Take in bytes from the shoe."""
        if not self._link.is_up or not data:
            return
        self._counters.bytes_received += len(data)
        self._give_up_late_line(now)
        self._receive_lines(self._reader.receive_data(data), now)
        begun = self._reader.has_begun
        self._line_ends_by = now + self._timing.line_s if begun else None

    def handle_timer(self, now: float) -> None:
        """Notice a line that does not end, and a port that does not come back."""
        self._link = handle_timer(self._link, now)
        for said in [one for one in self._owed if self._told[one] <= now]:
            self._tell(said, now)
        if self._presence.handle_timer(now):
            self._events.append(DeviceLost(_DEVICE))
        self._give_up_late_line(now)

    def _give_up_late_line(self, now: float) -> None:
        if self._line_ends_by is not None and now >= self._line_ends_by:
            self._line_ends_by = None
            self._receive_lines(self._reader.give_up(), now)

    def _forget_line(self) -> None:
        self._reader.clear()
        self._line_ends_by = None

    def _receive_lines(self, found: list[bytes | Doubt], now: float) -> None:
        for one in found:
            if isinstance(one, Doubt):
                self._counters.errors += 1
                self._remark(Remark.GARBLED_LINE, one.value, now)
            else:
                self._counters.frames_received += 1
                self._take(from_line(self._profile, one), one, now)

    def _take(self, message: LineMessage, line: bytes, now: float) -> None:
        match message:
            case CardRead(card):
                self._tell_owed(now)
                self._hand_over(CardDrawn(self._next_card(), card), line)
            case CardNotRead():
                self._tell_owed(now)
                self._hand_over(CardUnread(self._next_card()), line)
            case Alarm(code):
                self._remark(Remark.ALARM, code, now)
            case Warned(code):
                self._remark(Remark.WARNING, code, now)
            case Unknown(opening):
                # It may have told of a card, in words that we cannot read.
                self._counters.errors += 1
                self._remark(Remark.UNKNOWN_LINE, opening, now)
            case _:
                assert_never(message)

    def _next_card(self) -> int:
        self._card_number += 1
        return self._card_number

    def _hand_over(self, event: CardDrawn | CardUnread, line: bytes) -> None:
        self._told.clear()
        cursor = self._advance_cursor()
        raw = padded(self._profile, line)
        self._events.append(ShoeEventReceived(cursor, event, raw))

    def _remark(self, remark: Remark, words: str, now: float) -> None:
        """Tell what is no card, at once or when it is due.

        A cable that rattles, or a device that is no shoe, would fill the journal: the
        same words are told once in `remark_s`, unless a card comes in between. They are
        told then, since a round may have begun that they must stop.
        """
        said = (remark, words)
        if now < self._told.get(said, now):
            self._owed[said] = None
        else:
            self._tell(said, now)

    def _tell_owed(self, now: float) -> None:
        for said in list(self._owed):
            self._tell(said, now)

    def _tell(self, said: _Said, now: float) -> None:
        """Tell it; after a line that may have hidden a card, count anew."""
        remark, words = said
        self._owed.pop(said, None)
        self._told[said] = now + self._timing.remark_s
        self._events.append(ShoeRemarked(self._advance_cursor(), remark, words))
        if remark in _DOUBTS:
            self._count_anew()

    def _advance_cursor(self) -> ShoeCursor:
        boot_id, number = self._cursor.boot_id, self._cursor.number + 1
        self._cursor = ShoeCursor(boot_id, number, self._card_number + 1)
        return self._cursor

    def _count_anew(self) -> None:
        """Begin at card 1 under the next boot id; the game takes it for a shoe unseen.

        The ids count on from the journal's, so that none comes twice.
        """
        boot_id = self._cursor.boot_id % _BOOT_IDS + 1
        self._card_number = 0
        self._cursor = ShoeCursor(boot_id, 0, 1)
        self._events.append(
            ShoeStateChanged(boot_id, frozenset(), 1, self._cursor, raw=b"")
        )
