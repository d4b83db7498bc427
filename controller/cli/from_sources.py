"""A live table runs from its sources, never from bytecode that lies beside them.

A digest of a source says nothing of a `.pyc` that Python would rather read. So the
process of a live table begins once more, before its modules are imported, with its
bytecode in a place where no file can ever be. This module brings in next to nothing:
what is imported before it is not held to that. A service that is started with
PYTHONPYCACHEPREFIX set to NOWHERE needs no second beginning (docs/self-test.md).
"""

import os
import sys
import tomllib
from pathlib import Path
from typing import Final

NOWHERE: Final = "/dev/null/no-bytecode"
"""Below what is no folder nobody can put a file, not even the owner of the table."""

_OPTIONS: Final = ["-B", "-X", f"pycache_prefix={NOWHERE}"]
_LIVE: Final = "live"


def begin_from_sources(hardware_file: Path) -> None:
    """Begin this process again from sources, unless it did, if the table is a live one.

    It does not return then. The process keeps its number, and all it was given; of two
    places for bytecode Python takes the first.
    """
    has_begun_again = _OPTIONS[-1] in sys.orig_argv
    if has_begun_again or is_from_sources() or not _is_live(hardware_file):
        return
    again = [sys.executable, *_OPTIONS, *sys.orig_argv[1:]]
    os.execv(sys.executable, again)  # noqa: S606 - this very program, without a shell


def is_from_sources() -> bool:
    """Return whether Python looks for bytecode where none can be."""
    return sys.pycache_prefix == NOWHERE


def _is_live(hardware_file: Path) -> bool:
    """Return what a file says of its table; what is wrong with it says who loads it."""
    try:
        with hardware_file.open("rb") as opened:
            kind: object = tomllib.load(opened).get("kind")
    except (OSError, ValueError):
        return False
    return kind == _LIVE
