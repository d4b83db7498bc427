"""The way in: an id and a PIN, looked at one by one, later after each refusal.

A PIN is looked at in a thread: what that costs is no cost of the loop, which lights
the lamps. What came of it counts only once it is on disk.
"""

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

import msgspec

from controller.core.commands import Person, ReportLogin
from controller.core.ids import Reason
from controller.runtime.commander import Commander, Outcome
from controller.runtime.errors import PeopleFileError
from controller.runtime.identify import STRANGER, identified
from controller.runtime.logs import TableLogger
from controller.runtime.people import People
from controller.runtime.pins import DECOY, Pin
from controller.runtime.waits import Waits

_T = TypeVar("_T")

_NO_MATCH: Final = (Reason.WRONG_PIN, Reason.UNKNOWN_PERSON)
_REFUSED: Final = Outcome(
    accepted=False, reason="login_refused", because="id and PIN do not match"
)
"""The same words whether the id or the PIN is wrong."""


class Attempt(msgspec.Struct, frozen=True):
    """An id and a PIN, the user of the program, and whose decision to witness."""

    person: str
    pin: Pin
    peer_uid: int
    witness_to: str = ""


class _Checked(msgspec.Struct, frozen=True):
    """What became of an attempt: whose PIN it is, or why it does not count."""

    person: Person
    refused: Reason | None = None
    wait_s: float = 0.0


class Logins:
    """Lets people in, for all connections of one table.

    Args:
        people: who is listed, and where.
        commander: the owner of the table, which writes down what happens here.
        say: the log.
        now: monotonic seconds.
        decoy: what the PINs of those who are not listed are held against.
    """

    def __init__(
        self,
        people: People,
        commander: Commander,
        say: TableLogger,
        now: Callable[[], float],
        decoy: str = DECOY,
    ) -> None:
        self.people = people
        self._commander = commander
        self._say = say
        self._now = now
        self._decoy = decoy
        self._waits = Waits(now())
        self._one_at_a_time = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pins")

    def close(self) -> None:
        """Look at no more PINs; twice is fine."""
        self._thread.shutdown(cancel_futures=True)

    async def attempt(self, attempt: Attempt) -> Outcome:
        """Look at one login, and write down what came of it.

        All others wait meanwhile: two at once could both be let try before either
        had failed.
        """
        async with self._one_at_a_time:
            checked = self._turned_away(attempt)
            if checked is None:
                checked = await self._in_thread(partial(self._check, attempt))
            outcome = await self._write_down(attempt, checked)
        return _told(checked, outcome)

    async def read_again(self) -> None:
        """Take the list as it now is; one that cannot be read leaves the last one."""
        await self._in_thread(self._read_again)

    def _turned_away(self, attempt: Attempt) -> _Checked | None:
        person = self._listed(attempt.person)
        failures = self._commander.login_failures(person.id)
        wait_s = self._waits.left_s(person.id, failures, self._now())
        return _Checked(person, Reason.LOGIN_DELAYED, wait_s) if wait_s else None

    def _listed(self, name: str) -> Person:
        return self.people.person(name) if name in self.people.listed else STRANGER

    def _check(self, attempt: Attempt) -> _Checked:
        """Hold a PIN against what is kept of it. Takes its time: never on the loop."""
        self._read_again()
        listed = self.people.listed
        return _Checked(*identified(listed, attempt.person, attempt.pin, self._decoy))

    def _read_again(self) -> None:
        try:
            self.people = self.people.read_again()
        except PeopleFileError as error:
            self._say.error("the people file cannot be used", error=error)

    async def _write_down(self, attempt: Attempt, checked: _Checked) -> Outcome:
        person, refused = checked.person, checked.refused
        self._say.info(
            "login",
            person=person.id,
            role=person.role,
            uid=attempt.peer_uid,
            refused=refused,
        )
        if refused is Reason.LOGIN_DELAYED and not self._waits.is_first(person.id):
            return Outcome(accepted=True)  # There is a record of this wait already.
        if refused in _NO_MATCH:
            self._waits.begin(person.id, self._now())
        return await self._commander.report(
            ReportLogin(
                person=person,
                peer_uid=attempt.peer_uid,
                witness_to=attempt.witness_to,
                refused=refused,
            )
        )

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _told(checked: _Checked, outcome: Outcome) -> Outcome:
    """Return what the asker hears.

    A table that can write nothing down says so, whatever the PIN: nobody learns from
    it whether one was right.
    """
    if not outcome.accepted or checked.refused is None:
        return outcome
    match checked.refused:
        case Reason.LOGIN_DELAYED:
            because = f"wait {math.ceil(checked.wait_s)} s, or have it lifted"
            told = refused_for(checked.refused, because)
        case Reason.NO_PIN:
            because = f"tablectl people FILE set-pin {checked.person.id} gives one"
            told = refused_for(checked.refused, because)
        case _:
            told = _REFUSED
    return msgspec.structs.replace(told, sequence=outcome.sequence)


def refused_for(reason: Reason, because: str) -> Outcome:
    """Return the outcome of what is refused without a record."""
    return Outcome(accepted=False, reason=reason.value, because=because)
