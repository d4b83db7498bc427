"""`tablectl archive HARDWARE.toml`: end the journal's file at a shift's end."""

from pathlib import Path

import click

from controller.cli.failures import AnswerIsNoError, MisuseError, writing_a_journal
from controller.cli.options import FILE, own_journal_option
from controller.core.errors import RulesetError
from controller.rulesets.loader import ruleset_of
from controller.runtime.archive import archive
from controller.runtime.clock import SystemClock
from controller.runtime.errors import NotArchivedError, SigningKeyError
from controller.runtime.signing_key import signing_of
from controller.runtime.table import opening
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware


@click.command("archive")
@click.argument("hardware_file", type=FILE)
@own_journal_option
def command(hardware_file: Path, journal: Path | None) -> None:
    """Put the journal's file aside, complete, and begin the next one.

    For the end of a shift: the table is closed, and stopped. Rounds go on with their
    numbers; the new file's first record names the old one and its last hash, so that
    verify can follow. Print the old file's new name.
    """
    try:
        hardware = load_hardware(hardware_file)
        rules = ruleset_of(hardware_file, hardware.ruleset)
        signing = signing_of(hardware)
    except (HardwareFileError, RulesetError, SigningKeyError) as error:
        raise MisuseError(str(error)) from error
    opened = opening(hardware, str(hardware_file), rules)
    path = journal or Path(hardware.journal.path)
    if not path.exists():
        raise MisuseError(f"{path}: expected a journal, found no file")
    with writing_a_journal():
        try:
            old = archive(path, opened, SystemClock().stamp(), signing)
        except NotArchivedError as error:
            raise AnswerIsNoError(str(error)) from error
    click.echo(path.with_name(old.file))
