"""One module as the bus sees it: what it shows, what its contacts did, if it answers.

Source: docs/protocol/modbus-panels.md, What the host does.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from drivers.bus_station import BusStation
from drivers.events import (
    Cursor,
    DeviceAnswered,
    DeviceBack,
    HeldButtonsChanged,
    PanelEvent,
    PressReceived,
)
from drivers.link import (
    LinkEvent,
    LinkState,
)
from drivers.modbus.contacts import Contacts, Look, Pushed, Shown
from drivers.modbus.messages import (
    CONTACTS,
    InputsRead,
    ReadInputs,
    Refused,
    Request,
    WriteCoils,
)
from drivers.modbus.wiring import Wiring
from drivers.panel.messages import Button, Press

LIT_INTERVAL_S: Final = 0.025
DARK_INTERVAL_S: Final = 0.125
REFRESH_S: Final = 1.0
"""How often lamps are written again that have not changed."""

TRUST_S: Final = 0.5
"""A module that was not heard for longer may have put its lamps out by itself."""

LATE_S: Final = 0.1
"""How long a module that did not answer in time is left alone: it may still speak."""

SAMPLED_S: Final = 0.02
"""How old levels may be that a module answers with, if it samples in its own cycle."""

MISSES_MAX: Final = 3
MARKS: Final = CONTACTS - 1
URGENT_LEAD_S: Final = 0.1
_BUSY: Final = frozenset({5, 6})
"""Exception codes that mean: ask again later."""

_BOOT_IDS: Final = 0xFFFFFFFF
_MAY_ANSWER: Final = frozenset(
    {LinkState.CONNECTING, LinkState.IDENTIFYING, LinkState.READY}
)


class ModuleConfig(msgspec.Struct, frozen=True):
    """A module that the hardware file names, and the last press taken of its panel.

    `place` is where a technician would look, `source` the hardware file.
    """

    address: int
    wiring: Wiring
    place: str
    source: str
    first_input: int = 0
    first_coil: int = 0
    cursor: Cursor | None = None


class Scan(msgspec.Struct, frozen=True):
    """How long a lit module waited from one answered look to the next."""

    took_s: float


class ModuleStation(BusStation):
    """The host's side of one module."""

    def __init__(self, config: ModuleConfig, lost_after_s: float, now: float) -> None:
        super().__init__(config.address, lost_after_s, now)
        self._config = config
        self._contacts = Contacts()
        self._mark = 0
        self._wanted = Shown()
        self._asked = Shown()
        self._asked_at = now
        # What the module has acknowledged; None while its lamps are not known.
        self._shown: Shown | None = None
        self._refresh_at = now
        self._heard_at = -math.inf
        self._looked_at: float | None = None
        before = config.cursor.boot_id if config.cursor else 0
        self._cursor = Cursor(before % _BOOT_IDS + 1, 0)
        # None: what is down was not told yet since the contacts began.
        self._held: frozenset[Button] | None = None
        self._is_to_be_dark = False

    @property
    def due(self) -> float | None:
        """When it should be asked next; None while nobody should ask it."""
        # The last thing that it is told is to be dark; after that it has peace.
        return None if self._is_to_be_dark and self.lamps_are_out else super().due

    def set_lamps(self, prompt_number: int, lamps: frozenset[Button]) -> None:
        """Show these lamps for this prompt from the next write on."""
        wanted = Shown(prompt_number, lamps)
        if wanted != self._wanted:
            self._wanted = wanted
            # A module that is not ready gets everything as soon as it is.
            if self.state is LinkState.READY:
                self._lead_s = URGENT_LEAD_S

    def put_lamps_out(self) -> None:
        """Write its lamps off: it would keep them on for ever."""
        super().put_lamps_out()
        self._is_to_be_dark = True

    @property
    def lamps_are_out(self) -> bool:
        """Whether it has put its lamps out, or does not answer and cannot be told."""
        answers = self.state in _MAY_ANSWER and not self.is_doubtful
        return not answers or self._shown == Shown()

    def ask(self, now: float) -> Request:
        """Return the next question; an answer or a silence must follow."""
        self._lead_s = 0.0
        lit = bool(self._wanted.lamps)
        self._due = now + (LIT_INTERVAL_S if lit else DARK_INTERVAL_S)
        self._asked_at = now
        if now - self._heard_at > TRUST_S:
            self._doubt_lamps()
        if self.state is not LinkState.READY:
            return self._mark_coils(now)
        if self._shown != self._wanted or now >= self._refresh_at:
            return self._write(CONTACTS)
        return ReadInputs(self._config.address, self._config.first_input)

    def handle_silence(self, now: float) -> None:
        """Note that the question was not answered; the answer may still come."""
        self.misses += 1
        self._doubt_lamps()
        self._due = now + LATE_S
        if self.state is LinkState.READY:
            # Its state is not known any more, and an old answer may be under way.
            self._move(LinkEvent.RESTARTED, now)
        elif self.misses >= MISSES_MAX:
            self._move(LinkEvent.LOST, now)

    def handle_written(self, now: float) -> None:
        """Note that the module has set its coils as it was asked."""
        self._heard(now)
        self._due = now
        if self.state is LinkState.READY:
            if self._shown != self._asked:
                # What a look shows must be younger than the lamps.
                self._due = now + SAMPLED_S
            self._shown = self._asked
            self._refresh_at = now + REFRESH_S
        else:
            # The mark came back, so nothing older than it can come any more.
            self._move(LinkEvent.IDENTIFIED, now)

    def handle_read(self, reply: InputsRead, now: float) -> list[PanelEvent | Scan]:
        """Return what a look at the contacts shows."""
        assert self._shown is not None, "inputs are read only once the lamps are known"
        self._heard(now)
        self._mismatch = ""
        down = self._config.wiring.pressed(reply.closed)
        look = Look(down, self._asked_at, now, self._shown)
        pressed = self._contacts.take(look)
        scan = self._scan(look)
        # Only now it has shown that it has inputs as well as coils.
        back = [DeviceBack(self.device)] if self._presence.came() else []
        return [*scan, *back, *self._held_changed(), *self._presses(pressed)]

    def handle_refusal(self, refused: Refused, now: float) -> list[PanelEvent]:
        """Return what follows from the module not doing what it was asked."""
        if refused.code in _BUSY:
            self.handle_silence(now)
            return []
        self._heard(now)
        self._doubt_lamps()
        self._move(LinkEvent.MISMATCHED, now)
        message = (
            f"{self._config.place} refused function {refused.function} with exception "
            f"{refused.code}, expected {CONTACTS} inputs from "
            f"{self._config.first_input} and {CONTACTS} coils from "
            f"{self._config.first_coil}; "
            f"check the module or edit {self._config.source}"
        )
        return self._mismatched(message)

    def _mark_coils(self, now: float) -> Request:
        """Ask for fewer coils than ever at play: the echo tells which write it was."""
        if self.state is LinkState.CONNECTING:
            self._move(LinkEvent.OPENED, now)
        self._mark = self._mark % MARKS + 1
        return self._write(self._mark)

    def _write(self, count: int) -> WriteCoils:
        self._asked = self._wanted
        coils = self._config.wiring.coils(self._asked.lamps) & (1 << count) - 1
        return WriteCoils(self._config.address, self._config.first_coil, count, coils)

    def _heard(self, now: float) -> None:
        self.misses = 0
        self._heard_at = now

    def _doubt_lamps(self) -> None:
        self._shown = None
        self._contacts.doubt_lamps()

    def _hurried_due(self) -> float:
        """Return that it may be asked as soon as its last question was put."""
        return min(self._due, self._asked_at)

    def _move(self, event: LinkEvent, now: float) -> None:
        """Advance the link; a module that was given up begins anew."""
        super()._move(event, now)
        if self.state not in {LinkState.READY, LinkState.IDENTIFYING}:
            self._shown = self._looked_at = None
            self._contacts.forget()
            self._held = None

    def _scan(self, look: Look) -> Iterator[Scan]:
        if self._looked_at is not None and look.shown.lamps:
            yield Scan(look.asked_at - self._looked_at)
        self._looked_at = look.asked_at if look.shown.lamps else None

    def _held_changed(self) -> Iterator[PanelEvent]:
        held = self._config.wiring.held(self._contacts.down)
        if self._held is None:
            yield DeviceAnswered(self.device)
        if held != self._held:
            self._held = held
            yield HeldButtonsChanged(self.device.address, held)

    def _presses(self, pressed: Iterable[Pushed]) -> Iterator[PanelEvent]:
        for pushed in pressed:
            shown = pushed.shown
            button = self._config.wiring.button(pushed.place, shown.lamps)
            if button is None:
                continue
            self._cursor = Cursor(self._cursor.boot_id, self._cursor.number + 1)
            press = Press(self._cursor.number, button, shown.prompt_number)
            yield PressReceived(self.device.address, self._cursor, press)
