"""`tablectl run` under a service manager: ready, alive, stopped, killed, starved."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from controller.journal.fold import state_at_end
from controller.runtime.notify import READY, STOPPING, WATCHDOG
from simulators.rigs.table_folder import TableFolder, lay_out
from tests.runtime.managers import Manager, managing

ROOT: Final = Path(__file__).parents[2]
BOUND_S: Final = 30.0
WAIT_S: Final = 2.0
"""How long this manager waits for a sign of life; it is fed four times in that."""

TABLECTL: Final = (sys.executable, "-c", "from controller.cli.main import main; main()")

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    with managing(tmp_path) as one:
        yield one


@contextlib.contextmanager
def started(manager: Manager, folder: TableFolder) -> Iterator[subprocess.Popen[str]]:
    """Start the service as its unit does; no device is there to answer."""
    manager.forget()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and words
        [*TABLECTL, "run", str(folder.hardware_file), "--journal", str(folder.journal)],
        env={
            **manager.environment(WAIT_S),
            "PYTHONPATH": str(ROOT),
            "PYTHONFAULTHANDLER": "1",
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def end(process: subprocess.Popen[str], *signals: signal.Signals) -> tuple[int, str]:
    """Send signals; return the exit status and what was said on standard error."""
    for one in signals:
        process.send_signal(one)
    _, said = process.communicate(timeout=BOUND_S)
    return process.returncode, said


def test_a_table_is_ready_without_its_devices_and_stops_when_it_is_told(
    manager: Manager, folder: TableFolder
) -> None:
    with started(manager, folder) as process:
        first = manager.hears()
        assert first is not None
        assert first.words == "looks at itself and its journal"
        ready = manager.hears_fact(READY)
        assert ready.process == process.pid
        assert ready.words == f"{folder.hardware.table_id}: CLOSED, round 1"
        # Who waits for it finds the control socket and the whole journal.
        assert folder.control_socket.exists()
        assert state_at_end(folder.journal).running_boot
        assert manager.hears_fact(WATCHDOG).process == process.pid
        process.send_signal(signal.SIGTERM)
        manager.hears_fact(STOPPING)
        status, said = end(process)
    assert status == 0
    assert '"table stopped"' in said.splitlines()[-1]
    assert not folder.control_socket.exists()


@pytest.mark.prove
def test_a_killed_table_comes_back_and_says_how_often_until_it_is_stopped(
    manager: Manager, folder: TableFolder
) -> None:
    for kills in range(3):
        with started(manager, folder) as process:
            words = manager.hears_fact(READY).words
            assert words.partition("; ")[2] == counted(kills)
            last = signal.SIGKILL if kills < 2 else signal.SIGTERM
            status, _ = end(process, last)
        assert status == (-signal.SIGKILL if kills < 2 else 0)
    assert state_at_end(folder.journal).abrupt_ends == 0


def counted(restarts: int) -> str:
    return f"began again by itself: {restarts}" if restarts else ""


@pytest.mark.prove
def test_a_table_that_hangs_feeds_nobody_and_is_ended_where_it_hung(
    manager: Manager, folder: TableFolder
) -> None:
    with started(manager, folder) as process:
        manager.hears_fact(READY)
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        manager.forget()
        assert manager.hears(WAIT_S) is None
        # As the manager does: it aborts, and wakes whoever cannot hear that.
        status, said = end(process, signal.SIGABRT, signal.SIGCONT)
    # Python reads the stacks of threads that run on: rarely it falls over one.
    assert status in {-signal.SIGABRT, -signal.SIGSEGV}
    # The log says where each thread was, and nothing of what it held.
    assert "Fatal Python error: Aborted" in said
    assert "asyncio" in said or status == -signal.SIGSEGV
    with started(manager, folder) as process:
        assert counted(1) in manager.hears_fact(READY).words
        assert end(process, signal.SIGTERM)[0] == 0


def test_a_table_that_cannot_start_is_never_said_to_be_ready(
    manager: Manager, folder: TableFolder
) -> None:
    folder.hardware_file.write_text("table_id = 7\n", "utf-8")
    with started(manager, folder) as process:
        status, _ = end(process)
    assert status == 2
    assert manager.hears(0) is None
