"""The files of the service: systemd takes them, and they fit what the program does."""

import os
import re
from pathlib import Path

import pytest

from controller.cli.failures import Status
from controller.cli.from_sources import NOWHERE
from controller.cli.main import status_of
from controller.runtime.signs_of_life import INBOX_PATIENCE_S, WRITER_PATIENCE_S
from hw_config.loader import shipped_hardware
from hw_config.schema import TableHardware
from tests.service.units import (
    LIVE,
    MIRROR,
    PROGRAM,
    SERVICES,
    TABLE,
    TARGET,
    UNITS,
    asked,
    installed,
    settings,
    tool,
    words,
)

EXPOSURE_MAX_TENTHS = 10


def names(path: Path) -> str:
    return path.name


# --- What systemd says ------------------------------------------------------------


def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    found = verified(installed(tmp_path))
    assert found == (0, "")


def verified(units: list[Path]) -> tuple[int, str]:
    done = asked(
        tool("systemd-analyze"),
        *("verify", "--recursive-errors=yes", "--man=no"),
        *map(str, units),
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("Restart=always", "Restart=often"),
        ("WatchdogSec=", "WatchdogSecs="),
        ("PartOf=blackjack-table.target", "Requires=blackjack-chair.service"),
        (PROGRAM, "/opt/blackjack-chair/bin/chairctl"),
    ],
)
def test_a_mistake_in_a_unit_is_found(good: str, bad: str, tmp_path: Path) -> None:
    units = installed(tmp_path)
    table = tmp_path / TABLE.name
    good = good.replace(PROGRAM, str(tmp_path / "tablectl"))
    text = table.read_text("utf-8")
    assert good in text
    table.write_text(text.replace(good, bad), "utf-8")
    status, said = verified(units)
    assert status != 0
    assert said


def exposure(unit: Path) -> int:
    """Return 0 if a unit is exposed no more than it may be."""
    done = asked(
        tool("systemd-analyze"),
        *("security", "--offline=true", "--no-pager"),
        f"--threshold={EXPOSURE_MAX_TENTHS}",
        str(unit),
    )
    assert "Overall exposure level" in done.stdout, done.stderr
    return done.returncode


@pytest.mark.parametrize("name", [unit.name for unit in SERVICES])
def test_a_service_is_exposed_to_next_to_nothing(name: str, tmp_path: Path) -> None:
    installed(tmp_path)
    assert exposure(tmp_path / name) == 0


def test_a_service_that_may_do_more_is_exposed(tmp_path: Path) -> None:
    installed(tmp_path)
    table = tmp_path / TABLE.name
    text = table.read_text("utf-8").replace("NoNewPrivileges=yes\n", "")
    table.write_text(text, "utf-8")
    assert exposure(table) != 0


def test_users_and_groups_are_made_as_the_units_name_them(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may make users, even in a folder of its own")
    made = tmp_path / "root"
    (made / "etc").mkdir(parents=True)
    users = UNITS / "blackjack-table.sysusers"
    done = asked(tool("systemd-sysusers"), f"--root={made}", str(users))
    assert done.returncode == 0, done.stderr
    groups, people = (
        {line.split(":")[0] for line in file.read_text("utf-8").splitlines()}
        for file in (made / "etc/group", made / "etc/passwd")
    )
    for unit in SERVICES:
        assert words(unit, "User") <= people
        assert words(unit, "Group") | words(unit, "SupplementaryGroups") <= groups


# --- What the program needs of them -----------------------------------------------


@pytest.mark.parametrize("unit", SERVICES, ids=names)
def test_a_service_starts_a_command_that_there_is(unit: Path) -> None:
    (line,) = settings(unit)["ExecStart"]
    program, command, _hardware = line.split()
    assert program == PROGRAM
    assert status_of([command, "--help"]) == Status.DONE


@pytest.mark.parametrize("unit", SERVICES, ids=names)
@pytest.mark.parametrize(
    "key",
    [
        "DynamicUser",  # the journal and its escrow need an owner that stays
        "ProcSubset",  # hides the boot id, and what tells a library the board
        "PrivateUsers",  # no file could be given to the group of the control socket
        "ProtectClock",  # forbids to ask whether the clock is synchronised
        "InaccessiblePaths",  # could hide /sys, where the computer tells of itself;
        "TemporaryFileSystem",  # so could this; ProtectKernelTunables leaves it to read
        "RootDirectory",
        "RootImage",
    ],
)
def test_what_would_take_from_the_program_what_it_needs_is_not_set(
    unit: Path, key: str
) -> None:
    assert key not in settings(unit)


def test_whether_the_clock_is_synchronised_may_be_asked_and_the_clock_not_set() -> None:
    for unit in SERVICES:
        assert settings(unit)["CapabilityBoundingSet"] == [""]
        *_, last = (v for v in settings(unit)["SystemCallFilter"] if "clock" in v)
        assert last == "adjtimex clock_adjtime clock_adjtime64"


def test_the_table_is_a_notifying_service_that_always_comes_back() -> None:
    said = settings(TABLE)
    assert said["Type"] == ["notify"]
    assert said["NotifyAccess"] == ["main"]
    assert said["Restart"] == ["always"]
    assert said["StartLimitIntervalSec"] == ["0"]


def test_no_core_file_is_left_of_a_process_that_knows_cards() -> None:
    assert all(settings(unit)["LimitCORE"] == ["0"] for unit in SERVICES)


def test_the_times_of_the_table_leave_a_slow_card_its_own() -> None:
    (stop_s,), (watchdog_s,) = (
        map(int, settings(TABLE)[key]) for key in ("TimeoutStopSec", "WatchdogSec")
    )
    assert stop_s > WRITER_PATIENCE_S
    # A stuck inbox is found between two feeds, not many of them later.
    assert watchdog_s >= INBOX_PATIENCE_S


def test_the_process_of_the_table_begins_from_sources_at_once() -> None:
    assert f"PYTHONPYCACHEPREFIX={NOWHERE}" in settings(TABLE)["Environment"]


def test_a_mirror_that_would_fail_again_is_not_started_again() -> None:
    ends = words(MIRROR, "RestartPreventExitStatus")
    assert ends == {str(int(Status.NO)), str(int(Status.MISUSE))}


def test_table_and_mirror_share_the_user_and_the_folders() -> None:
    for key in ("User", "Group", "RuntimeDirectory", "StateDirectory", "UMask"):
        assert settings(TABLE)[key] == settings(MIRROR)[key]
    assert settings(TABLE)["WorkingDirectory"] == ["/run/blackjack-table"]
    for unit in SERVICES:
        assert settings(unit)["RuntimeDirectoryPreserve"] == ["yes"]


def test_the_target_takes_both_with_it() -> None:
    for unit in SERVICES:
        assert words(unit, "PartOf") == words(unit, "WantedBy") == {TARGET.name}


@pytest.mark.parametrize("hardware", LIVE, ids=[one.table_id for one in LIVE])
def test_the_files_of_a_live_table_lie_where_its_service_may_write(
    hardware: TableHardware,
) -> None:
    (state,), (run,) = (
        settings(TABLE)[key] for key in ("StateDirectory", "RuntimeDirectory")
    )
    assert Path(hardware.journal.path).parent == Path("/var/lib", state)
    assert Path(hardware.control_socket).parent == Path("/run", run)
    assert hardware.control_group in words(TABLE, "SupplementaryGroups")


@pytest.mark.parametrize("file", ["serial-seven", "serial-three"])
def test_the_mirror_of_the_shipped_files_lies_where_its_service_may_write(
    file: str,
) -> None:
    text = shipped_hardware(file).read_text("utf-8")
    found = re.search(r'^# mirror = "(.*)"', text, re.MULTILINE)
    assert found
    (place,) = settings(MIRROR)["ReadWritePaths"]
    assert Path(found[1]).is_relative_to(place.removeprefix("-"))
