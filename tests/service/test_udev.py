"""What the system gives the devices: names that stay, groups, peace; and its log."""

import re
from pathlib import Path

import pytest

from tests.service.units import LIVE, RULES, TABLE, UNITS, asked, settings, tool, words

FILES = sorted(RULES.glob("*.rules"))
PART = re.compile(
    r'(?P<key>[A-Z_]+)(\{(?P<of>[A-Za-z0-9_/]+)\})?(?P<how>==|!=|\+=|:=|=)"(?P<is>[^"]*)"'
)
KEYS = {
    *("ACTION", "KERNEL", "SUBSYSTEM", "DRIVER", "GOTO", "LABEL"),
    *("ENV", "ATTR", "GROUP", "MODE", "SYMLINK"),
}


def rule_parts(file: Path) -> list[dict[str, str]]:
    """Return the parts of all rules of a file, each of which must be well-formed."""
    parts = []
    for line in file.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        for text in line.split(", "):
            found = PART.fullmatch(text)
            assert found, f"{file.name}: {text}"
            assert found["key"] in KEYS, text
            parts.append({name: part or "" for name, part in found.groupdict().items()})
    return parts


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_every_rule_is_well_formed_and_every_label_there(file: Path) -> None:
    parts = rule_parts(file)
    jumps = {part["is"] for part in parts if part["key"] == "GOTO"}
    assert jumps == {part["is"] for part in parts if part["key"] == "LABEL"}


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_udev_takes_every_rule(file: Path) -> None:
    udevadm = tool("udevadm")
    if "verify" not in asked(udevadm, "--help").stdout:
        pytest.skip("udevadm of this machine cannot verify rules")
    done = asked(udevadm, "verify", "--resolve-names=never", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_ports_of_the_shipped_files_are_the_names_that_udev_gives() -> None:
    parts = rule_parts(RULES / "71-blackjack-table-names.rules")
    given = {f"/dev/{part['is']}" for part in parts if part["key"] == "SYMLINK"}
    for hardware in LIVE:
        # A table that is wired to pins has only its shoe on a port.
        panels = {hardware.panels.port} if hardware.panels else {"/dev/table/panels"}
        assert {*panels, hardware.shoe.port} == given


def test_devices_get_the_groups_that_the_service_is_in() -> None:
    parts = rule_parts(RULES / "70-blackjack-table.rules")
    groups = {part["is"] for part in parts if part["key"] == "GROUP"}
    assert groups < words(TABLE, "SupplementaryGroups")


@pytest.mark.parametrize(
    ("subsystem", "ignored"),
    [("usb", "ID_MM_DEVICE_IGNORE"), ("tty", "ID_MM_PORT_IGNORE")],
)
def test_no_modem_manager_talks_to_an_adapter(subsystem: str, ignored: str) -> None:
    lines = (RULES / "70-blackjack-table.rules").read_text("utf-8").splitlines()
    (rule,) = (line for line in lines if f'ENV{{{ignored}}}="1"' in line)
    assert rule.startswith(f'SUBSYSTEM=="{subsystem}", ')
    # A tty is one by its name; both kinds of adapter have theirs.
    assert subsystem == "usb" or 'KERNEL=="ttyUSB[0-9]*|ttyACM[0-9]*"' in rule


def test_the_log_of_the_system_is_kept_over_restarts() -> None:
    drop_in = UNITS / "journald.conf.d" / "blackjack-table.conf"
    assert settings(drop_in)["Storage"] == ["persistent"]
