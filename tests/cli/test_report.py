"""`tablectl report`: for people, for programs, as a page."""

from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.cli.main import status_of
from simulators.rigs.scenario.language import Head
from tests.cli.test_rounds import parsed, shown
from tests.evidence.recorded import RecordedTable, recorded, write
from tests.evidence.test_report import (
    CASH,
    LOST,
    MOVED_ON,
    NEXT_SHIFT,
    SHIFT,
    VOID,
    WON,
)

DAY = "2026-01-31"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    text = SHIFT + WON + LOST + VOID + MOVED_ON + CASH + NEXT_SHIFT
    path = write(tmp_path / "table.journal", text)
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    return path


@pytest.mark.usefixtures("path")
def test_a_shift_is_reported_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(capsys, "report", "--shift", "1")
    lines = said.splitlines()
    assert lines[0] == "Shift 1 at table scenario, dealer D1"
    assert lines[1].startswith("2026-01-31 11:00:00 to 11:01:")
    assert lines[1].endswith(" MST (America/Denver)")
    words = [line.split() for line in lines]
    assert ["won", "by", "players", "37.50"] in words
    assert ["won", "by", "the", "house", "35"] in words
    assert ["cash", "dropped", "60"] in words
    assert ["called", "IRR-1", "The", "dealer", "calls", "1"] in words
    why = "not_your_turn ORDER it is not this seat's turn 1"
    assert why.split() in words
    assert "moved on by NEXT, unanswered  1" in said
    assert "longest wait                  3.5 s, in round 2" in said
    assert lines[-1].startswith("This is what the journal says")
    assert lines[-1].endswith("table.journal")


@pytest.mark.usefixtures("path")
def test_a_shift_in_which_nothing_happened_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = shown(capsys, "report", "--shift", "2")
    assert ", still open (America/Denver)" in said
    assert "None was found." in said
    assert "None was refused." in said
    assert "median wait                   none" in said


@pytest.mark.usefixtures("path")
def test_a_day_is_reported_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    plain = parsed(capsys, "report", "--day", DAY)
    assert (plain["day"], plain["shift"]) == (DAY, None)
    figures = plain["figures"]
    assert (figures["rounds"], figures["won_by_players"]) == (4, 3_750)
    assert figures["waits"]["moved_on"] == 1
    assert "from midnight to midnight" in shown(capsys, "report", "--day", DAY)


def test_a_shift_that_began_in_an_earlier_journal_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with recorded(tmp_path / "old", WON) as old:
        table = RecordedTable(Head(), tmp_path / "new")
        with closing(table.journal):
            table.take_over(old)
            table.do_text(LOST)
            said = shown(
                capsys, "report", "--shift", "1", "--journal", str(tmp_path / "new")
            )
            assert said.splitlines()[1] == "begun in an earlier journal, still open"
            table.do_text("shift close")
    said = shown(capsys, "report", "--shift", "1", "--journal", str(tmp_path / "new"))
    line = said.splitlines()[1]
    assert line.startswith("up to 2026-01-31 11:00:")
    assert line.endswith("; begun in an earlier journal")


class Page(HTMLParser):
    """What a page opens and closes, what it refers to, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.references += [name for name, _ in attrs if name in {"src", "href"}]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_whole_and_needs_nothing_else(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = path.with_name("report.html")
    said = shown(capsys, "report", "--shift", "1", "--html", str(file))
    assert said == f"{file}: Shift 1 at table scenario, dealer D1\n"
    text = file.read_text("utf-8")
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    assert page.references == []
    assert "url(" not in text
    assert "<script" not in text
    assert {"37.50", "not_your_turn", "it is not this seat's turn"} <= set(page.words)


def test_the_page_and_json_go_together(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = path.with_name("report.html")
    plain = parsed(capsys, "report", "--day", DAY, "--html", str(file))
    assert plain["figures"]["rounds"] == 4
    assert file.exists()


def test_the_journal_is_never_written_over(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = path.read_bytes()
    assert status_of(["report", "--shift", "1", "--html", str(path)]) == 2
    assert "this is the journal; name another file" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        ([], 2, "Give one of --shift N and --day YYYY-MM-DD"),
        (["--shift", "1", "--day", DAY], 2, "Give one of --shift N and --day"),
        (["--day", "31.1.2026"], 2, "as YYYY-MM-DD, got 31.1.2026"),
        (["--day", "2026-W05-6"], 2, "as YYYY-MM-DD, got 2026-W05-6"),
        (["--shift", "0"], 2, "Invalid value for '--shift'"),
        (["--shift", "7"], 1, "no shift 7; it may be in an earlier journal"),
        (["--shift", "1", "--html", "/none/x.html"], 2, "/none/x.html: cannot be wri"),
        (
            ["--shift", "1", "--journal", "/none"],
            2,
            "expected a journal, found no file",
        ),
    ],
)
def test_what_cannot_be_reported_is_one_line(
    arguments: list[str],
    status: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(["report", *arguments]) == status
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", [("report", "--shift", "1"), ("round", "1")])
@pytest.mark.parametrize(
    "end", [".escrow", ".escrow-wal", ".heads", "-wal", "-shm", "-lock"]
)
def test_no_file_of_the_journal_becomes_a_page(
    path: Path, command: tuple[str, ...], end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = path.with_name(path.name + end)
    before = file.read_bytes() if file.exists() else None
    assert status_of([*command, "--html", str(file)]) == 2
    assert "this belongs to the journal" in capsys.readouterr().err
    assert (file.read_bytes() if file.exists() else None) == before


@pytest.mark.parametrize("command", [("report", "--shift", "1"), ("round", "1")])
def test_a_page_takes_the_place_of_a_page_alone(
    path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    file = path.with_name("page.html")
    file.write_text("a key")
    assert status_of([*command, "--html", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "an earlier page, found another file" in line
    assert file.read_text() == "a key"
    file.write_text("<!DOCTYPE html>\nof yesterday")
    assert status_of([*command, "--html", str(file)]) == 0
    assert "of yesterday" not in file.read_text("utf-8")
    assert not list(path.parent.glob(".*.part"))


@pytest.mark.usefixtures("path")
def test_numbers_and_times_at_the_end_of_all_are_no_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    huge = "9" * 21
    for command in (("round", huge), ("report", "--shift", huge)):
        assert status_of(command) == 2
        assert capsys.readouterr().err.count("\n") == 1
    for time in ("9999-12-31T23:59Z", "9999-12-31 23:59", "9999-12-31 12:00"):
        assert status_of(["export", "--until", time]) == 0
