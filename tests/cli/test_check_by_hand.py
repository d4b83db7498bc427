"""`tablectl check --try` at a table that runs: its test mode, held by a program."""

import asyncio
import contextlib
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.cli.failures import Status
from controller.core import events as ev
from controller.core.commands import ReportFault
from controller.core.ids import EndOfTestMode
from controller.core.ids import Kind as FaultKind
from controller.runtime.control_socket import ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import People, load, people_of
from controller.runtime.seen import ButtonSeen
from drivers.panel.messages import Button
from hw_config.schema import Kind
from simulators.rigs.table_folder import TableFolder, lay_out
from tests.cli.terminals import BOUND_S, on_a_terminal
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import PINS, list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices


class Table:
    """A table that answers at its control socket, without devices."""

    def __init__(self, steps: str, people: People) -> None:
        self.engine = CoreEngine(state_after(steps))
        self.technician = NoDevices(self.engine)
        self.socket = ControlSocket(
            self.engine,
            speakers(people, self.engine),
            logger_to(Lines(), json_lines(StandingClock())),
            Counters(),
            self.technician,
            seats=3,
        )

    @property
    def is_tried(self) -> bool:
        return self.engine.state.test_mode is not None

    @property
    def ended(self) -> list[EndOfTestMode]:
        ends = (one for one in self.engine.records if isinstance(one, ev.TestModeEnded))
        return [one.why for one in ends]


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


@contextlib.asynccontextmanager
async def table_at(
    folder: TableFolder, steps: str = "", people: People | None = None
) -> AsyncIterator[Table]:
    table = Table(steps, people or people_of(Kind.SIMULATION, None))
    async with await table.socket.open(folder.control_socket):
        yield table


async def check(folder: TableFolder, *arguments: str) -> Process:
    """Start a check whose lines and answers are ours."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from controller.cli.main import main; main()",
        "check",
        "--try",
        *arguments,
        str(folder.hardware_file),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )


async def ended(process: Process, typed: bytes = b"") -> tuple[int | None, str, str]:
    """Return status, output and errors of a check once it has ended."""
    async with asyncio.timeout(BOUND_S):
        told, errors = await process.communicate(typed)
    return process.returncode, told.decode(), errors.decode()


async def line_with(process: Process, words: str) -> str:
    """Return the next line that has these words in it."""
    assert process.stdout is not None
    async with asyncio.timeout(BOUND_S):
        while line := await process.stdout.readline():
            if words in line.decode():
                return line.decode()
    raise AssertionError(f"no line with {words}")


async def until_not_tried(table: Table) -> None:
    async with asyncio.timeout(BOUND_S):
        while table.is_tried:  # noqa: ASYNC110 - an engine sets no event
            await asyncio.sleep(0.005)


async def test_lamps_are_lit_by_lines_and_the_end_of_the_lines_ends_it(
    folder: TableFolder,
) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--person", "S1")
        typed = b"lamp 1 hit\nlamp 9 hit\nlinks\nlamps dealer\n"
        status, told, _ = await ended(process, typed)
    # The table says that its shoe does not answer.
    assert status == Status.NO
    assert "look at the shoe's cable and its supply" in told
    assert "TEST MODE, by hand: press any button to see it here" in told
    assert "expected one of the panels 1 2 3 dealer, got 9" in told
    assert told.splitlines()[-1] == "the test mode has ended: asked"
    assert table.technician.lit[1] == {Button.HIT}
    assert Button.CALL in table.technician.lit[0]
    assert table.ended == [EndOfTestMode.ASKED]


async def test_each_press_is_shown_as_it_comes(folder: TableFolder) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--person", "S1")
        await line_with(process, "TEST MODE, by hand")
        for down, words in ((True, "down"), (False, "up")):
            table.technician.by_hand.see(ButtonSeen(2, "hit", down=down))
            assert await line_with(process, "hit") == f"seat 2: hit {words}\n"
        await ended(process, b"end\n")


async def test_programs_get_each_as_an_object_on_its_line(folder: TableFolder) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--json", "--person", "S1")
        found = json.loads(await line_with(process, "{"))
        assert found["running"] is True
        assert found["table"]["name"] == "scenario"
        assert [one["name"] for one in found["devices"]] == ["shoe"]
        assert found["journal"]["free_bytes"] > 0
        assert "TEST MODE" in json.loads(await line_with(process, "{"))["said"]
        table.technician.by_hand.see(ButtonSeen(2, "hit", down=True))
        assert json.loads(await line_with(process, "{")) == {
            "seen": {"type": "button", "seat": 2, "button": "hit", "down": True}
        }
        await ended(process, b"end\n")


@pytest.mark.parametrize(
    ("steps", "person", "reason", "because"),
    [
        ("bet 1 25", "S1", "wagers_lie", "play the round, or clear the bets first"),
        ("bet 1 25\ndealer deal", "S1", "round_open", "finish the round first"),
        ("", "T1", "supervisor_required", "expected a supervisor who does not deal"),
    ],
)
async def test_a_table_in_play_is_not_tried_and_says_why_in_one_line(
    folder: TableFolder, steps: str, person: str, reason: str, because: str
) -> None:
    async with table_at(folder, steps) as table:
        status, _, errors = await ended(await check(folder, "--person", person))
        assert not table.is_tried
    assert status == Status.NO
    (line,) = errors.splitlines()
    assert f"refused {reason}: " in line
    assert because in line


async def test_who_tries_it_must_be_named(folder: TableFolder) -> None:
    async with table_at(folder) as table:
        status, _, errors = await ended(await check(folder))
        assert not table.is_tried
    assert status == Status.MISUSE
    assert "--person ID" in errors


async def test_where_people_log_in_a_pin_is_asked_for(
    folder: TableFolder, tmp_path: Path
) -> None:
    file = list_people(tmp_path / "people.toml")
    people = People(load(file), {}, file)
    async with table_at(folder, "shift close", people) as table:
        process = await check(folder, "--person", "T1")
        status, _, errors = await ended(process, b"000000\n")
        assert (status, table.engine.state.test_mode) == (Status.NO, None)
        assert "login_refused" in errors
        typed = f"{PINS['T1']}\nlamp 1 hit\n".encode()
        _, told, _ = await ended(await check(folder, "--person", "T1"), typed)
        assert PINS["T1"] not in told
    begun = [one for one in table.engine.records if isinstance(one, ev.TestModeBegun)]
    assert [one.person for one in begun] == ["T1"]
    assert table.technician.lit == {1: {Button.HIT}}


async def test_an_interrupt_where_the_pin_is_asked_for_ends_it_at_once(
    folder: TableFolder, tmp_path: Path
) -> None:
    people = people_of(Kind.SIMULATION, list_people(tmp_path / "people.toml"))
    arguments = ("check", "--try", "--person", "T1", str(folder.hardware_file))
    script = "from controller.cli.main import main; main()"
    async with (
        table_at(folder, people=people),
        on_a_terminal("-c", script, *arguments) as terminal,
    ):
        await terminal.shows("PIN of T1")
        terminal.process.send_signal(signal.SIGINT)
        assert await terminal.ends() == 128 + signal.SIGINT
        assert terminal.echoes


async def test_an_interrupt_ends_it_in_good_order(folder: TableFolder) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--person", "S1")
        await line_with(process, "TEST MODE, by hand")
        process.send_signal(signal.SIGINT)
        await line_with(process, "the test mode has ended: asked")
        await ended(process)
    assert table.ended == [EndOfTestMode.ASKED]


async def test_a_program_that_is_killed_leaves_no_test_mode_behind(
    folder: TableFolder,
) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--person", "S1")
        await line_with(process, "TEST MODE, by hand")
        assert table.is_tried
        process.kill()
        await ended(process)
        await until_not_tried(table)
    assert table.ended == [EndOfTestMode.CLIENT_LEFT]


async def test_a_stop_of_the_table_ends_it_and_is_said(folder: TableFolder) -> None:
    async with table_at(folder) as table:
        process = await check(folder, "--person", "S1")
        await line_with(process, "TEST MODE, by hand")
        fault = ReportFault(kind=FaultKind.INTERNAL_FAULT, words="x")
        assert (await table.engine.report(fault)).accepted
        await line_with(process, "the test mode has ended: irregularity")
        status, _, _ = await ended(process)
    assert status == Status.NO


async def test_a_table_that_stops_is_said_to_have_left(folder: TableFolder) -> None:
    async with table_at(folder):
        process = await check(folder, "--person", "S1")
        await line_with(process, "TEST MODE, by hand")
    status, _, errors = await ended(process)
    assert status == Status.NO
    assert "the table has left" in errors
