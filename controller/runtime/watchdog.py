"""Feeds the service manager's watchdog, as long as the table does its work.

A task of the loop: while the loop does not turn, nothing is fed. It looks several times
in the manager's wait, so that one look that comes late costs nothing.
"""

import asyncio
from typing import Final

from controller.core.state import TableState
from controller.runtime import notify
from controller.runtime.clock import Clock
from controller.runtime.logs import TableLogger
from controller.runtime.notify import Notifier
from controller.runtime.owner import Owner
from controller.runtime.signs_of_life import LifeJudge, Stuck

LOOKS_A_WAIT: Final = 4
_USUAL_WAIT_S: Final = 10.0
"""Also where nobody waits the table looks, for its log."""

_STOPS: Final = "writes down what came in, and stops"


class Watchdog:
    """Tells the manager that the table is ready, that it is alive, and how it is."""

    def __init__(
        self, owner: Owner, manager: Notifier, clock: Clock, log: TableLogger
    ) -> None:
        self._owner = owner
        self._manager = manager
        self._clock = clock
        self._log = log
        self._judge = LifeJudge(clock.now_s())
        self._every_s = (manager.watchdog_s or _USUAL_WAIT_S) / LOOKS_A_WAIT
        self._is_ready_told = False
        self._is_stopping = False
        self._stuck: Stuck | None = None

    async def run(self) -> None:
        """Look until cancelled; the first look says that the table is ready."""
        while True:
            self._look()
            await asyncio.sleep(self._every_s)

    def stopping(self) -> None:
        """Say that the table was told to stop."""
        self._is_stopping = True
        self._manager.tell(notify.STOPPING, notify.status(_STOPS))

    def _look(self) -> None:
        stuck = self._judge.judge(self._owner.signs(), self._clock.now_s())
        self._owner.ask_writer()
        if stuck is not self._stuck:
            self._stuck = stuck
            self._say(stuck)
        self._tell(stuck)

    def _say(self, stuck: Stuck | None) -> None:
        if stuck is None:
            self._log.info("watchdog fed again")
        else:
            self._log.error("watchdog not fed", words=stuck.value)

    def _tell(self, stuck: Stuck | None) -> None:
        """Tell all at once; who is not sure that it was heard says again: ready."""
        words = status_words(self._owner.state, stuck)
        facts = [notify.status(_STOPS if self._is_stopping else words)]
        if stuck is None:
            facts.append(notify.WATCHDOG)
        if not self._is_ready_told:
            facts.append(notify.READY)
        self._is_ready_told |= self._manager.tell(*facts)


def status_words(state: TableState, stuck: Stuck | None) -> str:
    """Return how the table is, for who looks at the service: no card, no amount."""
    words = f"{state.table}: {state.phase.name}, round {state.round}"
    kinds = ", ".join(dict.fromkeys(each.kind.value for each in state.irregularities))
    if kinds:
        words += f" ({kinds})"
    if state.abrupt_ends:
        words += f"; began again by itself: {state.abrupt_ends}"
    return words if stuck is None else f"{stuck.value}; {words}"
