"""What every session offers to the pump that moves its bytes.

After any call the pump writes what `data_to_send` returns until that is empty, takes
events until there is none, opens or closes the port as `wants_port` says, and comes
back with `handle_timer` at `deadline`.
"""

from typing import Protocol

from drivers.events import Cursor, DriverEvent, ShoeCursor
from drivers.link import LinkCounters, LinkState
from drivers.panel.messages import Button


class Link(Protocol):
    """What every session offers to who is called for it: no clock, `now` is seconds."""

    @property
    def wants_port(self) -> bool:
        """Whether the port should be open; if it is not, open it now."""

    @property
    def deadline(self) -> float | None:
        """When to come back at the latest."""

    @property
    def counters(self) -> LinkCounters:
        """What the link has seen since the start."""

    def connection_lost(self, now: float) -> None:
        """Note that the port failed, or could not be opened."""

    def next_event(self) -> DriverEvent | None:
        """Return the oldest event that was not returned yet."""


class Session(Link, Protocol):
    """One port's worth of protocol: no I/O, no clock; `now` is monotonic seconds."""

    def connection_made(self, now: float) -> None:
        """Note that the port is open."""

    def receive_data(self, data: bytes, now: float) -> None:
        """Take in bytes that came over the port."""

    def data_to_send(self, now: float) -> bytes:
        """Return bytes to write now; empty if nothing is to be said."""

    def handle_timer(self, now: float) -> None:
        """Do what is due at `now`."""


class PanelLink(Protocol):
    """What every session with button panels offers beside the moving of its bytes."""

    def set_lamps(
        self, address: int, prompt_number: int, buttons: frozenset[Button]
    ) -> None:
        """Show exactly these lamps on a panel, for this prompt (0: none)."""

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Note that a panel's presses up to this one are taken and on disk."""

    def put_lamps_out(self) -> None:
        """Put out what would stay on when nobody speaks any more: the table stops.

        Nothing is to be shown after this, and nothing more is asked for.
        """

    @property
    def lamps_are_out(self) -> bool:
        """Whether the lamps are out, at every panel that can be told."""


class BusLink(Session, PanelLink, Protocol):
    """A session with all panels of a table on one bus, of any kind."""

    def state(self, address: int) -> LinkState:
        """Return where the link to one panel is."""


class ShoeLink(Session, Protocol):
    """A session with a shoe of any kind."""

    def acknowledge(self, cursor: Cursor | ShoeCursor) -> None:
        """Note that all events up to this one are taken and on disk."""

    def open_gate(self, boot_id: int, up_to: int) -> None:
        """Let cards up to this number out, absolute; 0 locks."""
