"""A table that is stopped: what people at the machine say to it is written down.

The same core decides it, the same journal takes it; no device is there to be told.
"""

from collections.abc import Callable

from controller.core import events as ev
from controller.core.commands import Command
from controller.core.decide import decide
from controller.core.state import TableState
from controller.journal.records import Stamp
from controller.journal.recovery import Recovered
from controller.journal.table_journal import decided
from controller.runtime.errors import NotTakenError


class StoppedTable:
    """One journal that no process plays by, as this one found it."""

    def __init__(self, recovered: Recovered, stamp: Callable[[], Stamp]) -> None:
        self._journal = recovered.journal
        self._secrets = recovered.secrets
        self._stamp = stamp
        self.state: TableState = recovered.state

    def take(self, command: Command) -> None:
        """Decide a command, write it down, and stand where it leads.

        Raises:
            NotTakenError: It is refused, and that is on disk.
            JournalError: It cannot be written.

        """
        decision = decide(self.state, self._secrets, command)
        if decision.records:
            self._journal.write([decided(self._stamp(), self.state, decision)])
        self.state, self._secrets = decision.state, decision.secrets
        for record in decision.records:
            if isinstance(record, ev.CommandRefused):
                because = record.because or "refused"
                raise NotTakenError(f"{record.reason.value}: {because}")
