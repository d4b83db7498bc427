"""An output that cannot be written: one line and 2; a closed pipe ends quietly."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.evidence.recorded import write

ROUND = "bet 1 25\ndealer deal\ncard Th Td 5c 9c\npress 1 stand\ndealer pickup\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "table.journal", ROUND)


def ran(command: str, redirected: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -c 'from controller.cli.main import main; main()'"
    line = f"set -o pipefail; {program} {command} {redirected}"
    return subprocess.run(  # noqa: S603 - our own interpreter and command
        ["/bin/bash", "-c", line], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "command",
    [
        "export",
        "round 1",
        "report --shift 1",
        "report --shift 1 --json",
        "verify",
        "rounds",
    ],
)
@pytest.mark.parametrize("redirected", ["> /dev/full", ">&-"])
def test_an_output_that_cannot_be_written_is_one_line(
    path: Path, command: str, redirected: str
) -> None:
    done = ran(f"{command} --journal {path}", redirected)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, line.partition(": ")[0]) == (2, "tablectl")
    assert "the output cannot be written" in line


def test_help_that_cannot_be_written_is_one_line() -> None:
    done = ran("--help", "> /dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_pipe_that_is_closed_ends_quietly(path: Path) -> None:
    for command in ("export", "round 1", "verify"):
        done = ran(f"{command} --journal {path}", "| true")
        assert done.stderr == ""


def test_a_page_can_be_written_into_a_pipe(path: Path) -> None:
    done = ran(f"round 1 --html /dev/stdout --journal {path}", "| head -c 15")
    assert done.stdout == "<!DOCTYPE html>"
