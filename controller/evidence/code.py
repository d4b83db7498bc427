"""Which program decides: a digest of the sources that a decision depends on.

It stands in a journal's first record and at each start, so that `verify --replay`
compares decisions only with those of the same program.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import controller.core
import controller.rulesets

_SOURCES = ("*.py", "*.toml")


@cache
def code_digest() -> str:
    """Return the SHA-256, in hex, over the core and the shipped rulesets."""
    folders = (*controller.core.__path__, *controller.rulesets.__path__)
    return digest_of(Path(folder) for folder in folders)


def digest_of(folders: Iterable[Path]) -> str:
    """Return the SHA-256, in hex, over the sources in some folders.

    For each file, in the order of names: its name below the folder and its
    content, each with its length in 8 bytes before it, so that nothing can move
    from one to the other. Compiled files and caches are no sources.
    """
    hashed = hashlib.sha256()
    for folder in folders:
        for name, file in sorted(_files(folder)):
            for part in (name.encode(), file.read_bytes()):
                hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()


def _files(folder: Path) -> list[tuple[str, Path]]:
    found = [file for pattern in _SOURCES for file in folder.rglob(pattern)]
    return [
        (f"{folder.name}/{file.relative_to(folder).as_posix()}", file) for file in found
    ]
