"""`tablectl mirror HARDWARE.toml`: the service that copies the journal."""

import asyncio
import signal
import sys
from pathlib import Path

import click

from controller.cli.failures import AnswerIsNoError, MisuseError
from controller.cli.options import FILE, own_journal_option
from controller.journal.errors import MirrorMismatchError
from controller.runtime.clock import SystemClock
from controller.runtime.errors import MirrorRunsError
from controller.runtime.logs import TableLog
from controller.runtime.mirror_service import MirrorService
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware


@click.command("mirror")
@click.argument("hardware_file", type=FILE)
@own_journal_option
def command(hardware_file: Path, journal: Path | None) -> None:
    """Copy the table's journal into the folder that HARDWARE_FILE names as its mirror.

    It runs until SIGTERM, beside the table or without it, and may be started again at
    any moment. Each file of the journal has its copy there, under the same name, which
    verify, round and rounds read with --journal. Where the copy and the journal do not
    go together it ends with status 1 and one line, and leaves both as they are. Where
    a mirror of the table runs already, it ends with status 2.
    """
    try:
        hardware = load_hardware(hardware_file)
    except HardwareFileError as error:
        raise MisuseError(str(error)) from error
    if not hardware.journal.mirror:
        raise MisuseError(
            f"{hardware_file}: journal.mirror: missing; expected a folder on a second "
            "device"
        )
    clock = SystemClock()
    path = journal or Path(hardware.journal.path)
    with TableLog(sys.stderr.fileno(), clock) as log:
        service = MirrorService(hardware, path, clock, log.say)
        try:
            asyncio.run(_serve(service))
        except MirrorMismatchError as error:
            raise AnswerIsNoError(str(error)) from error
        except MirrorRunsError as error:
            raise MisuseError(str(error)) from error
        log.say.info("mirror stopped")


async def _serve(service: MirrorService) -> None:
    """Run the service in a thread: a loop takes signals without interrupting it."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, service.stop)
    await asyncio.to_thread(service.run)
