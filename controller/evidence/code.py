"""Which decision code is running, as a digest over its sources."""

import hashlib
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

_PACKAGES = ("controller.core", "controller.rulesets")


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return the SHA-256 over the sources that decide, in hex.

    Names and contents in order; a decision of another digest is folded by `verify`,
    not decided again.
    """
    found = hashlib.sha256()
    for package in _PACKAGES:
        for name, content in sorted(_sources(resources.files(package), package)):
            found.update(f"{name}\0{len(content)}\0".encode())
            found.update(content)
    return found.hexdigest()


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    sources: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__":
            sources += _sources(entry, path)
        elif entry.name.endswith((".py", ".toml")):
            sources.append((path, entry.read_bytes()))
    return sources
