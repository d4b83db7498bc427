"""Making the bundle of one round."""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.ruleset_digest import canonical
from controller.evidence.bundle.contents import (
    ABOUT,
    FORMAT,
    HEAD,
    KEY,
    PAGE,
    README,
    RECORDS,
    ROUND,
    RULESET,
    SIGNED,
    About,
    in_its_form,
    line_in_its_form,
)
from controller.evidence.bundle.readme import readme
from controller.evidence.errors import RoundOpenError
from controller.evidence.page.page import page
from controller.evidence.reconstruct import replayed
from controller.evidence.record_line import line_of
from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.notes import PublicKey
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC
from controller.version import VERSION

_STATE: Final = str(ev.TableStateRecorded.__struct_config__.tag)
_MADE_AT: Final = (1980, 1, 1, 0, 0, 0)
"""A bundle says when things happened, not when it was packed: the same twice."""


def bundle(path: Path, number: int) -> bytes:
    """Return the bundle of a round that has ended, as the bytes of a zip file.

    The same round gives the same bytes.

    Raises:
        RoundOpenError: The round has not ended yet.
        RoundNotFoundError, JournalError: The journal has no such round, or cannot be
            read.

    """
    return _zipped(files_of(path, number))


def files_of(path: Path, number: int) -> dict[str, bytes]:
    """Return what a round's bundle holds: each file's content under its name.

    Raises:
        RoundOpenError: The round has not ended yet.
        RoundNotFoundError, JournalError: The journal has no such round, or cannot be
            read.

    """
    rows = reader.round_records(path, number)
    if rows[-1].type != _STATE:
        raise RoundOpenError(f"{path}: round {number} is still open; wait for its end")
    rules = _state(rows[-1]).state.rules
    proven = _of_the_round(rows)
    signed = proven[-1].type == SIGNED
    rebuilt = replayed(path, number)
    files: dict[str, bytes] = {
        RECORDS: b"".join(line_in_its_form(line_of(row)) for row in proven),
        # The very bytes that the round's records name by their digest.
        RULESET: canonical(rules),
        ROUND: _json(rebuilt.account),
        PAGE: page(rebuilt).encode(),
    }
    if signed:
        files[HEAD] = _head(proven[-1]).note.encode()
        files[KEY] = f"{_key_at(path, proven[-1].sequence).line}\n".encode()
    before = _before(path, proven[0])
    table = _table(path)
    files[README] = readme(table, number, signed=signed).encode()
    about = About(
        format=FORMAT,
        table=table,
        round=number,
        software=VERSION,
        before_sequence=before.sequence,
        before_hash=before.hash.hex(),
        records=len(proven),
        signed=signed,
        files={name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    )
    return {ABOUT: in_its_form(about), **files}


def _of_the_round(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Leave out the table's states: they know of other rounds, and count cards."""
    states = [at for at, row in enumerate(rows) if row.type == _STATE]
    first = states[-2] + 1 if len(states) > 1 else 0
    return rows[first : states[-1]]


def _state(row: Row) -> ev.TableStateRecorded:
    fact = CODEC.decode(row)
    assert isinstance(fact, ev.TableStateRecorded), "the type was looked at"
    return fact


def _head(row: Row) -> ev.HeadSigned:
    fact = CODEC.decode(row)
    assert isinstance(fact, ev.HeadSigned), "the type was looked at"
    return fact


def _key_at(path: Path, sequence: int) -> PublicKey:
    """Return the key that signed the head of that sequence."""
    (*_, named) = (r for r in reader.signing_keys(path) if r.sequence < sequence)
    fact = CODEC.decode(named)
    assert isinstance(fact, ev.SigningKeySet), "the type was asked for"
    return PublicKey.parse(fact.key)


def _before(path: Path, first: Row) -> Link:
    before = reader.record_at(path, first.sequence - 1)
    return GENESIS if before is None else Link(before.sequence, before.hash)


def _table(path: Path) -> str:
    opened = reader.record_at(path, 1)
    assert opened is not None, "the journal has a round"
    fact = CODEC.decode(opened)
    assert isinstance(fact, ev.JournalOpened), "a writer begins with nothing else"
    return fact.table


def _json(value: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def _zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MADE_AT), content)
    return packed.getvalue()
