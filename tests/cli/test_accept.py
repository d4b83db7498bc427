"""What `tablectl accept` does once its process runs from sources, and wrong uses."""

import io
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from controller.cli.accepting import accept
from controller.cli.main import status_of
from controller.core import commands as cm
from controller.core import events as ev
from controller.evidence.software_history import software_history
from controller.evidence.verify import verify
from controller.journal.fold import state_at_end
from controller.journal.notes import SecretKey
from controller.journal.records import JournalKind
from controller.journal.recovery import recover
from controller.journal.signing import heads_file, split_notes
from controller.journal.table_journal import TableJournal
from controller.runtime.stopped import StoppedTable
from hw_config.schema import Kind
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.core.table import rules
from tests.evidence.test_software_history import version
from tests.journal.played import STAMP
from tests.runtime.lineups import PINS, list_people

NAMES = ("S1", "T1")


@pytest.fixture(autouse=True)
def both_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)
    typed = "".join(f"{PINS[name]}\n" for name in NAMES)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed * 2))


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    """Return a live table that ran by another program, and that signs its journal."""
    folder = lay_out(tmp_path, seats=3)
    write_key(tmp_path)
    hardware = replace(
        folder.hardware,
        kind=Kind.LIVE,
        table_id="BJ-01",
        people=str(list_people(tmp_path / "people.toml")),
        journal=replace(folder.hardware.journal, signing_key=str(tmp_path / "key")),
        panels=replace(folder.hardware.bus, port="/dev/table/no-panels"),
        shoe=replace(folder.hardware.shoe, port="/dev/table/no-shoe"),
    )
    folder.hardware_file.write_text(hardware_text(hardware))
    opened = ev.JournalOpened(kind="live", table="BJ-01", seats=3, rules=rules())
    TableJournal.begin(folder.journal, opened, STAMP).close()
    recovered = recover(folder.journal, JournalKind.LIVE)
    with recovered.journal:
        table = StoppedTable(recovered, lambda: STAMP)
        table.take(cm.ReportSelfTest(software=version(1), live=True))
    return folder


def write_key(folder: Path) -> None:
    key = folder / "key"
    key.write_text(SecretKey.new("BJ-01").line)
    key.chmod(0o600)


def accepted(
    folder: TableFolder, *, journal: Path | None = None, reason: str = "update"
) -> list[str]:
    return list(accept(folder.hardware_file, journal, (*NAMES, reason)))


def refused(
    folder: TableFolder, *, journal: Path | None = None, reason: str = "update"
) -> tuple[int, str]:
    with pytest.raises(click.ClickException) as error:
        accepted(folder, journal=journal, reason=reason)
    return error.value.exit_code, error.value.message


def test_what_differs_is_told_and_both_names_are_on_record(folder: TableFolder) -> None:
    *changes, last = accepted(folder)
    assert "product 1 000000000000, now none" in changes
    assert last == "accepted by supervisor S1 and technician T1"
    (change,) = software_history(folder.journal, 1)
    assert (change.supervisor, change.technician) == NAMES
    assert not state_at_end(folder.journal).suspended
    assert verify(folder.journal, replay=True).good
    assert len(split_notes(heads_file(folder.journal).read_text())) >= 1
    status, words = refused(folder)
    assert status == 1
    assert "nothing differs" in words


def test_a_wrong_pin_accepts_nothing(
    folder: TableFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PINS['S1']}\n000001\n"))
    assert refused(folder) == (1, "T1: id and PIN do not match")
    assert state_at_end(folder.journal).software_accepted == version(1)


def test_words_are_asked_for(folder: TableFolder) -> None:
    assert refused(folder, reason=" ") == (2, "--reason: expected words, got none")


def test_a_table_that_has_not_run_yet_has_nothing_to_accept(
    folder: TableFolder, tmp_path: Path
) -> None:
    status, words = refused(folder, journal=tmp_path / "none")
    assert status == 2
    assert "the first start begins one" in words


def test_a_hardware_file_that_is_none_is_a_wrong_use(
    folder: TableFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.hardware_file.write_text("kind = 1")
    named = ("--supervisor", "S1", "--technician", "T1", "--reason", "update")
    assert status_of(["accept", str(folder.hardware_file), *named]) == 2
    assert "table.toml" in capsys.readouterr().err


def test_a_simulated_table_needs_no_acceptance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulated = lay_out(tmp_path, seats=3)
    named = ("--supervisor", "S1", "--technician", "T1", "--reason", "update")
    assert status_of(["accept", str(simulated.hardware_file), *named]) == 1
    assert "takes any program" in capsys.readouterr().err


def test_a_journal_signed_by_another_key_is_a_wrong_use(
    folder: TableFolder, tmp_path: Path
) -> None:
    accepted(folder)
    write_key(tmp_path)
    status, words = refused(folder)
    assert status == 2
    assert "key" in words


def test_a_table_that_runs_must_be_stopped_first(folder: TableFolder) -> None:
    with recover(folder.journal, JournalKind.LIVE).journal:
        status, words = refused(folder)
    assert status == 1
    assert str(folder.journal) in words
