"""`tablectl`: the one program with which people and services work a table."""

import sys
from collections.abc import Sequence

import click

from controller.cli.failures import Status
from controller.cli.registry import CommandTable

_INTERRUPTED = 130  # 128 and the number of SIGINT, as shells count it.


@click.group(
    cls=CommandTable,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="blackjack-table-controller")
@click.pass_context
def tablectl(context: click.Context) -> None:
    """Work an electronic blackjack table: run it, ask its journal, prove it.

    `tablectl COMMAND --help` explains a command. The exit status is 0 when it was
    done, 1 when the answer is no, 2 when it was used wrongly.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command of the command line and exit with its status."""
    sys.exit(status_of(arguments))


def status_of(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status, after one line where it failed."""
    try:
        result = tablectl.main(arguments, prog_name="tablectl", standalone_mode=False)
    except click.ClickException as error:
        click.echo(_line(error), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    return Status.DONE if result is None else int(result)


def _line(error: click.ClickException) -> str:
    """Return what went wrong; a wrong use names the command that explains itself."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return error.format_message()
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        # Its message is the whole help, in many lines.
        usage = context.get_usage().partition(" ")[2]
        return f"expected {usage} ({context.command_path} --help explains it)"
    path = context.command_path
    message = " ".join(error.format_message().split())
    return f"{path}: {message} ({path} --help explains it)"
