"""The mirror's process, run in a thread: what it says, and when it ends."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core.ids import MirrorFault
from controller.journal import reader
from controller.journal.errors import MirrorMismatchError
from controller.journal.mirrored import copied_head
from controller.runtime.errors import MirrorRunsError
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.mirror_service import MirrorService
from controller.runtime.mirror_status import MirrorStatus, read_status, status_file
from hw_config.schema import TableHardware
from simulators.rigs.table_folder import lay_out
from tests.journal.journals import write
from tests.journal.small_disks import fill, mounted
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines

BOUND_S = 20.0


@pytest.fixture
def hardware(tmp_path: Path) -> TableHardware:
    (tmp_path / "there").mkdir()
    return mirrored_to(lay_out(tmp_path, seats=3).hardware, tmp_path / "there")


def mirrored_to(hardware: TableHardware, there: Path) -> TableHardware:
    return replace(hardware, journal=replace(hardware.journal, mirror=str(there)))


class Running:
    """A mirror that runs in a thread."""

    def __init__(self, hardware: TableHardware, ended: Future[None]) -> None:
        self.hardware = hardware
        self.ended = ended

    @property
    def status(self) -> MirrorStatus | None:
        return read_status(status_file(Path(self.hardware.control_socket)))

    def says(self, fault: MirrorFault | None) -> bool:
        return self.status is not None and self.status.fault is fault

    @property
    def is_whole(self) -> bool:
        last = reader.head(Path(self.hardware.journal.path)).sequence
        status = self.status
        if status is None or status.folder != self.hardware.journal.mirror:
            return False
        return (status.fault, status.sequence) == (None, last)

    @property
    def is_checked(self) -> bool:
        return self.status is not None and self.status.checked_at != ""


@contextlib.contextmanager
def mirroring(hardware: TableHardware, log: Lines | None = None) -> Iterator[Running]:
    clock = StandingClock()
    lines = logger_to(Lines() if log is None else log, json_lines(clock))
    journal = Path(hardware.journal.path)
    service = MirrorService(hardware, journal, clock, lines)
    with ThreadPoolExecutor(1) as threads:
        try:
            yield Running(hardware, threads.submit(service.run))
        finally:
            service.stop()


def until(condition: Callable[[], bool], running: Running) -> None:
    """Wait for something that the mirror does; what it ends with is raised."""
    end = time.monotonic() + BOUND_S
    while not condition():
        assert time.monotonic() < end, running.status
        with contextlib.suppress(TimeoutError):
            running.ended.result(0.01)


# --- No room ------------------------------------------------------------------------


@pytest.mark.parametrize("spare_kib", [0, pytest.param(20, marks=pytest.mark.prove)])
def test_a_disk_without_room_for_a_first_record_is_full_until_there_is(
    hardware: TableHardware, tmp_path: Path, spare_kib: int
) -> None:
    write(Path(hardware.journal.path), rounds=30)
    with mounted(tmp_path / "disk", "2m") as there:
        fill(there / "ballast", spare_kib)
        with mirroring(mirrored_to(hardware, there)) as mirror:
            until(lambda: mirror.says(MirrorFault.FULL), mirror)
            beat = mirror.status.beat if mirror.status else 0
            until(lambda: bool(mirror.status and mirror.status.beat > beat + 1), mirror)
            assert mirror.says(MirrorFault.FULL)
            (there / "ballast").unlink()
            until(lambda: mirror.is_whole and mirror.is_checked, mirror)


# --- Two at once --------------------------------------------------------------------


def test_a_second_mirror_of_a_table_ends_and_leaves_the_first_ones_status_alone(
    hardware: TableHardware, tmp_path: Path
) -> None:
    write(Path(hardware.journal.path))
    (tmp_path / "elsewhere").mkdir()
    with mirroring(hardware) as mirror:
        until(lambda: mirror.is_whole, mirror)
        for again in (hardware, mirrored_to(hardware, tmp_path / "elsewhere")):
            log = Lines()
            with (
                mirroring(again, log) as second,
                pytest.raises(MirrorRunsError, match="mirrors this table already"),
            ):
                second.ended.result(BOUND_S)
            assert log.kept == []
            assert mirror.is_whole
    with mirroring(hardware) as mirror:
        until(lambda: mirror.is_whole, mirror)


def test_a_status_that_cannot_be_written_keeps_nothing_from_being_copied(
    hardware: TableHardware, tmp_path: Path
) -> None:
    nowhere = replace(hardware, control_socket=str(tmp_path / "away" / "control"))
    journal, log = Path(hardware.journal.path), Lines()
    write(journal)
    with mirroring(nowhere, log) as mirror:
        copied = tmp_path / "there" / journal.name
        until(lambda: copied_head(copied) == reader.head(journal), mirror)
        until(lambda: "status cannot be written" in "".join(log.kept), mirror)
        (tmp_path / "away").mkdir()
        until(lambda: mirror.is_whole, mirror)


# --- Another folder in its place ----------------------------------------------------


def test_a_folder_swapped_while_it_runs_is_a_mismatch_and_stays_one(
    hardware: TableHardware, tmp_path: Path
) -> None:
    there = tmp_path / "there"
    write(Path(hardware.journal.path))
    with mirroring(hardware) as mirror:
        until(lambda: mirror.is_whole, mirror)
        there.rename(tmp_path / "swapped")
        there.mkdir()
        with pytest.raises(MirrorMismatchError, match="holds it no more"):
            mirror.ended.result(BOUND_S)
    assert mirror.says(MirrorFault.MISMATCH)
    # Also where the journal was written anew meanwhile.
    journal = Path(hardware.journal.path)
    journal.unlink()
    write(journal, rounds=5)
    for _ in range(2):
        with mirroring(hardware) as mirror:
            with pytest.raises(MirrorMismatchError, match="holds it no more"):
                mirror.ended.result(BOUND_S)
            assert mirror.says(MirrorFault.MISMATCH)
    assert list(there.iterdir()) == []


def test_a_device_is_replaced_by_naming_another_folder(
    hardware: TableHardware, tmp_path: Path
) -> None:
    write(Path(hardware.journal.path))
    with mirroring(hardware) as mirror:
        until(lambda: mirror.is_whole, mirror)
    (tmp_path / "new").mkdir()
    log = Lines()
    with mirroring(mirrored_to(hardware, tmp_path / "new"), log) as mirror:
        until(lambda: mirror.is_whole, mirror)
    assert "another folder than before" in "".join(log.kept)
    assert (tmp_path / "new" / Path(hardware.journal.path).name).exists()


def test_a_folder_that_is_not_there_is_said_to_be_that(
    hardware: TableHardware, tmp_path: Path
) -> None:
    write(Path(hardware.journal.path))
    (tmp_path / "there").rmdir()
    with mirroring(hardware) as mirror:
        until(lambda: mirror.says(MirrorFault.UNREACHABLE), mirror)
        assert mirror.status is not None
        assert "the mirror's folder is not there" in mirror.status.words
        (tmp_path / "there").mkdir()
        until(lambda: mirror.is_whole, mirror)
