"""`tablectl verify`: the status, the first bad record, JSON, and who waits."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import status_of
from controller.journal.notes import SecretKey
from controller.journal.signing import heads_file
from tests.evidence.recorded import forge, forge_bodies, rows_of, write
from tests.journal.journals import tamper

ROUND = "bet 1 25\ndealer deal\ncard Th Td 5c 9c\npress 1 stand\ndealer pickup\n"

KEY = SecretKey.new("scenario")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "table.journal", ROUND)


def ask(
    capsys: pytest.CaptureFixture[str], path: Path, *options: str
) -> tuple[int, str]:
    status = status_of(["verify", "--journal", str(path), *options])
    return status, capsys.readouterr().out


def test_a_good_journal_gives_0_and_its_head(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = ask(capsys, path)
    assert status == 0
    count = len(rows_of(path))
    assert said.startswith(f"{path}: good, {count} records, the chain holds up to ")
    unsigned, *not_proved = said.splitlines()[1:]
    assert unsigned == "the heads are not signed"
    assert not_proved[0] == "not proved: who wrote it; nobody signed its heads"


def test_the_environment_may_name_the_journal(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    assert status_of(["verify"]) == 0
    assert "good" in capsys.readouterr().out


def test_without_a_journal_it_is_wrong_use(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)
    assert status_of(["verify"]) == 2
    said = capsys.readouterr().err
    assert "--journal" in said
    assert said.count("\n") == 1


def test_replay_says_how_much_was_compared(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = ask(capsys, path, "--replay")
    assert status == 0
    assert "decided again: 9 inputs" in said


def test_what_was_not_compared_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "bet 1 25\ndealer deal\ncard Th Td 5c 9c\n"
    status, said = ask(capsys, write(tmp_path / "open", text), "--replay")
    assert status == 0
    assert "not compared: 1 rest on a card still sealed" in said
    other = write(tmp_path / "other", text, digest="ab" * 32)
    assert (
        f"folded only: decisions of the program {'ab' * 32}"
        in (ask(capsys, other, "--replay")[1])
    )
    nameless = write(tmp_path / "nameless", text, digest="")
    assert "program without a digest" in ask(capsys, nameless, "--replay")[1]


def test_the_first_bad_record_is_named_with_1(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tamper(path, "UPDATE journal SET spot = 6 WHERE sequence = 7")
    status, said = ask(capsys, path)
    assert status == 1
    first, last, signed = said.splitlines()
    assert signed == "the heads are not signed"
    assert first.startswith(f"{path}: record 7 does not match its hash")
    assert last.startswith(f"{path}: not good, 6 records")


def test_programs_get_the_findings_as_json(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def favour(body: dict[str, Any]) -> None:
        body["net_cents"] = 1

    sequence = forge_bodies(path, "hand_settled", favour)
    status, said = ask(capsys, path, "--replay", "--json")
    answer = json.loads(said)
    assert (status, answer["good"]) == (1, False)
    (finding,) = answer["findings"]
    assert (finding["kind"], finding["sequence"]) == ("decision", sequence)
    assert answer["replayed"]["compared"] > 0
    forge(path, rows_of(write(path.with_name("good"), ROUND)))
    status, said = ask(capsys, path, "--json")
    assert (status, json.loads(said)["findings"]) == (0, [])


@pytest.mark.parametrize(
    ("content", "status", "line"),
    [
        (None, 2, "expected a journal, found no file"),
        (b"not a database at all, only text", 1, "expected a journal, found a file"),
    ],
)
def test_what_is_no_journal_is_one_line(
    content: bytes | None,
    status: int,
    line: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "some"
    if content is not None:
        path.write_bytes(content)
    assert status_of(["verify", "--journal", str(path)]) == status
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1


def test_a_file_cut_in_the_middle_of_its_first_page_is_one_line_and_1(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(path.read_bytes()[:3000])
    assert status_of(["verify", "--journal", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith(f"record 1 cannot be read: {path}: the file is malformed")


def test_a_person_at_a_terminal_sees_how_far_it_is(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert status_of(["verify", "--replay", "--journal", str(path)]) == 0
    captured = capsys.readouterr()
    assert "good" in captured.out
    assert "decisions" in captured.err


# --- Signed heads -----------------------------------------------------------------


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    return write(tmp_path / "signed", "bet 1 25\n", key=KEY)


def test_how_many_heads_were_signed_by_which_key_is_said(
    signed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = ask(capsys, signed, "--key", KEY.public.line)
    assert status == 0
    assert f"signed heads: 1, by the key {KEY.public.line}" in said


def test_kept_heads_and_a_key_may_come_from_files(
    signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "table.pub"
    key.write_text(KEY.public.line + "\n")
    kept = str(heads_file(signed))
    assert ask(capsys, signed, "--key", str(key), "--checkpoint", kept)[0] == 0
    shorter = write(tmp_path / "shorter", "", key=KEY)
    status, said = ask(capsys, shorter, "--checkpoint", kept)
    assert status == 1
    assert "kept elsewhere" in said


@pytest.mark.parametrize(
    ("option", "content", "expected"),
    [
        ("--checkpoint", None, "cannot be read"),
        ("--checkpoint", b"\xff\xfe", "expected signed heads, got no text"),
        ("--checkpoint", b"a head\n", "expected signed heads"),
        ("--checkpoint", b"", "expected signed heads, found none"),
        ("--checkpoint", b"\n\n", "expected signed heads, found none"),
        ("--key", None, "--key: expected a public key"),
        ("--key", b"no key", "--key: expected"),
        ("--key", b"\xff", "cannot be read"),
    ],
)
def test_what_holds_no_head_or_key_is_said(
    signed: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    option: str,
    content: bytes | None,
    expected: str,
) -> None:
    file = tmp_path / "given"
    if content is not None:
        file.write_bytes(content)
    arguments = ["verify", "--journal", str(signed), option, str(file)]
    assert status_of(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert expected in line


def test_what_is_not_proved_is_said_though_all_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", ROUND, key=KEY)
    heads = heads_file(path)
    asked = ["verify", "--journal", str(path)]
    assert status_of(asked) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "not prov" in line]
    assert [line.partition("; ")[0] for line in told] == [
        "not proved: whose key that is",
        "not proved: that no end was cut off",
    ]
    trusted = ("--key", KEY.public.line, "--checkpoint", str(heads))
    assert status_of([*asked, *trusted]) == 0
    assert "not proved" not in capsys.readouterr().out


def test_a_pipe_is_no_journal(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert status_of(["verify", "--journal", str(pipe)]) == 1
