"""A writer killed at any moment: what it reported is there, and it all verifies."""

import random
import select
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.verify import verify

ROOT = Path(__file__).parents[2]
LONGEST_RUN = 60
LONGEST_MOMENT_S = 0.003


def run_and_kill(path: Path, seed: int) -> int:
    """Start a writer, kill it at a moment the seed chooses; return what it reported."""
    chance = random.Random(seed)
    arguments = [sys.executable, "-m", "tests.journal.appender", str(path), str(seed)]
    writer = subprocess.Popen(  # noqa: S603  # Our own program.
        arguments, cwd=ROOT, stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    with writer.stdout as reports:
        reported = [reports.readline() for _ in range(chance.randrange(1, LONGEST_RUN))]
        # Nothing is ever readable here, so this waits for a moment within a commit.
        select.select([], [], [], chance.uniform(0, LONGEST_MOMENT_S))
        writer.kill()
        reported += reports.readlines()
        writer.wait()
    whole = [int(line) for line in reported if line.endswith(b"\n")]
    assert whole, "the writer ended before it was killed"
    assert writer.returncode < 0, "the writer ended by itself"
    return whole[-1]


def check_kills(path: Path, times: int, first_seed: int) -> None:
    """Kill one writer after another on the same journal."""
    before = 0
    for seed in range(first_seed, first_seed + times):
        reported = run_and_kill(path, seed)
        assert reported > before, "the next writer went on from the journal"
        verification = verify(path)
        assert verification.faults == ()
        assert verification.head.sequence >= reported
        before = verification.head.sequence


def test_a_killed_writer_loses_nothing_that_it_reported(tmp_path: Path) -> None:
    check_kills(tmp_path / "table.journal", times=20, first_seed=0)


@pytest.mark.prove
@pytest.mark.timeout(600)
def test_a_writer_killed_200_times_loses_nothing_that_it_reported(
    tmp_path: Path,
) -> None:
    check_kills(tmp_path / "table.journal", times=200, first_seed=1000)
