"""`tablectl evidence` and `verify-evidence`: a round in a file, good or not."""

import json
import zipfile
from pathlib import Path

import pytest

from controller.cli.main import status_of
from controller.journal.notes import SecretKey
from simulators.rigs.scenario.core_table import TABLE
from tests.evidence.bundles import members, packed
from tests.evidence.recorded import write
from tests.journal.journals import tamper

KEY = SecretKey.new(TABLE)
ROUND = "bet 1 25\ndealer deal\ncard Th 9s 9d 8d\npress 1 stand\ndealer pickup\n"
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write(tmp_path / "j", ROUND, key=KEY)
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "round-1.zip"
    assert status_of(["evidence", "1", "-o", str(file)]) == 0
    return file


def refused(said: Said, *arguments: object) -> tuple[int, str]:
    status = status_of([*map(str, arguments)])
    (line,) = said.readouterr().err.splitlines()
    return status, line


def test_a_file_that_the_table_signed_is_good(file: Path, capsys: Said) -> None:
    assert status_of(["verify-evidence", str(file), "--key", KEY.public.line]) == 0
    said, *not_proved = capsys.readouterr().out.splitlines()
    assert said.startswith(f"{file}: good, round 1 of table {TABLE}, ")
    assert said.endswith(f"signed by {KEY.public.line}")
    # What a reader would take for proof is named, though all is good.
    names = [line.split(": ")[1] for line in not_proved]
    clocks, *names = names
    assert clocks == "the last record's clocks"
    assert names == ["round.html", "round.json", "README.txt", "bundle.json"]
    assert not_proved[1] == (
        "not proved: round.html: it is for reading; only the records are signed"
    )


def test_with_the_journal_all_of_it_is_proved(
    file: Path, journal: Path, capsys: Said
) -> None:
    assert status_of(["verify-evidence", str(file), "--against", str(journal)]) == 0
    assert "not proved" not in capsys.readouterr().out


def test_a_changed_page_is_named_with_the_journal(
    file: Path, journal: Path, capsys: Said
) -> None:
    files = members(file)
    forged = packed(file, {**files, "round.html": b"<p>Seat 1 won.</p>"})
    assert status_of(["verify-evidence", str(forged)]) == 0
    assert "not proved: round.html: " in capsys.readouterr().out
    status = status_of(["verify-evidence", str(forged), "--against", str(journal)])
    assert status == 1
    assert f"{file}: round.html is not what {journal} gives\n" in (
        capsys.readouterr().out
    )


def test_a_changed_ruleset_is_named_without_it(file: Path, capsys: Said) -> None:
    files = members(file)
    ruleset = files["ruleset.json"].replace(b'"3:2"', b'"6:5"')
    assert ruleset != files["ruleset.json"]
    packed(file, {**files, "ruleset.json": ruleset})
    assert status_of(["verify-evidence", str(file)]) == 1
    problem, verdict = capsys.readouterr().out.splitlines()
    assert problem == f"{file}: ruleset.json is not the ruleset that the records name"
    assert verdict.startswith(f"{file}: not good, round 1")


def test_a_journal_to_compare_with_must_have_the_whole_round(
    file: Path, tmp_path: Path, capsys: Said
) -> None:
    other = write(tmp_path / "other", "wait 1")
    status, line = refused(capsys, "verify-evidence", file, "--against", other)
    assert (status, "round 1 is still open" in line) == (1, True)
    status, line = refused(
        capsys, "verify-evidence", file, "--against", tmp_path / "none"
    )
    assert (status, "expected a journal, found no file" in line) == (2, True)


def test_what_is_wrong_has_a_line_each(file: Path, capsys: Said) -> None:
    other = SecretKey.new(TABLE).public.line
    status = status_of(["verify-evidence", str(file), "--key", other])
    problem, verdict = capsys.readouterr().out.splitlines()
    assert status == 1
    assert problem == f"{file}: it is not signed by the key {other}"
    assert verdict.startswith(f"{file}: not good, round 1")


def test_programs_get_json(file: Path, capsys: Said) -> None:
    assert status_of(["verify-evidence", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["good"], answer["round"], answer["problems"]) == (True, 1, [])


def test_no_file_is_written_over(file: Path, capsys: Said) -> None:
    content = file.read_bytes()
    status, line = refused(capsys, "evidence", 1, "-o", file)
    assert (status, "expected no file there" in line) == (2, True)
    assert file.read_bytes() == content


def test_what_cannot_be_given_is_one_line(tmp_path: Path, capsys: Said) -> None:
    status, line = refused(capsys, "evidence", 2, "-o", tmp_path / "e.zip")
    assert (status, "no round 2" in line) == (1, True)
    status, line = refused(capsys, "evidence", 1, "-o", tmp_path / "no" / "e.zip")
    assert (status, "cannot be written: No such file" in line) == (2, True)
    assert not (tmp_path / "e.zip").exists()


def test_an_open_round_is_refused(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "open", "bet 1 25\ndealer deal\ncard Th\n")
    monkeypatch.setenv("TABLE_JOURNAL", str(path))
    status, line = refused(capsys, "evidence", 1, "-o", tmp_path / "e.zip")
    assert (status, "round 1 is still open" in line) == (1, True)


def test_what_is_no_evidence_is_one_line(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "text").write_text("a text")
    for file in (tmp_path / "text", tmp_path / "none"):
        status, line = refused(capsys, "verify-evidence", file)
        assert (status, line.startswith(str(file))) == (2, True)


def test_without_a_key_it_says_that_whose_it_is_is_not_proved(
    file: Path, capsys: Said
) -> None:
    assert status_of(["verify-evidence", str(file)]) == 0
    assert "\nnot proved: whose key this is: " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["bundle.json", "records.jsonl", "key.pub"])
def test_whatever_is_changed_in_it_the_answer_is_no(
    file: Path, capsys: Said, name: str
) -> None:
    files = members(file)
    packed(file, {**files, name: b"{" + files[name]}, anew=False)
    assert status_of(["verify-evidence", str(file)]) == 1
    problem, verdict = capsys.readouterr().out.splitlines()
    assert problem.startswith(f"{file}: {name} is ")
    assert verdict.startswith(f"{file}: not good, ")


def test_of_a_file_that_says_nothing_programs_get_json_too(
    file: Path, capsys: Said
) -> None:
    packed(file, {"README.txt": b""}, anew=False)
    assert status_of(["verify-evidence", str(file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["good"], answer["round"]) == (False, None)
    assert answer["problems"] == ["bundle.json is missing"]


def test_a_device_without_an_end_is_not_read(capsys: Said) -> None:
    status, line = refused(capsys, "verify-evidence", "/dev/zero")
    assert (status, "expected a regular file" in line) == (2, True)


# --- Changed since, or made by somebody else ----------------------------------------


def test_a_round_that_was_changed_since_makes_no_file(
    journal: Path, tmp_path: Path, capsys: Said
) -> None:
    tamper(journal, "UPDATE journal SET spot = 7 WHERE type = 'card_dealt'")
    status, line = refused(capsys, "evidence", 1, "-o", tmp_path / "e.zip")
    assert status == 1
    assert line.startswith(f"{journal}: round 1 is not what the table wrote: record ")
    assert not [*tmp_path.glob("*e.zip*")]


def test_names_out_of_a_file_cannot_move_the_cursor(file: Path, capsys: Said) -> None:
    files = members(file)
    packed(file, {**files, "\x1b[2Kgood\n.txt": b""}, anew=False)
    assert status_of(["verify-evidence", str(file)]) == 1
    problem, _ = capsys.readouterr().out.splitlines()
    assert problem == f"{file}: \\x1b[2Kgood\\n.txt does not belong to the bundle"


def test_a_file_that_is_there_twice_is_said_so(file: Path, capsys: Said) -> None:
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(file, "a") as archive,
    ):
        archive.writestr("round.html", b"<p>Seat 1 won.</p>")
    assert status_of(["verify-evidence", str(file)]) == 1
    assert "found one of them twice" in capsys.readouterr().out


def test_a_file_that_unpacks_without_end_is_not_unpacked(
    file: Path, capsys: Said
) -> None:
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(65 * 1024 * 1024))
    assert status_of(["verify-evidence", str(file)]) == 1
    assert "expected at most 67108864 bytes of files" in capsys.readouterr().out


# --- The key it is held against -----------------------------------------------------


def test_a_key_may_be_given_as_its_file(
    file: Path, tmp_path: Path, capsys: Said
) -> None:
    public = tmp_path / "key.pub"
    public.write_text(KEY.public.line + "\n")
    assert status_of(["verify-evidence", str(file), "--key", str(public)]) == 0
    assert "whose key this is" not in capsys.readouterr().out


def test_a_wrong_key_is_said_in_a_line_that_shows_no_secret(
    file: Path, tmp_path: Path, capsys: Said
) -> None:
    secret = tmp_path / "key"
    secret.write_text(KEY.line + "\n")
    for key, said in (
        (secret, "got a secret key"),
        (KEY.line, "got a secret key"),
        (tmp_path / "none", "none' is neither"),
        (tmp_path, "cannot be read: Is a directory"),
        ("/dev/zero", "cannot be read: expected a file, found a device or a pipe"),
        ("", "'' cannot be read: Is a directory"),
        ("a+b+c", "expected a public key, NAME+ID+KEY"),
    ):
        status, line = refused(capsys, "verify-evidence", file, "--key", key)
        assert (status, said in line) == (2, True), line
        assert "PRIVATE" not in line
