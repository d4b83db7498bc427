"""Logins at a table with its journal: what is on disk, and after a restart."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from controller.core.ids import Kind as Fault
from controller.core.rules import Rules
from controller.core.state import new_table
from controller.evidence.verify import verify
from controller.journal import reader
from controller.rulesets.loader import load_ruleset
from controller.runtime.control_socket import ControlSocket
from controller.runtime.engine import Engine
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.owner import Owner, ReadOnlyOwner, read_only_state
from controller.runtime.people import people_of
from controller.runtime.staff import Staff
from controller.runtime.table import open_journal
from controller.runtime.waits import FIRST_WAIT_S, FREE_FAILURES
from controller.runtime.watch import Watch
from hw_config.schema import TableHardware
from tests.runtime.bench import salts
from tests.runtime.callers import Caller
from tests.runtime.clocks import StandingClock
from tests.runtime.equipment import hardware
from tests.runtime.lineups import PINS, list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.technicians import NoDevices

WRONG = "195837"
RULES: Rules = load_ruleset("colorado")


class Table:
    """Where a table's journal, list of people and control socket are."""

    def __init__(self, folder: Path) -> None:
        self.hardware: TableHardware = hardware(folder)
        self.journal = folder / "journals" / "table.journal"
        self.socket = folder / "control.sock"
        self.people = list_people(folder / "people.toml")
        self.log = Lines()
        self.clock = StandingClock()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Caller]:
        """Run the table until the end, with one program at its socket."""
        recovered = open_journal(
            self.journal, self.hardware, "table.toml", RULES, self.clock
        )
        with recovered.journal:
            engine = Engine(recovered, self.clock, salts())
            task = asyncio.create_task(engine.run())
            async with self.answering(engine) as caller:
                yield caller
            engine.stop()
            await task

    @contextlib.asynccontextmanager
    async def answering(self, owner: Owner) -> AsyncIterator[Caller]:
        say = logger_to(self.log, json_lines(self.clock))
        watch = Watch(owner, self.journal, self.hardware.journal, self.clock, say)
        staff = Staff(owner, watch, tuple)
        people = people_of(self.hardware.kind, self.people)
        control = ControlSocket(
            staff,
            speakers(people, staff, say, self.clock.now_s),
            say,
            watch.counters,
            NoDevices(staff),
            seats=3,
        )
        async with await control.open(self.socket):
            caller = await Caller.of(self.socket)
            yield caller
            await caller.leave()


async def test_a_restart_shortens_no_wait_and_forgets_no_failure(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    async with table.running() as caller:
        for _ in range(FREE_FAILURES):
            await caller.ask(login="S1", pin=WRONG)
        table.clock.advance(FIRST_WAIT_S - 1)
    async with table.running() as caller:
        assert (await caller.ask(login="S1", pin=PINS["S1"]))["refused"] == (
            "login_delayed"
        )
        table.clock.advance(FIRST_WAIT_S)
        assert (await caller.ask(login="S1", pin=PINS["S1"]))["accepted"]


async def test_no_pin_is_in_any_file_that_the_table_writes(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.running() as caller:
        await caller.ask(login="S1", pin=WRONG)
        await caller.ask(login=WRONG, pin="S1")
        await caller.ask(login="S1", pin=PINS["S1"])
        await caller.ask(witness="S2", pin=PINS["S2"])
        await caller.ask(command="supervisor S1 new-shoe 6 witness=S2")
    written = [path.read_bytes() for path in table.journal.parent.iterdir()]
    written += [line.encode() for line in table.log.kept]
    assert b"S2" in b"".join(written)
    for pin in (WRONG, PINS["S1"], PINS["S2"]):
        assert all(pin.encode() not in one for one in written)


async def test_the_record_of_logins_is_decided_the_same_again(tmp_path: Path) -> None:
    table = Table(tmp_path)
    async with table.running() as caller:
        await caller.ask(login="S1", pin=WRONG)
        await caller.ask(login="T1", pin=PINS["T1"])
        await caller.ask(command="dealer deal")
        await caller.ask(lift="S1")
        await caller.ask(logout=True)
    types = [row.type for row in reader.all_records(table.journal)]
    for one in ("login_refused", "person_logged_in", "command_refused"):
        assert one in types
    assert types[-1] == "person_logged_out"
    assert verify(table.journal, replay=True).good


async def test_a_table_that_writes_nothing_tells_nobody_whether_a_pin_was_right(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    empty = new_table("T", table.hardware.seats, RULES)
    shown = read_only_state(empty, Fault.JOURNAL_DAMAGED, "record 7 is damaged")
    async with table.answering(ReadOnlyOwner(shown)) as caller:
        wrong = await caller.ask(login="S1", pin=WRONG)
        right = await caller.ask(login="S1", pin=PINS["S1"])
        assert wrong == right
        assert wrong["refused"] == "table_suspended"
        assert "person" not in await caller.ask(who=True)
