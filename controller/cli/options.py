"""Options that mean the same at every command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from controller.cli.values import WholeNumber

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

NUMBER: Final = WholeNumber(1, 10**18 - 1)
"""The number of a round, as far as a journal can hold one."""


class FileName(click.Path):
    """The name of a file, which may not be there; a folder has no such name.

    The empty name would mean the folder that one is in.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False)

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - click's signature
        """Return the name as a path.

        Raises:
            click.BadParameter: It is empty, or the dash of other programs.
        """
        if not str(value):
            self.fail("expected the name of a file, got an empty one", param, ctx)
        if str(value) == "-":
            self.fail("expected the name of a file, got -, which is none", param, ctx)
        return super().convert(value, param, ctx)


FILE: Final = FileName()

_JOURNAL_HELP = "The journal to read; TABLE_JOURNAL names it as well."


def journal_option(*, required: bool = True) -> Callable[[CommandT], CommandT]:
    """Return the option `--journal FILE`, which TABLE_JOURNAL may give instead."""
    return click.option(
        "--journal",
        envvar="TABLE_JOURNAL",
        type=FILE,
        metavar="FILE",
        required=required,
        help=_JOURNAL_HELP,
    )


def json_option(command: CommandT) -> CommandT:
    """Add the option `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON, for programs."
    )(command)


def own_journal_option(command: CommandT) -> CommandT:
    """Add `--journal FILE` to a command that is told a table by its hardware file."""
    return click.option(
        "--journal",
        envvar="TABLE_JOURNAL",
        type=FILE,
        metavar="FILE",
        help="The table's journal, if not where the hardware file says.",
    )(command)
