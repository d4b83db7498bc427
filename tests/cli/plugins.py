"""Installed packages that announce commands, made for one test."""

from pathlib import Path

import pytest


def announce(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, source: str
) -> None:
    """Install a package whose module `NAME_commands` holds its table `COMMANDS`."""
    package = folder / name
    metadata = package / f"{name}-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
    )
    (metadata / "entry_points.txt").write_text(
        f"[tablectl.commands]\n{name} = {name}_commands:COMMANDS\n"
    )
    (package / f"{name}_commands.py").write_text(source)
    monkeypatch.syspath_prepend(str(package))
