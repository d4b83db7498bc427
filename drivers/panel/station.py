"""One panel as the bus sees it: who it is, what it shows, what it was told.

Source: docs/protocol/panel.md, What the host does.
"""

import math
from collections.abc import Iterator
from typing import Final

import msgspec

from drivers.bus_station import BusStation
from drivers.errors import AcknowledgedAheadError, DeviceMismatchError
from drivers.events import (
    Cursor,
    DeviceBack,
    DeviceIdentified,
    HeldButtonsChanged,
    HostBehind,
    PanelEvent,
    PressesDropped,
    PressReceived,
)
from drivers.identity import Expected, Identify, Identity, check_identity
from drivers.link import (
    LinkEvent,
    LinkState,
)
from drivers.panel.messages import NO_PROMPT, Button, HostMessage, Poll, Report

LIT_INTERVAL_S: Final = 0.025
DARK_INTERVAL_S: Final = 0.25
MISSES_MAX: Final = 3
# A change goes before polls that are late by less than this, and after others.
URGENT_LEAD_S: Final = 0.1
# Somebody has a finger on the button and looks at its lamp: that goes before both.
ANSWER_LEAD_S: Final = 0.2


class PanelConfig(msgspec.Struct, frozen=True):
    """A panel that the hardware file names, and the last press taken of it."""

    address: int
    expected: Expected
    cursor: Cursor | None = None


class Station(BusStation):
    """The host's side of one panel."""

    def __init__(self, config: PanelConfig, lost_after_s: float, now: float) -> None:
        super().__init__(config.address, lost_after_s, now)
        self._expected = config.expected
        self._prompt_number = NO_PROMPT
        self._lamps: frozenset[Button] = frozenset()
        self._start_cursor = config.cursor
        self._boot_id = 0
        self._taken = 0
        self._handed_over = 0
        self._behind_said = False
        # None: it has not said yet, since it was identified, what is down.
        self._held: frozenset[Button] | None = None
        self._dropped = 0

    def set_lamps(self, prompt_number: int, lamps: frozenset[Button]) -> None:
        """Show these lamps for this prompt from the next poll on."""
        if (prompt_number, lamps) != (self._prompt_number, self._lamps):
            self._prompt_number, self._lamps = prompt_number, lamps
            self._hurry(URGENT_LEAD_S)

    def acknowledge(self, cursor: Cursor) -> None:
        """Tell the panel that all presses up to this one are taken.

        One of another boot id is ignored: that panel restarted and has forgotten.

        Raises:
            AcknowledgedAheadError: This press was never handed over.

        """
        if cursor.boot_id != self._boot_id:
            return
        if cursor.number > self._handed_over:
            raise AcknowledgedAheadError(
                f"press {cursor.number} of {self._expected.place} was acknowledged, "
                f"the last one handed over is {self._handed_over}"
            )
        if cursor.number > self._taken:
            self._taken = cursor.number
            self._hurry(ANSWER_LEAD_S)

    def ask(self, now: float) -> HostMessage:
        """Return the next question; an answer or a silence must follow."""
        self._lead_s = 0.0
        self._due = now + (LIT_INTERVAL_S if self._lamps else DARK_INTERVAL_S)
        if self.state is LinkState.READY:
            return Poll(self._prompt_number, self._lamps, self._boot_id, self._taken)
        if self.state is LinkState.CONNECTING:
            self._move(LinkEvent.OPENED, now)
        return Identify()

    def handle_silence(self, now: float) -> None:
        """Note that the question was not answered."""
        self.misses += 1
        if self.state is LinkState.IDENTIFYING or self.misses >= MISSES_MAX:
            self._move(LinkEvent.LOST, now)

    def handle_identity(
        self, identity: Identity, raw: bytes, now: float
    ) -> list[PanelEvent]:
        """Return what follows from the panel having said who it is."""
        self.misses = 0
        try:
            check_identity(self._expected, identity)
        except DeviceMismatchError as error:
            self._move(LinkEvent.MISMATCHED, now)
            return self._mismatched(str(error))
        self._mismatch = ""
        self._held = None
        if identity.boot_id != self._boot_id:
            self._begin(identity.boot_id)
        self._move(LinkEvent.IDENTIFIED, now)
        identified = DeviceIdentified(self.device, identity, raw)
        back = [DeviceBack(self.device)] if self._presence.came() else []
        return [identified, *back]

    def handle_report(self, report: Report, now: float) -> list[PanelEvent]:
        """Return what is new in a panel's report."""
        self.misses = 0
        if report.boot_id != self._boot_id:
            # It restarted between two polls: who is it? Its presses come again.
            self._move(LinkEvent.RESTARTED, now)
            return []
        return [
            *self._behind(report),
            *self._held_changed(report),
            *self._dropped_more(report),
            *self._new_presses(report),
        ]

    def _hurried_due(self) -> float:
        """Return that it may be asked at once: nobody waits for it."""
        return -math.inf

    def _move(self, event: LinkEvent, now: float) -> None:
        """Advance the link, and be asked at once where it leads on."""
        super()._move(event, now)
        if event in {LinkEvent.IDENTIFIED, LinkEvent.RESTARTED}:
            self._due = now

    def _hurry(self, lead_s: float) -> None:
        # A panel that is not ready gets everything with its first poll anyway.
        if self.state is LinkState.READY:
            self._lead_s = max(self._lead_s, lead_s)

    def _begin(self, boot_id: int) -> None:
        """Begin with the numbers of a boot id, from the cursor if it has the same."""
        cursor = self._start_cursor
        same = cursor is not None and cursor.boot_id == boot_id
        self._boot_id = boot_id
        self._taken = self._handed_over = cursor.number if cursor and same else 0
        self._behind_said = False
        self._dropped = 0

    def _behind(self, report: Report) -> Iterator[PanelEvent]:
        acknowledged = report.acknowledged
        if acknowledged > self._taken and not self._behind_said:
            self._behind_said = True
            yield HostBehind(self.device, self._boot_id, acknowledged, self._taken)

    def _held_changed(self, report: Report) -> Iterator[PanelEvent]:
        if report.held != self._held:
            self._held = report.held
            yield HeldButtonsChanged(self.device.address, report.held)

    def _dropped_more(self, report: Report) -> Iterator[PanelEvent]:
        if report.dropped != self._dropped:
            self._dropped = report.dropped
            address = self.device.address
            yield PressesDropped(address, self._boot_id, report.dropped)

    def _new_presses(self, report: Report) -> Iterator[PanelEvent]:
        for press in report.presses:
            if press.number > self._handed_over:
                self._handed_over = press.number
                cursor = Cursor(self._boot_id, press.number)
                yield PressReceived(self.device.address, cursor, press)
