"""The decisions that apply, worked out a little at a time beside the game.

After a long round a stopped table has a hundred decisions to try, and each tells the
round anew: in one go that would hold the loop up for longer than a panel keeps its
lamps. So each turn of the loop tries one.
"""

import asyncio
from collections.abc import Callable, Iterator

from controller.core.guidance import Offered, bearing, in_order, worked_out
from controller.core.state import TableState


class Guide:
    """Knows what applies at the table as it now is, or finds out.

    `known` is called on the loop as soon as that is so.
    """

    def __init__(self, known: Callable[[], None]) -> None:
        self._known = known
        self._state: TableState | None = None
        self._bearing: tuple[object, ...] = ()
        self._trials: Iterator[Offered | None] = iter(())
        self._found: list[Offered] = []
        self._offered: tuple[Offered, ...] | None = None
        self._next: asyncio.Handle | None = None

    def offered(self, state: TableState) -> tuple[Offered, ...] | None:
        """Return what applies; None while it is being worked out."""
        if state is not self._state and bearing(state) != self._bearing:
            self._begin(state)
        return self._offered

    def stop(self) -> None:
        """Work nothing out any more; twice is fine."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _begin(self, state: TableState) -> None:
        self.stop()
        self._state, self._bearing = state, bearing(state)
        self._trials = worked_out(state)
        self._found, self._offered = [], None
        if state.suspended:
            self._next = asyncio.get_running_loop().call_soon(self._try_one)
            return
        # At a table that plays, next to nothing applies, and no trial takes long.
        self._found = [found for found in self._trials if found is not None]
        self._offered = in_order(state, self._found)

    def _try_one(self) -> None:
        assert self._state is not None
        for found in self._trials:
            if found is not None:
                self._found.append(found)
            self._next = asyncio.get_running_loop().call_soon(self._try_one)
            return
        self._next = None
        self._offered = in_order(self._state, self._found)
        self._known()
