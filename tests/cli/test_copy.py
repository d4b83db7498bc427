"""`tablectl copy`: a whole journal, while its table runs, that every command reads."""

import json
from pathlib import Path

import pytest

from controller.cli.main import status_of
from controller.journal import reader
from controller.journal.notes import SecretKey
from controller.journal.sealed_cards import escrow_path
from simulators.rigs.scenario.core_table import TABLE
from tests.evidence.recorded import recorded
from tests.journal.journals import tamper

PLAYED = "bet 1 25\ndealer deal\ncard Th 9s 9d 8d\npress 1 stand\ndealer pickup\n"
OPEN = "bet 1 50\ndealer deal\ncard 2c 5h 3c Kd\n"
KEY = SecretKey.new(TABLE)
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


def test_a_table_that_runs_is_copied_and_verify_accepts_it(
    tmp_path: Path, capsys: Said
) -> None:
    path, target = tmp_path / "j", tmp_path / "copy.journal"
    with recorded(path, PLAYED + OPEN, key=KEY) as table:
        # What it has written is in the log, not in the file: this is why cp is wrong.
        assert path.with_name("j-wal").stat().st_size
        head = reader.head(path)
        assert status_of(["copy", str(target), "--journal", str(path)]) == 0
        table.do_text("press 1 stand\n")
    assert capsys.readouterr().out == (
        f"{target}: {head.sequence} records, the last has the hash {head.hash.hex()}\n"
    )
    arguments = ["verify", "--replay", "--json", "--journal", str(target)]
    assert status_of([*arguments, "--key", KEY.public.line]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["good"], answer["records"]) == (True, head.sequence)
    assert not escrow_path(target).exists()
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.journal"]


def test_what_cannot_be_copied_is_one_line(tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "j"
    with recorded(path, PLAYED):
        pass
    (tmp_path / "text").write_text("a text")
    content = path.read_bytes()
    for source, target, line in (
        (path, path, f"{path}: expected no file there; name another"),
        (path, tmp_path / "text", "text: expected no file there; name another"),
        (path, tmp_path / "no" / "copy", "cannot be written: No such file"),
        (tmp_path / "none", tmp_path / "copy", "expected a journal, found no file"),
        (tmp_path / "text", tmp_path / "copy", "found a file that is no SQLite"),
    ):
        assert status_of(["copy", str(target), "--journal", str(source)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert line in captured.err
        assert captured.err.count("\n") == 1
    assert path.read_bytes() == content
    assert (tmp_path / "text").read_text() == "a text"
    assert not (tmp_path / "copy").exists()


def test_a_log_that_lies_beside_the_new_name_is_left_alone(
    tmp_path: Path, capsys: Said
) -> None:
    path, target = tmp_path / "j", tmp_path / "copy"
    with recorded(path, PLAYED):
        pass
    log = tmp_path / "copy-wal"
    log.write_bytes(b"of another journal")
    assert status_of(["copy", str(target), "--journal", str(path)]) == 2
    assert f"{log} is there" in capsys.readouterr().err
    assert log.read_bytes() == b"of another journal"
    assert not target.exists()


def test_a_damaged_journal_is_copied_and_the_answer_is_no(
    tmp_path: Path, capsys: Said
) -> None:
    path, target = tmp_path / "j", tmp_path / "copy"
    with recorded(path, PLAYED):
        pass
    tamper(path, "UPDATE journal SET spot = 7 WHERE sequence = 9")
    assert status_of(["copy", str(target), "--journal", str(path)]) == 1
    found, verdict = capsys.readouterr().out.splitlines()
    assert found.startswith(f"{target}: record 9")
    assert verdict.startswith(f"{target}: the copy is whole, the journal is not good")
    assert [*reader.all_records(target)] == [*reader.all_records(path)]


def test_an_empty_name_is_no_file(tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "j"
    with recorded(path, PLAYED):
        pass
    assert status_of(["copy", "", "--journal", str(path)]) == 2
    assert "expected the name of a file, got an empty one" in capsys.readouterr().err
