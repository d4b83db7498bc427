"""A supervisor and a technician accept what runs a table, while it is stopped."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from controller.core.commands import (
    AcceptSoftware,
    Person,
    ReportLogin,
    ReportLogout,
    ReportSelfTest,
)
from controller.core.ids import Reason
from controller.core.software import ComponentChange, Software, changes
from controller.runtime.errors import NotTakenError
from controller.runtime.identify import STRANGER, identified
from controller.runtime.people import People
from controller.runtime.pins import Pin
from controller.runtime.stopped import StoppedTable
from controller.runtime.waits import wait_s

_NO_MATCH: Final = "id and PIN do not match"
_WAITS: Final = (
    "too many wrong PINs; start the table, log in there or have the delay lifted, and "
    "stop it again"
)


class Accepting(msgspec.Struct, frozen=True):
    """Who accepts a program, by which ids, and why."""

    supervisor: str
    technician: str
    reason: str


class Acceptance:
    """One program held against the one that a stopped live table has accepted.

    Args:
        table: the stopped table.
        software: what the self-test found, of the same files that will run it.
        people: who is listed; where nobody is, no PIN is asked for.
        uid: the user of this machine who asks.
    """

    def __init__(
        self,
        table: StoppedTable,
        software: Software,
        people: People,
        uid: int,
    ) -> None:
        self._table = table
        self._software = software
        self._people = people
        self._uid = uid

    @property
    def changes(self) -> tuple[ComponentChange, ...]:
        """What differs from the accepted program, by name; none where nothing does."""
        return changes(self._table.state.software_accepted, self._software)

    def accept(self, accepting: Accepting, pin_of: Callable[[str], Pin]) -> None:
        """Write down that these two accept it, each with their own PIN.

        Raises:
            NotTakenError: They may not, or a PIN is wrong; that is on disk.
            JournalError: It cannot be written.

        """
        with contextlib.ExitStack() as here:
            supervisor = here.enter_context(self._let_in(accepting.supervisor, pin_of))
            technician = here.enter_context(self._let_in(accepting.technician, pin_of))
            self._table.take(ReportSelfTest(software=self._software, live=True))
            self._table.take(
                AcceptSoftware(
                    supervisor=supervisor,
                    technician=technician,
                    digest=self._software.digest,
                    reason=accepting.reason,
                )
            )

    @contextlib.contextmanager
    def _let_in(self, name: str, pin_of: Callable[[str], Pin]) -> Iterator[Person]:
        """Yield who this is; where people are listed, only by their PIN."""
        if not self._people.log_in:
            yield self._people.person(name)
            return
        person = self._logged_in(name, pin_of)
        try:
            yield person
        finally:
            self._table.take(ReportLogout(person=person, peer_uid=self._uid))

    def _logged_in(self, name: str, pin_of: Callable[[str], Pin]) -> Person:
        listed = self._people.listed
        person = self._people.person(name) if name in listed else STRANGER
        refused: Reason | None = Reason.LOGIN_DELAYED
        if not wait_s(self._table.state.login_failures.get(person.id, 0)):
            person, refused = identified(listed, name, pin_of(name))
        self._table.take(
            ReportLogin(person=person, peer_uid=self._uid, refused=refused)
        )
        if refused is not None:
            delayed = refused is Reason.LOGIN_DELAYED
            raise NotTakenError(f"{name}: {_WAITS if delayed else _NO_MATCH}")
        return person
