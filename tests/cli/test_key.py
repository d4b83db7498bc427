"""`tablectl key`: made once, readable by its owner alone, changed by the one before."""

import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.main import status_of
from controller.journal.lock import WriterLock
from controller.journal.notes import PublicKey, SecretKey
from controller.journal.signing import Signing, current_key
from controller.journal.table_journal import TableJournal
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.journal.played import STAMP, opening

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "key"


def refused(said: Said, *arguments: object) -> tuple[int, str]:
    status = status_of(["key", *map(str, arguments)])
    (line,) = said.readouterr().err.splitlines()
    return status, line


def made(file: Path, said: Said) -> SecretKey:
    assert status_of(["key", "new", str(file), "--name", "BJ-01"]) == 0
    said.readouterr()
    return SecretKey.parse(file.read_text())


def test_a_new_key_is_for_its_owner_alone_and_its_public_half_for_all(
    file: Path, capsys: Said
) -> None:
    assert status_of(["key", "new", str(file), "--name", "BJ-01"]) == 0
    printed = capsys.readouterr().out.strip()
    key = SecretKey.parse(file.read_text())
    assert PublicKey.parse(printed) == key.public
    assert file.with_name("key.pub").read_text().strip() == printed
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert status_of(["key", "show", str(file)]) == 0
    assert capsys.readouterr().out.strip() == printed


def test_no_key_is_written_over(file: Path, capsys: Said) -> None:
    key = made(file, capsys)
    status, line = refused(capsys, "new", file, "--name", "BJ-01")
    assert (status, "expected no file there" in line) == (2, True)
    assert SecretKey.parse(file.read_text()).public == key.public


def test_a_name_that_no_signer_has_is_said(file: Path, capsys: Said) -> None:
    status, line = refused(capsys, "new", file, "--name", "BJ 01")
    assert (status, line.startswith("--name: expected")) == (2, True)
    assert not file.exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, capsys: Said) -> None:
    status, line = refused(capsys, "new", tmp_path / "no" / "key", "--name", "BJ-01")
    assert (status, "cannot be written: No such file" in line) == (2, True)


def test_a_key_that_others_can_read_is_refused(file: Path, capsys: Said) -> None:
    made(file, capsys)
    file.chmod(0o640)
    assert refused(capsys, "show", file) == (
        2,
        f"{file}: the key is open to others; chmod 600 {file}",
    )


@pytest.mark.parametrize("content", [b"", b"no key\n", b"\xff\n"])
def test_what_is_no_key_is_said(file: Path, capsys: Said, content: bytes) -> None:
    file.write_bytes(content)
    file.chmod(0o600)
    status, line = refused(capsys, "show", file)
    assert (status, line.startswith(f"{file}: ")) == (2, True)


# --- Changing it ------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, file: Path, capsys: Said) -> TableFolder:
    """Return a table that signs with a key."""
    key = made(file, capsys)
    folder = lay_out(tmp_path, seats=3)
    journal = replace(folder.hardware.journal, signing_key=str(file))
    folder.hardware_file.write_text(
        hardware_text(replace(folder.hardware, journal=journal))
    )
    with TableJournal.begin(folder.journal, opening(), STAMP) as begun:
        begun.sign_with(Signing(folder.hardware.table_id, key), STAMP)
    return folder


def test_a_key_is_changed_on_record(folder: TableFolder, capsys: Said) -> None:
    other = folder.hardware_file.with_name("other")
    key = made(other, capsys)
    assert status_of(["key", "rotate", str(folder.hardware_file), str(other)]) == 0
    assert key.public.line in capsys.readouterr().out
    assert current_key(folder.journal) == key.public
    # Named in the hardware file still: the key that no longer signs.
    status, line = refused(capsys, "rotate", folder.hardware_file, other)
    assert (status, "signed by the key" in line) == (2, True)


def test_without_a_key_or_a_journal_there_is_nothing_to_change(
    tmp_path: Path, folder: TableFolder, capsys: Said
) -> None:
    other = tmp_path / "other"
    made(other, capsys)
    folder.journal.rename(tmp_path / "away")
    status, line = refused(capsys, "rotate", folder.hardware_file, other)
    assert (status, "expected a journal" in line) == (2, True)
    folder.hardware_file.write_text(hardware_text(folder.hardware))
    status, line = refused(capsys, "rotate", folder.hardware_file, other)
    assert (status, "journal.signing_key" in line) == (2, True)
    status, line = refused(capsys, "rotate", tmp_path / "no.toml", other)
    assert (status, "no.toml" in line) == (2, True)


def test_a_journal_in_use_keeps_its_key(folder: TableFolder, capsys: Said) -> None:
    other = folder.hardware_file.with_name("other")
    made(other, capsys)
    lock = WriterLock.take(folder.journal)
    status, line = refused(capsys, "rotate", folder.hardware_file, other)
    lock.release()
    assert (status, "stop it first" in line) == (1, True)


# --- What is no key ----------------------------------------------------------------


def test_a_device_or_a_pipe_is_refused_at_once(tmp_path: Path, capsys: Said) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for file in (pipe, Path("/dev/zero"), Path("/dev/null")):
        status, line = refused(capsys, "show", file)
        assert (status, "found a device or a pipe" in line) == (2, True)
        assert "chmod" not in line


def test_of_the_public_half_it_is_not_said_that_it_is_open(
    tmp_path: Path, capsys: Said
) -> None:
    made(tmp_path / "key", capsys)
    status, line = refused(capsys, "show", tmp_path / "key.pub")
    assert (status, "expected a secret key" in line) == (2, True)
