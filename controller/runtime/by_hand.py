"""The test mode of a running table: who began it, what they see, and when it ends.

It belongs to the connection on which it was begun. When that ends, says nothing for
some seconds, or nobody types or presses anything for minutes, so does the test mode;
and after an hour in any case, since a button that chatters looks like somebody at work.
That it ended is a record like its beginning: what the core says is what counts here.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, Protocol

from controller.core.commands import BeginTestMode, Command, EndTestMode, Person
from controller.core.events import TestModeEnded
from controller.core.evolve import Record
from controller.core.ids import EndOfTestMode, Reason
from controller.runtime.commander import Outcome
from controller.runtime.lamp_board import Lamps
from controller.runtime.seen import ButtonSeen, PressSeen, Seen

SILENT_AFTER_S: Final = 10.0
"""A program that hangs says nothing; one that works says that it is there."""

IDLE_AFTER_S: Final = 300.0
"""Whoever walks away from a console leaves no table behind at which nobody can bet."""

LASTS_AT_MOST_S: Final = 3_600.0

ASK_AGAIN_AFTER_S: Final = 1.0
"""A table that is busy is asked again to end what must end."""

_NOT_HERE: Final = Outcome(
    accepted=False,
    reason=Reason.NO_TEST_MODE.value,
    because="no test mode was begun on this connection, or it has ended",
)
_TAKEN: Final = Outcome(accepted=True)


class Tester(Protocol):
    """The connection on which the test mode was begun."""

    def show(self, seen: Seen) -> None:
        """Show what was seen of a panel or of the shoe."""

    def ended(self, why: EndOfTestMode) -> None:
        """Say that the test mode has ended."""


class ByHand:
    """The test mode of one running table.

    Args:
        report: has it written down that a test mode begins or ends.
        light: lights lamps of panels, as long as the table is in test mode.
        held: which buttons are down now.
        now: monotonic seconds.
    """

    def __init__(
        self,
        report: Callable[[Command], Coroutine[Any, Any, Outcome]],
        light: Callable[[Lamps], None],
        held: Callable[[], Iterable[Seen]],
        now: Callable[[], float],
    ) -> None:
        self._report = report
        self._light = light
        self._held = held
        self._now = now
        self._tester: Tester | None = None
        self._begun_at = self._heard_at = self._used_at = 0.0
        self._silence: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[Outcome] | None = None

    def holds(self, tester: Tester) -> bool:
        """Return whether the test mode was begun on this connection."""
        return self._tester is tester

    async def begin(self, tester: Tester, person: Person) -> Outcome:
        """Let buttons be tried from this connection, if the core lets this person."""
        is_first = self._tester is None
        if is_first:
            self._tester = tester
            self._begun_at = self._heard_at = self._used_at = self._now()
        outcome = await self._report(BeginTestMode(person=person))
        if outcome.accepted and self.holds(tester):
            self._listen()
            for seen in self._held():
                tester.show(seen)
        elif is_first:
            self._tester = None
        return outcome

    async def end(self, person: Person) -> Outcome:
        """End it because a person says so, if the core lets them."""
        return await self._report(EndTestMode(why=EndOfTestMode.ASKED, person=person))

    async def left(self, tester: Tester) -> None:
        """End it because its connection has ended."""
        if self.holds(tester):
            await self._report(EndTestMode(why=EndOfTestMode.CLIENT_LEFT))

    def alive(self, tester: Tester) -> Outcome:
        """Note that the program at the other end works."""
        if not self.holds(tester):
            return _NOT_HERE
        self._heard_at = self._now()
        return _TAKEN

    def light(self, tester: Tester, lamps: Lamps) -> Outcome:
        """Light these lamps of these panels, and no other lamps of theirs."""
        if not self.holds(tester):
            return _NOT_HERE
        self._heard_at = self._used_at = self._now()
        self._light(lamps)
        return _TAKEN

    def see(self, seen: Seen) -> None:
        """Show what drivers tell to whoever tries buttons, if anybody does."""
        if self._tester is None:
            return
        if isinstance(seen, ButtonSeen | PressSeen):
            self._used_at = self._now()
        self._tester.show(seen)

    def follow(self, records: Iterable[Record]) -> None:
        """Take what is on disk: where it says that the test mode ended, it has."""
        for record in records:
            if isinstance(record, TestModeEnded) and self._tester is not None:
                tester, self._tester = self._tester, None
                tester.ended(record.why)
                self.close()

    def close(self) -> None:
        """Listen no longer for silence; twice is fine."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None

    def _listen(self) -> None:
        """End it if there was silence for long enough; else come back then."""
        left_s = self._silent_at() - self._now()
        if left_s <= 0:
            silent = EndTestMode(why=EndOfTestMode.SILENT)
            self._ending = asyncio.create_task(self._report(silent))
            left_s = ASK_AGAIN_AFTER_S
        loop = asyncio.get_running_loop()
        self._silence = loop.call_later(left_s, self._listen)

    def _silent_at(self) -> float:
        return min(
            self._heard_at + SILENT_AFTER_S,
            self._used_at + IDLE_AFTER_S,
            self._begun_at + LASTS_AT_MOST_S,
        )
