"""A round in a file: checked by us and by a program that shares no code with us."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from controller.evidence.bundle.check import check
from controller.evidence.bundle.write import bundle
from controller.evidence.errors import NoBundleError, RoundOpenError
from controller.journal.errors import RoundNotFoundError
from controller.journal.notes import PublicKey, SecretKey
from simulators.rigs.scenario.core_table import TABLE
from tests.evidence.documented import names_of, program
from tests.evidence.recorded import write

KEY: Final = SecretKey.new(TABLE)
OTHER: Final = SecretKey.new(TABLE)

ROUNDS: Final = """
bet 1 25
dealer deal
card Th 9s 9d 8d
press 1 stand
dealer pickup
bet 1 50
dealer deal
card 2c 5h 3c Kd
press 1 stand
card 2d
dealer pickup
bet 1 75
"""


PROGRAM: Final = program("evidence.md")


def theirs(file: Path, trusted: PublicKey | None = None) -> bool:
    """Return what the program of the document says."""
    namespace = names_of(PROGRAM)
    try:
        namespace["check"](file, trusted.line if trusted else None)
    except Exception:  # noqa: BLE001 - whatever it raises, it did not say good
        return False
    return True


def ours(file: Path, trusted: PublicKey | None = None) -> bool:
    try:
        return check(file, trusted).good
    except NoBundleError:
        return False


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("signed") / "j", ROUNDS, key=KEY)


@pytest.fixture
def file(journal: Path, tmp_path: Path) -> Path:
    file = tmp_path / "round-2.zip"
    file.write_bytes(bundle(journal, 2))
    return file


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
        files["bundle.json"] = json.dumps(about).encode()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    file.write_bytes(content.getvalue())
    return file


# --- What is good -----------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_in_a_file_is_good_to_both(
    journal: Path, tmp_path: Path, number: int
) -> None:
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(journal, number))
    checked = check(file, KEY.public)
    assert checked.problems == ()
    assert (checked.table, checked.round) == (TABLE, number)
    assert checked.key == KEY.public.line
    assert theirs(file, KEY.public)
    assert not ours(file, OTHER.public)
    assert not theirs(file, OTHER.public)


def test_the_same_round_gives_the_same_file(journal: Path) -> None:
    assert bundle(journal, 2) == bundle(journal, 2)


def test_without_a_signature_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(write(tmp_path / "j", ROUNDS), 1))
    assert check(file).good
    assert check(file).key == ""
    assert theirs(file)
    assert not ours(file, KEY.public)
    assert not theirs(file, KEY.public)
    assert "was not signed" in members(file)["README.txt"].decode()


def test_it_holds_nothing_of_other_rounds(journal: Path) -> None:
    """Cards, wagers and the count of the shoe: only those of this round."""
    text = b"".join(
        content
        for name, content in members_of(bundle(journal, 2)).items()
        if name != "README.txt"
    ).decode()
    for card in ("Th", "9s", "9d", "8d"):
        assert f'"{card}"' not in text
        assert f'\\"{card}\\"' not in text
    for cents in ("2500", "7500"):
        assert f'_cents\\":{cents},' not in text
    assert '_cents\\":5000,' in text
    assert "table_state" not in text


def members_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_next_rounds_hole_card_changes_no_byte_of_it(tmp_path: Path) -> None:
    """Two journals that differ in a card that is still face down."""
    files = [
        bundle(
            write(tmp_path / hole, f"{ROUNDS}dealer deal\ncard 4c 6h 5c {hole}\n"), 2
        )
        for hole in ("7d", "Qd")
    ]
    assert files[0] == files[1]


def test_an_open_round_is_no_evidence_yet(journal: Path) -> None:
    with pytest.raises(RoundOpenError, match="round 3 is still open"):
        bundle(journal, 3)
    with pytest.raises(RoundNotFoundError):
        bundle(journal, 4)


# --- What was changed -------------------------------------------------------------


def altered_records(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    lines = files["records.jsonl"].splitlines(keepends=True)
    for at, line in enumerate(lines):
        record = json.loads(line)
        for column, value in record.items():
            changed = {**record, column: other(value)}
            put = [*lines[:at], json.dumps(changed).encode() + b"\n", *lines[at + 1 :]]
            yield f"record {at} {column}", {**files, "records.jsonl": b"".join(put)}
        without = [*lines[:at], *lines[at + 1 :]]
        yield f"record {at} removed", {**files, "records.jsonl": b"".join(without)}
        twice = [*lines[:at], line, *lines[at:]]
        yield f"record {at} twice", {**files, "records.jsonl": b"".join(twice)}


def altered_about(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    about = json.loads(files["bundle.json"])
    for key in about.keys() - {"software", "files"}:
        changed = {**about, key: other(about[key])}
        yield f"bundle {key}", {**files, "bundle.json": json.dumps(changed).encode()}


def altered_proof(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    for name in ("head.note", "key.pub"):
        content = files[name]
        for at in range(len(content)):
            put = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
            yield f"{name} byte {at}", {**files, name: put}
        yield f"{name} away", {n: c for n, c in files.items() if n != name}
    yield "another key", {**files, "key.pub": OTHER.public.line.encode() + b"\n"}


def other(value: object) -> object:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            first = "0" if value[:1] != "0" else "1"
            return first + value[1:]
        case _:
            return 7


@pytest.mark.parametrize(
    "alter", [altered_records, altered_about, altered_proof], ids=lambda f: f.__name__
)
def test_no_change_stays_unseen_by_either(
    file: Path,
    tmp_path: Path,
    alter: Callable[[dict[str, bytes]], Iterator[tuple[str, dict[str, bytes]]]],
) -> None:
    good = members(file)
    count = 0
    for what, files in alter(good):
        changed = packed(tmp_path / "changed.zip", files)
        assert not ours(changed, KEY.public), what
        assert not theirs(changed, KEY.public), what
        count += 1
    assert count > 5


def test_no_member_is_changed_added_or_taken_without_its_hash(
    file: Path, tmp_path: Path
) -> None:
    good = members(file)
    for name in good:
        without = {n: c for n, c in good.items() if n != name}
        changed = {**good, name: good[name] + b" "}
        for files in (without, changed, {**good, "more.txt": b"more"}):
            if files is changed and name == "bundle.json":
                continue  # JSON with a space more says the same.
            made = packed(tmp_path / "changed.zip", files, anew=False)
            assert not ours(made, KEY.public), name
            assert not theirs(made, KEY.public), name


def test_a_hidden_card_that_is_shown_as_another_is_seen(tmp_path: Path) -> None:
    """By a forger who computes all hashes anew, where nobody signed."""
    unsigned = write(tmp_path / "j", ROUNDS)
    files = members_of(bundle(unsigned, 2))
    forged = files["records.jsonl"].replace(
        rb'hole_card_revealed","version":1,"body":"{\"number\":8,\"card\":\"Kd\"',
        rb'hole_card_revealed","version":1,"body":"{\"number\":8,\"card\":\"Qd\"',
    )
    assert forged != files["records.jsonl"]
    files["records.jsonl"] = rehashed(files, forged)
    made = packed(tmp_path / "forged.zip", files)
    (problem,) = check(made).problems
    assert "shows card 8 as another" in problem
    assert not theirs(made)


def rehashed(files: dict[str, bytes], records: bytes) -> bytes:
    """Compute the hashes of changed records anew, with the document's own program."""
    namespace = names_of(PROGRAM)
    link = bytes.fromhex(json.loads(files["bundle.json"])["before_hash"])
    lines = []
    for line in records.splitlines():
        record = json.loads(line)
        items = (namespace["item"](record[column]) for column in namespace["COLUMNS"])
        link = namespace["sha256"](link, *items)
        lines.append(json.dumps({**record, "hash": link.hex()}).encode() + b"\n")
    return b"".join(lines)


# --- What is no bundle ------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "a zip file"),
        (b"no zip file at all", "a zip file"),
        (members_of, "bundle.json, found none"),
        (b'{"format": 2}', "bundle.json"),
    ],
)
def test_what_is_no_bundle_is_said(
    tmp_path: Path, content: object, expected: str
) -> None:
    file = tmp_path / "round.zip"
    if content is members_of:
        packed(file, {"README.txt": b""}, anew=False)
    elif content == b'{"format": 2}':
        packed(file, {"bundle.json": b'{"format": 2}'}, anew=False)
    else:
        assert isinstance(content, bytes)
        file.write_bytes(content)
    with pytest.raises(NoBundleError, match=expected):
        check(file)
    assert not theirs(file)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoBundleError, match="cannot be read: No such file"):
        check(tmp_path / "none.zip")


def test_a_file_with_changed_bytes_never_ends_in_a_traceback(
    file: Path, tmp_path: Path
) -> None:
    content = file.read_bytes()
    changed = tmp_path / "changed.zip"
    for at in range(0, len(content), 37):
        changed.write_bytes(
            content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]
        )
        ours(changed)
