"""PINs of people who stand at the machine: typed unseen, or a line of a pipe each."""

import sys

import click

from controller.cli.failures import MisuseError
from controller.runtime.pins import Pin


def asked_pin(name: str) -> Pin:
    """Ask this person for their PIN.

    Raises:
        MisuseError: What comes from a pipe is no text.

    """
    return Pin(_typed(name) if sys.stdin.isatty() else _piped())


def _typed(name: str) -> str:
    return str(click.prompt(f"PIN of {name}", hide_input=True, err=True))


def _piped() -> str:
    """Return the next line of standard input."""
    try:
        return sys.stdin.readline().rstrip("\r\n")
    except UnicodeDecodeError:
        raise MisuseError("expected a PIN in UTF-8") from None
