"""A new file has its name once it is whole, and takes nobody else's."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.failures import MisuseError
from controller.cli.new_file import new_file

KILLED = """
import os, signal, sys
from pathlib import Path
from controller.cli.new_file import new_file
with new_file(Path(sys.argv[1])) as opened:
    opened.write(b"half")
    opened.flush()
    os.kill(os.getpid(), int(sys.argv[2]))
"""


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_killed_leaves_nothing_under_the_name(
    tmp_path: Path, by: signal.Signals
) -> None:
    file = tmp_path / "out"
    command = [sys.executable, "-c", KILLED, str(file), str(int(by))]
    ran = subprocess.run(command, check=False)  # noqa: S603 - our own interpreter
    assert ran.returncode == -by
    assert not file.exists()
    with new_file(file) as opened:
        opened.write(b"whole")
    assert file.read_bytes() == b"whole"


def test_a_name_that_is_taken_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "out"
    with pytest.raises(MisuseError, match="expected no file there"), new_file(file):
        file.write_text("another")
    assert file.read_text() == "another"
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - names alone are asked


def test_an_end_before_it_is_whole_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OverflowError), new_file(tmp_path / "out") as opened:
        opened.write((256).to_bytes(1))
    assert list(tmp_path.iterdir()) == []
