"""With the journal of a real table: what leaves the host counts on what is on disk."""

from itertools import count
from pathlib import Path

import pytest

from controller.core.ids import Kind
from controller.core.state import TableState
from controller.evidence.verify import verify
from controller.runtime.translate import press_cursor
from drivers.framing import FrameReader
from drivers.panel import codec as panel_codec
from drivers.panel.messages import Poll
from drivers.shoe import codec as shoe_codec
from drivers.shoe.messages import Acknowledge
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.keeping import DiskKeeper, files_of, recovered_copy
from simulators.rigs.virtual.mishaps import card_read_again
from simulators.rigs.virtual.setup import ADDRESSES, opening
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import COLORADO, plan_of, violations
from tests.rigs.virtual.test_defects import AcknowledgesBeforeTheCommit, Nuisance
from tests.runtime.clocks import StandingClock

FAULTS = 0.1


def keeper_in(folder: Path) -> DiskKeeper:
    stamp = StandingClock().stamp()
    return DiskKeeper(folder / "table.journal", opening(COLORADO), stamp)


class Acknowledgements:
    """Holds each acknowledgement that leaves the host against the files as they are.

    A commit has synced them when it returns, and nothing else writes them, so a copy
    of the files is what a power cut at that moment leaves.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self.checked = 0
        self.broken: list[str] = []
        self._path = path
        self._folder = folder
        self._copies = count()
        self._reader = FrameReader()
        self._told: dict[tuple[int, int], int] = {}

    def hear(self, data: bytes) -> None:
        for frame in self._reader.receive_data(data):
            if frame.address:
                message = panel_codec.from_frame(frame)
                if isinstance(message, Poll) and message.taken_number:
                    taken = (message.taken_boot_id, message.taken_number)
                    self._acknowledged(frame.address, *taken)
            else:
                shoe_message = shoe_codec.from_frame(frame)
                if isinstance(shoe_message, Acknowledge):
                    self._acknowledged(0, shoe_message.boot_id, shoe_message.number)

    def _acknowledged(self, address: int, boot_id: int, number: int) -> None:
        if number <= self._told.get((address, boot_id), 0):
            return
        self._told[address, boot_id] = number
        self.checked += 1
        folder = self._folder / f"copy-{next(self._copies)}"
        folder.mkdir()
        state = recovered_copy(self._path, folder).state
        on_disk = self._cursor(state, address)
        if on_disk < (boot_id, number) and on_disk[0] == boot_id:
            self.broken.append(f"{address}: {number} is told, {on_disk} is on disk")
        if on_disk[0] != boot_id:
            self.broken.append(f"{address}: boot id {boot_id} is not on disk")

    @staticmethod
    def _cursor(state: TableState, address: int) -> tuple[int, int]:
        if not address:
            return state.shoe.boot_id, state.shoe.event_number
        cursor = press_cursor(state, ADDRESSES.seat_of(address))
        return (0, 0) if cursor is None else (cursor.boot_id, cursor.number)


def watched(
    folder: Path, host_type: type[Host] = Host, faults: float = FAULTS
) -> tuple[VirtualSoak, Acknowledgements]:
    keeper = keeper_in(folder)
    run = VirtualSoak(
        plan_of(3, faults, seats=2), keeper=keeper, host_type=host_type, checkers=()
    )
    told = Acknowledgements(keeper.path, folder)
    run.table.sent.append(told.hear)
    return run, told


def test_whatever_is_acknowledged_is_on_disk_in_that_moment(tmp_path: Path) -> None:
    run, told = watched(tmp_path)
    run.play(3)
    run.table.keeper.close()
    assert told.broken == []
    assert told.checked > 20
    assert violations(run) == set()


def test_an_acknowledgement_before_its_commit_is_found(tmp_path: Path) -> None:
    run, told = watched(tmp_path, AcknowledgesBeforeTheCommit)
    run.table.run_until(lambda: bool(told.broken), 30.0)
    run.table.keeper.close()
    assert told.broken


def test_a_journal_that_was_put_back_is_behind_its_devices(tmp_path: Path) -> None:
    run, _ = watched(tmp_path, faults=0.0)
    table, keeper = run.table, run.table.keeper
    assert isinstance(keeper, DiskKeeper)
    assert table.run_until(lambda: run.tally.rounds == 1, 100.0)
    older = {file: file.read_bytes() for file in files_of(keeper.path)}
    assert table.run_until(lambda: run.tally.rounds == 2, 100.0)
    table.cut_power(1.0)
    keeper.close()
    for file in files_of(keeper.path):
        file.unlink()
    for file, content in older.items():
        file.write_bytes(content)

    def is_stopped() -> bool:
        """Return whether the table stands still because its journal is behind."""
        if table.host is None or not table.host.state.suspended:
            return False
        found = table.host.state.irregularities
        return Kind.JOURNAL_BEHIND in {one.kind for one in found}

    assert table.run_until(is_stopped, 20.0)
    # Nobody at the table can end that: a technician has to.
    table.run_until(lambda: False, 10.0)
    assert is_stopped()
    keeper.close()


def test_the_journal_of_a_table_with_faults_verifies_and_replays(
    tmp_path: Path,
) -> None:
    keeper = keeper_in(tmp_path)
    run = VirtualSoak(plan_of(4, FAULTS, seats=3), keeper=keeper, checkers=())
    run.table.people.append(Nuisance(card_read_again))
    run.play(4)
    keeper.close()
    report = verify(keeper.path, replay=True)
    assert report.findings == ()
    assert report.replayed is not None
    assert report.replayed.compared > 100


@pytest.mark.prove
def test_whatever_is_acknowledged_is_on_disk_for_many_rounds(tmp_path: Path) -> None:
    run, told = watched(tmp_path, faults=0.3)
    run.play(40)
    run.table.keeper.close()
    assert told.broken == []
