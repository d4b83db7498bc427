"""The clocks: stamps for the journal, steps of the wall clock, synchronisation."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.clock import (
    STA_UNSYNC,
    STEP_MIN_S,
    TIME_ERROR,
    Clock,
    ClockStep,
    StepWatch,
    SystemClock,
    boot_id,
    is_synchronised,
    rfc3339,
)
from tests.runtime.clocks import StandingClock

BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")


def test_a_stamp_is_what_the_journal_writes_beside_a_record() -> None:
    clock: Clock = StandingClock()
    stamp = clock.stamp()
    assert stamp.recorded_at == "2026-01-31T18:00:00.000000Z"
    assert stamp.monotonic_ns == 1_000_000_000_000
    assert (stamp.boot_id, stamp.clock_synchronised) == ("boot-1", True)


@given(st.integers(0, 4_102_444_800_000_000))
def test_a_time_keeps_every_microsecond(wall_us: int) -> None:
    written = dt.datetime.fromisoformat(rfc3339(wall_us * 1_000))
    since = written - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    assert since // dt.timedelta(microseconds=1) == wall_us


def test_the_system_clock_runs_on_and_stamps_in_utc() -> None:
    clock = SystemClock()
    before, stamp, after = clock.read(), clock.stamp(), clock.read()
    assert before.monotonic_ns <= stamp.monotonic_ns <= after.monotonic_ns
    assert stamp.recorded_at.endswith("Z")
    assert before.monotonic_ns / 1e9 <= clock.now_s()


@pytest.mark.skipif(not BOOT_ID_FILE.exists(), reason="this kernel shows no boot id")
def test_the_boot_id_is_the_kernels() -> None:
    assert SystemClock().stamp().boot_id == BOOT_ID_FILE.read_text().strip()


@pytest.mark.parametrize("text", [None, "", "\n"])
def test_without_a_boot_id_each_process_has_its_own(
    tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "boot_id"
    if text is not None:
        file.write_text(text)
    first, second = boot_id(file), boot_id(file)
    assert first.startswith("process-")
    assert first != second


def test_a_clock_that_keeps_time_has_not_stepped() -> None:
    clock = StandingClock()
    watch = StepWatch(clock.read())
    clock.advance(3_600)
    assert watch.look(clock.read()) is None


@pytest.mark.parametrize("by_s", [-7_200.0, -0.75, 0.75, 86_400.0])
def test_a_set_wall_clock_is_a_step_told_once(by_s: float) -> None:
    clock = StandingClock()
    watch = StepWatch(clock.read())
    clock.advance(1)
    clock.set_wall(by_s)
    assert watch.look(clock.read()) == ClockStep(by_s)
    assert watch.look(clock.read()) is None


def test_a_gentle_correction_is_no_step() -> None:
    clock = StandingClock()
    watch = StepWatch(clock.read())
    clock.advance(86_400)
    clock.set_wall(86_400 * 0.0005)  # the kernel's fastest slew for a day
    assert watch.look(clock.read()) is None
    clock.set_wall(STEP_MIN_S)
    assert watch.look(clock.read()) is None


@pytest.mark.parametrize(
    ("result", "status", "synchronised"),
    [
        (0, 0, True),
        (0, 0x2001, True),  # disciplined by a daemon, in nanoseconds
        (1, 0, True),  # a leap second is coming
        (0, STA_UNSYNC, False),
        (TIME_ERROR, 0, False),
        (-1, 0, False),
    ],
)
def test_the_kernel_knows_whether_the_clock_is_synchronised(
    result: int, status: int, *, synchronised: bool
) -> None:
    assert is_synchronised(result, status) is synchronised
