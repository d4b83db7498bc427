"""A soak over the wire: whole tables, faults at every layer, all watched."""

from collections.abc import Iterable
from typing import Final

from controller.core.decide import Decision
from controller.core.secrets import Secrets
from controller.core.state import new_table
from drivers.line_shoe.profiles import BEETEK
from hw_config.schema import ShoeKind
from simulators.devices.faults import chance
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.soak.report import Report, Tally
from simulators.rigs.soak.run import Plan
from simulators.rigs.virtual.devices import Faults
from simulators.rigs.virtual.felt import TableShoe, shoe_of
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.keeping import Keeper
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.mishaps import Trouble, mishaps_with
from simulators.rigs.virtual.quiet import has_to_tell
from simulators.rigs.virtual.seating import people_of
from simulators.rigs.virtual.setup import HARDWARE, Setup
from simulators.rigs.virtual.table import VirtualTable

# What a rate of faults of 1 means: a table that is hardly ever in order.
LINE_FAULTS: Final = 0.15
DEVICE_FAULTS_A_SECOND: Final = 0.3
MISHAPS_A_SECOND: Final = 3.0

ROUND_MAX_S: Final = 900.0
REST_MAX_S: Final = 45.0
_VIOLATIONS_MAX: Final = 20
_LEADS_ON: Final = "some_step_leads_on"


class VirtualSoak:
    """A table over the wire in the middle of a soak run."""

    def __init__(
        self,
        plan: Plan,
        *,
        shoe: TableShoe | LineShoeAtTable | None = None,
        keeper: Keeper | None = None,
        checkers: Iterable[Checker] | None = None,
        host_type: type[Host] = Host,
        skips_quiet_polls: bool = True,
    ) -> None:
        self.plan = plan
        opened = new_table(HARDWARE.table_id, HARDWARE.seats, plan.rules)
        self.table = VirtualTable(
            Setup(
                plan.rules,
                plan.seed,
                faults_of(plan.faults),
                skips_quiet_polls,
                plan.panels,
                plan.shoe,
            ),
            shoe or _shoe_of(plan),
            keeper=keeper,
            checkers=all_checkers(opened) if checkers is None else checkers,
            host_type=host_type,
        )
        self.tally = Tally(frozenset(plan.basic_seats))
        self.table.watch.sinks.append(self._count)
        self._trouble = Trouble(
            chance(plan.seed, "trouble"),
            plan.faults * MISHAPS_A_SECOND,
            mishaps_with(plan.shoe),
        )
        self.table.people += [*people_of(plan), self._trouble]

    def play(self, rounds: int) -> None:
        """Play until so many rounds are closed, or enough is wrong; then rest."""
        if self.play_on(rounds):
            self.come_to_rest()

    def play_on(self, rounds: int) -> bool:
        """Play until so many rounds are closed, or enough is wrong.

        Return whether the table can go on.
        """
        while self.tally.rounds < rounds and not self._enough():
            if not self._reaches(self.tally.rounds + 1):
                return False
        return True

    def come_to_rest(self) -> None:
        """Let nothing more go wrong until every device knows that all is taken."""
        self.table.devices.calm()
        self._trouble.end()
        self.table.people.clear()
        if not self.table.run_until(self._is_at_rest, REST_MAX_S):
            self.table.watch.blame(_LEADS_ON, "the table does not come to rest")

    def report(self, seconds: float) -> Report:
        """Return what was found; `seconds` is what the caller measured."""
        mean, error = self.tally.result_percent()
        return Report(
            seed=self.plan.seed,
            rounds=self.tally.rounds,
            hands=self.tally.hands,
            events=self.tally.events,
            seconds=seconds,
            violations=tuple(self.table.watch.inspection.violations),
            digest=self.tally.digest,
            result_percent=mean,
            standard_error_percent=error,
        )

    def _reaches(self, rounds: int) -> bool:
        """Play until a number of rounds is closed; a table that is stuck is wrong."""

        def is_over() -> bool:
            return self.tally.rounds >= rounds or self._enough()

        if self.table.run_until(is_over, ROUND_MAX_S):
            return True
        state = self.table.state
        kinds = [found.kind.value for found in state.irregularities]
        self.table.watch.blame(
            _LEADS_ON, f"round {state.round} does not end: {state.phase.value} {kinds}"
        )
        return False

    def _enough(self) -> bool:
        return len(self.table.watch.inspection.violations) >= _VIOLATIONS_MAX

    def _is_at_rest(self) -> bool:
        """Return whether no device waits for an acknowledgement any more."""
        devices = self.table.devices
        waiting = any(map(has_to_tell, devices.any_panels.values()))
        return not waiting and devices.shoe.all_is_taken

    def _count(self, step: Step) -> None:
        told = Decision(step.records, (), (), step.state, Secrets())
        self.tally.take(step.given, told)


def _shoe_of(plan: Plan) -> TableShoe | LineShoeAtTable:
    source, decks = chance(plan.seed, "shoe"), plan.rules.decks
    if plan.shoe is ShoeKind.LINE:
        return LineShoeAtTable(BEETEK, source, decks)
    return shoe_of(source, decks)


def faults_of(rate: float) -> Faults:
    """Return what goes wrong at lines and devices; `rate` is from 0 to 1."""
    return Faults(rate * LINE_FAULTS, rate * DEVICE_FAULTS_A_SECOND)
