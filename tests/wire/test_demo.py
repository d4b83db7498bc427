"""The demonstration and the playground over the whole stack."""

import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from controller.cli.failures import MisuseError
from controller.core.ids import Outcome, Phase
from simulators.rigs.control_client import LineNotReadError, ask
from simulators.rigs.demo.command import demo
from simulators.rigs.live_table import LiveTable
from simulators.rigs.simulate.playground import Playground


@pytest.mark.timeout(120)
def test_a_demonstration_plays_and_proves_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary, journal = tmp_path / "temporary", tmp_path / "kept.journal"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    words = ["--fast", "--rounds", "3", "--seed", "3", "--journal", str(journal)]
    assert demo.main(words, standalone_mode=False) == 0
    told = capsys.readouterr().out
    assert "round 1 closed: 23 cards racked, house +205\n" in told
    assert "STOPPED: card drawn in error\n" in told
    assert "S1 decides use-card (IRR-7), drawn in error, its face not seen\n" in told
    assert "the controller goes on from its journal\n" in told
    assert "rounds played: 3; seat 1 " in told
    assert f"{journal}: good, " in told
    assert "tablectl round " in told
    assert journal.exists()
    assert list(temporary.iterdir()) == []


def test_a_journal_that_is_there_is_not_played_on(tmp_path: Path) -> None:
    journal = tmp_path / "kept.journal"
    journal.write_text("")
    with pytest.raises(MisuseError, match="expected no file there"):
        demo.main(["--journal", str(journal)], standalone_mode=False)


@pytest.mark.timeout(120)
def test_a_demonstration_that_is_told_to_stop_leaves_no_controller(
    tmp_path: Path,
) -> None:
    program = "from controller.cli.main import main; main()"
    command = (sys.executable, "-c", program, "demo")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as playing:  # noqa: S603 - our own interpreter
        assert playing.stdout is not None
        # The first line is said before, the second when something has happened.
        for _ in range(2):
            assert playing.stdout.readline()
        children = Path(f"/proc/{playing.pid}/task/{playing.pid}/children")
        (controller,) = map(int, children.read_text().split())
        playing.terminate()
        assert playing.wait(30) == 128 + signal.SIGTERM
    assert not Path(f"/proc/{controller}").exists()
    assert list(tmp_path.iterdir()) == []


async def one_by_one(lines: Iterable[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


@pytest.mark.timeout(120)
async def test_a_person_plays_a_round_at_simulated_devices(tmp_path: Path) -> None:
    told: list[str] = []
    async with LiveTable(tmp_path, random.Random(1), at_line_speed=False) as table:
        socket = table.files.control_socket
        assert (await ask(socket, "shift open D1 right-to-left")).accepted
        again = await ask(socket, "shift open D2 right-to-left")
        assert (again.accepted, again.refused) == (False, "wrong_phase")
        with pytest.raises(LineNotReadError, match="expected a line"):
            await ask(socket, "frobnicate")
        lines = (
            "until seat 3 bet",
            "bet 3 25",
            "until dealer deal",
            "dealer deal",
            "until gate open",
            "card 8h 6d 5c Kh",
            "until seat 3 double",
            "press 3 double",
            "until gate open",
            "card 8s",
            "until gate open",
            "card Td",
            "until dealer pickup",
        )
        await Playground(table.simulation, told.append, told.append).play(
            one_by_one(lines)
        )
        table.look()
        (hand,) = table.state.play.hands
    assert told == []
    assert table.state.phase is Phase.SETTLED
    assert (hand.settled, hand.net_cents) == (Outcome.WIN, 5000)
