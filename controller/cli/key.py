"""`tablectl key …`: the key that a table signs its journal with.

The secret half is for the table's process alone; the public half goes to whoever shall
be able to check the table's evidence, by another way than the table itself.
"""

import os
from pathlib import Path

import click

from controller.cli.failures import MisuseError, writing_a_journal
from controller.cli.options import FILE, own_journal_option
from controller.journal.errors import NoteError
from controller.journal.notes import SecretKey
from controller.journal.records import JournalKind
from controller.journal.recovery import recover
from controller.journal.signing import Signing
from controller.runtime.clock import SystemClock
from controller.runtime.errors import SigningKeyError
from controller.runtime.signing_key import key_file, load_key
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware

_SECRET_MODE = 0o600
_PUBLIC_MODE = 0o644
_PUBLIC_SUFFIX = ".pub"


@click.group("key")
def command() -> None:
    """Make, show and change the key that a table signs its journal with."""


@command.command("new")
@click.argument("file", type=FILE)
@click.option("--name", required=True, help="Whose key it is: the table's id, say.")
def new(file: Path, name: str) -> None:
    """Make a key in FILE, and its public half in FILE.pub; print that."""
    try:
        key = SecretKey.new(name)
    except NoteError as error:
        raise MisuseError(f"--name: {error}") from error
    public = file.with_name(file.name + _PUBLIC_SUFFIX)
    for target in (file, public):
        if target.exists():
            raise MisuseError(f"{target}: expected no file there; name another")
    _write(file, key.line, _SECRET_MODE)
    _write(public, key.public.line, _PUBLIC_MODE)
    click.echo(key.public.line)


@command.command("show")
@click.argument("file", type=FILE)
def show(file: Path) -> None:
    """Print the public half of the key in FILE."""
    click.echo(_loaded(file).public.line)


@command.command("rotate")
@click.argument("hardware_file", type=FILE)
@click.argument("file", type=FILE)
@own_journal_option
def rotate(hardware_file: Path, file: Path, journal: Path | None) -> None:
    """Let the key in FILE sign from now on; the one before it says so on record.

    The table must be stopped. Afterwards name FILE as signing_key in HARDWARE_FILE.
    """
    try:
        hardware = load_hardware(hardware_file)
    except HardwareFileError as error:
        raise MisuseError(str(error)) from error
    named = key_file(hardware.journal.signing_key)
    if named is None:
        raise MisuseError(
            f"{hardware_file}: journal.signing_key: expected the key that signs now; "
            "a first key need not be changed to, only named there"
        )
    old, new_key = _loaded(named), _loaded(file)
    path = journal or Path(hardware.journal.path)
    if not path.exists():
        raise MisuseError(f"{path}: expected a journal, found no file")
    stamp = SystemClock().stamp()
    table = hardware.table_id
    with (
        writing_a_journal(),
        recover(path, JournalKind(hardware.kind.value)).journal as opened,
    ):
        opened.change_key(Signing(table, old), Signing(table, new_key), stamp)
    click.echo(f"signing_key = {file} from now on: {new_key.public.line}")


def _loaded(file: Path) -> SecretKey:
    try:
        return load_key(file)
    except SigningKeyError as error:
        raise MisuseError(str(error)) from error


def _write(file: Path, line: str, mode: int) -> None:
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(file, flags, mode)
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(line + "\n")
            opened.flush()
            os.fsync(descriptor)
    except OSError as error:
        raise MisuseError(f"{file}: cannot be written: {error.strerror}") from error
