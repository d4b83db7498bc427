"""Moving edges and levels between a table's pins and their session.

The pins' own thread only takes the time of an edge and leaves it here; the loop owns
everything else. What `Pump` is for a port, this is for pins.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from controller.runtime.pump import AnyPump
from drivers.errors import DriverError
from drivers.events import DriverEvent
from drivers.gpio.board import Board
from drivers.gpio.lines import Chips
from drivers.gpio.session import PinSession
from drivers.gpio.wiring import Line
from hw_config.pins import PinBoard

EDGES_MAX: Final = 1024
"""More edges than this do not wait: a line that rattles so is looked at instead."""


class PinPump(AnyPump[PinSession]):
    """All lines of one table and the session that reads and drives them."""

    def __init__(
        self,
        wired: PinBoard,
        chips: Chips,
        session: PinSession,
        told: Callable[[DriverEvent], None],
    ) -> None:
        super().__init__(session, told)
        self._wired = wired
        self._chips = chips
        self._board: Board | None = None
        self._edges: deque[tuple[Line, bool, float]] = deque()

    @property
    def place(self) -> str:
        """The chip, as a technician would look for it."""
        return self._wired.chip

    def run(self) -> None:
        """Do whatever is due, and arrange to be called again."""
        now = self._loop.time()
        self._take_edges(now)
        try:
            self._look(now)
            self._session.handle_timer(now)
            self._match(now)
            self._write()
        except DriverError as error:
            self._lost(error)
        self._tell()
        self._schedule()

    def _edge(self, line: Line, level: bool, at: float) -> None:  # noqa: FBT001 - the level itself
        """Hand over an edge; called in a thread of the pins."""
        if len(self._edges) < EDGES_MAX:
            self._edges.append((line, level, at))
            self._loop.call_soon_threadsafe(self._edges_came)

    def _edges_came(self) -> None:
        # One call takes all that wait; those that follow it find nothing.
        if self._edges and self._board is not None:
            self.run()

    def _take_edges(self, now: float) -> None:
        while self._edges:
            line, level, at = self._edges.popleft()
            self._session.receive_edge(line, level, at, now)

    def _look(self, now: float) -> None:
        if self._board is not None and self._session.wants_levels(now):
            self._session.receive_levels(self._board.read(), now)

    def _match(self, now: float) -> None:
        if self._board is not None and not self._session.wants_port:
            self._close()
        elif self._board is None and self._session.wants_port:
            self._open(now)

    def _open(self, now: float) -> None:
        self._board = Board(
            self._session.wiring,
            self._wired,
            self._chips,
            self._edge,
            self._loop.time,
        )
        self._edges.clear()
        self._session.connection_made(self._board.read(), now)
        self._note("")

    def _write(self) -> None:
        if self._board is None:
            return
        levels = self._session.lines_to_write()
        self._board.write(levels)
        # Only now is all lit that should be: what was pressed until here came before.
        self._session.lines_written(levels, self._loop.time())

    def _close(self) -> None:
        board, self._board = self._board, None
        if board is not None:
            board.close()
        self._edges.clear()
