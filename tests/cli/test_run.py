"""`tablectl run` as a process: it stops, is killed, starts again, or says why not."""

import asyncio
import contextlib
import io
import os
import shutil
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.cli.failures import Status
from controller.cli.main import status_of
from controller.cli.run import command
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.ids import Kind, Phase
from controller.core.state import TableState
from controller.evidence import verify as evidence
from controller.evidence.signatures import KeptHead, Signatures
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.journal.fold import state_at_end
from controller.journal.notes import SecretKey
from controller.journal.records import JournalKind
from controller.journal.sealed_cards import escrow_path
from controller.journal.signing import Signing, heads_file, split_notes
from controller.journal.store import Store
from controller.journal.table_journal import TableJournal
from controller.journal.verify import verify
from controller.runtime.table import RunningTable
from drivers.panel.messages import Button
from simulators.rigs.control_client import ask
from simulators.rigs.scenario.steps import DrawCards, ShoeShuffled
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.core.table import rules
from tests.journal.journals import tamper
from tests.runtime.clocks import StandingClock

ROOT = Path(__file__).parents[2]
BOUND_S = 20.0
STAMP = StandingClock().stamp()
TABLE_OPENED = ev.JournalOpened(kind="simulation", table="T", seats=3, rules=rules())
TABLECTL = (sys.executable, "-c", "from controller.cli.main import main; main()")


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - another process sets no event
            await asyncio.sleep(0.005)


# --- A process, and hands at its devices ------------------------------------------


class Service:
    """The controller as a process of its own; the devices are ours."""

    def __init__(
        self,
        folder: TableFolder,
        devices: Simulation,
        process: asyncio.subprocess.Process,
    ) -> None:
        self.folder = folder
        self.devices = devices
        self.process = process

    @property
    def state(self) -> TableState:
        return state_at_end(self.folder.journal)

    def press(self, seat: int, button: Button, cents: int = 0) -> None:
        now = asyncio.get_running_loop().time()
        self.devices.press(seat, button, now, cents)

    async def lit(self, seat: int, button: Button) -> None:
        await until(lambda: button in self.devices.panels[seat].lamps)

    async def draw(self, cards: str) -> None:
        for card in cards.split():
            await until(lambda: self.devices.cards_due > 0)
            self.devices.do(DrawCards((Card(card),)), 0.0)
            await until(lambda: self.devices.all_taken)

    async def play_until_seat_2_is_asked(self) -> None:
        answer = await ask(self.folder.control_socket, "shift open D1 right-to-left")
        assert answer.accepted
        await self.lit(2, Button.BET)
        self.press(2, Button.BET, 2500)
        await self.lit(0, Button.DEAL)
        self.press(0, Button.DEAL)
        await self.draw("9s 8h 7s 6d")
        await self.lit(2, Button.STAND)

    async def finish_round(self) -> None:
        await self.lit(2, Button.STAND)
        self.press(2, Button.STAND)
        await self.draw("3d")
        await self.lit(0, Button.PICKUP)
        self.press(0, Button.PICKUP)
        await self.lit(2, Button.REBET)
        await until(lambda: self.devices.all_taken)

    async def end(self, with_signal: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit status and what was said on standard error."""
        self.process.send_signal(with_signal)
        async with asyncio.timeout(BOUND_S):
            _, said = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, said.decode()


@contextlib.asynccontextmanager
async def service(
    folder: TableFolder, devices: Simulation, *arguments: str
) -> AsyncIterator[Service]:
    process = await asyncio.create_subprocess_exec(
        *(*TABLECTL, "run", str(folder.hardware_file), *arguments),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        yield Service(folder, devices, process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.fixture
async def devices(folder: TableFolder) -> AsyncIterator[Simulation]:
    async with Simulation(folder.hardware, Random(7)) as devices:
        yield devices


async def test_a_stopped_table_goes_on_at_the_same_point(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as one:
        await one.play_until_seat_2_is_asked()
        status, said = await one.end(signal.SIGTERM)
    assert status == 0
    assert '"table stopped"' in said.splitlines()[-1]
    before = state_at_end(folder.journal)
    assert before.phase is Phase.PLAYING
    shown = before.prompts[2]
    await check_it_goes_on(folder, devices, shown.number)
    assert verify(folder.journal).faults == ()


@pytest.mark.prove
async def test_a_killed_table_goes_on_at_the_same_point(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as one:
        await one.play_until_seat_2_is_asked()
        shown = devices.panels[2].prompt_number
        status, _ = await one.end(signal.SIGKILL)
    assert status == -signal.SIGKILL
    await check_it_goes_on(folder, devices, shown)
    assert verify(folder.journal).faults == ()


async def check_it_goes_on(
    folder: TableFolder, devices: Simulation, prompt: int
) -> None:
    """Start again in mid-round: the same prompt is lit, and the round is played out."""
    before = state_at_end(folder.journal)
    assert before.phase is Phase.PLAYING
    # Nobody polls: every lamp is off.
    await until(lambda: not devices.panels[2].lamps)
    async with service(folder, devices) as again:
        await again.lit(2, Button.STAND)
        assert devices.panels[2].prompt_number == prompt
        await again.finish_round()
        status, _ = await again.end(signal.SIGTERM)
    assert status == 0
    after = state_at_end(folder.journal)
    assert (after.round, after.suspended) == (2, False)
    # The hole card was in the escrow all the while.
    (revealed,) = (
        record
        for record in reader.all_records(folder.journal)
        if record.type == "hole_card_revealed"
    )
    assert '"6d"' in revealed.body


async def test_a_press_made_while_the_table_was_down_is_not_lost(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as one:
        await one.play_until_seat_2_is_asked()
        # Killed at once: the press may or may not have arrived.
        one.press(2, Button.STAND)
        await one.end(signal.SIGKILL)
    async with service(folder, devices) as again:
        await until(lambda: devices.all_taken)
        await until(lambda: devices.cards_due > 0)
        await again.end(signal.SIGTERM)
    stood = [r for r in reader.all_records(folder.journal) if r.type == "hand_stood"]
    assert len(stood) == 1


async def test_a_second_process_on_the_same_journal_is_refused_in_one_line(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as one:
        await until(lambda: records(folder.journal) > 1)
        async with service(folder, devices) as other:
            _, said = await other.process.communicate()
        assert other.process.returncode == Status.JOURNAL_UNUSABLE
        (line,) = said.decode().splitlines()
        assert f"process {one.process.pid} writes this journal; stop it first" in line
        status, _ = await one.end(signal.SIGTERM)
        assert status == 0


async def test_a_second_table_at_the_same_devices_is_refused_with_any_journal(
    folder: TableFolder, devices: Simulation, tmp_path: Path
) -> None:
    there = tmp_path / "there.journal"
    TableJournal.begin(there, TABLE_OPENED, STAMP).close()
    async with service(folder, devices) as one:
        await until(folder.control_socket.exists)
        for journal in (tmp_path / "new" / "other.journal", there):
            async with service(folder, devices, "--journal", str(journal)) as other:
                _, said = await other.process.communicate()
            assert other.process.returncode == Status.MISUSE
            (line,) = said.decode().splitlines()
            assert "a table is running here already" in line
        await one.end(signal.SIGTERM)
    assert not (tmp_path / "new").exists()


def records(journal: Path) -> int:
    """Return how many records there are; none while there is no journal yet."""
    with contextlib.suppress(JournalError):
        return reader.head(journal).sequence
    return 0


async def test_an_interrupt_stops_it_as_well(
    folder: TableFolder, devices: Simulation
) -> None:
    async with service(folder, devices) as one:
        await until(lambda: records(folder.journal) > 1)
        status, _ = await one.end(signal.SIGINT)
    assert status == 0


# --- Signed -----------------------------------------------------------------------


async def test_a_table_with_a_key_signs_each_round_and_its_stop(
    folder: TableFolder, devices: Simulation, tmp_path: Path
) -> None:
    key = name_a_key(folder, tmp_path / "key")
    async with service(folder, devices) as one:
        await one.play_until_seat_2_is_asked()
        await one.finish_round()
        status, _ = await one.end(signal.SIGTERM)
    assert status == 0
    notes = split_notes(heads_file(folder.journal).read_text())
    kept = [KeptHead.parse(note) for note in notes]
    report = evidence.verify(
        folder.journal, replay=True, signatures=Signatures(kept, key.public)
    )
    assert report.good
    assert report.heads == len(kept) > 0
    assert kept[-1].head.link.sequence == report.records - 1


def name_a_key(folder: TableFolder, file: Path) -> SecretKey:
    """Let the table of this folder sign with a new key."""
    key = SecretKey.new("BJ-01")
    file.write_text(key.line)
    file.chmod(0o600)
    journal = replace(folder.hardware.journal, signing_key=str(file))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    return key


def test_a_key_that_cannot_be_used_is_one_line(
    folder: TableFolder, tmp_path: Path
) -> None:
    key = name_a_key(folder, tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    status, line = one_line(folder.hardware_file)
    assert (status, "open to others" in line) == (Status.MISUSE, True)
    assert not folder.journal.exists()
    TableJournal.begin(folder.journal, TABLE_OPENED, STAMP).close()
    name_a_key(folder, tmp_path / "key")
    with TableJournal.begin(tmp_path / "other", TABLE_OPENED, STAMP) as other:
        other.sign_with(Signing("T", key), STAMP)
    status, line = one_line(folder.hardware_file, "--journal", tmp_path / "other")
    assert (status, "tablectl key rotate" in line) == (Status.MISUSE, True)


# --- A journal that is behind its devices -----------------------------------------


async def test_a_journal_behind_its_devices_is_succeeded_and_the_table_plays_on(
    folder: TableFolder, devices: Simulation, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier.journal"
    async with service(folder, devices) as one:
        await one.play_until_seat_2_is_asked()
        reader.copy(folder.journal, earlier)
        await one.finish_round()
        await one.end(signal.SIGTERM)
    # The records since that copy are lost; panel and shoe know better.
    for file in (folder.journal, escrow_path(folder.journal)):
        file.unlink()
    shutil.copy(earlier, folder.journal)
    async with service(folder, devices) as behind:
        await until(lambda: Kind.JOURNAL_BEHIND in kinds(behind.state))
        await behind.end(signal.SIGTERM)
    asked = ("--supervisor", "S1", "--technician", "T1", "--reason", "a copy came back")
    lines = succeeded(folder, *asked)
    assert "Give back to seat 2: the wager on spot 2, 25" in lines
    async with service(folder, devices) as next_one:
        await until(lambda: next_one.state.shoe.boot_id > 0)
        await until(lambda: devices.all_taken)
        assert not next_one.state.suspended
        answer = await ask(folder.control_socket, "shift open D1 right-to-left")
        assert answer.accepted
        await next_one.lit(2, Button.BET)
        next_one.press(2, Button.BET, 2500)
        await next_one.lit(0, Button.DEAL)
        next_one.press(0, Button.DEAL)
        await until(lambda: says(folder.journal, '"reason":"shuffle_due"'))
        devices.do(ShoeShuffled(312), 0.0)
        await until(lambda: not next_one.state.shoe.needs_shuffle)
        next_one.press(0, Button.DEAL)
        await next_one.draw("9s 8h 7s 6d")
        await next_one.finish_round()
        await next_one.end(signal.SIGTERM)
    state = state_at_end(folder.journal)
    assert (state.round, state.suspended) == (3, False)
    assert evidence.verify(folder.journal, replay=True).good


def kinds(state: TableState) -> set[Kind]:
    return {found.kind for found in state.irregularities}


def says(journal: Path, words: str) -> bool:
    return any(words in record.body for record in reader.all_records(journal))


def succeeded(folder: TableFolder, *arguments: str) -> list[str]:
    """Begin a successor; return what the two people are told."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert status_of(["successor", str(folder.hardware_file), *arguments]) == 0
    return out.getvalue().splitlines()


# --- In this process: what it says when it does not run ---------------------------


def said(*arguments: object) -> tuple[int, list[str]]:
    """Run the command to its end; return its exit status and lines."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = status_of(["run", *map(str, arguments)])
    assert out.getvalue() == ""
    return status, err.getvalue().splitlines()


def one_line(*arguments: object) -> tuple[int, str]:
    status, lines = said(*arguments)
    (line,) = lines
    return status, line


def test_a_hardware_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    status, line = one_line(tmp_path / "b.toml")
    assert status == Status.MISUSE
    assert "b.toml" in line


def test_every_fault_of_a_hardware_file_has_its_line(folder: TableFolder) -> None:
    wrong = replace(folder.hardware, seats=9, ruleset="NONE")
    folder.hardware_file.write_text(hardware_text(wrong))
    status, lines = said(folder.hardware_file)
    assert status == Status.MISUSE
    text = "\n".join(lines)
    assert "seats" in text
    assert "ruleset" in text


def test_a_ruleset_that_nobody_wrote_is_wrong_use(folder: TableFolder) -> None:
    wrong = replace(folder.hardware, ruleset="las-vegas")
    folder.hardware_file.write_text(hardware_text(wrong))
    status, line = one_line(folder.hardware_file)
    assert status == Status.MISUSE
    assert "las-vegas" in line
    assert not folder.journal.exists()


def test_a_list_of_people_that_is_not_there_is_wrong_use(folder: TableFolder) -> None:
    wrong = replace(folder.hardware, people=str(folder.journal.parent / "people.toml"))
    folder.hardware_file.write_text(hardware_text(wrong))
    status, line = one_line(folder.hardware_file)
    assert status == Status.MISUSE
    assert "people.toml" in line
    assert not folder.journal.exists()


def places_that_cannot_be_written() -> dict[str, Callable[[Path], Path]]:
    def under_a_file(folder: Path) -> Path:
        (folder / "file").write_text("no folder")
        return folder / "file" / "table.journal"

    def escrow_is_a_folder(folder: Path) -> Path:
        (folder / "table.journal.escrow").mkdir()
        return folder / "table.journal"

    return {
        "under a file": under_a_file,
        "escrow is a folder": escrow_is_a_folder,
    }


@pytest.mark.parametrize("where", places_that_cannot_be_written())
def test_a_journal_that_cannot_be_written_ends_it_before_any_output(
    folder: TableFolder, tmp_path: Path, where: str
) -> None:
    path = places_that_cannot_be_written()[where](tmp_path)
    status, line = one_line(folder.hardware_file, "--journal", path)
    assert status == Status.JOURNAL_UNUSABLE
    assert str(path.parent) in line


def test_a_folder_in_the_place_of_the_journal_is_named(folder: TableFolder) -> None:
    folder.journal.mkdir()
    status, line = one_line(folder.hardware_file)
    assert (status, str(folder.journal) in line) == (Status.JOURNAL_UNUSABLE, True)
    # Whoever names a folder by hand used the command wrongly.
    status, line = one_line(folder.hardware_file, "--journal", folder.journal)
    assert (status, str(folder.journal) in line) == (Status.MISUSE, True)


def test_a_journal_of_a_live_table_is_refused(folder: TableFolder) -> None:
    opened = ev.JournalOpened(kind="live", table="T", seats=3, rules=rules())
    TableJournal.begin(folder.journal, opened, STAMP).close()
    status, line = one_line(folder.hardware_file)
    assert status == Status.JOURNAL_UNUSABLE
    assert "expected a journal of kind simulation, found live" in line


def test_something_that_is_no_journal_is_refused(folder: TableFolder) -> None:
    folder.journal.write_bytes(b"a letter to the casino, longer than a header " * 50)
    status, line = one_line(folder.hardware_file)
    assert status == Status.JOURNAL_UNUSABLE
    assert "expected a journal" in line


def test_an_error_of_the_program_is_told_without_its_words(
    folder: TableFolder,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def fail(_table: RunningTable, _stop: asyncio.Event) -> None:
        raise LookupError("the hole card is Qs")

    monkeypatch.setattr(RunningTable, "run", fail)
    assert status_of(["run", str(folder.hardware_file)]) == Status.OWN_FAULT
    line = capfd.readouterr().err.splitlines()[-1]
    assert line.startswith("an error of the program ended it: LookupError < test_run")
    assert "Qs" not in line


# --- In this process: a table that runs, and one that only shows ------------------


@contextlib.contextmanager
def stopping_once(condition: Callable[[], bool]) -> Iterator[None]:
    """Send this process SIGTERM as soon as something is so."""
    ended = threading.Event()

    def watch() -> None:
        for _ in range(round(BOUND_S / 0.01)):
            if condition():
                os.kill(os.getpid(), signal.SIGTERM)
                return
            if ended.wait(0.01):
                return

    thread = threading.Thread(target=watch, name="stopping")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def run_here(folder: TableFolder) -> None:
    command.main([str(folder.hardware_file)], standalone_mode=False)


def test_a_table_runs_from_its_hardware_file(
    folder: TableFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    for starts in (1, 2):
        # The second record is the start's own: the table is up, and hears signals.
        with stopping_once(lambda: resumed(folder.journal) == starts):  # noqa: B023 - over before the next turn
            run_here(folder)
        lines = capfd.readouterr().err.splitlines()
        assert '"table runs"' in lines[0]
        assert '"table stopped"' in lines[-1]
    assert state_at_end(folder.journal).table == folder.hardware.table_id


def resumed(journal: Path) -> int:
    with contextlib.suppress(JournalError):
        return sum(r.type == "control_resumed" for r in reader.all_records(journal))
    return 0


def test_a_damaged_journal_is_shown_suspended_and_left_alone(
    folder: TableFolder, capfd: pytest.CaptureFixture[str]
) -> None:
    TableJournal.begin(folder.journal, TABLE_OPENED, STAMP).close()
    tamper(folder.journal, 'UPDATE journal SET body = \'{"kind":"simulation"}\'')
    content = folder.journal.read_bytes()
    with stopping_once(folder.control_socket.exists):
        run_here(folder)
    lines = capfd.readouterr().err.splitlines()
    assert "record 1 does not match its hash" in lines[0]
    assert '"table stopped"' in lines[-1]
    assert folder.journal.read_bytes() == content


def test_a_disk_without_room_is_shown_suspended(
    folder: TableFolder,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Store.open(folder.journal, JournalKind.SIMULATION):
        pass
    monkeypatch.setattr("controller.runtime.table.free_bytes", lambda _: 0)
    with stopping_once(folder.control_socket.exists):
        run_here(folder)
    assert "no room to write" in capfd.readouterr().err.splitlines()[0]
