"""One shared pair with simulated panels on it, whatever they speak.

All hear the host, one answers at a time. Time is an argument; nothing here waits.
"""

import abc
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar


class OnABus(Protocol):
    """A panel at an address of a shared pair."""

    address: int

    @property
    def deadline(self) -> float | None:
        """When the panel puts its lamps out by itself, or None."""

    def handle_timer(self, now: float) -> None:
        """Do what is due at `now`."""


PanelT = TypeVar("PanelT", bound=OnABus)


class SharedBus(abc.ABC, Generic[PanelT]):
    """The panels on one shared pair, by address; what they speak, a protocol says."""

    def __init__(self, panels: Iterable[PanelT]) -> None:
        self.panels = {panel.address: panel for panel in panels}
        self._due = bytearray()

    @abc.abstractmethod
    def receive_data(self, data: bytes, now: float) -> None:
        """Let the panels hear bytes that the host sent."""

    def data_to_send(self, now: float) -> bytes:
        """Give the panels' answers, in the order in which they were asked."""
        self.handle_timer(now)
        due = bytes(self._due)
        self._due.clear()
        return due

    def handle_timer(self, now: float) -> None:
        """Let every panel notice that it is not asked any more."""
        for panel in self.panels.values():
            panel.handle_timer(now)

    @property
    def deadline(self) -> float | None:
        """When the next panel puts its lamps out by itself, or None."""
        dues = (panel.deadline for panel in self.panels.values())
        return min((due for due in dues if due is not None), default=None)
