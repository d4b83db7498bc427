"""The control socket, over real sockets."""

import asyncio
import contextlib
import grp
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.control_lines import (
    LINE_MAX_BYTES,
    BadLineError,
    decode_line,
)
from controller.runtime.control_socket import CONNECTIONS_MAX, ControlSocket
from controller.runtime.errors import ControlSocketError
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import people_of
from controller.runtime.socket_file import SocketFile
from hw_config.schema import Kind
from tests.runtime.callers import BOUND_S, Caller, soon, until
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices


class Rig:
    """An open control socket, the engine behind it, and what it logged."""

    def __init__(self, path: Path, kind: Kind = Kind.SIMULATION) -> None:
        self.path = path
        self.engine = CoreEngine(state_after("bet 1 25"))
        self.log = Lines()
        self.counters = Counters()
        say = logger_to(self.log, json_lines(StandingClock()))
        self.technician = NoDevices(self.engine)
        self.socket = ControlSocket(
            self.engine,
            speakers(people_of(kind, None), self.engine, say),
            say,
            self.counters,
            self.technician,
            seats=7,
        )

    def count(self, name: str) -> int:
        return self.counters.snapshot()[name]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = Rig(tmp_path / "control.sock")
    async with await rig.socket.open(rig.path):
        yield rig


@pytest.fixture
async def caller(rig: Rig) -> AsyncIterator[Caller]:
    caller = await Caller.of(rig.path)
    yield caller
    await caller.leave()


# --- Commands ---------------------------------------------------------------------


async def test_a_command_is_accepted_with_its_records_number(caller: Caller) -> None:
    answer = await caller.ask(id=7, command="dealer deal")
    assert answer == {"id": 7, "accepted": True, "sequence": 101}


async def test_a_refusal_says_its_reason_and_because(caller: Caller) -> None:
    assert await caller.ask(id="a", command="dealer next") == {
        "id": "a",
        "refused": "wrong_phase",
        "sequence": 101,
    }
    answer = await caller.ask(command="supervisor X9 resume")
    assert answer["refused"] == "unknown_person"
    assert answer["because"] == "X9 is not known here"
    assert "id" not in answer


async def test_a_line_in_no_grammar_is_told_what_was_expected(caller: Caller) -> None:
    answer = await caller.ask(id=7, command="dealer dael")
    assert answer["id"] == 7
    assert answer["error"].endswith("got dael; did you mean deal?")


async def test_a_seats_button_is_no_line_of_the_staff(caller: Caller) -> None:
    answer = await caller.ask(command="press 1 hit")
    assert answer["error"].startswith("expected a line (shift, dealer, cash, supervis")


@pytest.mark.parametrize(
    "line",
    [
        b"dealer next",
        b"",
        b"[]",
        b"{}",
        b'{"command": 3}',
        b'{"command": "dealer next", "subscribe": true}',
        b'{"subscribe": false}',
        b'{"command": "dealer next", "colour": 1}',
        b'{"id": 1.5, "command": "dealer next"}',
        b'{"id": null, "command": "dealer next"}',
        b'{"command": "dealer next"',
        b"\xff\xfe",
        b'{"command": "\xff"}',
        b"[" * 4_000,
    ],
)
async def test_a_line_not_in_the_protocol_is_an_error_and_no_more(
    rig: Rig, caller: Caller, line: bytes
) -> None:
    caller.send(line + b"\n")
    assert "expected" in (await caller.hear())["error"]
    assert rig.count("control_lines_unreadable") == 1
    assert (await caller.ask(command="dealer deal"))["accepted"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 7, "comand": "dealer deal"}',
        b'{"command": 4, "id": 7}',
        b'{"id": 7}',
        b'{"id": 7, "command": "dealer deal", "subscribe": true}',
        b'{"id": 7, "login": "S1"}',
        b'{"id": 7, "command": "dealer deal", "person": "S1"}',
        b'{"id": 7, "light": {"seat": 1, "buttons": ["hti"]}}',
    ],
)
async def test_an_error_says_whose_line_it_was_if_that_could_be_read(
    caller: Caller, line: bytes
) -> None:
    caller.send(line + b"\n")
    answer = await caller.hear()
    assert "expected" in answer["error"].lower()
    assert answer["id"] == 7


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 7.5, "command": "dealer deal"}',
        b'{"id": [7]}',
        b'{"id": 7',
        b"7",
        b'{"x":' + b"[" * 1_500,
        b'{"id":' + b'{"a":' * 700,
    ],
)
async def test_an_error_names_no_id_that_is_none(caller: Caller, line: bytes) -> None:
    caller.send(line + b"\n")
    assert "id" not in await caller.hear()


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    with contextlib.suppress(BadLineError):
        decode_line(line)


async def test_lines_sent_together_are_done_in_their_order(caller: Caller) -> None:
    said = ("dealer deal", "dealer undo-deal", "dealer deal")
    for number, words in enumerate(said):
        caller.send(json.dumps({"id": number, "command": words}).encode() + b"\n")
    answers = [await caller.hear() for _ in said]
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert all(answer["accepted"] for answer in answers)


async def test_a_line_may_come_in_pieces(caller: Caller) -> None:
    for byte in b'{"id": 1, "command": "dealer deal"}\n':
        caller.send(bytes([byte]))
        await caller.writer.drain()
    assert (await caller.hear())["accepted"]


async def test_a_last_line_needs_no_line_feed(caller: Caller) -> None:
    caller.send(b'{"command": "dealer deal"}')
    caller.writer.write_eof()
    assert (await caller.hear())["accepted"]
    assert await caller.is_left_alone()


async def test_a_line_too_long_ends_the_connection(rig: Rig, caller: Caller) -> None:
    caller.send(b"x" * (LINE_MAX_BYTES + 1))
    answer = await caller.hear()
    assert answer == {"error": f"expected a line of at most {LINE_MAX_BYTES} bytes"}
    assert await caller.is_left_alone()
    other = await Caller.of(rig.path)
    assert (await other.ask(command="dealer deal"))["accepted"]
    await other.leave()


async def test_the_runtime_vouches_for_who_speaks(tmp_path: Path) -> None:
    rig = Rig(tmp_path / "control.sock", Kind.LIVE)
    async with await rig.socket.open(rig.path):
        caller = await Caller.of(rig.path)
        assert (await caller.ask(command="dealer call"))["accepted"]
        answer = await caller.ask(command="supervisor S1 resume")
        assert answer["refused"] == "unknown_person"
        await caller.leave()


async def test_a_slow_commit_holds_up_its_own_answer_alone(
    rig: Rig, caller: Caller
) -> None:
    other = await Caller.of(rig.path)
    rig.engine.commits.clear()
    caller.send(b'{"id": 1, "command": "dealer deal"}\n')
    await soon(rig.engine.asked.wait())
    assert "view" in await other.ask(subscribe=True)
    rig.engine.commits.set()
    assert (await caller.hear())["accepted"]
    assert (await other.hear())["sequence"] > 100
    await other.leave()


async def test_who_leaves_while_a_command_runs_hurts_nobody(rig: Rig) -> None:
    caller = await Caller.of(rig.path)
    rig.engine.commits.clear()
    caller.send(b'{"command": "dealer deal"}\n')
    await soon(rig.engine.asked.wait())
    await caller.leave()
    rig.engine.commits.set()
    other = await Caller.of(rig.path)
    answer = await other.ask(command="dealer deal")
    assert answer["refused"] == "wrong_phase"
    await other.leave()


# --- Following --------------------------------------------------------------------


async def test_who_follows_gets_the_view_and_each_change(
    rig: Rig, caller: Caller
) -> None:
    first = await caller.ask(id=1, subscribe=True)
    assert first["id"] == 1
    assert first["view"]["phase"] == "betting"
    other = await Caller.of(rig.path)
    await other.ask(command="dealer deal")
    change = await caller.hear()
    assert change["sequence"] == rig.engine.sequence
    assert change["view"]["phase"] == "dealing"
    await other.leave()


async def test_when_nobody_follows_any_more_no_view_is_made(rig: Rig) -> None:
    callers = [await Caller.of(rig.path) for _ in range(3)]
    for caller in callers:
        await caller.ask(subscribe=True)
        await caller.ask(subscribe=True)
    assert len(rig.engine.followers) == 1
    for caller in callers:
        await caller.leave()
    await until(lambda: not rig.engine.followers)


async def test_a_slow_follower_is_dropped_and_the_others_are_not(
    rig: Rig, caller: Caller
) -> None:
    slow = socket.socket(socket.AF_UNIX)
    slow.connect(str(rig.path))
    slow.sendall(b'{"subscribe": true}\n')
    await caller.ask(subscribe=True)
    last = rig.engine.sequence
    while rig.count("slow_readers_dropped") == 0:
        rig.engine.sequence = last = last + 1
        rig.engine.tell()
        heard = await caller.hear()
        assert heard["sequence"] == last
        assert last < 5_000, "nobody was dropped"
    assert len(rig.engine.followers) == 1
    assert any("a slow reader was dropped" in line for line in rig.log.kept)
    slow.close()


async def test_who_reads_no_answers_is_dropped(rig: Rig) -> None:
    slow = socket.socket(socket.AF_UNIX)
    slow.connect(str(rig.path))
    slow.settimeout(0)
    async with asyncio.timeout(BOUND_S * 3):
        while rig.count("slow_readers_dropped") == 0:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                slow.send(b"x\n" * 100)
            await asyncio.sleep(0)
    assert rig.count("slow_readers_dropped") == 1
    slow.close()


async def test_more_connections_than_a_table_needs_are_refused(rig: Rig) -> None:
    callers = [await Caller.of(rig.path) for _ in range(CONNECTIONS_MAX)]
    await until(lambda: rig.count("control_connections") == CONNECTIONS_MAX)
    late = await Caller.of(rig.path)
    assert "at most 32 connections" in (await late.hear())["error"]
    assert await late.is_left_alone()
    for caller in (*callers, late):
        await caller.leave()


# --- The log ----------------------------------------------------------------------


async def test_the_log_knows_the_program_but_never_the_words(
    rig: Rig, caller: Caller
) -> None:
    await caller.ask(command="supervisor S1 key-card Qh witness=D1")
    await caller.ask(command="supervisor S1 key-crd Qh")
    await caller.ask(pin="4711", command="supervisor S1 resume")
    await caller.ask(login="S1", pin="4711")
    log = "\n".join(rig.log.kept)
    assert f'"pid": {os.getpid()}' in log
    assert f'"uid": {os.getuid()}' in log
    assert "supervisor_required" in log or "decision_not_applicable" in log
    assert "Qh" not in log
    assert "4711" not in log


async def test_an_error_never_quotes_a_pin(caller: Caller) -> None:
    answer = await caller.ask(pin="4711", command="supervisor S1 resume")
    assert "4711" not in answer["error"]


# --- The file ---------------------------------------------------------------------


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_only_user_and_group_may_use_the_socket(rig: Rig) -> None:
    assert mode_of(rig.path) == 0o660


async def test_a_closed_socket_leaves_no_file_and_may_be_closed_again(
    rig: Rig, caller: Caller
) -> None:
    await caller.ask(subscribe=True)
    await soon(rig.socket.close())
    assert not rig.path.exists()
    assert await caller.is_left_alone()
    assert not rig.engine.followers
    await rig.socket.close()


async def test_closing_waits_for_no_command(rig: Rig, caller: Caller) -> None:
    rig.engine.commits.clear()
    caller.send(b'{"command": "dealer deal"}\n')
    await soon(rig.engine.asked.wait())
    await soon(rig.socket.close())


async def test_a_live_socket_is_refused_in_one_line(rig: Rig) -> None:
    with pytest.raises(ControlSocketError) as caught:
        SocketFile.listening(rig.path)
    said = str(caught.value)
    assert said.startswith(f"{rig.path}: a table is running here already;")
    assert "\n" not in said
    caller = await Caller.of(rig.path)
    assert (await caller.ask(command="dealer deal"))["accepted"]
    await caller.leave()


def test_a_socket_left_behind_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    file = SocketFile.listening(path)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(path))
    file.remove()
    file.listener.close()
    assert not path.exists()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    path.write_text("dear diary")
    with pytest.raises(ControlSocketError, match="expected a socket or nothing"):
        SocketFile.listening(path)
    assert path.read_text() == "dear diary"


def test_the_socket_of_a_successor_is_not_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    first = SocketFile.listening(path)
    first.listener.close()
    second = SocketFile.listening(path)
    first.remove()
    assert path.exists()
    second.remove()
    second.remove()
    second.listener.close()
    assert not path.exists()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_the_mode_does_not_depend_on_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        file = SocketFile.listening(tmp_path / "control.sock")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "control.sock") == 0o660
    file.listener.close()


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    file = SocketFile.listening(tmp_path / "run/simulation/control.sock")
    assert (tmp_path / "run/simulation/control.sock").is_socket()
    file.listener.close()


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ControlSocketError, match="cannot be opened: Not a directory"):
        SocketFile.listening(tmp_path / "file" / "control.sock")


def test_an_unknown_group_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    with pytest.raises(ControlSocketError, match="there is no group no-such-group"):
        SocketFile.listening(path, "no-such-group")
    assert not path.exists()


def test_the_socket_is_given_to_its_group(tmp_path: Path) -> None:
    own = grp.getgrgid(os.getgid()).gr_name
    file = SocketFile.listening(tmp_path / "control.sock", own)
    assert (tmp_path / "control.sock").stat().st_gid == os.getgid()
    file.listener.close()
