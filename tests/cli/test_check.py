"""`tablectl check`: a line a device, all faults at once."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.failures import Status
from controller.cli.main import status_of
from controller.runtime.socket_file import SocketFile
from hw_config.schema import Baud, ShoeKind, ShoeProfile
from simulators.devices.pty_port import PtyPort
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out


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


def test_a_button_that_the_ruleset_needs_and_nobody_wired_has_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay_out(tmp_path, seats=2, shipped="simulation-gpio")
    text = folder.hardware_file.read_text()
    folder.hardware_file.write_text(text.replace("surrender =", "# surrender =", 1))
    assert status_of(["check", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{folder.hardware_file}: pins.seats.1.surrender: missing;")


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


def test_the_mirror_has_its_line_after_the_devices(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    journal = replace(folder.hardware.journal, mirror=str(there))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith(f"mirror at {there}: holds 0 of 0 records; warning: ")


def test_programs_get_the_mirror_as_json(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = replace(folder.hardware.journal, mirror=str(tmp_path / "there"))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
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


def test_a_shoe_that_cannot_say_who_it_is_has_its_port_looked_at(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    shoe = replace(
        folder.hardware.shoe,
        kind=ShoeKind.LINE,
        profile=ShoeProfile.BEETEK,
        baud=Baud.B9600,
    )
    hardware = replace(folder.hardware, shoe=shoe)
    folder.hardware_file.write_text(hardware_text(hardware))

    def shoes_line() -> str:
        assert status_of(["check", str(folder.hardware_file)]) == Status.NO
        return capsys.readouterr().out.splitlines()[-1]

    assert "cannot be opened" in shoes_line()
    with PtyPort(Path(shoe.port)):
        assert "its port is open; this shoe cannot say who it is" in shoes_line()
