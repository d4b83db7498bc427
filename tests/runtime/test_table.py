"""A whole table in one process: simulated devices on ptys, a real journal on disk."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.decide import decide
from controller.core.guidance import offered
from controller.core.ids import DealerButton, Direction, Kind, Phase, Reason, Role
from controller.core.outputs import outputs
from controller.core.secrets import Secrets
from controller.core.software import Component, Software
from controller.core.state import TableState, new_table
from controller.journal import reader
from controller.journal.errors import JournalError, JournalFullError, JournalWriteError
from controller.journal.table_codec import CODEC
from controller.journal.table_journal import Decided, Recovered, decided, state_at_end
from controller.runtime import computer_watch, storms, watch
from controller.runtime import table as under_test
from controller.runtime.clock import SystemClock
from controller.runtime.engine import Engine
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.owner import Owner, ReadOnlyOwner, Taken, read_only_state
from controller.runtime.people import people_of
from controller.runtime.planner import Asked
from controller.runtime.staff import Staff
from controller.runtime.table import (
    RunningTable,
    Site,
    last_table,
    new_salt,
    open_journal,
)
from controller.runtime.watch import Watch
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import Kind as TableKind
from hw_config.schema import TableHardware
from simulators.rigs.control_client import ask
from simulators.rigs.scenario.steps import DrawCards, PanelBack, PanelLost
from simulators.rigs.simulation import Simulation
from tests.core.table import rules
from tests.journal.journals import tamper
from tests.journal.played import Played
from tests.runtime.sinks import Lines
from tests.runtime.stalling import StallingJournal, begun
from tests.runtime.sysfs import KEYBOARD, FakeSysfs

BOUND_S = 15.0
SOURCE = "a.toml"
SOFTWARE = Software((Component("product", "1", "ab" * 32),), "cd" * 32)
D1 = Person("D1", Role.DEALER)
SHIFT = cm.OpenShift(dealer=D1, direction=Direction.RIGHT_TO_LEFT)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - a terminal's bytes set no event
            await asyncio.sleep(0.002)


@pytest.fixture
def hardware(tmp_path: Path) -> TableHardware:
    shipped = load_hardware(shipped_hardware("simulation-seven"))
    panels = replace(shipped.bus, seat_addresses=(1, 2, 3), panel_lost_after_s=0.5)
    return moved_to(replace(shipped, seats=3, panels=panels), tmp_path)


@pytest.fixture
def journal_path(hardware: TableHardware) -> Path:
    path = Path(hardware.journal.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture
async def devices(hardware: TableHardware) -> AsyncIterator[Simulation]:
    async with Simulation(hardware, Random(7)) as devices:
        yield devices


@pytest.fixture(autouse=True)
async def helpers() -> AsyncIterator[None]:
    """Give the loop helper threads that end with the test."""
    with ThreadPoolExecutor(2) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        yield


class Running:
    """A table that runs, its devices, and its log."""

    def __init__(
        self,
        hardware: TableHardware,
        devices: Simulation,
        owner: Owner,
        sysfs: Path | None = None,
        *,
        new: bool,
    ) -> None:
        self.devices = devices
        self.owner = owner
        self.lines = Lines()
        clock = SystemClock()
        people = people_of(TableKind.SIMULATION, None)
        journal = Path(hardware.journal.path)
        site = Site(
            hardware,
            SOURCE,
            journal,
            people,
            SOFTWARE,
            is_new_journal=new,
            sysfs=sysfs,
        )
        log = logger_to(self.lines, json_lines(clock))
        self.table = RunningTable(site, owner, clock, log)
        self.stop = asyncio.Event()
        self.records: list[object] = []
        owner.listen(lambda change: self.records.extend(change.records))
        self.task = asyncio.create_task(self.table.run(self.stop))

    @property
    def state(self) -> TableState:
        return self.owner.state

    def happened(self, kind: type) -> int:
        return sum(isinstance(record, kind) for record in self.records)

    def said(self, words: str) -> bool:
        return any(words in line for line in self.lines.kept)

    def count(self, event: str) -> int:
        return sum(f'"event": "{event}"' in line for line in self.lines.kept)

    def press(self, seat: int, button: Button, cents: int = 0) -> None:
        now = asyncio.get_running_loop().time()
        self.devices.press(seat, button, now, cents)

    async def lit(self, seat: int, button: Button) -> None:
        """Wait until a panel shows the current prompt, with this lamp."""
        panel = self.devices.panels[seat]
        await until(
            lambda: (
                button in panel.lamps
                and panel.prompt_number == self.state.prompts[seat].number
            )
        )

    async def do(self, command: cm.Command) -> None:
        taken = await self.owner.command(command)
        assert taken is not None
        assert taken.accepted, taken

    async def open_and_bet(self) -> None:
        await self.do(SHIFT)
        await self.lit(2, Button.BET)
        self.press(2, Button.BET, 2500)
        await self.lit(0, Button.DEAL)

    async def deal(self, cards: str = "9s 8h 7s 6d") -> None:
        await self.open_and_bet()
        self.press(0, Button.DEAL)
        for card in cards.split():
            await self.draw(card)

    async def draw(self, card: str) -> None:
        """Let a due card leave the shoe, and wait until it is taken."""
        await until(lambda: self.devices.cards_due > 0)
        self.devices.do(DrawCards((Card(card),)), 0.0)
        await until(lambda: self.devices.all_taken)


@contextlib.asynccontextmanager
async def running(
    hardware: TableHardware,
    devices: Simulation,
    recovered: Recovered,
    sysfs: Path | None = None,
) -> AsyncIterator[Running]:
    """Run a table until the end of the block; it must then have run to its end."""
    with recovered.journal:
        engine = Engine(recovered, SystemClock(), new_salt)
        one = Running(hardware, devices, engine, sysfs, new=recovered.is_new)
        try:
            yield one
        finally:
            one.stop.set()
            async with asyncio.timeout(BOUND_S):
                await asyncio.wait({one.task})
        one.task.result()


def opened(hardware: TableHardware) -> Recovered:
    path = Path(hardware.journal.path)
    return open_journal(path, hardware, SOURCE, rules(), SystemClock())


def on_disk(hardware: TableHardware) -> list[object]:
    path = Path(hardware.journal.path)
    return [CODEC.decode(row) for row in reader.all_records(path)]


# --- The journal at a start -------------------------------------------------------


def test_a_new_table_begins_its_journal_and_says_what_it_is(
    hardware: TableHardware,
) -> None:
    recovered = opened(hardware)
    recovered.journal.close()
    assert recovered.is_new
    (first,) = on_disk(hardware)
    assert isinstance(first, ev.JournalOpened)
    assert (first.kind, first.table, first.seats) == (
        "simulation",
        hardware.table_id,
        3,
    )
    assert (first.hardware, first.time_zone) == (SOURCE, hardware.time_zone)
    assert first.software
    assert len(first.code_digest) == 64
    assert first.rules == rules()


def test_a_table_that_was_begun_is_recovered(hardware: TableHardware) -> None:
    opened(hardware).journal.close()
    again = opened(hardware)
    again.journal.close()
    assert not again.is_new
    assert len(on_disk(hardware)) == 1


def test_a_journal_that_a_power_cut_left_empty_is_begun(
    hardware: TableHardware, journal_path: Path
) -> None:
    journal_path.touch()
    recovered = opened(hardware)
    recovered.journal.close()
    assert recovered.is_new
    assert state_at_end(journal_path) == recovered.state


def test_a_folder_that_cannot_be_made_is_one_line(
    hardware: TableHardware, tmp_path: Path
) -> None:
    (tmp_path / "run").write_text("a file where a folder should be")
    with pytest.raises(JournalWriteError, match="name another place"):
        opened(hardware)


def test_a_disk_without_room_is_said_before_anything_is_written(
    hardware: TableHardware, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(hardware).journal.close()
    monkeypatch.setattr(under_test, "free_bytes", lambda _: 1000)
    with pytest.raises(JournalFullError, match="no room"):
        opened(hardware)


def test_a_table_without_room_is_the_one_that_its_journal_holds(
    hardware: TableHardware, journal_path: Path
) -> None:
    table = Played(journal_path)
    table.deal()
    table.journal.close()
    last = last_table(journal_path, hardware, rules())
    assert last == table.state
    shown = read_only_state(last, Kind.JOURNAL_FULL, "no room")
    assert (shown.phase, shown.came_from) == (Phase.SUSPENDED, Phase.PLAYING)
    assert shown.play == table.state.play
    assert [found.kind for found in shown.irregularities] == [Kind.JOURNAL_FULL]
    # Nothing is lit, and what is pressed meanwhile answers no prompt of the journal.
    assert all(not prompt.buttons for prompt in shown.prompts)
    assert {prompt.number for prompt in shown.prompts} == {0}
    assert outputs(shown).gate_up_to == 0


def test_a_stopped_table_without_room_is_stopped_for_both_reasons(
    hardware: TableHardware, journal_path: Path
) -> None:
    table = Played(journal_path)
    table.deal()
    table.do(cm.PressDealerButton(button=DealerButton.CALL))
    table.journal.close()
    shown = read_only_state(
        last_table(journal_path, hardware, rules()), Kind.JOURNAL_FULL, "no room"
    )
    kinds = [found.kind for found in shown.irregularities]
    assert kinds == [Kind.CALLED, Kind.JOURNAL_FULL]
    assert shown.came_from is Phase.PLAYING
    assert offered(shown) == ()


def test_where_the_journal_tells_nothing_a_new_table_is_shown(
    hardware: TableHardware, journal_path: Path
) -> None:
    new = new_table(hardware.table_id, hardware.seats, rules())
    assert last_table(journal_path, hardware, rules()) == new
    table = Played(journal_path)
    table.deal()
    table.journal.close()
    live = replace(hardware, kind=TableKind.LIVE)
    assert last_table(journal_path, live, rules()) == new
    assert last_table(journal_path, replace(hardware, seats=2), rules()).seat_count == 2
    tamper(journal_path, "UPDATE journal SET spot = 7 WHERE sequence = 3")
    assert last_table(journal_path, hardware, rules()) == new


def test_every_salt_is_another() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert {len(salt) for salt in salts} == {32}


# --- A table that runs ------------------------------------------------------------


async def test_a_round_is_played_over_real_terminals(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal()
        await one.lit(2, Button.STAND)
        one.press(2, Button.STAND)
        # 8 and 6: the dealer draws to 17.
        await one.draw("3d")
        await one.lit(0, Button.PICKUP)
        one.press(0, Button.PICKUP)
        await until(lambda: one.state.round == 2)
        await until(lambda: devices.all_taken)
        state = one.state
    assert state_at_end(Path(hardware.journal.path)) == replace(state, running_boot="")
    assert [r for r in on_disk(hardware) if isinstance(r, ev.TableStateRecorded)]


async def test_each_start_says_which_software_went_on(
    hardware: TableHardware, devices: Simulation
) -> None:
    for starts in (1, 2):
        async with running(hardware, devices, opened(hardware)) as one:
            await until(lambda: one.happened(ev.ControlResumed) == 1)
        resumed = [r for r in on_disk(hardware) if isinstance(r, cm.ResumeControl)]
        assert len(resumed) == starts
        assert resumed[-1].hardware == SOURCE
        assert len(resumed[-1].code_digest) == 64


def is_heard(hardware: TableHardware) -> bool:
    return Path(hardware.control_socket).exists()


class SlowToTest(Engine):
    """An engine whose self-test is not on disk before somebody lets it."""

    def __init__(self, recovered: Recovered) -> None:
        super().__init__(recovered, SystemClock(), new_salt)
        self.asked, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def command(self, command: Asked) -> Taken | None:
        if isinstance(command, cm.ReportSelfTest):
            self.asked.set()
            await self.may_go_on.wait()
        return await super().command(command)


async def test_nothing_is_driven_and_nobody_heard_before_the_self_test_is_on_disk(
    hardware: TableHardware, devices: Simulation
) -> None:
    recovered = opened(hardware)
    with recovered.journal:
        owner = SlowToTest(recovered)
        one = Running(hardware, devices, owner, new=True)
        await owner.asked.wait()
        await until(lambda: one.happened(ev.ControlResumed) == 1)
        for _ in range(100):
            # Turns enough for a table that did not wait: it opens its ports at once.
            await asyncio.sleep(0)
        assert [pump.counters.bytes_sent for pump in one.table.pumps] == [0, 0]
        assert not is_heard(hardware)
        assert not any(panel.lamps for panel in devices.panels.values())
        owner.may_go_on.set()
        await until(lambda: all(pump.counters.bytes_sent for pump in one.table.pumps))
        await until(lambda: is_heard(hardware))
        one.stop.set()
        await asyncio.wait({one.task})
    one.task.result()
    kinds = [type(record) for record in on_disk(hardware)]
    assert kinds[:5] == [
        ev.JournalOpened,
        cm.ResumeControl,
        ev.ControlResumed,
        cm.ReportSelfTest,
        ev.SoftwareAccepted,
    ]


async def test_a_live_table_that_another_program_runs_is_shown_and_stands_still(
    hardware: TableHardware, devices: Simulation
) -> None:
    with opened(hardware).journal as journal:
        journal.write([accepted_before(hardware)])
    live = replace(hardware, kind=TableKind.LIVE)
    async with running(live, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        await until(lambda: all(p.counters.frames_received for p in one.table.pumps))
        refused = await one.owner.command(SHIFT)
        assert refused is not None
        assert refused.reason == Reason.TABLE_SUSPENDED.value
        assert not devices.panels[2].lamps
        (found,) = one.state.irregularities
        assert found.kind is Kind.SOFTWARE_CHANGED
        assert one.said("product 0 ffffffffffff, now 1 abababababab")


def accepted_before(hardware: TableHardware) -> Decided:
    """Return that this table has accepted another program."""
    older = Software((Component("product", "0", "f" * 64),), "e" * 64)
    state = new_table(hardware.table_id, hardware.seats, rules())
    report = cm.ReportSelfTest(software=older, live=True)
    return decided(SystemClock().stamp(), state, decide(state, Secrets(), report))


async def test_a_self_test_that_cannot_be_written_ends_the_table_undriven(
    hardware: TableHardware, devices: Simulation
) -> None:
    recovered = opened(hardware)
    recovered.journal.close()
    one = Running(
        hardware, devices, Engine(recovered, SystemClock(), new_salt), new=True
    )
    with pytest.raises(JournalError):
        await one.task
    assert [pump.counters.bytes_sent for pump in one.table.pumps] == [0, 0]
    assert not is_heard(hardware)


async def test_a_table_comes_up_without_its_devices_and_says_which_are_lost(
    hardware: TableHardware,
) -> None:
    devices = Simulation(hardware, Random(7))
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.happened(ev.PanelLost) == 4)
        await until(lambda: one.state.shoe.lost)
        async with devices:
            await until(lambda: one.happened(ev.PanelBack) == 4)
            await until(lambda: not one.state.shoe.lost)
            one.stop.set()
            await asyncio.wait({one.task})


async def test_a_refused_press_is_acknowledged_and_counts_towards_a_storm(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storms, "REFUSALS_MAX", 2)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(3, Button.BET)
        one.press(3, Button.HIT)
        one.press(3, Button.HIT)
        await until(lambda: one.happened(ev.PressRefused) == 2)
        # Beyond the most a second it waits; then it is taken like the others.
        one.press(3, Button.HIT)
        await until(lambda: one.happened(ev.PressRefused) == 3)
        await until(lambda: devices.all_taken)
        first, _, third = refused_at(hardware)
        assert third - first >= storms.WINDOW_S - 0.1


def refused_at(hardware: TableHardware) -> list[float]:
    """Return when presses were refused, in monotonic seconds."""
    records = reader.all_records(Path(hardware.journal.path))
    return [r.monotonic_ns / 1e9 for r in records if r.type == "press_refused"]


async def test_a_button_held_too_long_is_noticed_by_the_desks_own_timer(
    hardware: TableHardware, devices: Simulation
) -> None:
    now = asyncio.get_running_loop().time()
    devices.panels[2].hold(Button.HIT, now)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.seats[1].stuck == ("hit",))
        devices.panels[2].release(Button.HIT, asyncio.get_running_loop().time())
        await until(lambda: one.state.seats[1].stuck == ())


async def test_a_table_that_stops_waits_for_no_button(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(2, Button.BET)
        devices.panels[2].hold(Button.BET, asyncio.get_running_loop().time())
        await until(lambda: one.table.desk.deadline is not None)
    assert one.happened(cm.ReportStuckButton) == 0


def forget(hardware: TableHardware) -> None:
    """Put a journal in place that was begun long ago and holds nothing since."""
    path = Path(hardware.journal.path)
    for file in path.parent.glob(path.name + "*"):
        file.unlink()
    opened(hardware).journal.close()


async def test_devices_that_another_journal_served_are_adopted_by_a_new_one(
    hardware: TableHardware, devices: Simulation
) -> None:
    shoe, panel = devices.shoe, devices.panels[2]
    for _ in range(5):
        shoe.draw("9s")
        panel.press(Button.BET, 0.0)
        panel.memory.acknowledge(panel.memory.boot_id, panel.memory.pressed)
    shoe.memory.acknowledge(shoe.memory.boot_id, 5)
    shoe.data_to_send(0.0)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.happened(cm.AdoptPanel) == 1)
        await until(lambda: one.state.shoe.boot_id == shoe.memory.boot_id)
        await one.deal()
        assert one.state.shoe.last_card == 4
        assert one.happened(ev.IrregularityFound) == 0
    # The same devices are ahead of a journal that forgot what it took.
    forget(hardware)
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        kinds = {found.kind for found in one.state.irregularities}
        assert kinds == {Kind.JOURNAL_BEHIND}


async def test_a_button_that_a_panel_should_not_have_is_refused_on_the_record(
    hardware: TableHardware, devices: Simulation
) -> None:
    devices.panels[2].buttons = frozenset(Button)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(2, Button.BET)
        one.press(2, Button.DEAL)
        await until(lambda: devices.all_taken)
        assert one.happened(cm.PressDealerButton) == 0
        assert one.happened(ev.CommandRefused) == 1
        assert one.state.seats[1].press_number == 1
    # What was acknowledged is on disk, so that no start finds the journal behind.
    async with running(hardware, devices, opened(hardware)) as again:
        await again.lit(2, Button.BET)
        assert not again.state.suspended


async def test_each_loss_of_a_panel_and_each_return_is_a_line_and_a_record(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(3, Button.BET)
        answered = one.count("device answers")
        for times in (1, 2, 3):
            devices.do(PanelLost(2), 0.0)
            await until(lambda: one.happened(ev.PanelLost) == times)  # noqa: B023 - awaited in the same turn
            devices.do(PanelBack(2), 0.0)
            await until(lambda: one.happened(ev.PanelBack) == times)  # noqa: B023 - same
        assert one.count("device lost") == 3
        assert one.count("device answers") == answered + 3
        assert one.count("port lost") == 0


async def test_what_is_plugged_in_at_a_running_table_is_on_the_record_and_shown(
    hardware: TableHardware,
    devices: Simulation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(computer_watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(computer_watch, "AT_REST_AFTER_S", 0.05)
    sysfs = FakeSysfs(tmp_path / "sys")
    sysfs.usb()
    async with running(hardware, devices, opened(hardware), sysfs.root) as one:
        await until(lambda: one.happened(ev.UsbDevicesFound) == 1)
        sysfs.plug("1-1.3", "046d:c31c", KEYBOARD, name="Keyboard K120")
        sysfs.voltage("1")
        await until(lambda: one.happened(ev.UsbDeviceInserted) == 1)
        await until(lambda: one.happened(ev.ComputerFaultFound) == 1)
        shown = " / ".join(note.words for note in outputs(one.state).notices)
        assert "keyboard, Keyboard K120 (046d:c31c) at USB port 1-1.3" in shown
        assert "supply is too weak" in shown
        await one.deal()


async def test_a_simulated_table_is_told_of_no_computer(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_watch, "AT_REST_AFTER_S", 0.0)
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal()
        assert one.happened(cm.ReportUsb) == 0


# --- A disk that stalls, or is full -----------------------------------------------


@pytest.fixture
def stalling(journal_path: Path) -> Recovered:
    return begun(journal_path)


def journal_of(recovered: Recovered) -> StallingJournal:
    assert isinstance(recovered.journal, StallingJournal)
    return recovered.journal


async def test_a_stalled_disk_changes_no_lamp_and_darkens_none(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    disk = journal_of(stalling).disk
    async with running(hardware, devices, stalling) as one:
        await one.deal()
        await one.lit(2, Button.HIT)
        panel = devices.panels[2]
        lamps, gate = panel.lamps, devices.shoe.gate_up_to
        disk.clear()
        one.press(2, Button.HIT)
        seen: set[frozenset[Button]] = set()
        dark_at: set[float] = set()

        def was_polled_for_three_seconds() -> bool:
            seen.add(panel.lamps)
            # Each poll puts off the moment at which the panel turns dark.
            dark_at.add(panel.deadline or 0.0)
            return max(dark_at) - min(dark_at) >= 3.0

        await until(was_polled_for_three_seconds)
        assert seen == {lamps}
        assert devices.shoe.gate_up_to == gate
        assert len(panel.memory.waiting) == 1
        assert one.said("journal stalls")
        disk.set()
        await until(lambda: devices.cards_due == 1)
        await until(lambda: devices.all_taken)
        assert panel.lamps == frozenset()


async def test_a_full_disk_ends_the_table_before_anything_is_shown(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    journal = journal_of(stalling)
    with pytest.raises(JournalFullError):  # noqa: PT012 - the error ends the block
        async with running(hardware, devices, stalling) as one:
            await one.open_and_bet()
            lamps = devices.panels[2].lamps
            journal.is_full = True
            one.press(2, Button.CLEAR)
            await asyncio.wait({one.task})
            assert len(devices.panels[2].memory.waiting) == 1
            assert devices.panels[2].lamps == lamps
    assert state_at_end(journal.path).wagers


async def test_a_stop_during_a_stall_waits_for_the_disk(
    hardware: TableHardware, devices: Simulation, stalling: Recovered
) -> None:
    disk = journal_of(stalling).disk
    async with running(hardware, devices, stalling) as one:
        await one.open_and_bet()
        disk.clear()
        one.press(2, Button.CLEAR)
        await until(lambda: one.owner.committing_since is not None)
        one.stop.set()
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert not one.task.done()
        disk.set()
    assert state_at_end(journal_of(stalling).path).wagers == ()


# --- Errors of ours ---------------------------------------------------------------


async def test_an_error_outside_the_engine_ends_the_table_with_it(
    hardware: TableHardware, devices: Simulation
) -> None:
    with pytest.raises(LookupError):  # noqa: PT012 - the error ends the block
        async with running(hardware, devices, opened(hardware)) as one:
            await one.open_and_bet()
            asyncio.get_running_loop().call_soon(_fail)
            asyncio.get_running_loop().call_soon(_fail)
            await asyncio.wait({one.task})
    assert one.said("unhandled error")
    # What was decided is on disk all the same.
    assert state_at_end(Path(hardware.journal.path)).wagers


def _fail() -> None:
    raise LookupError("an error of ours")


async def test_a_complaint_of_the_loop_ends_the_table_too(
    hardware: TableHardware, devices: Simulation
) -> None:
    with pytest.raises(RuntimeError, match="something leaked"):  # noqa: PT012 - same
        async with running(hardware, devices, opened(hardware)) as one:
            loop = asyncio.get_running_loop()
            await until(lambda: one.happened(ev.ControlResumed) == 1)
            loop.call_exception_handler({"message": "something leaked"})
            await asyncio.wait({one.task})


async def test_a_watch_that_fails_ends_the_table_with_all_on_disk(
    hardware: TableHardware, devices: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_self: object) -> None:
        raise LookupError("the watch is broken")

    monkeypatch.setattr(Watch, "run", fail)
    with pytest.raises(LookupError, match="the watch is broken"):
        async with running(hardware, devices, opened(hardware)) as one:
            await asyncio.wait({one.task})
    assert [r for r in on_disk(hardware) if isinstance(r, cm.ResumeControl)]


async def test_a_journal_damaged_long_ago_stops_the_table_in_the_background(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.deal("9s Th 7s Td")
        await one.lit(2, Button.STAND)
        one.press(2, Button.STAND)
        await one.lit(0, Button.PICKUP)
        one.press(0, Button.PICKUP)
        await until(lambda: one.state.round == 2)
    tamper(
        Path(hardware.journal.path), "UPDATE journal SET body = '{}' WHERE sequence = 5"
    )
    async with running(hardware, devices, opened(hardware)) as one:
        await until(lambda: one.state.suspended)
        (found,) = one.state.irregularities
        assert found.kind is Kind.JOURNAL_DAMAGED
        assert "record 5" in found.words


# --- Surroundings -----------------------------------------------------------------


@pytest.fixture
def folder_as_socket(hardware: TableHardware) -> None:
    Path(hardware.control_socket).mkdir(parents=True)


@pytest.mark.usefixtures("folder_as_socket")
async def test_a_socket_that_cannot_be_opened_is_no_reason_to_stop(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.open_and_bet()
        assert one.said("no control socket")


async def test_the_staff_are_answered_once_it_is_on_disk(
    hardware: TableHardware, devices: Simulation
) -> None:
    socket = Path(hardware.control_socket)
    async with running(hardware, devices, opened(hardware)):
        answer = await ask(socket, "shift open D1 right-to-left")
        assert answer.accepted
        records = on_disk(hardware)
        assert isinstance(records[(answer.sequence or 0) - 1], cm.OpenShift)
        refused = await ask(socket, "dealer deal")
        assert (refused.accepted, refused.refused) == (False, Reason.NO_WAGER.value)
        rules_set = "supervisor S1 set-rules wager_min_cents=1000 reason=quiet"
        assert (await ask(socket, rules_set)).accepted
        changed = [r for r in on_disk(hardware) if isinstance(r, ev.RulesetSet)]
        assert [set_.rules.wager_min_cents for set_ in changed] == [1000]
        # Whoever names a ruleset gets that one; what cannot be used is refused.
        assert (
            await ask(socket, "supervisor S1 set-rules electronic reason=late")
        ).accepted
        unknown = await ask(socket, "supervisor S1 set-rules nevada reason=late")
        assert not unknown.accepted


async def test_who_follows_the_table_hears_of_every_commit(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        staff = Staff(one.owner, one.table.watch, tuple)
        heard: list[int] = []
        end = staff.subscribe(heard.append)
        await one.do(SHIFT)
        journal = Path(hardware.journal.path)
        await until(lambda: heard[-1:] == [reader.head(journal).sequence])
        assert b'"betting"' in staff.view()
        end()
        end()
        before = len(heard)
        await one.do(cm.OpenSeat(seat=2))
        assert len(heard) == before


async def test_the_staff_are_told_when_the_table_is_busy(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        one.owner.stop()
        staff = Staff(one.owner, one.table.watch, tuple)
        people = people_of(TableKind.SIMULATION, None)
        outcome = await staff.command(cm.UndoDeal(), people.person)
    assert (outcome.accepted, outcome.reason) == (False, "table_busy")


async def test_a_read_only_table_tells_the_staff_whom_to_call(
    hardware: TableHardware, devices: Simulation
) -> None:
    empty = new_table("T", hardware.seats, rules())
    state = read_only_state(empty, Kind.JOURNAL_DAMAGED, "record 7")
    one = Running(hardware, devices, ReadOnlyOwner(state), new=False)
    answer = await ask(Path(hardware.control_socket), "shift open D1 right-to-left")
    assert (answer.accepted, answer.refused) == (False, "table_suspended")
    assert answer.because == "the table is read-only: call the technician"
    one.stop.set()
    await one.task


async def test_a_read_only_table_shows_nothing_lit_and_takes_nothing(
    hardware: TableHardware, devices: Simulation, journal_path: Path
) -> None:
    words = "no room to write"
    empty = new_table("T", hardware.seats, rules())
    state = read_only_state(empty, Kind.JOURNAL_FULL, words)
    one = Running(hardware, devices, ReadOnlyOwner(state), new=False)
    await until(lambda: devices.panels[2].deadline is not None)
    one.press(2, Button.BET, 2500)
    polled = devices.panels[2].deadline
    await until(lambda: devices.panels[2].deadline != polled)
    assert len(devices.panels[2].memory.waiting) == 1
    assert devices.panels[2].lamps == frozenset()
    assert one.state.phase is Phase.SUSPENDED
    one.stop.set()
    await one.task
    assert list(journal_path.parent.glob("table.journal*")) == []
