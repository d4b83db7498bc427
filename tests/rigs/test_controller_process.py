import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.errors import ControllerEndedError
from simulators.rigs.table_folder import lay_out

BOUND_S = 60


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ControllerProcess]:
    """A controller whose hardware file is not there, so that it ends by itself."""
    none = tmp_path / "none.toml"
    process = ControllerProcess(none, tmp_path / "journal", tmp_path / "log")
    yield process
    process.kill()


def watch(process: ControllerProcess) -> NoReturn:
    """Look at a controller until it is found to have ended."""
    while True:
        process.check()
        time.sleep(0.01)


def test_one_that_was_not_started_is_told(process: ControllerProcess) -> None:
    with pytest.raises(ControllerEndedError, match=r"was not started; .* none"):
        process.check()
    with pytest.raises(ControllerEndedError, match="was not started"):
        process.stop()
    process.kill()


@pytest.mark.timeout(BOUND_S)
def test_one_that_ends_by_itself_is_told_with_its_last_words(
    process: ControllerProcess,
) -> None:
    process.start()
    with pytest.raises(ControllerEndedError) as told:
        watch(process)
    assert "ended with status 2" in str(told.value)
    assert "none.toml: cannot be read: No such file or directory" in str(told.value)
    assert process.starts == 1


RIG = """
import os, signal, sys
from pathlib import Path
from simulators.rigs.controller_process import ControllerProcess
hardware, journal, log = map(Path, sys.argv[1:])
controller = ControllerProcess(hardware, journal, log)
controller.start()
while not journal.exists():
    controller.check()
print(controller.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def is_gone(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text("ascii")
    except FileNotFoundError:
        return True
    # Nobody waits for it any more: a zombie is as gone as can be.
    return status.rpartition(")")[2].split()[0] == "Z"


@pytest.mark.timeout(BOUND_S)
def test_a_controller_ends_with_its_rig_even_if_that_is_killed(tmp_path: Path) -> None:
    laid = lay_out(tmp_path, seats=1)
    files = (laid.hardware_file, laid.journal, laid.log)
    rig = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", RIG, *map(str, files)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert rig.returncode == -signal.SIGKILL, rig.stderr
    until_s = time.monotonic() + BOUND_S
    while not is_gone(int(rig.stdout)):
        assert time.monotonic() < until_s, "it lives on"
        time.sleep(0.01)
