"""`tablectl idle HARDWARE.toml`: may the table be taken from its people just now."""

from pathlib import Path

import click

from controller.cli.failures import AnswerIsNoError, MisuseError, reading_a_journal
from controller.cli.options import FILE, own_journal_option
from controller.core.ids import ROUND_OPEN
from controller.journal.fold import state_at_end
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware


@click.command("idle")
@click.argument("hardware_file", type=FILE)
@own_journal_option
def command(hardware_file: Path, journal: Path | None) -> None:
    """Say whether the table is between rounds, so that it may be stopped.

    The answer is the journal's: it holds whether the table runs, is stopped, or lost
    its power in the middle of a round. The exit status is 1 while a round is open, or
    where the journal cannot tell. The package asks this before it is changed.
    """
    try:
        hardware = load_hardware(hardware_file)
    except HardwareFileError as error:
        raise MisuseError(str(error)) from error
    path = journal or Path(hardware.journal.path)
    if not path.exists():
        click.echo(f"{path}: no journal yet, nothing was played")
        return
    with reading_a_journal():
        state = state_at_end(path)
    if state.play_phase in ROUND_OPEN:
        raise AnswerIsNoError(
            f"{path}: round {state.round} is open; finish it, or void it, first"
        )
    click.echo(f"{path}: between rounds; the next is round {state.round}")
