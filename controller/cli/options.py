"""Options that mean the same at every command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

NUMBER = click.IntRange(1, 10**18 - 1)
"""The number of a round, as far as a journal can hold one."""

_JOURNAL_HELP = "The journal to read; TABLE_JOURNAL names it as well."


def journal_option(*, required: bool = True) -> Callable[[CommandT], CommandT]:
    """Return the option `--journal FILE`, which TABLE_JOURNAL may give instead."""
    return click.option(
        "--journal",
        envvar="TABLE_JOURNAL",
        type=click.Path(path_type=Path),
        metavar="FILE",
        required=required,
        help=_JOURNAL_HELP,
    )


def json_option(command: CommandT) -> CommandT:
    """Add the option `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON, for programs."
    )(command)
