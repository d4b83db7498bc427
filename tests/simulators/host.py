"""The smallest host that keeps its word: sessions, a journal, one batch in flight.

It stands in for the controller, which simulated devices may not know: what it has
committed survives a power cut, everything else does not.
"""

import enum
from collections.abc import Callable, Iterator
from typing import ClassVar

import msgspec

from drivers.bus import BusTiming
from drivers.events import (
    Cursor,
    DriverEvent,
    PressReceived,
    ShoeCursor,
    ShoeEventReceived,
    ShoeGapFound,
)
from drivers.identity import ROLE_DEALER, DeviceType, Expected
from drivers.panel.messages import Button, Press
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig
from drivers.session import Session
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from simulators.devices.memory_port import HostEnd, MemoryCable, UnpluggedError

DEALER_ADDRESS = 32
ROLES = {1: 1, 2: 2, DEALER_ADDRESS: ROLE_DEALER}
LIT = {
    1: frozenset({Button.HIT, Button.STAND}),
    2: frozenset({Button.BET, Button.CLEAR}),
    DEALER_ADDRESS: frozenset({Button.DEAL, Button.NEXT}),
}
COMMIT_S = 0.04
GATE_AHEAD = 3

Input = PressReceived | ShoeEventReceived | ShoeGapFound


class Moment(enum.Enum):
    """The places at which the power may fail."""

    HEARD = "bytes were read"
    HANDED_OVER = "an event was taken from a session"
    COMMITTED = "the batch is on disk, nothing is acknowledged"
    ACKNOWLEDGED = "a session was told, nothing is sent"
    SENT = "bytes were written"


class PowerCutError(Exception):
    """The host loses its power now."""


class TakenPress(msgspec.Struct, frozen=True):
    """A press that was decided; `accepted_for` is the prompt it answered, 0 if none."""

    address: int
    cursor: Cursor
    press: Press
    accepted_for: int


class Journal:
    """What is on disk."""

    def __init__(self) -> None:
        self.presses: list[TakenPress] = []
        self.shoe: list[ShoeEventReceived | ShoeGapFound] = []
        self.cursors: dict[int, Cursor] = {}
        self.shoe_cursor: ShoeCursor | None = None
        self.prompts = dict.fromkeys(ROLES, 1)

    def take(self, taken: Input) -> None:
        """Decide one input and keep it."""
        match taken:
            case PressReceived(address, cursor, press):
                prompt = self.answered_prompt(address, press)
                self.presses.append(TakenPress(address, cursor, press, prompt))
                self.cursors[address] = cursor
                if prompt:
                    self.prompts[address] += 1
            case ShoeEventReceived() | ShoeGapFound():
                self.shoe.append(taken)
                self.shoe_cursor = taken.cursor

    def answered_prompt(self, address: int, press: Press) -> int:
        """Return the prompt that a press answers, 0 if it answers none."""
        now_shown = self.prompts[address]
        fits = press.prompt_number == now_shown and press.button in LIT[address]
        return now_shown if fits else 0


class Pump:
    """Moves bytes between a session and its end of the cable."""

    def __init__(
        self, session: Session, end: HostEnd, at: Callable[[Moment], None]
    ) -> None:
        self.session = session
        self._end = end
        self._at = at
        self._is_open = False

    def run_once(self, now: float) -> None:
        self._open_or_close(now)
        if self._is_open:
            try:
                self._move_bytes(now)
            except UnpluggedError:
                self._is_open = False
                self.session.connection_lost(now)
        else:
            self.session.handle_timer(now)

    @property
    def deadline(self) -> float | None:
        dues = (self.session.deadline, self._end.deadline if self._is_open else None)
        return min((due for due in dues if due is not None), default=None)

    def _open_or_close(self, now: float) -> None:
        if not self.session.wants_port:
            self._is_open = False
        elif not self._is_open:
            try:
                self._end.reopen()
            except UnpluggedError:
                self.session.connection_lost(now)
            else:
                self._is_open = True
                self.session.connection_made(now)

    def _move_bytes(self, now: float) -> None:
        data = self._end.read(now)
        if data:
            self._at(Moment.HEARD)
            self.session.receive_data(data, now)
        self.session.handle_timer(now)
        while data := self.session.data_to_send(now):
            self._end.write(data, now)
            self._at(Moment.SENT)


class Host:
    """Sessions that go on from the journal's cursors; commits in batches."""

    journal_type: ClassVar[type[Journal]] = Journal

    def __init__(
        self,
        journal: Journal,
        cables: tuple[MemoryCable, MemoryCable],
        at: Callable[[Moment], None],
        now: float,
    ) -> None:
        self.journal = journal
        self._at = at
        self._inbox: list[Input] = []
        self._batch: list[Input] = []
        self._committed_at_s: float | None = None
        self.panels = PanelBusSession(map(self._panel, ROLES), BusTiming(), now)
        self.shoe = ShoeSession(
            Expected(DeviceType.SHOE, ROLE_DEALER, "shoe", "a test"),
            self.start_shoe_cursor(),
            ShoeTiming(),
            now,
        )
        panel_cable, shoe_cable = cables
        self._pumps = (
            Pump(self.panels, panel_cable.host, at),
            Pump(self.shoe, shoe_cable.host, at),
        )
        self.show()

    def run_once(self, now: float) -> None:
        """Move bytes, take events, and commit the batch when its time has come."""
        for pump in self._pumps:
            pump.run_once(now)
            for event in events_of(pump.session):
                self._at(Moment.HANDED_OVER)
                self.receive(event)
        if self._committed_at_s is not None and now >= self._committed_at_s:
            self._commit()
        if self._committed_at_s is None and self._inbox:
            self._batch, self._inbox = self._inbox, []
            self._committed_at_s = now + COMMIT_S

    @property
    def deadline(self) -> float | None:
        dues = [pump.deadline for pump in self._pumps] + [self._committed_at_s]
        return min((due for due in dues if due is not None), default=None)

    def start_cursor(self, address: int) -> Cursor | None:
        """Return where a panel's session goes on."""
        return self.journal.cursors.get(address)

    def start_shoe_cursor(self) -> ShoeCursor | None:
        """Return where the shoe's session goes on."""
        return self.journal.shoe_cursor

    def receive(self, event: DriverEvent) -> None:
        """Put what has to be decided into the next batch."""
        if isinstance(event, PressReceived | ShoeEventReceived | ShoeGapFound):
            self._inbox.append(event)

    def acknowledge(self, taken: Input) -> None:
        """Tell the device that this is on disk."""
        match taken:
            case PressReceived(address, cursor):
                self.panels.acknowledge(address, cursor)
            case ShoeEventReceived(cursor) | ShoeGapFound(cursor):
                self.shoe.acknowledge(cursor)

    def show(self) -> None:
        """Light the lamps of every panel's prompt, and open the gate a little."""
        for address, prompt in self.journal.prompts.items():
            self.panels.set_lamps(address, prompt, LIT[address])
        cursor = self.journal.shoe_cursor
        if cursor is not None and cursor.next_card_number is not None:
            self.shoe.open_gate(cursor.boot_id, cursor.next_card_number + GATE_AHEAD)

    def _commit(self) -> None:
        batch, self._batch, self._committed_at_s = self._batch, [], None
        for taken in batch:
            self.journal.take(taken)
        self._at(Moment.COMMITTED)
        for taken in batch:
            self.acknowledge(taken)
            self._at(Moment.ACKNOWLEDGED)
        self.show()

    def _panel(self, address: int) -> PanelConfig:
        role = ROLES[address]
        expected = Expected(DeviceType.PANEL, role, f"address {address}", "a test")
        return PanelConfig(address, expected, self.start_cursor(address))


def events_of(session: Session) -> Iterator[DriverEvent]:
    """Take all events that a session has."""
    while (event := session.next_event()) is not None:
        yield event
