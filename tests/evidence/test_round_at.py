"""A round is found by the time on a camera's clock, whatever the table's clock did."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from controller.core import events as ev
from controller.evidence.round_at import RoundsAt, last_time, rounds_at
from controller.evidence.spoken_time import Interval, SpokenTimeError, intervals_of
from controller.evidence.summaries import RoundSummary, summaries
from controller.journal.errors import MalformedJournalError
from tests.evidence.recorded import forge, recorded, rows_of, write

DENVER = ZoneInfo("America/Denver")
LATEST = datetime(2026, 1, 31, 19, 0, tzinfo=UTC)
ROUND = (
    "bet 1 25\ndealer deal\ncard Th 7d 9c Tc\npress 1 stand\ndealer pickup\nwait 9\n"
)
UNDONE = "bet 1 25\ndealer deal\ndealer undo-deal\nwait 9\n"
OPEN = "dealer deal\ncard Th 7d 9c Tc\n"
RECORDED_AT, BOOT, MONOTONIC_NS, TYPE = 1, 3, 4, 8


def said(text: str) -> list[tuple[str, float]]:
    """Return the beginnings, in UTC, and how many seconds each interval has."""
    return [
        (f"{each.begin:%Y-%m-%d %H:%M:%S}", (each.end - each.begin).total_seconds())
        for each in intervals_of(text, DENVER, LATEST)
    ]


# --- What a time means -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "begin", "seconds"),
    [
        ("11:30", "2026-01-31 18:30:00", 60),
        ("11:30:07", "2026-01-31 18:30:07", 1),
        ("11:30:07.5", "2026-01-31 18:30:07", 0.1),
        ("12:00", "2026-01-31 19:00:00", 60),
        ("12:01", "2026-01-31 19:01:00", 60),
        ("13:00", "2026-01-31 20:00:00", 60),
        ("13:01", "2026-01-30 20:01:00", 60),
        ("2026-01-31 12:01", "2026-01-31 19:01:00", 60),
        ("2026-07-04T12:01:00", "2026-07-04 18:01:00", 1),
        ("2026-01-31T18:30:07Z", "2026-01-31 18:30:07", 1),
        ("2026-01-31 19:30:07+01:00", "2026-01-31 18:30:07", 1),
    ],
)
def test_a_time_is_as_long_as_a_clock_shows_it(
    text: str, begin: str, seconds: float
) -> None:
    assert said(text) == [(begin, seconds)]


def test_the_hour_that_is_gone_through_twice_means_both() -> None:
    assert said("2025-11-02 01:30") == [
        ("2025-11-02 07:30:00", 60),
        ("2025-11-02 08:30:00", 60),
    ]


def test_a_time_that_no_clock_showed_is_refused() -> None:
    with pytest.raises(SpokenTimeError, match="set forward over it"):
        said("2025-03-09 02:30")


@pytest.mark.parametrize(
    "text", ["", "noon", "25:00", "1:30", "11:30Z", "2026-02-30 11:30", "2026-01-31"]
)
def test_what_is_no_time_is_refused_with_what_is_expected(text: str) -> None:
    with pytest.raises(SpokenTimeError, match="expected HH:MM or HH:MM:SS"):
        said(text)


# --- Which round it was ------------------------------------------------------------


def seconds_at(at: str) -> Interval:
    begin = datetime.fromisoformat(at)
    return Interval(begin, begin + timedelta(milliseconds=1), at)


def at(path: Path, when: str) -> RoundsAt:
    return rounds_at(path, [seconds_at(when)])


def numbers(found: RoundsAt) -> list[int]:
    return [each.round for each in found.open]


def middle(summary: RoundSummary) -> str:
    began = datetime.fromisoformat(summary.started_at)
    assert summary.ended_at is not None
    return str(began + (datetime.fromisoformat(summary.ended_at) - began) / 2)


def test_each_round_is_found_by_each_time_in_it(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND + UNDONE + ROUND * 3)
    for summary in summaries(path):
        assert summary.ended_at is not None
        for when in (summary.started_at, middle(summary), summary.ended_at):
            (found,) = at(path, when).open
            assert found.round == summary.round
            assert found.started_at == summary.started_at
            assert found.ended_at == summary.ended_at


def test_between_rounds_the_neighbours_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND * 3)
    first, second, third = summaries(path)
    assert first.ended_at is not None
    later = datetime.fromisoformat(first.ended_at) + timedelta(seconds=2)
    found = at(path, str(later))
    assert found.open == ()
    assert found.before is not None
    assert found.after is not None
    assert (found.before.round, found.after.round) == (1, 2)
    assert found.after.started_at == second.started_at
    early = at(path, "2026-01-31T17:00:00+00:00")
    assert (early.before, early.after and early.after.round) == (None, 1)
    late = at(path, "2026-01-31T23:00:00+00:00")
    assert (late.before and late.before.round, late.after) == (third.round, None)


def test_a_round_that_is_still_open_is_found_at_any_later_time(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND + "bet 1 25\n" + OPEN)
    (found,) = at(path, "2026-01-31T23:00:00+00:00").open
    assert (found.round, found.ended_at) == (2, None)


def test_of_an_empty_table_no_round_is_found(tmp_path: Path) -> None:
    path = write(tmp_path / "j", "wait 1")
    assert at(path, "2026-01-31T18:00:00+00:00") == RoundsAt(())
    assert last_time(path) < LATEST


def test_a_clock_that_was_set_back_in_a_round_hides_no_time(tmp_path: Path) -> None:
    """Both the time before the step and the one after it are found."""
    path = tmp_path / "j"
    with recorded(path, ROUND + "bet 1 25\n" + OPEN) as table:
        table.note(ev.ClockStepped(stepped_ms=-3_600_000))
        table.do_text("press 1 stand\ndealer pickup\n" + ROUND)
    rows = rows_of(path)
    step = next(i for i, row in enumerate(rows) if row[TYPE] == "clock_stepped")
    dealt = str(rows[step - 1][RECORDED_AT])
    for row in rows[step:]:
        back = datetime.fromisoformat(str(row[RECORDED_AT])) - timedelta(hours=1)
        row[RECORDED_AT] = back.isoformat(timespec="microseconds").replace(
            "+00:00", "Z"
        )
    forge(path, rows)
    assert numbers(at(path, dealt)) == [2]
    assert numbers(at(path, str(rows[step + 1][RECORDED_AT]))) == [2]
    third = summaries(path)[2]
    assert numbers(at(path, third.started_at)) == [2, 3]


def test_a_computer_that_was_started_in_a_round_hides_no_time(tmp_path: Path) -> None:
    path = write(
        tmp_path / "j", ROUND + "bet 1 25\n" + OPEN + "power-cut\npress 1 stand"
    )
    rows = rows_of(path)
    begun = next(i for i, row in enumerate(rows) if row[TYPE] == "table_recovered")
    for row in rows[begun:]:
        row[BOOT], row[MONOTONIC_NS] = "boot-2", 7
    forge(path, rows)
    for row in rows[begun - 1 :]:
        assert numbers(at(path, str(row[RECORDED_AT]))) == [2]


def test_a_record_with_no_time_is_malformed(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND)
    rows = rows_of(path)
    rows[-1][RECORDED_AT] = "yesterday"
    forge(path, rows)
    with pytest.raises(MalformedJournalError, match="found 'yesterday'; verify the"):
        at(path, "2026-01-31T18:00:00+00:00")
