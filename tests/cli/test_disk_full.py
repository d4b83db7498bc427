"""A table whose disk fills up in play: it warns, stops, and loses nothing."""

import contextlib
import json
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from controller.cli.failures import Status
from controller.core.ids import Phase
from controller.evidence import verify as evidence
from controller.journal import reader
from controller.journal.fold import state_at_end
from drivers.panel.messages import Button
from simulators.rigs.control_client import ask
from simulators.rigs.errors import NotSettledError
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.cli.test_mirror import asked_for_the_view
from tests.cli.test_run import Service, service, until
from tests.journal.small_disks import fill, mounted

MIB = 1_048_576
DISK = "24m"
LEAST_MIB = 16


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", DISK) as folder:
        yield folder


@pytest.fixture
def folder(tmp_path: Path, disk: Path) -> TableFolder:
    """Return a table whose journal alone lies on the small disk."""
    folder = lay_out(tmp_path, seats=3, journal=disk / "journal")
    journal = replace(folder.hardware.journal, disk_free_min_mib=LEAST_MIB)
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    return replace(folder, hardware=hardware)


@pytest.fixture
async def devices(folder: TableFolder) -> AsyncIterator[Simulation]:
    async with Simulation(folder.hardware, Random(7)) as devices:
        yield devices


def ballast_of(disk: Path) -> Path:
    return disk / "ballast"


async def test_a_nearly_full_disk_lets_the_round_end_and_none_begin(
    folder: TableFolder, devices: Simulation, disk: Path
) -> None:
    async with service(folder, devices) as table:
        await table.play_until_seat_2_is_asked()
        ballast_of(disk).write_bytes(bytes((24 - LEAST_MIB + 1) * MIB))
        await until(lambda: table.state.disk_nearly_full)
        assert table.state.phase is Phase.PLAYING
        await table.finish_round()
        table.press(2, Button.REBET)
        await until(lambda: table.state.wagers != ())
        answer = await ask(folder.control_socket, "dealer deal")
        assert (answer.accepted, answer.refused) == (False, "disk_full")
        ballast_of(disk).unlink()
        await until(lambda: not table.state.disk_nearly_full)
        await table.lit(0, Button.DEAL)
        table.press(0, Button.DEAL)
        await until(lambda: table.state.phase is Phase.DEALING)
        await table.end(signal.SIGTERM)
    assert evidence.verify(folder.journal, replay=True).good


@pytest.mark.parametrize("spare_kib", [0, pytest.param(300, marks=pytest.mark.prove)])
async def test_a_disk_that_fills_in_a_round_stops_the_table_and_loses_nothing(
    folder: TableFolder, devices: Simulation, disk: Path, spare_kib: int
) -> None:
    async with service(folder, devices) as table:
        await table.play_until_seat_2_is_asked()
        fill(ballast_of(disk), spare_kib)
        taken = await talk_until_it_ends(table)
        _, said = await table.process.communicate()
    assert table.process.returncode == Status.JOURNAL_UNUSABLE
    assert b"journal: the " in said.splitlines()[-1]
    async with service(folder, devices) as without_room:
        answer = await ask(folder.control_socket, "dealer next")
        shown = await asked_for_the_view(folder.control_socket)
        without_room.press(2, Button.STAND)
        await without_room.end(signal.SIGTERM)
    assert (answer.accepted, answer.refused) == (False, "table_suspended")
    check_it_is_the_table_that_was_played(json.loads(shown)["view"])
    ballast_of(disk).unlink()
    assert reader.head(folder.journal).sequence >= taken
    before = state_at_end(folder.journal)
    assert before.phase is Phase.PLAYING
    async with service(folder, devices) as again:
        await again.finish_round()
        await again.end(signal.SIGTERM)
    assert evidence.verify(folder.journal, replay=True).good


def check_it_is_the_table_that_was_played(view: dict[str, Any]) -> None:
    """It is stopped and dark; cards and wagers are those of the journal."""
    assert (view["phase"], view["interrupted"]) == ("suspended", "playing")
    assert [found["kind"] for found in view["irregularities"]] == ["journal_full"]
    (hand,) = view["hands"]
    assert (hand["cards"], hand["wager_cents"]) == (["9s", "7s"], 2500)
    assert view["dealer"]["cards"] == ["8h", "??"]
    assert all(seat["lamps"] == [] for seat in view["seats"])


async def talk_until_it_ends(table: Service) -> int:
    """Say lines, each of which is a record; return the last one that was taken."""
    taken = 0
    while table.process.returncode is None:
        with contextlib.suppress(ConnectionError, NotSettledError):
            answer = await ask(table.folder.control_socket, "dealer next", 1.0)
            taken = answer.sequence or taken
    return taken
