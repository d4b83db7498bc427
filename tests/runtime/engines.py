"""An engine without a journal: the core decides, at once or when a test lets it."""

import asyncio
from collections.abc import Callable

from controller.core import events as ev
from controller.core.commands import Command
from controller.core.decide import decide
from controller.core.evolve import Record
from controller.core.guidance import offered
from controller.core.rules import Rules, with_changes
from controller.core.secrets import Secrets
from controller.core.state import TableState
from controller.rulesets.loader import ruleset_with
from controller.runtime.commander import KnownAs, Outcome
from controller.runtime.view import encoded_view
from controller.words.commands import Meaning, command_of
from controller.words.lines import Line


class CoreEngine:
    """Does what the socket asks; `commits` may be held up, as by a slow disk."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.sequence = 100
        self.records: list[Record] = []
        self.asked = asyncio.Event()
        self.commits = asyncio.Event()
        self.commits.set()
        self.followers: list[Callable[[int], None]] = []
        self.busy_times = 0
        self.readers: list[Callable[[tuple[Record, ...]], None]] = []

    async def command(
        self, line: Line, known_as: KnownAs, entered_by: str = ""
    ) -> Outcome:
        self.asked.set()
        await self.commits.wait()
        return self._decided(
            command_of(line, Meaning(known_as, self._rules, entered_by))
        )

    async def report(self, command: Command) -> Outcome:
        if self.busy_times:
            self.busy_times -= 1
            return Outcome(accepted=False, reason="table_busy")
        self.asked.set()
        await self.commits.wait()
        return self._decided(command)

    def login_failures(self, person: str) -> int:
        return self.state.login_failures.get(person, 0)

    def _decided(self, command: Command) -> Outcome:
        decision = decide(self.state, Secrets(), command)
        self.state = decision.state
        self.records += decision.records
        for read in self.readers:
            read(decision.records)
        sequence = self.sequence + 1
        self.sequence += len(decision.records)
        self.tell()
        for record in decision.records:
            if isinstance(record, ev.CommandRefused):
                reason = record.reason.value
                return Outcome(
                    accepted=False,
                    sequence=sequence,
                    reason=reason,
                    because=record.because,
                )
        return Outcome(accepted=True, sequence=sequence)

    def view(self) -> bytes:
        return encoded_view(self.state, offered(self.state))

    def subscribe(self, changed: Callable[[int], None]) -> Callable[[], None]:
        self.followers.append(changed)
        return lambda: self.followers.remove(changed)

    def tell(self) -> None:
        for changed in tuple(self.followers):
            changed(self.sequence)

    def _rules(self, name: str | None, changes: dict[str, str]) -> Rules:
        if name is None:
            return with_changes(self.state.rules, changes)
        return ruleset_with(name, changes)
