"""What the staff ask of a table over the control socket, done by its owner."""

from collections.abc import Callable
from functools import partial

from controller.core.commands import Command
from controller.core.rules import Rules, with_changes
from controller.core.state import TableState
from controller.rulesets.loader import ruleset_with
from controller.runtime.commander import KnownAs, Outcome
from controller.runtime.guide import Guide
from controller.runtime.owner import Change, Owner
from controller.runtime.planner import Asked
from controller.runtime.view import Around, LinkView, encoded_view
from controller.runtime.watch import Watch
from controller.words.commands import Meaning, command_of
from controller.words.lines import Line

BUSY = "table_busy"


class Staff:
    """The commander of one running table."""

    def __init__(
        self, owner: Owner, watch: Watch, links: Callable[[], tuple[LinkView, ...]]
    ) -> None:
        self._owner = owner
        self._watch = watch
        self._links = links
        self._guide = Guide(self._tell)
        self._last = 0
        self._followers: dict[int, Callable[[int], None]] = {}
        self._count = 0
        owner.listen(self._changed)
        watch.on_change(self._tell)

    async def command(
        self, line: Line, known_as: KnownAs, entered_by: str = ""
    ) -> Outcome:
        """Do what a line says; return once its record is on disk."""
        return await self._ask(partial(_meant, line, known_as, entered_by))

    async def report(self, command: Command) -> Outcome:
        """Take what the runtime found out of a person; return once it is on disk."""
        return await self._ask(command)

    def login_failures(self, person: str) -> int:
        """Return how often in a row a login of this person was refused."""
        return self._owner.state.login_failures.get(person, 0)

    async def _ask(self, asked: Asked) -> Outcome:
        return await decided(self._owner, asked)

    def view(self) -> bytes:
        """Return the committed table's public view, JSON without a line feed."""
        state = self._owner.state
        around = Around(self._watch.notices(), self._links())
        return encoded_view(state, self._guide.offered(state), around)

    def subscribe(self, changed: Callable[[int], None]) -> Callable[[], None]:
        """Call `changed` with the last sequence after every commit, until ended."""
        self._count += 1
        number = self._count
        self._followers[number] = changed

        def end() -> None:
            self._followers.pop(number, None)

        return end

    def stop(self) -> None:
        """Work out no more for anybody; twice is fine."""
        self._guide.stop()

    def _changed(self, change: Change) -> None:
        self._last = change.last_sequence
        self._tell()

    def _tell(self) -> None:
        for changed in tuple(self._followers.values()):
            changed(self._last)


async def decided(owner: Owner, asked: Asked) -> Outcome:
    """Have a command decided; return once its record is on disk."""
    taken = await owner.command(asked)
    if taken is None:
        because = "the table is busy or stops"
        return Outcome(accepted=False, reason=BUSY, because=because)
    return Outcome(taken.accepted, taken.sequence, taken.reason, taken.because)


def _meant(
    line: Line, known_as: KnownAs, entered_by: str, state: TableState
) -> Command:
    """Return what a line asks, by the rules in force when its turn has come."""
    rules = partial(_rules, state.rules)
    return command_of(line, Meaning(known_as, rules, entered_by))


def _rules(in_force: Rules, name: str | None, changes: dict[str, str]) -> Rules:
    if name is None:
        return with_changes(in_force, changes)
    return ruleset_with(name, changes)
