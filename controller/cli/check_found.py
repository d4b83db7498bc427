"""What a check of a table's equipment found, for a person and for programs."""

from collections.abc import Iterator

import click
import msgspec

from controller.cli.failures import Status
from controller.cli.output import print_json
from controller.cli.table_text import link_words
from controller.core.ids import Phase
from controller.runtime.answers import Finding
from controller.runtime.computer_probe import ComputerFinding
from controller.runtime.disk_probe import DiskFinding
from controller.runtime.mirror_probe import MirrorFinding
from controller.runtime.view import LinkView


class RunningTable(msgspec.Struct, frozen=True):
    """The table that runs, and who tries its buttons by hand just now, if anybody."""

    name: str
    phase: Phase
    test_mode: str


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; `problems` are those that only a running table knows of."""

    running: bool = False
    table: RunningTable | None = None
    problems: tuple[str, ...] = ()
    devices: tuple[Finding, ...]
    links: tuple[LinkView, ...]
    journal: DiskFinding | None = None
    mirror: MirrorFinding | None = None
    computer: tuple[ComputerFinding, ...] = ()
    look_at: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Whether all is well."""
        beside = [one.problem for one in (self.journal, self.mirror) if one is not None]
        beside += [one.problem for one in self.computer]
        beside += [link.error for link in self.links]
        is_bad = any((self.problems, self.look_at, *beside))
        return Status.NO if is_bad else Status.DONE


def tell_found(found: Found, *, as_json: bool, in_one_line: bool) -> None:
    """Print what was found; as JSON `in_one_line` where more lines follow it."""
    if as_json and in_one_line:
        click.echo(msgspec.json.encode(found).decode())
    elif as_json:
        print_json(found)
    else:
        for line in _lines(found):
            click.echo(line)


def _lines(found: Found) -> Iterator[str]:
    if found.table is not None:
        yield _running_line(found.table)
    yield from found.problems
    yield from map(_device_line, found.devices)
    yield from map(link_words, found.links)
    if found.journal is not None:
        yield found.journal.words()
    if found.mirror is not None:
        yield _mirror_line(found.mirror)
    for finding in found.computer:
        yield f"computer, {finding.name}: {finding.says}"
    for place in found.look_at:
        yield click.style(f"look at {place}", bold=True)


def _running_line(running: RunningTable) -> str:
    tried = f", TEST MODE by {running.test_mode}" if running.test_mode else ""
    return f"table {running.name} is running: {running.phase.value}{tried}"


def _device_line(finding: Finding) -> str:
    where = f"{finding.name} at {finding.place}"
    found = finding.found
    if finding.port_error:
        return f"{where}: its port is not open"  # The port's own line says why.
    if found is None:
        return f"{where}: {finding.problem or finding.note}"
    unit = f"{found.model} serial {found.serial} firmware {found.firmware}"
    return f"{where}: answers, {unit}"


def _mirror_line(mirror: MirrorFinding) -> str:
    held = mirror.problem or f"holds {mirror.records} of {mirror.of} records"
    warning = f"; warning: {mirror.warning}" if mirror.warning else ""
    return f"{mirror.name} at {mirror.place}: {held}{warning}"
