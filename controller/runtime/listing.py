"""Files with their SHA-256, written as `sha256sum` writes them.

So that anybody can make the same list, and the digest over it, with ordinary tools and
without this program (docs/self-test.md).
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

UNREADABLE: Final = "unreadable"
"""What stands where the digest of a file would, if the file is gone or not ours."""

NO_SOURCES: Final = frozenset({"__pycache__"})
"""Folders that are made from others: a live table reads none of them."""

Files = Mapping[str, Path]
"""Files by the names under which they are listed."""


def files_below(
    folder: Path,
    prefix: str,
    left_out: frozenset[str] = NO_SOURCES,
    wanted: Callable[[str], bool] = lambda _: True,
) -> Iterator[tuple[str, Path]]:
    """Yield every file in a folder, by its name below it with `prefix` before.

    Links are followed, as an import follows them, a folder that contains itself once.
    Folders of the names `left_out` are not looked into; `wanted` chooses among names.
    """
    seen: set[tuple[int, int]] = set()
    for here, folders, names in os.walk(folder, followlinks=True):
        status = os.stat(here)  # noqa: PTH116 - os.walk gives text
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = [name for name in folders if name not in left_out]
        for name in filter(wanted, names):
            file = Path(here, name)
            if file.is_file() or file.is_symlink():
                yield prefix + file.relative_to(folder).as_posix(), file


def listing(files: Files) -> bytes:
    """Return a line for each file, in the order of the names' bytes."""
    names = sorted(files, key=os.fsencode)
    return b"".join(_line(file_digest(files[name]), name) for name in names)


def digest_of_lines(lines: bytes) -> str:
    """Return the SHA-256, in hex, over such lines."""
    return hashlib.sha256(lines).hexdigest()


def digest_lines(digests: Iterable[tuple[str, str]]) -> bytes:
    """Return lines of names with digests that are known already, in this order."""
    return b"".join(_line(digest, name) for name, digest in digests)


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file, in hex; a word where it cannot be read."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return UNREADABLE


def _line(digest: str, name: str) -> bytes:
    """Return a line as sha256sum does: a name of several lines stays on one."""
    shown = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    mark = "\\" if shown != name else ""
    return os.fsencode(f"{mark}{digest}  {shown}\n")
