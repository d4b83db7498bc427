"""`tablectl`: the one program with which people and services work a table."""

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Sequence

import click

from controller.cli.failures import Status
from controller.cli.registry import CommandTable

_INTERRUPTED = 130  # 128 and the number of SIGINT, as shells count it.
_PIPE_CLOSED = 141  # 128 and the number of SIGPIPE.
_TERMINATED = 143  # 128 and the number of SIGTERM.
_WRITING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EPIPE}
)
"""What writing to an output fails with."""


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
    closed = _open_what_is_closed()
    _end_in_order_when_terminated()
    status = status_of(arguments)
    if closed and status == Status.DONE:
        status = _not_said(os.strerror(errno.EBADF))
    sys.exit(status)


def _end_in_order_when_terminated() -> None:
    """Let SIGTERM unwind what is under way: a terminal gets its echo back."""

    def end(_number: int, _frame: object) -> None:
        sys.exit(_TERMINATED)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def status_of(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status, after one line where it failed."""
    try:
        status = _run(arguments)
        # What waits to be written may fail as well: here it still can be said.
        sys.stdout.flush()
    except BrokenPipeError:
        if not _reader_is_gone():
            raise
        # Who read it has seen enough, as with other tools.
        _drop_output()
        return _PIPE_CLOSED
    except OSError as error:
        if not _is_about_output(error):
            raise
        _drop_output()
        return _not_said(error.strerror or str(error))
    return status


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = tablectl.main(arguments, prog_name="tablectl", standalone_mode=False)
    except click.ClickException as error:
        for line in _lines(error):
            click.echo(_on_one_line(line), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    return Status.DONE if result is None else int(result)


# --- An output that cannot be written -------------------------------------------


def _is_about_output(error: OSError) -> bool:
    """Say whether an error is of writing to a stream, which names no file."""
    return error.filename is None and error.errno in _WRITING


def _reader_is_gone() -> bool:
    """Say whether it is the output's pipe that nobody reads, and not another one."""
    import select  # noqa: PLC0415 - only a broken pipe pays for it

    output = select.poll()
    output.register(sys.stdout.fileno(), 0)
    return bool(output.poll(0))


def _not_said(why: str) -> int:
    click.echo(f"tablectl: the output cannot be written: {why}", err=True)
    return Status.MISUSE


def _drop_output() -> None:
    """Let what still waits go nowhere, so that the end of the program is quiet."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _open_what_is_closed() -> bool:
    """Give closed streams an end in nowhere; say whether the output was one.

    Else the next file that is opened would take the place of the stream.
    """
    closed = sys.stdout is None
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - pathlib is slow to import, and it stays open
    return closed


def _on_one_line(text: str) -> str:
    """Return a message as it may be shown: it may name a file of any name."""
    from controller.words.errors import printable  # noqa: PLC0415 - only a failure pays for it

    return printable(text)


def _lines(error: click.ClickException) -> tuple[str, ...]:
    """Return what went wrong: of a hardware file every fault, else one line."""
    from hw_config.errors import HardwareFileError  # noqa: PLC0415 - only a failure pays for it

    if isinstance(error.__cause__, HardwareFileError):
        return error.__cause__.lines
    return (_line(error),)


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
