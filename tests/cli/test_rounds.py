"""`tablectl rounds` and `tablectl round`: for people, for programs, for a dispute."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.cli import output
from controller.cli.main import status_of
from tests.evidence import recorded
from tests.evidence.recorded import write

ROUND = """
bet 1 25
bet 3 10
dealer deal
card 9h Ts Ad 9c 8s Tc
press 1 insure
press 3 pass
dealer pickup
"""
OPEN = "bet 1 25\ndealer deal\ncard Th Ad 5c Tc\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write(tmp_path / "table.journal", ROUND + OPEN)
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    return path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert status_of(arguments) == 0
    return capsys.readouterr().out


def parsed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:  # noqa: ANN401 - whatever JSON says
    return json.loads(shown(capsys, *arguments, "--json"))


# --- rounds ------------------------------------------------------------------


@pytest.mark.usefixtures("path")
def test_rounds_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    heading, first, second = shown(capsys, "rounds").splitlines()
    zone = "(America/Denver)"
    assert heading.split()[:5] == ["round", "started", zone, "ended", zone]
    assert first.split() == [
        *("1", "2026-01-31", "11:00:02", "2026-01-31", "11:00:06", "colorado"),
        *("1", "3", "2", "47.50", "-10", "6"),
    ]
    assert second.split()[:4] == ["2", "2026-01-31", "11:00:07", "open"]


@pytest.mark.usefixtures("path")
def test_rounds_are_an_array_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = parsed(capsys, "rounds")
    assert (first["round"], first["net"], first["seats"]) == (1, -1000, [1, 3])
    assert (second["round"], second["ended_at"]) == (2, None)
    assert [each["round"] for each in parsed(capsys, "rounds", "--last", "1")] == [2]


def test_a_journal_without_rounds_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "new", "wait 1")
    said = shown(capsys, "rounds", "--journal", str(path))
    assert said == f"{path}: no round was dealt yet\n"
    assert parsed(capsys, "rounds", "--journal", str(path)) == []


def test_an_undone_deal_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "bet 1 25\ndealer deal\ndealer undo-deal"
    path = str(write(tmp_path / "j", text))
    assert "undone" in shown(capsys, "rounds", "--journal", path)
    assert "DEAL was taken back" in shown(capsys, "round", "1", "--journal", path)


# --- round -------------------------------------------------------------------


@pytest.mark.usefixtures("path")
def test_a_round_is_read_from_the_result_to_how_it_came(
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = shown(capsys, "round", "1")
    lines = whole.splitlines()
    assert lines[0] == "Round 1 at table scenario"
    assert lines[1:3] == [
        "Time    2026-01-31 11:00:02 to 11:00:06 MST (America/Denver)",
        "UTC     2026-01-31 18:00:02 to 18:00:06",
    ]
    assert "colorado" in lines[4]
    assert lines[5] == "Dealer  D1, who picks up right to left"
    assert lines[6] == "Result  the players wagered 47.50, net -10"
    assert "1       1     9h 9c  18     25     lose     -25" in whole
    assert "1                  12.50   win       +25" in whole
    assert "3                  0       declined  0" in whole
    assert "Seat 1's insurance of 12.50 wins" in whole


@pytest.mark.usefixtures("path")
def test_the_lamps_of_empty_seats_are_left_out_for_people_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "Seat 5's panel" not in shown(capsys, "round", "1")
    timeline = parsed(capsys, "round", "1")["timeline"]
    assert any(entry["seat"] == 5 for entry in timeline)


@pytest.mark.usefixtures("path")
def test_an_open_round_is_shown_as_far_as_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = shown(capsys, "round", "2")
    assert "still open" in said
    assert "dealer        Ad ??  11" in said
    account = parsed(capsys, "round", "2")
    assert account["dealer"] == {"cards": ["Ad", "??"], "total": 11}


def test_bets_that_are_open_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write(tmp_path / "j", "bet 1 25"))
    said = shown(capsys, "round", "1", "--journal", path)
    assert "Time    the bets are open" in said
    assert "Cards" not in said
    assert "1     1                   25     open" in said


def test_before_any_bet_there_is_no_hand_to_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write(tmp_path / "j", "wait 1"))
    said = shown(capsys, "round", "1", "--journal", path)
    assert "hand" not in said.splitlines()[4]
    assert "Dealer D1 opens shift 1" in said


@pytest.mark.usefixtures("path")
def test_one_seat_is_shown_for_its_dispute(capsys: pytest.CaptureFixture[str]) -> None:
    account = parsed(capsys, "round", "1", "--seat", "3")
    assert [hand["hand"] for hand in account["hands"]] == ["3"]
    assert {entry["seat"] for entry in account["timeline"]} == {None, 3}
    assert "Seat 1 presses" not in shown(capsys, "round", "1", "--seat", "3")


@pytest.mark.usefixtures("path")
def test_on_a_terminal_it_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "on_a_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    assert "─" in shown(capsys, "round", "1")


@pytest.mark.usefixtures("path")
def test_a_round_is_found_by_a_cameras_clock(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = shown(capsys, "round", "--at", "11:00:04")
    assert said.startswith("At 2026-01-31 11:00:04 MST this round was open:\n\nRound 1")
    assert parsed(capsys, "round", "--at", "2026-01-31T18:00:04Z")["round"] == 1


@pytest.mark.usefixtures("path")
def test_a_page_is_written_instead_of_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round-1.html"
    assert shown(capsys, "round", "1", "--html", str(file)) == ""
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>")
    whole = file.stat().st_size
    assert parsed(capsys, "round", "1", "--seat", "3", "--html", str(file))
    assert file.stat().st_size < whole


def test_a_page_never_overwrites_the_journal(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    assert status_of(["round", "1", "--html", str(path)]) == 2
    assert "this is the journal; name another file" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_in_the_hour_that_comes_twice_the_time_is_asked_for_in_utc(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Half past one, before and after the clocks in Denver were set for winter.
    began = datetime(2026, 11, 1, 7, 29, 55, tzinfo=UTC)
    monkeypatch.setattr(recorded, "BEGINNING", began)
    path = write(tmp_path / "autumn", ROUND + "wait 900\n" * 4 + ROUND)
    asked = ["round", "--journal", str(path), "--at"]
    assert status_of([*asked, "2026-11-01 01:30"]) == 1
    said = capsys.readouterr().err
    assert "01:30 MDT or 2026-11-01 01:30 MST more than one round was open" in said
    utc = ("2026-11-01T07:30:00Z", "2026-11-01T08:30:00Z")
    assert f"or the time in UTC: {utc[0]} or {utc[1]}" in said
    for number, sought in ((1, "2026-11-01T07:30:00Z"), (2, "2026-11-01T08:30:05Z")):
        assert f"\nRound {number} " in shown(capsys, *asked, sought)


# --- What is not there -------------------------------------------------------


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (["round", "9"], 1, "no round 9; it may be in an earlier journal"),
        (["round", "0"], 2, "tablectl round: Invalid value for 'N'"),
        (["round", "one"], 2, "expected a whole number from 1 to"),
        (["round", "1", "--seat", "8"], 2, "a whole number from 1 to 7, got 8"),
        (["round", "1", "--html", "-"], 2, "expected the name of a file, got -"),
        (["rounds", "--last", ""], 2, "got nothing"),
        (["round"], 2, "Missing argument 'N'"),
        (["round", "1", "--at", "11:00"], 2, "N and --at both name a round"),
        (["round", "--at", "noon"], 2, "round --at: 'noon' is no time: expected HH:MM"),
        (
            ["round", "--at", "10:59"],
            1,
            "no round was open; none came before it; after it round 1, 2026-01-31 11",
        ),
        (["round", "--at", "11:00"], 1, "more than one round was open (round 1, 2026"),
        (["round", "--at", "11:00"], 1, "round 2, 2026-01-31 11:00:07, still open); "),
        (["round", "1", "--html", "/none/page"], 2, "/none/page: cannot be written"),
        (["rounds", "--last", "0"], 2, "Invalid value for '--last'"),
        (["rounds", "--journal", "/none"], 2, "expected a journal, found no file"),
    ],
)
def test_what_cannot_be_shown_is_one_line(
    arguments: list[str],
    status: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(arguments) == status
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1
