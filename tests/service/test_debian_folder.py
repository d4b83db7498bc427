"""What the package is made of fits the units and the program, without building it."""

import os
from pathlib import Path
from typing import Final

import pytest

from controller.cli.registry import OWN
from tests.service.units import (
    PROGRAM,
    ROOT,
    RULES,
    SERVICES,
    TABLE,
    TARGET,
    UNITS,
    asked,
    settings,
    tool,
)

DEBIAN: Final = ROOT / "debian"


def test_units_and_rules_are_those_of_the_project() -> None:
    linked = {file.resolve() for file in DEBIAN.iterdir() if file.is_symlink()}
    sysusers, rules = UNITS / "blackjack-table.sysusers", "70-blackjack-table.rules"
    assert linked == {*SERVICES, TARGET, sysusers, RULES / rules}


@pytest.mark.parametrize("name", ["install", "docs"])
def test_every_file_that_is_put_in_is_there(name: str) -> None:
    for line in (DEBIAN / f"blackjack-table.{name}").read_text("utf-8").splitlines():
        assert list(ROOT.glob(line.split()[0])), line


@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm"])
def test_a_maintainer_script_is_read_by_the_shell_of_the_system(name: str) -> None:
    script = DEBIAN / f"blackjack-table.{name}"
    done = asked(tool("dash"), "-n", str(script))
    assert (done.returncode, done.stderr) == (0, "")
    lines = script.read_text("utf-8").splitlines()
    assert lines[:1] == ["#!/bin/sh"]
    assert "set -e" in lines
    assert "#DEBHELPER#" in lines


def test_the_question_before_a_change_is_of_the_table_that_the_service_runs() -> None:
    said = (DEBIAN / "blackjack-table.prerm").read_text("utf-8")
    (line,) = settings(TABLE)["ExecStart"]
    program, _run, hardware = line.split()
    assert program == PROGRAM
    assert f"tablectl={program}\nstopped" in said
    assert f"hardware={hardware}\n" in said
    assert "idle" in OWN
    assert '"$tablectl" idle "$hardware"' in said


@pytest.mark.parametrize("unit", SERVICES, ids=[unit.name for unit in SERVICES])
def test_a_service_waits_until_somebody_says_what_table_this_is(unit: Path) -> None:
    (line,) = settings(unit)["ExecStart"]
    assert settings(unit)["ConditionPathExists"] == [line.split()[-1]]


def test_the_rules_of_the_package_may_be_run() -> None:
    assert os.access(DEBIAN / "rules", os.X_OK)
