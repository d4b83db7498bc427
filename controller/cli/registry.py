"""Which commands there are, found without importing any of them.

`tablectl --help` is typed often, and a command's module brings in the core, the
journal or a simulator. So a command is announced as a path and its help in one
line, and imported when it is called.
"""

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from glob import escape, iglob
from typing import Any, Final, NamedTuple

import click

from controller.cli.failures import MisuseError

PLUGIN_GROUP: Final = "tablectl.commands"

_ENTRY_POINTS: Final = "*.dist-info/entry_points.txt"

Announced = Mapping[str, tuple[str, str]]
"""Commands by name: where each is (`package.module:attribute`), help in one line."""

OWN: Final[Announced] = {
    "accept": ("controller.cli.accept:command", "Let a changed program run a table."),
    "archive": (
        "controller.cli.archive:command",
        "Put a full journal aside and begin the next.",
    ),
    "check": ("controller.cli.check:command", "Check a hardware file and its devices."),
    "console": ("controller.cli.console:command", "Work a running table by words."),
    "copy": (
        "controller.cli.copy:command",
        "Copy a whole journal while its table runs.",
    ),
    "evidence": (
        "controller.cli.evidence:evidence",
        "Put one round into a file, with its proof.",
    ),
    "export": (
        "controller.cli.export:command",
        "Print records as JSON lines, for other programs.",
    ),
    "idle": ("controller.cli.idle:command", "Say whether the table may be stopped."),
    "key": (
        "controller.cli.key:command",
        "Make the key that a table signs its journal with.",
    ),
    "mirror": (
        "controller.cli.mirror:command",
        "Keep a copy of the journal on a second device.",
    ),
    "people": (
        "controller.cli.people:command",
        "List who may do what at a table, and set PINs.",
    ),
    "report": ("controller.cli.report:report", "Report a shift or a day in figures."),
    "round": ("controller.cli.round:round_", "Rebuild one round from the journal."),
    "rounds": ("controller.cli.rounds:rounds", "List the rounds of the journal."),
    "rules": ("controller.cli.rules:rules", "Show a ruleset, clause by clause."),
    "run": ("controller.cli.run:command", "Run a table: the service."),
    "successor": (
        "controller.cli.successor:command",
        "Begin another journal where one is damaged.",
    ),
    "version": (
        "controller.cli.version:command",
        "Show what runs here, part by part.",
    ),
    "verify-evidence": (
        "controller.cli.evidence:verify_evidence",
        "Check a round's file, on any machine.",
    ),
    "verify": (
        "controller.cli.verify:verify",
        "Check that the journal is what was written.",
    ),
}


class Found(NamedTuple):  # not a Struct: msgspec costs a third of the whole help
    """All commands that plugins announce, and what is wrong with other plugins."""

    commands: Announced
    broken: tuple[str, ...]


def plugins() -> Found:
    """Return what the installed entry points of `tablectl.commands` announce.

    Each names a table like `OWN`. The product's own names are not given away. One
    that cannot be loaded is described in a line and costs only its own commands.
    """
    commands: dict[str, tuple[str, str]] = {}
    broken: list[str] = []
    for name, path in _entry_points():
        try:
            commands |= _announced(_attribute(path))
        except Exception as error:  # noqa: BLE001 - a plugin may fail in any way
            broken.append(f"the commands of {name} cannot be loaded: {error!r}")
    return Found({**commands, **OWN}, tuple(broken))


def _entry_points() -> Iterator[tuple[str, str]]:
    """Yield the entry points of our group, as the installed packages write them.

    importlib.metadata reads the same files, but brings in parsers of mail and
    sockets: it would take a quarter of the time of the whole help. Pathlib brings in
    a parser of addresses, and would take a tenth.
    """
    for folder in dict.fromkeys(sys.path):
        pattern = os.path.join(escape(folder), _ENTRY_POINTS)  # noqa: PTH118 - said above
        for file in iglob(pattern):  # noqa: PTH207 - same
            with open(file, encoding="utf-8") as lines:  # noqa: PTH123 - same
                yield from _announced_in(lines)


def _announced_in(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    section = ""
    for line in lines:
        name, equals, path = (part.strip() for part in line.partition("="))
        if name.startswith("["):
            section = name.strip("[]")
        elif equals and section == PLUGIN_GROUP:
            yield name, path


def _attribute(path: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Import what `package.module:attribute` names."""
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _announced(table: Announced) -> dict[str, tuple[str, str]]:
    return {str(name): (str(path), str(line)) for name, (path, line) in table.items()}


class CommandTable(click.Group):
    """The group of all commands, each imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return every command's name, in alphabetical order."""
        return sorted(plugins().commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return a command; None where there is none of that name."""
        entry = OWN.get(cmd_name) or plugins().commands.get(cmd_name)
        return None if entry is None else _load(cmd_name, entry[0])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names.

        Raises:
            MisuseError: there is none, or it cannot be imported.
        """
        command = self.get_command(ctx, args[0])
        if command is None and not args[0].startswith("-"):
            raise MisuseError(_unknown(args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write each command with its line of help, and the plugins that failed."""
        del ctx
        found = plugins()
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, line) for name, (_, line) in sorted(found.commands.items())]
            )
        for line in found.broken:
            formatter.write_text(line)


def _load(name: str, path: str) -> click.Command:
    try:
        command = _attribute(path)
    except (ImportError, AttributeError) as error:
        raise MisuseError(f"{name} cannot be loaded: {error}") from error
    if not isinstance(command, click.Command):
        raise MisuseError(f"{name} cannot be loaded: {path} is no command")
    return command


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only a wrong name pays for it

    found = plugins()
    near = difflib.get_close_matches(name, found.commands, n=1)
    hint = f"did you mean {near[0]}?" if near else "tablectl --help lists them"
    return "; ".join((f"tablectl: no command {name!r}", hint, *found.broken))
