"""What the programs cost: a person's wait for the command line, a table at rest."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.journals import write_journal
from bench.measure import TIMES, Better, Goal, Measure, compared, seconds
from hw_config.loader import load_hardware, moved_to, shipped_hardware

_NO_BYTECODE: Final = "PYTHONDONTWRITEBYTECODE"
_TIMES: Final = 11
_EVENTS: Final = 3_000
_ROUND: Final = 10
_SETTLES_S: Final = 2.0
_WATCHED_S: Final = 10.0
_STARTS_WITHIN_S: Final = 20.0
# The processes are of this project, wherever they run; and bytecode is kept from run
# to run, as where it is installed, even if this shell forbids it.
_ENVIRONMENT: Final = {
    **{name: v for name, v in os.environ.items() if name != _NO_BYTECODE},
    "PYTHONPATH": str(Path(__file__).parents[1]),
}
_NOTHING: Final = (sys.executable, "-c", "pass")
_TABLECTL: Final = (
    sys.executable,
    "-c",
    "from controller.cli.main import main; main()",
)


def measures() -> Iterator[Measure]:
    """Yield what `tablectl` and a closed table cost."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder, "a.journal")
        write_journal(journal, _EVENTS)
        told = ("round", str(_ROUND), "--journal", str(journal))
        yield _against_nothing("tablectl --help", 6.0, "--help")
        yield _against_nothing(
            f"tablectl round N, out of {_EVENTS} events", 12.0, *told
        )
    yield _share(
        "processor share of a closed table: seven panels and a shoe on ptys",
        _share_of_closed_table,
        goal=0.02,
        note=f"over {_WATCHED_S:g} s, the devices in a process of their own",
    )
    yield _share(
        "processor share of a table in play, at the pace of people",
        _share_of_table_in_play,
        goal=1.0,
        note=f"over {_WATCHED_S:g} s of a demonstration; reported, without a goal",
    )


def _against_nothing(name: str, ratio: float, *arguments: str) -> Measure:
    return compared(
        name,
        "s",
        Goal(better=Better.LOWER, ratio=ratio),
        ours=lambda: _run((*_TABLECTL, *arguments)),
        floor=lambda: _run(_NOTHING),
        times=_TIMES,
        note="against python -c pass",
    )


def _run(command: Sequence[str]) -> float:
    return seconds(
        lambda: subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env=_ENVIRONMENT
        )
    )


def _share(
    name: str, measured: Callable[[], float], *, goal: float, note: str
) -> Measure:
    share = statistics.median(measured() for _ in range(TIMES))
    return Measure(
        name=name,
        unit="of a core",
        ours=share,
        floor=1.0,
        ratio=share,
        better=Better.LOWER,
        goal=goal,
        note=note,
    )


def _share_of_closed_table() -> float:
    """Return how much of a core `tablectl run` takes while nobody plays."""
    file = shipped_hardware("simulation-seven")
    with tempfile.TemporaryDirectory() as folder:
        hardware = moved_to(load_hardware(file), Path(folder))
        with (
            _beside(folder, "simulate", str(file)),
            _beside(folder, "run", str(file)) as table,
        ):
            _wait_for(Path(hardware.control_socket).exists)
            return _watched(table.pid)


def _share_of_table_in_play() -> float:
    """Return how much of a core `tablectl run` takes while robots play as people do."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _beside(folder, "demo") as demonstration,
    ):
        children = Path(f"/proc/{demonstration.pid}/task/{demonstration.pid}/children")
        _wait_for(children.read_text)
        return _watched(int(children.read_text()))


def _watched(process: int) -> float:
    """Return how much of a core a process takes, once it has started."""
    time.sleep(_SETTLES_S)
    before = _processor_s(process)
    took = seconds(lambda: time.sleep(_WATCHED_S))
    return (_processor_s(process) - before) / took


@contextlib.contextmanager
def _beside(folder: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `tablectl` in a folder, from which the paths of a hardware file count."""
    process = subprocess.Popen(
        (*_TABLECTL, *arguments),
        cwd=folder,
        env=_ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _wait_for(started: Callable[[], object]) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while not started():
        assert time.monotonic() < deadline, "the table does not start"
        time.sleep(0.02)


def _processor_s(process: int) -> float:
    """Return how long a process and its threads have run, in user and kernel mode."""
    told = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    user, kernel = told.rpartition(")")[2].split()[11:13]
    return (int(user) + int(kernel)) / os.sysconf("SC_CLK_TCK")
