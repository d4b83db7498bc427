"""The turns of a panel's loop, over any parts."""

from .messages import (
    BUTTON_FIRST_DEALER,
    BUTTON_FIRST_SEAT,
    BUTTON_LAST_DEALER,
    BUTTON_LAST_SEAT,
    ROLE_DEALER,
    Who,
)
from .panel import Panel
from .parts import Parts

ADDRESS_MAX = 247
SEAT_MAX = 7
# An answer begins within 5 ms of its question; making it takes the rest of them.
LATE_AFTER_MS = 3
READ_SIZE = 64
SLOW_BLINK_MS = 500
FAST_BLINK_MS = 100


def codes_of(role: int) -> range:
    """Return the codes of the buttons that a panel with this role has."""
    if role == ROLE_DEALER:
        return range(BUTTON_FIRST_DEALER, BUTTON_LAST_DEALER + 1)
    return range(BUTTON_FIRST_SEAT, BUTTON_LAST_SEAT + 1)


def are_possible(address: int, role: int) -> bool:
    """Return whether a panel may have this address and this role."""
    return 1 <= address <= ADDRESS_MAX and ROLE_DEALER <= role <= SEAT_MAX


class Loop:
    """A panel and the parts around it."""

    def __init__(self, parts: Parts, who: Who, boot_id: int) -> None:
        now = parts.now_ms()
        self.panel = Panel(who, codes_of(who.role), boot_id, parts.closed(), now)
        self._parts = parts
        self._data = bytearray(READ_SIZE)
        self._read_at = now
        self._shown = 0
        parts.show(0)

    def turn(self) -> None:
        """Do once all that a panel does; to be called again at once, for ever."""
        parts, panel = self._parts, self.panel
        count = parts.read(self._data)
        now = parts.now_ms()
        # The question may have ended right after the line was read the last time.
        may_be_late = now - self._read_at > LATE_AFTER_MS
        self._read_at = now
        panel.pass_time(now)
        panel.sample(parts.closed(), now)
        answer = panel.receive(self._data, count, now) if count else None
        self._show()
        if answer and not may_be_late:
            parts.send(answer)
            self._read_at = parts.now_ms()
        parts.light(panel.is_polled or now // SLOW_BLINK_MS % 2 == 0)
        parts.feed()

    def _show(self) -> None:
        if self.panel.lamps != self._shown:
            self._shown = self.panel.lamps
            self._parts.show(self._shown)


class Complaint:
    """A panel whose settings cannot be: silent, dark, and blinking fast."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        parts.show(0)

    def turn(self) -> None:
        """Blink, and keep the watchdog from starting the board anew."""
        self._parts.light(self._parts.now_ms() // FAST_BLINK_MS % 2 == 0)
        self._parts.feed()


def start(parts: Parts, who: Who, boot_id: int) -> Loop | Complaint:
    """Return what the board has to do, turn by turn."""
    if are_possible(who.address, who.role):
        return Loop(parts, who, boot_id)
    return Complaint(parts)
