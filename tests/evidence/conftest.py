"""Where the tests of the evidence keep their journals, and the ones that they share.

A journal waits for the disk at every commit, and these tests would mostly wait. They
read what was written; that it is written safely is for tests/journal to show.
"""

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from tests.evidence.recorded import write

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - the folders made in it are ours alone
ROOM_BYTES: Final = 256 * 1024 * 1024


@cache
def memory() -> Path | None:
    """Return where files need no disk, None where there is no such place with room."""
    there = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    return MEMORY if there else None


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder for one test, in memory."""
    with TemporaryDirectory(dir=memory()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def journal_of() -> Iterator[Callable[[Path], Path]]:
    """Return what gives the journal of a scenario's file; it is for reading only."""
    with TemporaryDirectory(dir=memory()) as folder:

        @cache
        def written(scenario: Path) -> Path:
            name = "-".join(scenario.with_suffix(".journal").parts)
            return write(Path(folder, name), scenario.read_text(encoding="utf-8"))

        yield written
