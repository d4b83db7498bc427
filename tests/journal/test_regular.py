"""What has no end, or never begins, is refused before anybody waits for it."""

import os
from pathlib import Path

import pytest

from controller.journal.regular import require_regular


def test_a_file_is_taken_also_behind_a_link(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a key")
    require_regular(file)
    link = tmp_path / "link"
    link.symlink_to(file)
    require_regular(link)


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, words in (
        (pipe, "a device or a pipe"),
        (Path("/dev/zero"), "a device or a pipe"),
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "No such file"),
    ):
        with pytest.raises(OSError, match=words):
            require_regular(path)
