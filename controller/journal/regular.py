"""Files that end: of a device there may be no end, and a pipe may wait for ever."""

import errno
import os
import stat
from pathlib import Path


def require_regular(file: Path) -> None:
    """Refuse to read what is no regular file, before anybody waits for it.

    Raises:
        OSError: It is not there, or it is a folder, a device or a pipe.

    """
    mode = file.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    if not stat.S_ISREG(mode):
        words = "expected a file, found a device or a pipe"
        raise OSError(errno.EINVAL, words, str(file))
