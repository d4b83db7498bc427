"""The option `--key`: a table's public key, as known from elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from controller.cli.failures import MisuseError
from controller.journal.errors import NoteError
from controller.journal.notes import PublicKey

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def key_option(command: CommandT) -> CommandT:
    """Add the option `--key KEY`."""
    return click.option(
        "--key",
        "key_line",
        metavar="KEY",
        help="The table's public key, or a file with it, as known from elsewhere.",
    )(command)


def public_key(line: str | None) -> PublicKey | None:
    """Return the public key that a line is, or that the file of that name holds."""
    if line is None:
        return None
    try:
        file = Path(line)
        return PublicKey.parse(file.read_text("ascii") if file.exists() else line)
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"--key: {line} cannot be read") from error
    except NoteError as error:
        raise MisuseError(f"--key: {error}") from error
