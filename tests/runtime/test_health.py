"""Disk, journal and counts: when people are told, and when no more."""

from pathlib import Path

import pytest

from controller.core.commands import ReportDisk
from controller.core.outputs import TO_DEALER, TO_SUPERVISOR
from controller.runtime.health import (
    Count,
    Counters,
    Stall,
    disk_report,
    free_bytes,
    stall,
    stall_due_s,
    stall_notices,
)

MIB = 1_048_576


@pytest.mark.parametrize(
    ("free_mib", "nearly_full", "told"),
    [
        (256, False, None),
        (255, False, True),
        (0, False, True),
        (255, True, None),
        (256, True, None),  # roomy again only with a quarter more
        (319, True, None),
        (320, True, False),
        (1_000, False, None),
    ],
)
def test_the_core_is_told_of_the_disk_when_something_changed(
    free_mib: int, *, nearly_full: bool, told: bool | None
) -> None:
    report = disk_report(free_mib * MIB, 256, nearly_full=nearly_full)
    if told is None:
        assert report is None
    else:
        assert report == ReportDisk(nearly_full=told, free_bytes=free_mib * MIB)


def test_a_disk_that_hovers_at_the_limit_is_told_once() -> None:
    nearly_full, told = False, 0
    for free_mib in (300, 255, 257, 255, 260, 255):
        report = disk_report(free_mib * MIB, 256, nearly_full=nearly_full)
        if report is not None:
            nearly_full, told = report.nearly_full, told + 1
    assert (nearly_full, told) == (True, 1)


def test_a_folder_has_the_room_of_its_disk(tmp_path: Path) -> None:
    assert free_bytes(tmp_path) > 0


def test_a_disk_that_cannot_be_asked_has_no_room(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "gone") == 0


def test_a_commit_under_way_too_long_is_a_stall() -> None:
    assert stall_due_s(10.0, 1.0) == 11.0
    assert stall(10.0, 10.9, 1.0) is None
    assert stall(10.0, 13.0, 1.0) == Stall(3.0)
    assert stall(None, 99.0, 1.0) is None


def test_a_stall_is_noticed_by_dealer_and_supervisor_in_standing_words() -> None:
    notices = stall_notices(Stall(1.0))
    assert [notice.to for notice in notices] == [TO_DEALER, TO_SUPERVISOR]
    assert notices == stall_notices(Stall(2.0))
    assert stall_notices(None) == ()


def test_a_snapshot_has_every_count_by_name() -> None:
    counters = Counters()
    counters.add(Count.RECORDS, 3)
    counters.add(Count.RECORDS)
    snapshot = counters.snapshot()
    assert snapshot["records"] == 4
    assert snapshot["clock_steps"] == 0
    assert snapshot.keys() == {count.value for count in Count}
