"""`tablectl check`: a line a device, all faults at once."""

import json
from pathlib import Path

import pytest

from controller.cli.failures import Status
from controller.cli.main import status_of
from simulators.rigs.table_folder import TableFolder, lay_out


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


def test_a_file_that_is_not_there_is_misuse_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(tmp_path / "none.toml")]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line


def test_every_device_that_is_missing_has_its_line(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert sum("panel" in line for line in lines) >= 4
    assert sum("shoe" in line for line in lines) >= 1


def test_programs_get_the_devices_as_json(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    devices = json.loads(capsys.readouterr().out)
    assert len(devices) == 5
    assert {device["found"] for device in devices} == {None}
    assert all(device["problem"] for device in devices)
