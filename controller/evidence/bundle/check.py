"""Checking the bundle of a round, with nothing but the file and perhaps a key."""

import hashlib
import io
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from controller.core.commitment import commitment
from controller.evidence.bundle.contents import (
    ABOUT,
    FORMAT,
    HEAD,
    KEY,
    MEMBERS,
    MEMBERS_SIGNED,
    RECORDS,
    SIGNED,
    About,
    body_of,
    in_its_form,
    line_in_its_form,
)
from controller.evidence.bundle.extent import wrong_extent
from controller.evidence.bundle.proof import (
    NotProved,
    compared,
    told_only,
    wrong_ruleset,
)
from controller.evidence.errors import AlteredBundleError, NoBundleError
from controller.evidence.record_line import Line
from controller.journal.chain import Link, record_hash
from controller.journal.errors import NoteError
from controller.journal.heads import Head
from controller.journal.notes import Note, PublicKey

_SIZE_MAX: Final = 64 * 1024 * 1024
"""No round is so long; a zip file may claim anything."""

_HEAD_VERSION: Final = 1
_MALFORMED: Final = (
    NoteError,
    msgspec.DecodeError,
    ValueError,
    # An integer that no column holds, and a body that nests without end.
    struct.error,
    RecursionError,
)


class _Shown(msgspec.Struct, frozen=True):
    """What a record says of a card that was hidden, and is shown by it."""

    salt: str
    card: str


class Checked(msgspec.Struct, frozen=True):
    """What a bundle is of, and everything that is wrong with it.

    `table`, `round` and `records` are None where the file does not say. `key` is the
    line of the key that signed it, empty where nobody did. `not_proved` is what may be
    another than the table's although nothing is wrong.
    """

    table: str | None
    round: int | None
    records: int | None
    key: str
    problems: tuple[str, ...]
    not_proved: tuple[NotProved, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check(
    file: Path, trusted: PublicKey | None = None, against: Path | None = None
) -> Checked:
    """Check a bundle; with `trusted`, that this key signed it.

    With `against`, that the journal there gives every file of it again.

    Raises:
        NoBundleError: The file is none.
        JournalError, RoundOpenError: The journal cannot be read, or has no such round.

    """
    return check_content(file, _read(file), trusted, against)


def check_content(
    file: Path,
    content: bytes,
    trusted: PublicKey | None = None,
    against: Path | None = None,
) -> Checked:
    """Check what a file holds, or shall hold, as `check` does.

    Raises:
        NoBundleError: It is no bundle.
        JournalError, RoundOpenError: The journal cannot be read, or has no such round.

    """
    try:
        files = _unpacked(file, content)
        about = _about(files)
    except AlteredBundleError as error:
        return Checked(None, None, None, "", (str(error),))
    problems = [*_wrong_files(about, files)]
    not_proved: tuple[NotProved, ...] = ()
    if not problems:
        try:
            lines = _lines(files)
            problems = [*_wrong_records(about, files, lines, trusted)]
            problems += wrong_ruleset(files, lines)
            not_proved = tuple(told_only(about, lines, trusted))
        except _MALFORMED as error:
            problems = [f"a file is malformed: {error}"]
    if against is not None and not problems:
        problems, not_proved = compared(about, files, against, not_proved)
    key = files.get(KEY, b"").decode(errors="replace").strip()
    return Checked(
        about.table,
        about.round,
        about.records,
        key,
        tuple(problems),
        not_proved if not problems else (),
    )


def _unpacked(file: Path, content: bytes) -> dict[str, bytes]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception as error:
        # What zipfile raises for bytes that were changed is of many kinds.
        raise NoBundleError(f"{file}: expected a zip file: {error}") from error
    members = archive.infolist()
    names = {member.filename for member in members}
    if len(names) != len(members):
        raise AlteredBundleError("expected each file once, found one of them twice")
    size = sum(member.file_size for member in members)
    if size > _SIZE_MAX:
        raise AlteredBundleError(
            f"expected at most {_SIZE_MAX} bytes of files, it claims to hold {size}"
        )
    beside = len(content) - _packed_size(members)
    if beside:
        raise AlteredBundleError(
            f"expected its files and nothing beside them, found {beside} bytes more"
        )
    try:
        return {name: archive.read(name) for name in names}
    except Exception as error:
        # And so is what it and zlib raise here.
        raise AlteredBundleError(f"a file cannot be unpacked: {error}") from error


def _packed_size(members: list[zipfile.ZipInfo]) -> int:
    """Return how many bytes a zip file of these has: no comment, nothing else in it.

    Each has a header of 30 bytes and one of 46, both with its name (APPNOTE 4.3.7 and
    4.3.12); at the end stand 22 bytes (4.3.16).
    """
    return 22 + sum(
        30 + 46 + 2 * len(member.filename.encode()) + member.compress_size
        for member in members
    )


def _read(file: Path) -> bytes:
    """Return what a regular file holds: of a device, there may be no end."""
    try:
        found = file.stat()
        if stat.S_ISREG(found.st_mode) and found.st_size <= _SIZE_MAX:
            return file.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise NoBundleError(f"{file}: cannot be read: {reason}") from error
    raise NoBundleError(
        f"{file}: expected a regular file of at most {_SIZE_MAX} bytes; name the file "
        "that tablectl evidence made"
    )


def _about(files: dict[str, bytes]) -> About:
    if ABOUT not in files:
        raise AlteredBundleError(f"{ABOUT} is missing")
    try:
        about = msgspec.json.decode(files[ABOUT], type=About)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AlteredBundleError(f"{ABOUT} is malformed: {error}") from error
    if files[ABOUT] != in_its_form(about):
        # A name that is there twice, say, of which each reader takes another one.
        raise AlteredBundleError(f"{ABOUT} is not in the form in which it is written")
    if about.format != FORMAT:
        raise AlteredBundleError(
            f"expected format {FORMAT}, found {about.format}; use the software that "
            "knows it"
        )
    return about


def _wrong_files(about: About, files: dict[str, bytes]) -> Iterator[str]:
    expected = MEMBERS | (MEMBERS_SIGNED if about.signed else frozenset())
    found = files.keys() - {ABOUT}
    for name in sorted(found | about.files.keys() | expected):
        if name not in found:
            yield f"{name} is missing"
        elif name not in about.files or name not in expected:
            yield f"{name} does not belong to the bundle"
        elif hashlib.sha256(files[name]).hexdigest() != about.files[name]:
            yield f"{name} is not what was packed"


def _lines(files: dict[str, bytes]) -> list[Line]:
    lines = []
    for number, text in enumerate(files[RECORDS].splitlines(keepends=True), 1):
        line = msgspec.json.decode(text, type=Line)
        if text != line_in_its_form(line):
            raise ValueError(f"line {number} of {RECORDS} is not in the form of one")
        lines.append(line)
    return lines


def _wrong_records(
    about: About,
    files: dict[str, bytes],
    lines: list[Line],
    trusted: PublicKey | None,
) -> Iterator[str]:
    if len(lines) != about.records or not lines:
        yield f"expected {about.records} records, found {len(lines)}"
        return
    link = Link(about.before_sequence, bytes.fromhex(about.before_hash))
    before = link
    for line in lines:
        before = link
        if line.sequence != link.sequence + 1:
            yield f"expected record {link.sequence + 1}, found {line.sequence}"
            return
        values = msgspec.structs.astuple(line)[:-1]
        link = Link(line.sequence, record_hash(link.hash, *values))
        if link.hash.hex() != line.hash:
            yield f"record {line.sequence} does not match its hash"
            return
        if line.clock_synchronised not in {0, 1}:
            yield f"record {line.sequence} says neither 0 nor 1 of its clock"
    yield from wrong_extent(about, lines)
    yield from _wrong_cards(about, lines)
    if about.signed is not (lines[-1].type == SIGNED):
        yield f"signed: {about.signed}, but the last record is {lines[-1].type}"
    if about.signed:
        yield from _wrong_head(about, files, lines[-1], before)
    if trusted is not None and not (about.signed and _key(files) == trusted):
        yield f"it is not signed by the key {trusted.line}"


def _key(files: dict[str, bytes]) -> PublicKey | None:
    if KEY not in files:
        return None
    key = PublicKey.parse(files[KEY].decode())
    if files[KEY] != f"{key.line}\n".encode():
        raise NoteError(f"{KEY}: expected one line")
    return key


def _wrong_head(
    about: About, files: dict[str, bytes], last: Line, before: Link
) -> Iterator[str]:
    text, key = files.get(HEAD, b"").decode(), _key(files)
    note = Note.parse(text)
    if key is None or not note.is_signed_by(key):
        yield "the head is not signed by the key in the bundle"
    if Head.parse(note.text) != Head(about.table, before, last.recorded_at):
        yield "the head that was signed is another"
    if len(note.signatures) != 1:
        yield f"expected one signature, found {len(note.signatures)}"
    if last.type != SIGNED or body_of(last) != {"note": text}:
        yield f"record {last.sequence} is not this head"
    if (last.cause, last.round, last.spot) != (None, None, None):
        yield f"record {last.sequence} has a cause, round or spot; no head has one"
    if last.version != _HEAD_VERSION:
        yield f"expected a head of version {_HEAD_VERSION}, found {last.version}"


def _wrong_cards(about: About, lines: list[Line]) -> Iterator[str]:
    """Hold each shown card against what it was bound to, if that was in this round."""
    promised: dict[int, str] = {}
    for line in lines:
        body = body_of(line)
        number = body.get("number")
        if type(number) is not int:
            continue
        if body.get("commitment"):
            promised[number] = body["commitment"]
        elif body.get("salt") and number in promised:
            shown = msgspec.convert(body, _Shown)
            salt = bytes.fromhex(shown.salt)
            bound = commitment(salt, about.table, about.round, number, shown.card)
            if bound.hex() != promised[number]:
                yield f"record {line.sequence} shows card {number} as another"
