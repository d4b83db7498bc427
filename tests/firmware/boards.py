"""A panel's firmware behind a pseudo-terminal, run by either Python."""

import contextlib
import os
from collections.abc import Callable
from typing import Protocol

from firmware.panel.loop import start
from tests.firmware.bench import WHO, Bench


class Board(Protocol):
    """A board with power, as a test sees it: contacts and lamps."""

    shown: list[int]
    """The lamps it showed since it has power, the last ones last."""

    def close_contacts(self, mask: int) -> None:
        """Let exactly these contacts be closed from now on."""

    def turn(self) -> None:
        """Let it do what it does."""

    def kill(self) -> None:
        """Take its power away."""


class BoardHere(Bench):
    """The firmware in this process, with its line on a descriptor."""

    def __init__(
        self, descriptor: int, boot_id: int, clock: Callable[[], float]
    ) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._clock = clock
        self._asked = clock()
        self._board_s = 0.0
        self._turns = start(self, WHO, boot_id)

    def close_contacts(self, mask: int) -> None:
        self.contacts = mask

    def turn(self) -> None:
        self._turns.turn()

    def kill(self) -> None:
        pass

    def now_ms(self) -> int:
        # It stands still while this machine has no time for the board: a board that
        # has its processor for itself does not stall.
        now = self._clock()
        self._board_s += min(now - self._asked, 0.002)
        self._asked = now
        return int(self._board_s * 1000)

    def read(self, into: bytearray) -> int:
        # Nothing waits, or nobody has the other end open.
        with contextlib.suppress(OSError):
            self.inward += os.read(self._descriptor, len(into) - len(self.inward))
        return super().read(into)

    def send(self, frame: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._descriptor, frame)
