"""`tablectl check`: a line a device, all faults at once."""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli import check as under_test
from controller.cli.check_found import Found
from controller.cli.failures import Status
from controller.cli.main import status_of
from controller.runtime.answers import Finding
from controller.runtime.computer_probe import probe_computer
from controller.runtime.control_socket import ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import people_of
from drivers.events import Device
from drivers.identity import DeviceType
from hw_config.loader import shipped_hardware
from hw_config.schema import Baud, Kind, ShoeKind, ShoeProfile
from simulators.devices.pty_port import PtyPort
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.cli.terminals import BOUND_S
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import speakers
from tests.runtime.sinks import Lines
from tests.runtime.sysfs import STICK, FakeSysfs
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3, panel_lost_after_s=0.5)


def test_a_file_that_is_not_there_is_misuse_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(tmp_path / "none.toml")]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line


def test_each_fault_of_a_hardware_file_has_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "many.toml"
    text = shipped_hardware("simulation-seven").read_text("utf-8")
    file.write_text(text.replace("seats = 7", "seats = 9") + "[other]\n")
    assert status_of(["check", str(file)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert all(line.startswith(f"{file}: ") for line in lines)


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


def test_every_device_that_is_missing_has_its_line(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 + 2 + 1 + 2
    assert lines[-2:] == [
        f"look at the panels' adapter and its plug: {folder.hardware.bus.port}",
        f"look at the shoe's adapter and its plug: {folder.hardware.shoe.port}",
    ]
    silent = [line for line in lines if line.endswith("its port is not open")]
    assert len(silent) == 5
    # Why is said once, with the port.
    why = [line for line in lines if "it is not there; check that" in line]
    assert [line.split()[0] for line in why] == ["panels", "shoe"]


def test_the_mirror_has_its_line_after_the_devices(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    journal = replace(folder.hardware.journal, mirror=str(there))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    line = capsys.readouterr().out.splitlines()[-3]
    assert line.startswith(f"mirror at {there}: holds 0 of 0 records; warning: ")


def test_programs_get_the_mirror_as_json(
    folder: TableFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = replace(folder.hardware.journal, mirror=str(tmp_path / "there"))
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    mirror = json.loads(capsys.readouterr().out)["mirror"]
    assert (mirror["name"], mirror["records"]) == ("mirror", 0)
    assert mirror["problem"]


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSysfs:
    """Let the check listen to a computer, as it does at a live table."""
    sysfs = FakeSysfs(tmp_path / "sys")
    monkeypatch.setattr(under_test, "sysfs_of", lambda _: sysfs.root)
    return sysfs


def test_what_the_computer_tells_and_what_it_does_not_has_its_lines(
    folder: TableFolder, computer: FakeSysfs, capsys: pytest.CaptureFixture[str]
) -> None:
    computer.voltage("1")
    computer.usb()
    computer.plug("1-1", "0781:5567", STICK, name="Cruzer")
    assert status_of(["check", str(folder.hardware_file)]) == Status.NO
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("computer")] == [
        "computer, supply: The computer's supply is too weak",
        "computer, speed: not told by this computer",
        "computer, clock battery: not told by this computer",
        "computer, USB: storage, Cruzer (0781:5567) at USB port 1-1",
    ]


def test_programs_get_the_computer_as_json(
    folder: TableFolder, computer: FakeSysfs, capsys: pytest.CaptureFixture[str]
) -> None:
    computer.throttled(0x4)
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    supply, speed, *_ = json.loads(capsys.readouterr().out)["computer"]
    assert (supply["is_told"], supply["problem"]) == (True, "")
    assert speed["problem"]


def test_a_computer_that_fails_is_an_answer_of_no_where_all_devices_are_there(
    computer: FakeSysfs,
) -> None:
    good = Found(devices=(), links=(), computer=probe_computer(computer.root))
    assert good.status is Status.DONE
    computer.battery(0)
    bad = replace(good, computer=probe_computer(computer.root))
    assert bad.status is Status.NO


def test_programs_get_the_devices_as_json(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["check", "--json", str(folder.hardware_file)]) == Status.NO
    answer = json.loads(capsys.readouterr().out)
    devices, links = answer["devices"], answer["links"]
    assert [link["name"] for link in links] == ["panels", "shoe"]
    assert all(link["error"] for link in links)
    assert answer["mirror"] is None
    assert answer["computer"] == []
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
        lines = capsys.readouterr().out.splitlines()
        return next(line for line in lines if line.startswith("shoe at"))

    assert "its port is not open" in shoes_line()
    with PtyPort(Path(shoe.port)):
        assert "its port is open; this shoe cannot say who it is" in shoes_line()


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("control_group", "no-such-group", "there is no group no-such-group on this"),
        ("control_socket", "{folder}/file/control.sock", "cannot be asked: Not a dir"),
    ],
)
def test_what_a_table_could_not_start_with_is_one_line(
    folder: TableFolder,
    capsys: pytest.CaptureFixture[str],
    setting: str,
    value: str,
    words: str,
) -> None:
    place = folder.hardware_file.parent
    (place / "file").touch()
    named = {setting: value.format(folder=place)}
    folder.hardware_file.write_text(hardware_text(replace(folder.hardware, **named)))
    assert status_of(["check", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


def test_a_signing_key_that_is_not_there_is_one_line(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = replace(folder.hardware.journal, signing_key="/no/such/key")
    hardware = replace(folder.hardware, journal=journal)
    folder.hardware_file.write_text(hardware_text(hardware))
    assert status_of(["check", str(folder.hardware_file)]) == Status.MISUSE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("/no/such/key: the key cannot be read: No such file or")


# --- A table that runs, and one that is tried by hand --------------------------------


async def test_a_running_table_says_itself_how_its_devices_fare(
    folder: TableFolder,
) -> None:
    engine = CoreEngine(state_after("panel 2 lost"))
    devices = NoDevices(engine)
    async with await control_of(engine, devices).open(folder.control_socket):
        status, text = await checked(folder.hardware_file)
        as_json, answer = await checked(folder.hardware_file, "--json")
    assert (status, as_json) == (Status.NO, Status.NO)
    first, second, *_ = text.splitlines()
    assert first == "table scenario is running: betting"
    assert "shoe at /dev/table/shoe: none" in text
    assert second == "seat 2: lost; look at its cable and its supply"
    assert json.loads(answer)["problems"] == [second]


async def test_of_a_panel_whose_own_line_tells_it_no_more_is_said(
    folder: TableFolder,
) -> None:
    engine = CoreEngine(state_after("panel 2 lost"))
    devices = NoDevices(engine)
    panel = Device(DeviceType.PANEL, 2)
    why = "no answer; check its cable and its power"
    devices.found = (
        Finding(device=panel, name="seat 2", place="the bus", problem=why),
    )
    async with await control_of(engine, devices).open(folder.control_socket):
        status, text = await checked(folder.hardware_file)
    assert status == Status.NO
    of_the_panel = [line for line in text.splitlines() if line.startswith("seat 2")]
    assert of_the_panel == [f"seat 2 at the bus: {why}"]


def control_of(engine: CoreEngine, devices: NoDevices) -> ControlSocket:
    """Return the control socket of a table with an engine and no devices."""
    return ControlSocket(
        engine,
        speakers(people_of(Kind.SIMULATION, None), engine),
        logger_to(Lines(), json_lines(StandingClock())),
        Counters(),
        devices,
        seats=7,
    )


async def checked(*arguments: object) -> tuple[int | None, str]:
    """Return status and output of a check that runs beside us."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from controller.cli.main import main; main()",
        "check",
        *map(str, arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(BOUND_S):
        told, _ = await process.communicate()
    return process.returncode, told.decode()


def test_by_hand_the_lamps_are_out_at_the_end(
    folder: TableFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with tempfile.TemporaryFile() as typed:
        typed.write(b"lamp 1 hit\nlamp 9 hit\n")
        typed.seek(0)
        monkeypatch.setattr(sys, "stdin", typed)
        arguments = ["check", "--try", str(folder.hardware_file)]
        assert status_of(arguments) == Status.NO, "no device answers here"
    lines = capsys.readouterr().out.splitlines()
    assert "expected one of the panels 1 2 3 dealer, got 9" in lines
    assert lines[-1] == "all lamps are out"
