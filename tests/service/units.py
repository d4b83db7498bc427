"""Unit files as data, and the tools of systemd that judge them."""

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import Kind

ROOT: Final = Path(__file__).parents[2]
UNITS: Final = ROOT / "systemd"
RULES: Final = ROOT / "hw_config" / "udev"
TABLE: Final = UNITS / "blackjack-table.service"
MIRROR: Final = UNITS / "blackjack-table-mirror.service"
TARGET: Final = UNITS / "blackjack-table.target"
SERVICES: Final = (TABLE, MIRROR)

LIVE: Final = tuple(
    hardware
    for file in sorted(shipped_hardware("serial-seven").parent.glob("*.toml"))
    if (hardware := load_hardware(file)).kind is Kind.LIVE
)
"""The shipped hardware files of real tables, which the service could be given."""

PROGRAM: Final = "/opt/blackjack-table/bin/tablectl"
BOUND_S: Final = 20.0

Settings = Mapping[str, list[str]]
_SETTING: Final = re.compile(r"(?P<key>[A-Za-z]+)=(?P<value>.*)")


def settings(unit: Path) -> Settings:
    """Return what a unit says, each key with its values in order."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in unit.read_text("utf-8").splitlines():
        if said := _SETTING.fullmatch(line):
            found[said["key"]].append(said["value"])
    return found


def words(unit: Path, key: str) -> set[str]:
    """Return all words that a unit gives a key."""
    return {word for value in settings(unit)[key] for word in value.split()}


def tool(name: str) -> str:
    """Return a program of systemd, or skip the test where this machine has none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"this machine has no {name}")
    return found


def asked(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool; it reads files that are named to it, and changes none."""
    return subprocess.run(  # noqa: S603 - a tool of the system on our own files
        [program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=BOUND_S,
    )


def installed(folder: Path) -> list[Path]:
    """Return the units in a folder, as on a machine on which the program lies."""
    program = folder / "tablectl"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    units = []
    for unit in (*SERVICES, TARGET):
        text = unit.read_text("utf-8").replace(PROGRAM, str(program))
        units.append(folder / unit.name)
        units[-1].write_text(text, "utf-8")
    return units
