"""The console as people run it: on a terminal, and in a pipe."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from controller.cli.console import command
from controller.runtime.control_socket import ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import people_of
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import Kind
from tests.cli.terminals import BOUND_S, Terminal, on_a_terminal
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import PINS, list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices

NOT_LOGGED_IN: Final = (
    "refused login_required: the person is not logged in there; log in first"
)
START: Final = "from controller.cli.console import command; command()"


class Table:
    """A table with its control socket open."""

    def __init__(self, path: Path, listed: Path | None = None) -> None:
        self.path = path
        self.engine = CoreEngine(state_after("bet 1 25"))
        self.socket = ControlSocket(
            self.engine,
            speakers(people_of(Kind.SIMULATION, listed), self.engine),
            logger_to(Lines(), json_lines(StandingClock())),
            Counters(),
            NoDevices(self.engine),
            seats=7,
        )


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    table = Table(tmp_path / "control.sock")
    async with await table.socket.open(table.path):
        yield table


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[Table]:
    """A table with a list of people."""
    table = Table(tmp_path / "control.sock", list_people(tmp_path / "people.toml"))
    async with await table.socket.open(table.path):
        yield table


# --- In a pipe --------------------------------------------------------------------


async def pipe_through(path: Path, text: str | bytes) -> tuple[int, list[str], str]:
    """Return exit status, replies and what was said on standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        START,
        "--socket",
        str(path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(BOUND_S):
        sent = text.encode() if isinstance(text, str) else text
        replies, said = await process.communicate(sent)
    assert process.returncode is not None
    return process.returncode, replies.decode().splitlines(), said.decode()


async def test_each_piped_line_gets_one_plain_reply(table: Table) -> None:
    status, replies, said = await pipe_through(
        table.path,
        "# the deal\n\ndealer deal\nstate\nhelp\n",
    )
    assert (status, said) == (0, "")
    accepted, state, words = replies
    assert accepted == "accepted 101"
    assert state.startswith("scenario; DEALING; round 1; gate open; shift of D1")
    assert words.startswith("dealer undo-deal; dealer call [REASON]")


async def test_quit_ends_what_is_piped_too(table: Table) -> None:
    status, replies, _ = await pipe_through(table.path, "state\nquit\nstate\n")
    assert (status, len(replies)) == (0, 1)


async def test_a_piped_line_not_accepted_makes_the_exit_status_one(
    table: Table,
) -> None:
    status, replies, _ = await pipe_through(
        table.path, "dealer next\ndealer dael\nsupervisor S1 resume\ndealer deal\n"
    )
    assert status == 1
    assert replies[0] == "refused wrong_phase: this part of the round has no use for it"
    assert replies[1].startswith("error: expected a dealer's step")
    assert replies[2] == 'not sent: a decision needs its reason, as in reason="…"'
    assert replies[3].startswith("accepted ")


async def test_bytes_that_are_no_text_cost_their_own_line_alone(table: Table) -> None:
    status, replies, said = await pipe_through(
        table.path, b'\xff\xfe\ndealer call "\xe9"\ndealer deal\n'
    )
    assert (status, said) == (1, "")
    no_text = "error: expected a line in UTF-8, got other bytes"
    assert replies[:2] == [no_text, no_text]
    assert replies[2].startswith("accepted ")


async def test_a_decision_with_its_reason_goes_through_a_pipe(table: Table) -> None:
    status, replies, _ = await pipe_through(
        table.path, 'dealer call\nsupervisor S1 resume reason="all is well"\n'
    )
    assert status == 0
    assert all(reply.startswith("accepted ") for reply in replies)


async def test_without_a_table_there_is_one_line_and_status_one(tmp_path: Path) -> None:
    status, replies, said = await pipe_through(tmp_path / "none.sock", "dealer next\n")
    assert (status, replies) == (1, [])
    (line,) = said.splitlines()
    assert line.startswith(f"{tmp_path}/none.sock: no table answers here")


async def test_a_table_that_leaves_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"

    async def leave(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_unix_server(leave, path):
        status, replies, said = await pipe_through(path, "dealer next\n")
    assert (status, replies) == (1, [])
    assert said == f"{path}: the table has left\n"


async def test_an_answer_of_another_version_is_told_in_one_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "control.sock"

    async def babble(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readline()
        writer.write(b'{"accepted": "perhaps"}\n')
        writer.close()

    async with await asyncio.start_unix_server(babble, path):
        status, _, said = await pipe_through(path, "dealer next\n")
    assert status == 1
    assert "an answer that this console cannot read" in said
    assert len(said.splitlines()) == 1


async def test_in_a_pipe_the_pin_is_the_line_after_login(guarded: Table) -> None:
    status, replies, _ = await pipe_through(
        guarded.path,
        f"dealer deal\nlogin S1\n{PINS['S1']}\nlogin S1 {PINS['S1']}\n"
        f"witness S2\n{PINS['S2']}\nlift D1\ndealer deal\nlogout\ndealer next\n",
    )
    assert status == 1
    assert replies[0] == NOT_LOGGED_IN
    assert replies[1] == "accepted as supervisor"
    assert replies[2] == "error: expected login and an id alone; a PIN is asked for"
    assert replies[3] == "accepted as supervisor"
    assert replies[4].startswith("accepted ")
    assert replies[5].startswith("accepted ")
    assert replies[6].startswith("accepted ")
    assert replies[7] == NOT_LOGGED_IN


# --- Which table ------------------------------------------------------------------


def test_the_hardware_file_names_the_socket(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    socket_path = tmp_path / "named.sock"
    shipped = shipped_hardware("simulation-seven")
    named = load_hardware(shipped).control_socket
    file.write_text(shipped.read_text().replace(named, str(socket_path)))
    done = CliRunner().invoke(command, [str(file)])
    assert done.exit_code == 1
    assert done.output.startswith(f"{socket_path}: no table answers here")


def test_a_bad_hardware_file_is_wrong_use(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [str(tmp_path / "none.toml")])
    assert done.exit_code == 2
    assert done.output.startswith(f"{tmp_path}/none.toml: cannot be read")


def test_without_file_and_socket_it_says_what_it_needs() -> None:
    done = CliRunner().invoke(command, [])
    assert done.exit_code == 2
    assert "expected HARDWARE.toml or --socket PATH" in done.output


# --- On a terminal ----------------------------------------------------------------


def console(
    path: Path, term: str = "xterm"
) -> contextlib.AbstractAsyncContextManager[Terminal]:
    return on_a_terminal("-c", START, "--socket", str(path), term=term)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_a_dealer_sees_the_table_and_speaks_to_it(
    table: Table, term: str
) -> None:
    async with console(table.path, term) as terminal:
        await terminal.shows("spot 1 bet 25")
        terminal.type("dealer deal\n")
        at = await terminal.shows("accepted 101")
        await terminal.shows("dealer: Card to seat 1 (")
        terminal.type("help\n")
        await terminal.shows("dealer undo-deal", at)
        at = await terminal.shows("quit", at)
        terminal.type("state\n")
        await terminal.shows("scenario; DEALING", at)
        terminal.type("dealer dael\n")
        await terminal.shows("did you mean deal?")
        terminal.type("quit\n")
        assert await terminal.ends() == 0


async def test_a_supervisor_is_asked_for_the_reason(table: Table) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        terminal.type("dealer call\n")
        await terminal.shows("called: The dealer calls")
        terminal.type("supervisor S1 resume\n")
        at = await terminal.shows("reason> ")
        assert table.engine.state.suspended
        terminal.type("\n")
        at = await terminal.shows("not sent: a decision needs its reason", at)
        assert table.engine.state.suspended
        terminal.type("supervisor S1 resume\n")
        at = await terminal.shows("reason> ", at)
        terminal.type("all is well\n")
        await terminal.shows("accepted", at)
        assert not table.engine.state.suspended


async def test_a_supervisor_decides_by_a_number_of_the_list(table: Table) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        terminal.type("dealer deal\ndealer call the cut card\n")
        at = await terminal.shows("called (IRR-1): Hear the dealer and decide")
        at = await terminal.shows("   1  resume (IRR-1): Nothing is changed", at)
        terminal.type("99\n")
        at = await terminal.shows("there is no decision 99 in the list", at)
        terminal.type("1\n")
        at = await terminal.shows("supervisor> ", at)
        terminal.type("\n")
        at = await terminal.shows("nothing was sent", at)
        assert table.engine.state.suspended
        terminal.type("1\n")
        at = await terminal.shows("supervisor> ", at)
        terminal.type("S1\n")
        at = await terminal.shows("reason> ", at)
        terminal.type("it is where it was\n")
        await terminal.shows("accepted", at)
        assert not table.engine.state.suspended


async def test_the_list_is_printed_once_until_it_changes(table: Table) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        terminal.type("dealer call\n")
        at = await terminal.shows("nothing is sent yet")
        terminal.type("dealer deal\ncash 4 spread\n")
        at = await terminal.shows("refused table_suspended", at)
        at = await terminal.shows("refused table_suspended", at)
        terminal.type("decisions\nquit\n")
        assert await terminal.ends() == 0
        assert terminal.shown.count("nothing is sent yet") == 1
        assert terminal.shown.count("called (IRR-1): Hear the dealer and decide") == 2


async def test_what_is_being_typed_survives_a_change(table: Table) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        terminal.type("dealer de")
        at = await terminal.shows("dealer de")
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(table.path))
            other.sendall(b'{"command": "cash 4 spread"}\n')
            at = await terminal.shows("seat 4 cash spread", at)
        at = await terminal.shows("table> dealer de", at)
        terminal.type("al\n")
        await terminal.shows("refused cash_transaction_open", at)


async def test_only_what_changed_is_shown(table: Table) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("spot 1 bet 25")
        at = await terminal.shows("table> ")
        terminal.type("cash 4 spread\n")
        at = await terminal.shows("seat 4 cash spread", at)
        terminal.type("quit\n")
        assert await terminal.ends() == 0
        assert "spot 1 bet 25" not in terminal.shown[at:]
        assert terminal.shown.count("spot 1 bet 25") == 1


async def test_when_the_table_leaves_the_console_waits_until_it_is_back(
    table: Table,
) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        await terminal.shows("spot 1 bet 25")
        await table.socket.close()
        at = await terminal.shows(f"{table.path}: the table has left; waiting until")
        again = Table(table.path)
        async with await again.socket.open(again.path):
            at = await terminal.shows("table> ", at)
            terminal.type("cash 4 spread\n")
            at = await terminal.shows("accepted", at)
        await terminal.shows("the table has left; waiting until", at)
        terminal.process.send_signal(signal.SIGINT)
        assert await terminal.ends() == 0
        assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(
    "leave",
    [
        pytest.param(lambda terminal: terminal.type("\x04"), id="end of input"),
        pytest.param(
            lambda terminal: terminal.process.send_signal(signal.SIGINT),
            id="interrupt",
        ),
    ],
)
async def test_a_person_may_leave_at_any_time(
    table: Table, leave: Callable[[Terminal], None]
) -> None:
    async with console(table.path) as terminal:
        await terminal.shows("table> ")
        await terminal.shows("spot 1 bet 25")
        leave(terminal)
        assert await terminal.ends() == 0
        assert "Traceback" not in terminal.shown


NOTICED_BY_ANOTHER_THREAD: Final = """
import signal, threading

def pass_on():
    signal.sigwait([signal.SIGUSR1])
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
threading.Thread(target=pass_on, daemon=True).start()
"""


async def test_an_interrupt_that_ends_no_wait_is_noticed_all_the_same(
    table: Table,
) -> None:
    script = NOTICED_BY_ANOTHER_THREAD + START
    arguments = ("-c", script, "--socket", str(table.path))
    async with on_a_terminal(*arguments) as terminal:
        await terminal.shows("table> ")
        await terminal.shows("spot 1 bet 25")
        terminal.process.send_signal(signal.SIGUSR1)
        assert await terminal.ends() == 0


START_AS_TABLECTL: Final = "from controller.cli.main import main; main()"


async def test_a_console_that_is_terminated_leaves_a_terminal_that_echoes(
    guarded: Table,
) -> None:
    arguments = ("-c", START_AS_TABLECTL, "console", "--socket", str(guarded.path))
    for typed, prompt in (("", "person> "), ("S1\n", "PIN> ")):
        async with on_a_terminal(*arguments) as terminal:
            await terminal.shows("person> ")
            await terminal.shows("spot 1 bet 25")
            terminal.type(typed)
            await terminal.shows(prompt)
            terminal.process.send_signal(signal.SIGTERM)
            assert await terminal.ends() == 128 + signal.SIGTERM
            assert terminal.echoes
            assert "Traceback" not in terminal.shown


# Python drops whatever the flushing of its streams raises before a line is read.
DROPPED_ON_THE_WAY_TO_THE_WAIT: Final = """
import signal, sys

class Interrupted:
    def flush(self):
        sys.stderr = sys.__stderr__
        signal.raise_signal(signal.{name})

sys.stderr = Interrupted()
"""


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 0), ("SIGTERM", 143)])
async def test_a_signal_just_before_the_wait_for_a_line_is_not_dropped(
    table: Table, name: str, status: int
) -> None:
    script = DROPPED_ON_THE_WAY_TO_THE_WAIT.format(name=name) + START
    arguments = ("-c", script, "--socket", str(table.path))
    async with on_a_terminal(*arguments) as terminal:
        assert await terminal.ends() == status
        assert "table> " in terminal.shown
        assert "Traceback" not in terminal.shown


async def test_where_people_must_log_in_the_console_asks_who_it_is(
    guarded: Table,
) -> None:
    async with console(guarded.path) as terminal:
        await terminal.shows("person> ")
        terminal.type("S1\n")
        at = await terminal.shows("PIN> ")
        terminal.type(f"{PINS['S1']}\n")
        at = await terminal.shows("accepted as supervisor", at)
        at = await terminal.shows("table> ", at)
        terminal.type("dealer deal\n")
        at = await terminal.shows("accepted ", at)
        terminal.type("logout\n")
        at = await terminal.shows("accepted ", at)
        terminal.type("dealer undo-deal\n")
        at = await terminal.shows("refused login_required", at)
        terminal.type("login D1\n")
        at = await terminal.shows("PIN> ", at)
        terminal.type("wrong\n")
        at = await terminal.shows("refused login_refused", at)
        terminal.type("quit\n")
        assert await terminal.ends() == 0
        assert PINS["S1"] not in terminal.shown


async def test_while_a_pin_is_typed_the_table_is_shown_and_the_pin_is_not(
    guarded: Table,
) -> None:
    async with console(guarded.path) as terminal:
        await terminal.shows("person> ")
        await terminal.shows("spot 1 bet 25")
        terminal.type("S1\n")
        at = await terminal.shows("PIN> ")
        terminal.type(PINS["S1"][:3])
        guarded.engine.state = state_after("bet 1 25\nbet 2 50")
        guarded.engine.tell()
        at = await terminal.shows("spot 2 bet 50", at)
        at = await terminal.shows("PIN> ", at)
        terminal.type(PINS["S1"][3:] + "\n")
        await terminal.shows("accepted as supervisor", at)
        assert PINS["S1"][:3] not in terminal.shown


async def test_who_only_looks_need_not_say_who_they_are(guarded: Table) -> None:
    async with console(guarded.path) as terminal:
        await terminal.shows("person> ")
        terminal.type("\n")
        at = await terminal.shows("table> ")
        terminal.type("state\n")
        await terminal.shows("scenario; BETTING", at)
