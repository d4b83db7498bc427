"""`tablectl check`: a line a device, all faults at once."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.failures import Status
from controller.cli.main import status_of
from controller.journal.mirror import Mirror
from controller.journal.store import Store
from controller.runtime.socket_file import SocketFile
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.journal.journals import SIMULATION, round_rows, tamper, write
from tests.journal.small_disks import mounted


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


def test_a_file_that_is_not_there_is_misuse_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(tmp_path / "none.toml")]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line


def test_a_ruleset_that_there_is_not_is_named_with_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay_out(tmp_path, seats=3, ruleset="nosuch")
    assert status_of(["check", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{folder.hardware_file}: ruleset: no ruleset 'nosuch'")


def test_while_the_table_runs_its_devices_are_not_asked(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    file = SocketFile.listening(folder.control_socket)
    with file.listener:
        assert status_of(["check", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "a table is running here already" in line


def test_every_device_that_is_missing_has_its_line(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert sum("panel" in line for line in lines) >= 4
    assert sum("shoe" in line for line in lines) >= 1


def mirrored(folder: TableFolder, mirror: Path) -> TableFolder:
    journal = replace(folder.hardware.journal, mirror=str(mirror))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    return folder


def mirror_line(folder: TableFolder, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the line of the mirror, which comes after those of the devices."""
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("mirror at ")
    return line


def copied(folder: TableFolder, mirror: Path) -> None:
    copying = Mirror(folder.journal, mirror, SIMULATION).copying()
    assert next(copying).link.sequence > 0
    copying.close()


def test_the_mirror_has_its_line(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    mirrored(folder, there)
    assert "expected a folder, found none" in mirror_line(folder, capsys)
    there.mkdir()
    line = mirror_line(folder, capsys)
    assert "holds 0 of 0 records" in line
    assert "warning: on the same device as the journal" in line
    write(folder.journal)
    assert "holds nothing; start tablectl mirror" in mirror_line(folder, capsys)
    copied(folder, there)
    assert "holds 10 of 10 records" in mirror_line(folder, capsys)
    with Store.open(folder.journal, SIMULATION) as store:
        store.append(round_rows(4))
    assert "holds 10 of 14 records" in mirror_line(folder, capsys)
    tamper(folder.journal, "DELETE FROM journal WHERE sequence > 5")
    assert "holds record 10, and" in mirror_line(folder, capsys)


def test_a_mirror_that_is_no_journal_is_said(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder.journal)
    there = tmp_path / "there"
    there.mkdir()
    (there / folder.journal.name).write_text("a letter")
    assert "expected a journal" in mirror_line(mirrored(folder, there), capsys)


def test_a_mirror_on_a_disk_of_its_own_is_no_poor_one(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder.journal)
    with mounted(tmp_path / "disk", "512k") as there:
        copied(folder, there)
        line = mirror_line(mirrored(folder, there), capsys)
    assert line == f"mirror at {there}: holds 10 of 10 records"


def test_programs_get_the_mirror_as_json(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirrored(folder, tmp_path / "there")
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    mirror = json.loads(capsys.readouterr().out)[-1]
    assert (mirror["name"], mirror["records"]) == ("mirror", 0)
    assert mirror["problem"]


def test_programs_get_the_devices_as_json(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    devices = json.loads(capsys.readouterr().out)
    assert len(devices) == 5
    assert {device["found"] for device in devices} == {None}
    assert all(device["problem"] for device in devices)
