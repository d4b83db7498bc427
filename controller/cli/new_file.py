"""Writing a file that was not there: never over another, never half of one."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from controller.cli.failures import MisuseError


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Give a new file to write to; whatever ends the block early removes it again.

    Raises:
        MisuseError: there is a file already, or it cannot be written.
    """
    try:
        opened = path.open("xb")
    except FileExistsError:
        raise MisuseError(f"{path}: expected no file there; name another") from None
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        with opened:
            yield opened
    except BaseException as error:
        path.unlink()
        if isinstance(error, OSError):
            raise _not_written(path, error) from error
        raise


def _not_written(path: Path, error: OSError) -> MisuseError:
    return MisuseError(f"{path}: cannot be written: {error.strerror}")
