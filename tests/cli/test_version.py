"""`tablectl version`: the parts, their files, and the last changes."""

import hashlib
import json
from pathlib import Path

import pytest

from controller.cli.main import status_of
from controller.version import DISTRIBUTION, VERSION
from simulators.rigs.table_folder import TableFolder, lay_out
from tests.evidence.test_software_history import accept, start, version
from tests.journal.played import STAMP, Played

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


def told(said: Said, *words: str | Path) -> str:
    assert status_of(["version", *map(str, words)]) == 0
    return said.readouterr().out


def refused(said: Said, *words: str | Path) -> tuple[int, str]:
    return status_of(["version", *map(str, words)]), said.readouterr().err


def test_it_names_the_version_each_part_and_the_digest_over_them(
    folder: TableFolder, capsys: Said
) -> None:
    first, _heads, *rows, last = told(capsys, folder.hardware_file).splitlines()
    assert first == f"blackjack table controller {VERSION}"
    parts = {row.split("  ")[1]: row.split()[0] for row in rows}
    assert {DISTRIBUTION, "python", "ruleset", "hardware file"} <= parts.keys()
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(parts.items()))
    assert last == f"{hashlib.sha256(lines.encode()).hexdigest()}  all of them"


def test_programs_get_the_same_as_json(folder: TableFolder, capsys: Said) -> None:
    found = json.loads(told(capsys, folder.hardware_file, "--json"))
    assert found["version"] == VERSION
    names = [part["name"] for part in found["software"]["components"]]
    assert names == sorted(names)


def test_without_a_table_there_is_no_ruleset_to_look_at(capsys: Said) -> None:
    found = json.loads(told(capsys, "--json"))
    names = {part["name"] for part in found["software"]["components"]}
    assert not names & {"ruleset", "hardware file"}


def test_the_files_of_a_part_are_lines_that_sha256sum_checks(capsys: Said) -> None:
    lines = told(capsys, "--files", DISTRIBUTION).splitlines()
    digest, name = lines[0].split("  ")
    content = Path(__file__).parents[2].joinpath(name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    assert len(lines) > 100


def test_an_unknown_part_is_answered_with_those_there_are(capsys: Said) -> None:
    status, line = refused(capsys, "--files", "radio")
    assert status == 2
    assert DISTRIBUTION in line
    assert "got 'radio'" in line


def test_the_history_says_when_what_and_who(folder: TableFolder, capsys: Said) -> None:
    table = Played(folder.journal)
    start(table, 1)
    start(table, 2, live=False)
    start(table, 3)
    accept(table, 3)
    start(table, 4)
    table.journal.close()
    at = STAMP.recorded_at
    text = told(capsys, "--history", folder.hardware_file)
    assert text.splitlines() == [
        f"{at}  the journal begins with {version(1).digest}",
        f"{at}  changed",
        "  product 1 000000000000, now 2 000000000000",
        "  taken without asking: the table is a simulated one",
        f"{at}  changed",
        "  product 2 000000000000, now 3 000000000000",
        f"  accepted by supervisor S1 and technician T1 at {at}: update 3",
        f"{at}  changed",
        "  product 3 000000000000, now 4 000000000000",
        "  not accepted",
    ]
    found = json.loads(told(capsys, "--history", "--json", "--journal", folder.journal))
    assert [len(entry["changes"]) for entry in found] == [0, 1, 1, 1]


def test_a_history_needs_a_journal(tmp_path: Path, capsys: Said) -> None:
    status, line = refused(capsys, "--history")
    assert status == 2
    assert "expected HARDWARE.toml or --journal FILE" in line
    status, line = refused(capsys, "--history", "--journal", tmp_path / "none")
    assert status == 2
    assert "found no file" in line


def test_a_hardware_file_that_cannot_be_used_is_a_wrong_use(
    tmp_path: Path, capsys: Said
) -> None:
    file = tmp_path / "table.toml"
    file.write_text("kind = 1")
    assert refused(capsys, file)[0] == 2
    assert refused(capsys, "--history", file)[0] == 2
