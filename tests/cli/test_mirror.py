"""`tablectl mirror` as a process beside a table: killed, cut off, deceived."""

import asyncio
import contextlib
import io
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.cli.failures import Status
from controller.cli.main import status_of
from controller.core.ids import MirrorFault
from controller.evidence import verify as evidence
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.journal.fold import state_at_end
from controller.journal.store import Store
from controller.runtime.mirror_status import MirrorStatus, read_status, status_file
from drivers.panel.messages import Button
from simulators.rigs.control_client import ask
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.cli.test_run import ROOT, TABLECTL, Service, records, service, until
from tests.journal.journals import SIMULATION, opened, round_rows, row, tamper, write
from tests.journal.small_disks import fill, mounted

LATE_S = 1.0
BOUND_S = 20.0
KILLS = 2
KILLS_PROVED = 100


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """Return the folder on what would be the second device."""
    folder = tmp_path / "there"
    folder.mkdir()
    return folder


@pytest.fixture
def folder(tmp_path: Path, there: Path) -> TableFolder:
    return with_mirror(lay_out(tmp_path, seats=3), there)


def with_mirror(folder: TableFolder, there: Path) -> TableFolder:
    limits = replace(
        folder.hardware.journal, mirror=str(there), mirror_late_after_s=LATE_S
    )
    hardware = replace(folder.hardware, journal=limits)
    folder.hardware_file.write_text(hardware_text(hardware))
    return replace(folder, hardware=hardware)


@pytest.fixture
async def devices(folder: TableFolder) -> AsyncIterator[Simulation]:
    async with Simulation(folder.hardware, Random(7)) as devices:
        yield devices


class MirrorProcess:
    """The mirror's process, and what it says of itself."""

    def __init__(
        self, folder: TableFolder, process: asyncio.subprocess.Process
    ) -> None:
        self.process = process
        self.journal = folder.journal
        self.copy = Path(folder.hardware.journal.mirror) / folder.journal.name
        self._status = status_file(folder.control_socket)

    @property
    def status(self) -> MirrorStatus | None:
        return read_status(self._status)

    def says(self, fault: MirrorFault | None) -> bool:
        return self.status is not None and self.status.fault is fault

    @property
    def is_whole(self) -> bool:
        return same(self.journal, self.copy)

    @property
    def is_checked(self) -> bool:
        return self.status is not None and self.status.checked_at != ""

    async def end(self, with_signal: signal.Signals) -> int:
        self.process.send_signal(with_signal)
        return (await self.ended())[0]

    async def ended(self) -> tuple[int, list[str]]:
        """Wait for its end; return its exit status and what it said."""
        async with asyncio.timeout(BOUND_S):
            _, said = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, said.decode().splitlines()


def same(journal: Path, copy: Path) -> bool:
    with contextlib.suppress(JournalError):
        return reader.head(journal) == reader.head(copy)
    return False


@contextlib.asynccontextmanager
async def mirroring(folder: TableFolder) -> AsyncIterator[MirrorProcess]:
    process = await asyncio.create_subprocess_exec(
        *(*TABLECTL, "mirror", str(folder.hardware_file)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        yield MirrorProcess(folder, process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def lost(table: Service) -> MirrorFault | None:
    return table.state.mirror_fault


def records_of(journal: Path, kind: str) -> list[str]:
    return [each.body for each in reader.all_records(journal) if each.type == kind]


# --- Beside a table ---------------------------------------------------------------


async def test_a_mirror_killed_at_any_moment_has_everything_in_the_end(
    folder: TableFolder, devices: Simulation
) -> None:
    await check_kills(folder, devices, KILLS, Random(4))


@pytest.mark.prove
async def test_a_mirror_killed_100_times_has_everything_in_the_end(
    folder: TableFolder, devices: Simulation
) -> None:
    await check_kills(folder, devices, KILLS_PROVED, Random(5))


async def check_kills(
    folder: TableFolder, devices: Simulation, times: int, chance: Random
) -> None:
    """Kill one mirror after another while the table writes; look at the last copy."""
    async with service(folder, devices) as table:
        await ask(folder.control_socket, "shift open D1 right-to-left")
        for number in range(times):
            async with mirroring(folder) as mirror:
                reached = records(mirror.copy)
                # It is killed as it starts, copies, checks, or waits for more.
                moment = chance.uniform(0.0, 1.0)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(
                        asyncio.shield(mirror.process.wait()), moment
                    )
                table.press(2, Button.BET if number % 2 else Button.CLEAR)
                await mirror.end(signal.SIGKILL)
            assert records(mirror.copy) >= reached
        async with mirroring(folder) as mirror:
            await until(lambda: mirror.is_whole)
            assert await mirror.end(signal.SIGTERM) == Status.DONE
        await table.end(signal.SIGTERM)
    assert evidence.verify(mirror.copy, replay=True).good
    held = list(reader.all_records(mirror.copy))
    assert held == list(reader.all_records(folder.journal))[: len(held)]


@pytest.mark.prove
async def test_a_mirror_that_never_starts_is_a_fault_that_stops_nothing(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as table:
        await table.play_until_seat_2_is_asked()
        await until(lambda: lost(table) is MirrorFault.SILENT)
        assert not table.state.suspended
        await table.finish_round()
        async with mirroring(folder) as mirror:
            await until(lambda: lost(table) is None)
            assert mirror.is_whole or mirror.says(None)
        await until(lambda: lost(table) is MirrorFault.SILENT)
        await table.end(signal.SIGTERM)
    assert len(records_of(folder.journal, "mirror_lost")) == 2
    assert len(records_of(folder.journal, "mirror_back")) == 1
    assert evidence.verify(folder.journal, replay=True).good


@pytest.mark.prove
async def test_the_fault_is_shown_to_the_supervisor(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as table:
        await until(folder.control_socket.exists)
        await until(lambda: lost(table) is MirrorFault.SILENT)
        view = await asked_for_the_view(folder.control_socket)
        await table.end(signal.SIGTERM)
    assert "The mirror of the journal is lost: nothing is heard of it" in view


async def asked_for_the_view(socket: Path) -> str:
    lines, writer = await asyncio.open_unix_connection(str(socket))
    writer.write(b'{"subscribe": true}\n')
    async with asyncio.timeout(BOUND_S):
        view = await lines.readline()
    writer.close()
    await writer.wait_closed()
    return view.decode()


def move(folder: Path, to: Path) -> None:
    """Let a folder vanish from where it is; nobody may have made it anew meanwhile."""
    assert not to.exists()
    folder.rename(to)


@pytest.mark.prove
async def test_a_folder_that_vanishes_is_a_fault_until_it_is_back(
    folder: TableFolder, devices: Simulation, there: Path, tmp_path: Path
) -> None:
    async with service(folder, devices) as table, mirroring(folder) as mirror:
        await until(lambda: mirror.is_whole)
        move(there, tmp_path / "pulled")
        await until(lambda: mirror.says(MirrorFault.UNREACHABLE))
        await until(lambda: lost(table) is MirrorFault.UNREACHABLE)
        await table.play_until_seat_2_is_asked()
        move(tmp_path / "pulled", there)
        await until(lambda: lost(table) is None)
        await until(lambda: mirror.is_whole)
        await table.end(signal.SIGTERM)
        await until(lambda: mirror.is_whole)
    assert evidence.verify(mirror.copy, replay=True).good


@pytest.mark.prove
async def test_a_full_disk_of_the_mirror_is_a_fault_until_there_is_room(
    tmp_path: Path,
) -> None:
    with mounted(tmp_path / "disk", "2m") as there:
        folder = with_mirror(lay_out(tmp_path, seats=3), there)
        async with (
            Simulation(folder.hardware, Random(7)) as devices,
            service(folder, devices) as table,
            mirroring(folder) as mirror,
        ):
            await until(lambda: mirror.is_whole)
            fill(there / "ballast")
            await table.play_until_seat_2_is_asked()
            await until(lambda: mirror.says(MirrorFault.FULL))
            await table.finish_round()
            (there / "ballast").unlink()
            await until(lambda: mirror.says(None))
            await table.end(signal.SIGTERM)
            await until(lambda: mirror.is_whole)
            assert await mirror.end(signal.SIGTERM) == Status.DONE
        assert evidence.verify(mirror.copy, replay=True).good


@pytest.mark.prove
async def test_an_archived_journal_is_followed_while_the_mirror_runs(
    folder: TableFolder, devices: Simulation
) -> None:
    async with mirroring(folder) as mirror:
        async with service(folder, devices) as table:
            await table.play_until_seat_2_is_asked()
            await table.finish_round()
            await ask(folder.control_socket, "shift close")
            await table.end(signal.SIGTERM)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert status_of(["archive", str(folder.hardware_file)]) == Status.DONE
        old = Path(out.getvalue().strip())
        async with service(folder, devices) as table:
            await until(lambda: mirror.is_whole)
            await until(lambda: mirror.is_checked)
            await table.end(signal.SIGTERM)
        await until(lambda: mirror.is_whole)
        assert mirror.says(None)
    assert same(old, mirror.copy.with_name(old.name))
    with contextlib.redirect_stdout(io.StringIO()):
        assert status_of(["verify", "--journal", str(mirror.copy)]) == Status.DONE


# --- Deceived ---------------------------------------------------------------------


async def refused(folder: TableFolder) -> str:
    """Return why the mirror ends; everything in its folder stays as it is."""
    copy = Path(folder.hardware.journal.mirror) / folder.journal.name
    before = bytes_of(copy)
    async with mirroring(folder) as mirror:
        status, said = await mirror.ended()
    assert status == Status.NO
    assert bytes_of(copy) == before
    assert mirror.says(MirrorFault.MISMATCH)
    return said[-1]


def bytes_of(copy: Path) -> bytes:
    return copy.read_bytes()


async def mirrored(folder: TableFolder) -> Path:
    async with mirroring(folder) as mirror:
        await until(lambda: mirror.is_whole)
        assert await mirror.end(signal.SIGTERM) == Status.DONE
    return mirror.copy


async def test_a_journal_written_anew_ends_the_mirror_with_one_line(
    folder: TableFolder,
) -> None:
    write(folder.journal)
    await mirrored(folder)
    folder.journal.unlink()
    with Store.open(folder.journal, SIMULATION) as store:
        store.append([opened()])
        store.append([row(body='{"card":"2c"}') for _ in range(30)])
    assert "written anew" in await refused(folder)


async def test_one_byte_changed_in_the_mirror_is_found_at_its_next_start(
    folder: TableFolder,
) -> None:
    write(folder.journal)
    copy = await mirrored(folder)
    tamper(copy, "UPDATE journal SET spot = 7 WHERE sequence = 3")
    assert "record 3 does not match its hash" in await refused(folder)


@pytest.mark.prove
async def test_a_mismatch_is_shown_at_the_table_though_the_mirror_has_ended(
    folder: TableFolder, devices: Simulation, there: Path
) -> None:
    with Store.open(there / folder.journal.name, SIMULATION) as store:
        store.append([opened()])
        store.append(round_rows(1))
    async with service(folder, devices) as table:
        await until(lambda: records(folder.journal) > 1)
        assert "holds record 5" in await refused(folder)
        await until(lambda: lost(table) is MirrorFault.MISMATCH)
        await table.end(signal.SIGTERM)
    assert not state_at_end(folder.journal).suspended


# --- Used wrongly -----------------------------------------------------------------


async def test_a_second_mirror_of_a_table_is_misuse_and_one_line(
    folder: TableFolder,
) -> None:
    write(folder.journal)
    async with mirroring(folder) as mirror:
        await until(lambda: mirror.is_whole and mirror.says(None))
        async with mirroring(folder) as second:
            status, said = await second.ended()
        assert status == Status.MISUSE
        (line,) = said
        assert f"process {mirror.process.pid} mirrors this table already" in line
        assert mirror.says(None)


def test_a_table_without_a_mirror_is_told_which_key_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay_out(tmp_path, seats=3)
    assert status_of(["mirror", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "journal.mirror" in line


def test_a_file_that_is_not_there_is_misuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["mirror", str(tmp_path / "none.toml")]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line


def test_the_journals_own_folder_is_no_mirror(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    with_mirror(folder, folder.journal.parent)
    assert status_of(["mirror", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "got the journal's own folder" in line
