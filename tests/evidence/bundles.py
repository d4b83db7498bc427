"""Bundles taken apart and packed again, as a forger does."""

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.evidence.bundle.check import check
from controller.evidence.errors import NoBundleError
from controller.journal.notes import PublicKey
from tests.evidence.documented import names_of, program

PROGRAM: Final = program("evidence.md")


def theirs(file: Path, trusted: PublicKey | None = None) -> set[str] | None:
    """Return what the program of the document says is not proved; None: not good."""
    line = trusted.line if trusted else None
    try:
        _, not_proved = names_of(PROGRAM)["check"](file, line)
    except Exception:  # noqa: BLE001 - whatever it raises, it did not say good
        return None
    assert isinstance(not_proved, set)
    return not_proved


def ours(file: Path, trusted: PublicKey | None = None) -> set[str] | None:
    """Return what we say is not proved; None: not good."""
    try:
        checked = check(file, trusted)
    except NoBundleError:
        return None
    return {each.what for each in checked.not_proved} if checked.good else None


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(file: Path, files: dict[str, bytes], *, anew: bool = True) -> Path:
    """Pack files again; `anew`: as a forger does who also writes the hashes anew."""
    files = dict(files)
    if anew:
        about = json.loads(files["bundle.json"])
        others = {name for name in files if name != "bundle.json"}
        about["files"] = {name: sha256(files[name]).hexdigest() for name in others}
        files["bundle.json"] = about_text(about)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    file.write_bytes(content.getvalue())
    return file


def about_text(about: object) -> bytes:
    """Write `bundle.json` in its form."""
    return json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"


def line_text(record: object) -> bytes:
    """Write a line of `records.jsonl`, or of an export, in its form."""
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def rehashed(files: dict[str, bytes], records: bytes) -> bytes:
    """Compute the hashes of changed records anew, with the document's own program."""
    namespace = names_of(PROGRAM)
    link = bytes.fromhex(json.loads(files["bundle.json"])["before_hash"])
    lines = []
    for line in records.splitlines():
        record = json.loads(line)
        columns = [each for each in namespace["COLUMNS"] if each != "hash"]
        items = (namespace["item"](record[column]) for column in columns)
        link = namespace["sha256"](link, *items)
        lines.append(line_text({**record, "hash": link.hex()}))
    return b"".join(lines)
