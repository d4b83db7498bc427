"""Writing a page to a file: over an earlier page, and over nothing else."""

import os
from pathlib import Path
from typing import Final

from controller.cli.failures import MisuseError
from controller.cli.new_file import part_of

_BESIDE: Final = ("-wal", "-shm", "-journal", "-lock")
_OF_A_JOURNAL: Final = (
    "",
    ".heads",
    ".escrow",
    *_BESIDE,
    *(f".escrow{suffix}" for suffix in _BESIDE),
)
_BEGINS: Final = b"<!doctype html"


def write_page(page: Path, text: str, journal: Path) -> None:
    """Write a page, whole or not at all.

    Raises:
        MisuseError: the file belongs to the journal, or is there and no page, or
            cannot be written.
    """
    try:
        if page.exists() and not page.is_file():
            # A device or a pipe, such as the standard output, has no other beside it,
            # and no name that it could be found under.
            page.write_text(text, encoding="utf-8")
            return
        file = Path(os.path.realpath(page))
        _require_not_the_journals(page, file, Path(os.path.realpath(journal)))
        _require_a_page(page, file)
        _replace(file, text)
    except OSError as error:
        raise MisuseError(f"{page}: cannot be written: {error.strerror}") from error


def _require_not_the_journals(page: Path, file: Path, journal: Path) -> None:
    if file == journal or (file.exists() and file.samefile(journal)):
        raise MisuseError(f"{page}: this is the journal; name another file")
    if file in {journal.with_name(journal.name + end) for end in _OF_A_JOURNAL}:
        raise MisuseError(f"{page}: this belongs to the journal; name another file")


def _require_a_page(page: Path, file: Path) -> None:
    if not file.exists():
        return
    with file.open("rb") as opened:
        begins = opened.read(len(_BEGINS))
    if begins.lower() != _BEGINS:
        raise MisuseError(
            f"{page}: expected no file there or an earlier page, found another file; "
            "name another"
        )


def _replace(file: Path, text: str) -> None:
    part = part_of(file)
    try:
        with part.open("x", encoding="utf-8") as opened:
            opened.write(text)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
