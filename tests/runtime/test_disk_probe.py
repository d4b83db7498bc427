"""What a check says of the disk that a journal is on, by what kernels have said."""

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from controller.runtime import disk_probe
from controller.runtime.disk_probe import DiskFinding, probe_disk
from hw_config.schema import Kind
from tests.runtime.equipment import hardware

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "mountinfo"
ROOMY: Final = 2**40


def found(
    machine: str, path: str, kind: Kind = Kind.LIVE, free: int = ROOMY
) -> DiskFinding:
    """Return what is found of a journal on this machine, with so many bytes free."""
    table = hardware(Path("/t"))
    journal = replace(table.journal, path=path)
    mountinfo = (GOLDEN / machine).read_text("utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk_probe, "free_bytes", lambda _: free)
        return probe_disk(replace(table, kind=kind, journal=journal), mountinfo)


def test_a_good_disk_is_named_with_its_file_system_and_its_room() -> None:
    disk = found("raspberry-pi", "/var/lib/table/j")
    assert disk.words() == (
        "journal at /var/lib/table/j: ext4 mounted at /; writable; with barriers; "
        "1048576 MiB free"
    )
    assert (disk.problem, disk.warning) == ("", "")


def test_a_disk_in_memory_is_wrong_for_a_live_table_alone() -> None:
    path = "/run/table/j"
    assert "in memory; name a place on a disk" in found("raspberry-pi", path).problem
    simulated = found("raspberry-pi", path, Kind.SIMULATION)
    assert simulated.problem == ""
    assert "in memory" in simulated.warning


def test_a_disk_that_cannot_be_written_is_wrong() -> None:
    line = "1 0 8:1 / / ro,relatime shared:1 - ext4 /dev/root rw,errors=remount-ro\n"
    disk = probe_disk(hardware(Path("/t")), line)
    assert disk.read_only
    assert "read-only" in disk.problem
    assert "; read-only; " in disk.words()


def test_a_place_that_can_be_no_file_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = found("raspberry-pi", str(tmp_path))
    assert folder.problem == "a folder is there; name a file"
    below = found("raspberry-pi", str(tmp_path / "file" / "j"))
    assert below.problem == f"{tmp_path}/file is no folder; name another place"


def test_links_that_lead_nowhere_are_no_error_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert found("raspberry-pi", str(tmp_path / "a")).free_bytes == ROOMY


def test_a_folder_that_this_user_may_not_write_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    warning = found("raspberry-pi", "/var/lib/table/j").warning
    assert warning == "this user may not write there; the table's user must"


def test_a_disk_without_barriers_is_warned_of() -> None:
    line = "1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw,nobarrier\n"
    disk = probe_disk(hardware(Path("/t")), line)
    assert not disk.barriers
    assert disk.warning == "what was written last may be gone after a loss of power"
    assert "without barriers" in disk.words()


def test_a_disk_without_room_is_wrong_and_one_with_little_is_warned_of() -> None:
    path = "/var/lib/table/j"
    assert "no room" in found("raspberry-pi", path, free=1000).problem
    little = found("raspberry-pi", path, free=2**27)
    assert (little.problem, little.warning) == ("", "less than 256 MiB: no new deal")


def test_a_folder_that_is_not_there_yet_has_the_room_of_the_one_above_it(
    tmp_path: Path,
) -> None:
    table = hardware(tmp_path)
    journal = replace(table.journal, path=str(tmp_path / "not" / "there" / "j"))
    disk = probe_disk(replace(table, journal=journal), "")
    assert disk.free_bytes > 0
    # Nothing is told of mounts to a process that is shut into a plain folder.
    assert disk.file_system == ""
    assert "which file system is not told" in disk.words()
