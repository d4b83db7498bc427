"""`tablectl export`: records as JSON lines, chosen by round or by time."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import status_of
from tests.cli.terminals import on_a_terminal
from tests.evidence.documented import names_of, program
from tests.evidence.recorded import without_triggers, write

PLAYED = "bet 1 25\ndealer deal\ncard Th 9s 9d 8d\npress 1 stand\ndealer pickup\n"
OPEN = "bet 1 50\ndealer deal\ncard 2c 5h 3c Kd\n"
RUN = "import sys; from controller.cli.main import main; main(sys.argv[1:])"
Said = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write(tmp_path / "table.journal", PLAYED + OPEN)
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    return path


def exported(said: Said, *arguments: str) -> list[dict[str, Any]]:
    assert status_of(["export", *arguments]) == 0
    captured = said.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def rounds_in(lines: list[dict[str, Any]]) -> set[int]:
    return {line["round"] for line in lines[1:]} - {None}


@pytest.mark.usefixtures("path")
def test_records_are_chosen_by_round(capsys: Said) -> None:
    assert rounds_in(exported(capsys)) == {1, 2}
    assert rounds_in(exported(capsys, "--round", "2")) == {2}
    assert exported(capsys, "--rounds", "1-2")[0]["selection"]["rounds"] == [1, 2]
    both = exported(capsys, "--rounds", "1-2")[1:]
    assert both == exported(capsys)[1:]


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("arguments", "first", "last"),
    [
        (["--since", "11:00:03", "--until", "11:00:04"], "03.000000", "04.500000"),
        (["--until", "11:00:03.5"], "00.000000", "03.500000"),
        (["--since", "2026-01-31T18:00:03.25Z"], "03.500000", "07.500000"),
        (["--since", "2026-01-31 11:00", "--until", "11:00"], "00.000000", "07.500000"),
    ],
)
def test_records_are_chosen_by_the_clock(
    capsys: Said, arguments: list[str], first: str, last: str
) -> None:
    _, *lines = exported(capsys, *arguments)
    ends = [lines[0]["recorded_at"], lines[-1]["recorded_at"]]
    assert ends == [f"2026-01-31T18:00:{second}Z" for second in (first, last)]


def test_it_goes_into_a_file_that_a_stranger_finds_good(
    path: Path, capsys: Said
) -> None:
    file = path.with_name("export.jsonl")
    assert status_of(["export", "--round", "2", "-o", str(file)]) == 0
    assert capsys.readouterr() == ("", "")
    about, _, _ = names_of(program("export.md"))["check"](file)
    assert about["selection"]["rounds"] == [2, 2]
    printed = exported(capsys, "--round", "2")
    assert [json.loads(line) for line in file.read_text().splitlines()] == printed


def test_no_file_is_written_over(path: Path, capsys: Said) -> None:
    before = path.read_bytes()
    assert status_of(["export", "-o", str(path)]) == 2
    assert "expected no file there; name another" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_an_export_that_fails_leaves_no_half_file(path: Path, capsys: Said) -> None:
    with without_triggers(path) as connection:
        connection.execute("DELETE FROM journal WHERE sequence = 20")
    file = path.with_name("export.jsonl")
    assert status_of(["export", "-o", str(file)]) == 1
    assert "record 20 is missing" in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (["--round", "1", "--rounds", "1-2"], 2, "Give one of --round N, --rounds"),
        (["--round", "1", "--since", "11:00"], 2, "Give one of --round N, --rounds"),
        (["--round", "0"], 2, "Invalid value for '--round'"),
        (["--rounds", "2-1"], 2, "'2-1': expected the lower number first"),
        (["--rounds", "two"], 2, "'two': expected A-B, such as 3-7"),
        (["--rounds", "0-1"], 2, "'0-1': expected A-B, such as 3-7"),
        (["--since", "noon"], 2, "export --since: 'noon' is no time: expected HH:MM"),
        (["--until", "25:00"], 2, "export --until: '25:00' is no time"),
        (
            ["--since", "11:00:05", "--until", "11:00:04"],
            2,
            "--since 2026-01-31 11:00:05 MST is not before --until 2026-01-31 11:00:04",
        ),
        (["--round", "3"], 1, "no round 3; it may be in an earlier journal"),
        (["--rounds", "2-3"], 1, "no round 3; it may be in an earlier journal"),
        (["--until", "2025-01-01 00:00"], 1, "expected records before 2025-01-01T07:"),
        (["--journal", "/none"], 2, "/none: expected a journal, found no file"),
        (["-o", "/none/export.jsonl"], 2, "cannot be written: No such file"),
    ],
)
def test_what_cannot_be_exported_is_one_line(
    arguments: list[str], status: int, line: str, capsys: Said
) -> None:
    assert status_of(["export", *arguments]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert line in captured.err
    assert captured.err.count("\n") == 1


async def test_on_a_terminal_only_lines_are_shown(path: Path) -> None:
    async with on_a_terminal("-c", RUN, "export", "--journal", str(path)) as terminal:
        await terminal.shows('"sequence":1,')
        assert await terminal.ends() == 0
        assert "records" not in terminal.shown.partition('"sequence":1,')[2]


async def test_into_a_file_progress_is_shown_on_a_terminal(path: Path) -> None:
    file = path.with_name("export.jsonl")
    arguments = ("export", "--journal", str(path), "-o", str(file))
    async with on_a_terminal("-c", RUN, *arguments) as terminal:
        await terminal.shows("records")
        assert await terminal.ends() == 0


def test_the_program_says_what_it_found(path: Path, capsys: Said) -> None:
    file = path.with_name("export.jsonl")
    assert status_of(["export", "-o", str(file)]) == 0
    arguments, sys.argv = sys.argv, ["check_export.py", str(file)]
    try:
        exec(program("export.md"), {"__name__": "__main__"})  # noqa: S102 - it is what the document shows
    finally:
        sys.argv = arguments
    assert capsys.readouterr().out.startswith("good: table scenario up to record ")
