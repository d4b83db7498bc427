"""What `tablectl run` does: one table from its hardware file, until it is stopped.

Its modules are imported after the process of a live table has begun from sources.
"""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import click

from controller.cli.failures import JournalUnusableError, MisuseError, OwnFaultError
from controller.cli.from_sources import is_from_sources
from controller.core.errors import RulesetError
from controller.core.ids import Kind
from controller.core.state import TableState, new_table
from controller.journal.errors import (
    CodecError,
    JournalError,
    JournalFullError,
    MalformedJournalError,
    SigningError,
)
from controller.rulesets.loader import ruleset_of
from controller.runtime.clock import SystemClock
from controller.runtime.computer import sysfs_of
from controller.runtime.device_pumps import chips_of
from controller.runtime.engine import Engine
from controller.runtime.errors import RunError
from controller.runtime.journal_disk import MOUNTS, Mount, keeps_order, require_lasting
from controller.runtime.logs import TableLog, TableLogger, described
from controller.runtime.loop import new_loop
from controller.runtime.notify import Notifier, status
from controller.runtime.owner import Owner, ReadOnlyOwner, read_only_state
from controller.runtime.people import people_at
from controller.runtime.self_test import examine
from controller.runtime.signing_key import signing_of
from controller.runtime.socket_file import require_free
from controller.runtime.table import (
    RunningTable,
    Site,
    last_table,
    new_salt,
    open_journal,
)
from controller.runtime.wired_buttons import require_buttons
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware
from hw_config.schema import Kind as HardwareKind
from hw_config.schema import TableHardware


def serve(hardware_file: Path, journal: Path | None) -> None:
    """Run the table until SIGTERM.

    Raises:
        click.ClickException: Something keeps it from running, or ended it.

    """
    try:
        hardware = load_hardware(hardware_file)
        _require_sources(hardware, hardware_file)
        manager = Notifier.of(os.environ, os.getpid())
        manager.tell(status("looks at itself and its journal"))
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(_serve(hardware, str(hardware_file), journal, manager))
    except (HardwareFileError, RulesetError, RunError, SigningError) as error:
        raise MisuseError(str(error)) from error
    except JournalError as error:
        raise JournalUnusableError(str(error)) from error
    except click.ClickException:
        raise
    except Exception as error:  # noqa: BLE001 - a traceback's words may name a sealed card
        text = f"an error of the program ended it: {described(error)}"
        raise OwnFaultError(text) from None


def _require_sources(hardware: TableHardware, hardware_file: Path) -> None:
    """Refuse a live table in a process that may have read bytecode."""
    if hardware.kind is HardwareKind.LIVE and not is_from_sources():
        raise MisuseError(f"{hardware_file}: changed while it was read; try again")


async def _serve(
    hardware: TableHardware, source: str, journal: Path | None, manager: Notifier
) -> None:
    clock = SystemClock()
    path = journal or Path(hardware.journal.path)
    disk = _disk_of(hardware, path)
    rules = ruleset_of(Path(source), hardware.ruleset)
    require_buttons(hardware, rules, Path(source))
    chips = chips_of(hardware)
    software = examine(Path(source), rules).software
    people = people_at(hardware)
    signing = signing_of(hardware)
    control_socket = Path(hardware.control_socket)
    if not path.exists():
        # Before anything is made: the devices are that other table's.
        require_free(control_socket)
    stop = _asked_to_stop()
    with contextlib.ExitStack() as held:
        owner: Owner
        is_new = False
        try:
            recovered = open_journal(path, hardware, source, rules, clock)
        except JournalFullError as error:
            last = last_table(path, hardware, rules)
            owner = _read_only(last, Kind.JOURNAL_FULL, error)
        except (MalformedJournalError, CodecError) as error:
            empty = new_table(hardware.table_id, hardware.seats, rules)
            owner = _read_only(empty, Kind.JOURNAL_DAMAGED, error)
        else:
            held.enter_context(recovered.journal)
            if signing is not None:
                recovered.journal.sign_with(signing, clock.stamp())
            owner = Engine(recovered, clock, new_salt)
            is_new = recovered.is_new
        require_free(control_socket)
        log = held.enter_context(TableLog(sys.stderr.fileno(), clock))
        site = Site(
            hardware,
            source,
            path,
            people,
            software,
            is_new,
            chips,
            sysfs_of(hardware),
        )
        table = RunningTable(site, owner, clock, log.say, manager)
        log.say.info("table runs", table=hardware.table_id, journal=str(path))
        if disk is not None:
            _warn_of(disk, log.say)
        await table.run(stop)
        log.say.info("table stopped")


def _asked_to_stop() -> asyncio.Event:
    """Return what is set when somebody asks the process to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    return stop


def _disk_of(hardware: TableHardware, path: Path) -> Mount | None:
    """Return what a live table's journal is on; a simulated one may lie anywhere.

    Raises:
        JournalDiskError: The power would take it.

    """
    if hardware.kind is not HardwareKind.LIVE or not MOUNTS.exists():
        return None
    return require_lasting(path, MOUNTS.read_text("utf-8", "surrogateescape"))


def _warn_of(disk: Mount, say: TableLogger) -> None:
    if not keeps_order(disk):
        place, kind = str(disk.point), disk.type
        say.warning("the journal's disk has no barriers", mount=place, type=kind)


def _read_only(last: TableState, kind: Kind, error: JournalError) -> ReadOnlyOwner:
    """Show the table suspended: nothing is acted on that cannot be written."""
    click.echo(str(error), err=True)
    return ReadOnlyOwner(read_only_state(last, kind, str(error)))
