"""The option `--key`: a table's public key, as known from elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from controller.cli.failures import MisuseError
from controller.journal.errors import NoteError
from controller.journal.notes import PublicKey
from controller.journal.regular import require_regular

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
        return PublicKey.parse(_read(line))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or "it is no text"
        raise MisuseError(f"--key: {line!r} cannot be read: {reason}") from error
    except NoteError as error:
        raise MisuseError(f"--key: {error}") from error


def _read(line: str) -> str:
    """Return a key as it was given: itself, or what its file holds."""
    if "+" in line and not Path(line).exists():
        return line
    try:
        require_regular(Path(line))
        return Path(line).read_text("ascii")
    except FileNotFoundError:
        raise NoteError(
            f"expected a public key, NAME+ID+KEY, or a file with one; {line!r} is "
            "neither"
        ) from None
