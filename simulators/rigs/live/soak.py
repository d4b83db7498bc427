"""A soak of the whole: rounds by robots at a live table, while all goes wrong."""

import math
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.commands import PressButton, PressDealerButton, ReportCard
from controller.core.decide import Decision
from controller.core.secrets import Secrets
from controller.evidence.verify import verify
from hw_config.schema import Baud
from simulators.devices.fault_plans import one_by_one
from simulators.devices.faults import Cable, DeviceFault, Stall, chance
from simulators.rigs.checkers.checker import Step, Violation
from simulators.rigs.live.devices import LiveDevices
from simulators.rigs.live.table import PlayedTable
from simulators.rigs.live.upkeep import NOTHING, Upkeep, upkeep_of
from simulators.rigs.soak.report import Tally
from simulators.rigs.soak.run import Plan
from simulators.rigs.table_folder import TableFolder, at_speed, lay_out
from simulators.rigs.virtual.felt import shoe_of
from simulators.rigs.virtual.mishaps import CUTS, MISHAPS, Trouble
from simulators.rigs.virtual.seating import people_of

HASTE: Final = 10.0
"""How much faster robots are here than at a virtual table, which has time."""

LINE_FAULTS: Final = 0.05
DEVICE_FAULTS_A_SECOND: Final = 1.5
MISHAPS_A_SECOND: Final = 4.0
"""What a rate of faults of 1 means, as at a virtual table; time is dear here."""

ROUND_MAX_S: Final = 120.0
REST_MAX_S: Final = 75.0
LONG_STALL_S: Final = 20.0
_STALLS_S: Final = (3.0, 30.0)
_VIOLATIONS_MAX: Final = 20
_PRESSES: Final = (PressButton, PressDealerButton)
_LEADS_ON: Final = "some_step_leads_on"
_VERIFIES: Final = "journal_verifies"


class LivePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a soak at a live table is made of.

    `kills` says whether the controller's process is killed; where it is not, it lives
    from the first round to the last, and can be seen to grow. With `long_stall` one
    line is silent for twenty seconds once. Devices come one by one within
    `come_within_s`. `also` happens besides what is drawn, its hours counted from the
    start.
    """

    table: Plan
    baud: Baud = Baud.B115200
    kills: bool = True
    long_stall: bool = False
    haste: float = HASTE
    come_within_s: float = 3.0
    also: tuple[DeviceFault, ...] = ()


class LiveReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was played, what went wrong on purpose, and what was wrong with that.

    `early` is the most that the controller's process needed in the first quarter of
    the rounds, `late` what it needed at the end; with kills that is another process.
    """

    seed: int
    baud: int
    rounds: int
    presses: int
    cards: int
    records: int
    seconds: float
    starts: int
    faults: dict[str, int]
    mishaps: dict[str, int]
    irregularities: dict[str, int]
    early: Upkeep
    late: Upkeep
    violations: tuple[Violation, ...]


class LiveSoak:
    """A live table in the middle of a soak; its files are in `folder`."""

    def __init__(self, folder: Path, plan: LivePlan) -> None:
        seed = plan.table.seed
        self.plan = plan
        self.files: TableFolder = at_speed(lay_out(folder), plan.baud)
        self.tally = Tally(frozenset())
        self.seen: Counter[str] = Counter()
        self._irregularities: Counter[str] = Counter()
        faults = plan.table.faults
        devices = LiveDevices(
            self.files.hardware,
            shoe_of(chance(seed, "shoe"), plan.table.rules.decks),
            seed,
            line_faults=faults * LINE_FAULTS,
            devices_a_second=faults * DEVICE_FAULTS_A_SECOND,
        )
        self.table = PlayedTable(self.files, plan.table.rules, devices, plan.haste)
        self.table.watch.sinks.append(self._count)
        mishaps = [one for one in MISHAPS if plan.kills or one not in CUTS]
        self._trouble = Trouble(
            chance(seed, "trouble"), faults * MISHAPS_A_SECOND, mishaps
        )
        self.table.people += [*people_of(plan.table), self._trouble]
        self._early = self._late = NOTHING
        self._seconds = 0.0

    async def play(self, rounds: int) -> None:
        """Play until so many rounds are closed, come to rest, stop, and verify.

        Raises:
            ControllerEndedError: The controller ended by itself, or not cleanly.

        """
        began = perf_counter()
        self.table.devices.chapters.add(self._schedule(), self.table.now)
        async with self.table:
            if await self._play_on(rounds):
                await self._come_to_rest()
            self._late = self._upkeep()
        self._verify()
        self._seconds = perf_counter() - began

    def report(self) -> LiveReport:
        """Return what was found."""
        return LiveReport(
            seed=self.plan.table.seed,
            baud=self.plan.baud.value,
            rounds=self.tally.rounds,
            presses=sum(self.seen[kind.__name__] for kind in _PRESSES),
            cards=self.seen[ReportCard.__name__],
            records=self.tally.events,
            seconds=round(self._seconds, 1),
            starts=self.table.controller.starts,
            faults=dict(sorted(self.table.devices.chapters.counts.items())),
            mishaps=dict(sorted(self._trouble.counts.items())),
            irregularities=dict(sorted(self._irregularities.items())),
            early=self._early,
            late=self._late,
            violations=tuple(self.table.watch.inspection.violations),
        )

    def _schedule(self) -> tuple[DeviceFault, ...]:
        """Return what happens besides what is drawn: a start, and a long stall."""
        source = chance(self.plan.table.seed, "start")
        addresses = sorted(self.table.devices.bus.panels)
        schedule = (
            one_by_one(source, self.plan.come_within_s, addresses) + self.plan.also
        )
        if not self.plan.long_stall:
            return schedule
        cable = source.choice(list(Cable))
        stall = Stall(source.uniform(*_STALLS_S), LONG_STALL_S, cable)
        return (*schedule, stall)

    async def _play_on(self, rounds: int) -> bool:
        """Play until so many rounds are closed; return whether the table can go on."""
        while self.tally.rounds < rounds and not self._enough():
            if not await self._reaches(self.tally.rounds + 1):
                return False
            if self.tally.rounds * 4 <= rounds:
                self._early = self._early.most(self._upkeep())
        return True

    async def _reaches(self, rounds: int) -> bool:
        """Play until a number of rounds is closed; a table that is stuck is wrong."""

        def is_over() -> bool:
            return self.tally.rounds >= rounds or self._enough()

        if await self.table.run_until(is_over, ROUND_MAX_S):
            return True
        state = self.table.state
        kinds = [found.kind.value for found in state.irregularities]
        words = f"round {state.round} does not end: {state.phase.value} {kinds}"
        self.table.watch.blame(_LEADS_ON, words)
        return False

    async def _come_to_rest(self) -> None:
        """Let nothing more go wrong until every device knows that all is taken."""
        self.table.devices.calm()
        self._trouble.end()
        self.table.people.clear()
        if not await self.table.run_until(self._is_at_rest, REST_MAX_S):
            self.table.watch.blame(_LEADS_ON, "the table does not come to rest")

    def _is_at_rest(self) -> bool:
        """Return whether all faults are over and no device waits to be heard."""
        devices = self.table.devices
        waiting = any(panel.memory.waiting for panel in devices.bus.panels.values())
        return (
            devices.chapters.deadline == math.inf
            and not waiting
            and devices.shoe.memory.oldest_not_taken is None
            and self.table.controller.pid is not None
        )

    def _verify(self) -> None:
        report = verify(self.files.journal, replay=True)
        for finding in report.findings:
            self.table.watch.blame(_VERIFIES, str(finding))

    def _upkeep(self) -> Upkeep:
        pid = self.table.controller.pid
        return NOTHING if pid is None else upkeep_of(pid)

    def _enough(self) -> bool:
        return len(self.table.watch.inspection.violations) >= _VIOLATIONS_MAX

    def _count(self, step: Step) -> None:
        self.seen[type(step.records[0]).__name__] += 1
        for record in step.records:
            if isinstance(record, ev.IrregularityFound):
                self._irregularities[record.kind.value] += 1
        told = Decision(step.records, (), (), step.state, Secrets())
        self.tally.take(step.given, told)
