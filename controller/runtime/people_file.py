"""The file of people, written anew as a whole: never half, and for its owner alone."""

import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from controller.runtime.errors import PeopleFileError
from controller.runtime.people import Entry
from hw_config.fields import BARE_KEY

_MODE: Final = 0o600
_HEAD: Final = """\
# Who may do what at the table: kept by `tablectl people`, which leaves no other
# comments in it. No PIN can be read from it, but PINs can be tried out on it, so
# the file is for the user that runs the table alone.
"""


def text_of(listed: Mapping[str, Entry]) -> str:
    """Return the people as the file lists them, by id."""
    return _HEAD + "".join(
        "\n" + "\n".join(_lines(name, listed[name])) + "\n" for name in sorted(listed)
    )


def save(file: Path, listed: Mapping[str, Entry]) -> None:
    """Put these people in place of those in the file, which keeps its owner.

    Whoever reads it meanwhile gets the old ones or the new ones, also after a power
    cut.

    Raises:
        PeopleFileError: The system refused.

    """
    beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with _removed_on_failure(beside):
            _write(beside, text_of(listed), _owner_of(file))
            beside.replace(file)
        _sync(file.parent)
    except OSError as error:
        raise PeopleFileError(f"{file}: cannot be written: {error.strerror}") from error


def _lines(name: str, entry: Entry) -> Iterator[str]:
    key = name if BARE_KEY.fullmatch(name) else _quoted(name)
    yield f"[people.{key}]"
    yield f"role = {_quoted(entry.role.value)}"
    if entry.name:
        yield f"name = {_quoted(entry.name)}"
    if entry.pin:
        yield f"pin = {_quoted(entry.pin)}"


def _quoted(text: str) -> str:
    """Return a text as TOML quotes it; for printable text JSON does the same."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _owner_of(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_uid, found.st_gid


def _write(path: Path, text: str, owner: tuple[int, int] | None) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        os.fchmod(descriptor, _MODE)
        if owner is not None and owner != (os.geteuid(), os.getegid()):
            # An administrator edits it for the user that runs the table.
            os.fchown(descriptor, *owner)
        opened.write(text)
        opened.flush()
        os.fsync(descriptor)


def _sync(folder: Path) -> None:
    """Make the change of name last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise
