"""Writing a file that was not there: never over another, never half of one."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from controller.cli.failures import MisuseError


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Give a new file to write to, which has its name only once it is whole.

    Until then it lies beside it as `.NAME.PID.part`; whatever ends the block early
    removes it again, and a program that is killed leaves only that.

    Raises:
        MisuseError: there is a file already, or it cannot be written.
    """
    if os.path.lexists(path):
        raise _taken(path)
    part = part_of(path)
    try:
        opened = part.open("xb")
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        with opened:
            yield opened
        _name(part, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise _not_written(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def part_of(path: Path) -> Path:
    """Return where a file lies while this program writes it."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _name(part: Path, path: Path) -> None:
    """Give a whole file its name, unless another has taken it meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:
        # A disk without hard links, such as a stick: it is the best that it can do.
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        part.rename(path)


def _taken(path: Path) -> MisuseError:
    return MisuseError(f"{path}: expected no file there; name another")


def _not_written(path: Path, error: OSError) -> MisuseError:
    return MisuseError(f"{path}: cannot be written: {error.strerror}")
