"""Disks that fill up: real ones of a few pages, where we may mount them."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

_PAGE = 4096


@contextlib.contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Mount a disk of that size (`256k`) in a new folder, or skip the test."""
    folder.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() != 0 or mount is None or umount is None:
        pytest.skip("mounting a small disk needs root and mount")
    made = subprocess.run(  # noqa: S603  # Our own words, no input.
        [mount, "-t", "tmpfs", "-o", f"size={size}", "table", str(folder)],
        check=False,
        capture_output=True,
    )
    if made.returncode != 0:
        pytest.skip("this machine does not let root mount a disk")
    try:
        yield folder
    finally:
        # Lazily: a program that a failed test left behind may still hold it.
        subprocess.run([umount, "-l", str(folder)], check=True)  # noqa: S603  # The same.


def fill(ballast: Path, spare_kib: int = 0) -> None:
    """Write until nothing more goes onto the disk, then leave so much free."""
    with contextlib.suppress(OSError), ballast.open("ab", buffering=0) as filling:
        while True:
            filling.write(bytes(_PAGE))
    os.truncate(ballast, ballast.stat().st_size - spare_kib * 1024)
