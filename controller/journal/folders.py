"""The names in a folder, which a power cut can lose as well as what is in the files."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Let the names in a folder outlast a power cut.

    Raises:
        OSError: The folder is not there, or its disk fails.

    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
