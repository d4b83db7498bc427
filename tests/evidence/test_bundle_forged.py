"""Bundles as somebody forges them who can compute hashes; both checks say the same."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from controller.evidence.bundle.check import check
from controller.evidence.bundle.write import bundle
from controller.journal.notes import SecretKey
from simulators.rigs.scenario.core_table import TABLE
from tests.evidence.bundles import (
    about_text,
    line_text,
    members,
    ours,
    packed,
    rehashed,
    theirs,
)
from tests.evidence.recorded import write

KEY: Final = SecretKey.new(TABLE)
ROUND: Final = """
bet 1 25
dealer deal
card Th 9s 9d 8d
press 1 stand
dealer pickup
"""
Fields = dict[str, Any]


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of a second round that was signed."""
    return _second_round(tmp_path_factory.mktemp("signed"), KEY)


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return _second_round(tmp_path_factory.mktemp("unsigned"), None)


def _second_round(folder: Path, key: SecretKey | None) -> dict[str, bytes]:
    file = folder / "round.zip"
    file.write_bytes(bundle(write(folder / "j", ROUND * 2, key=key), 2))
    return members(file)


def records_of(files: dict[str, bytes]) -> list[Fields]:
    return [json.loads(line) for line in files["records.jsonl"].splitlines()]


def with_records(files: dict[str, bytes], records: list[Fields]) -> dict[str, bytes]:
    """Return the files with other records, their hashes computed anew."""
    text = b"".join(map(line_text, records))
    return {**files, "records.jsonl": rehashed(files, text)}


def with_about(files: dict[str, bytes], **changed: object) -> dict[str, bytes]:
    about = json.loads(files["bundle.json"])
    return {**files, "bundle.json": about_text({**about, **changed})}


def refused_by_both(file: Path) -> bool:
    return ours(file) is None and theirs(file) is None


# --- Where a round begins and ends ------------------------------------------------


def beginning_at(files: dict[str, bytes], first: int) -> dict[str, bytes]:
    """Cut records off at the beginning; the chain of the others still fits."""
    lines = files["records.jsonl"].splitlines(keepends=True)
    before = json.loads(lines[first - 1])
    cut = {**files, "records.jsonl": b"".join(lines[first:])}
    return with_about(
        cut,
        before_sequence=before["sequence"],
        before_hash=before["hash"],
        records=len(lines) - first,
    )


def test_a_round_whose_beginning_was_cut_off_is_never_proved(
    signed: dict[str, bytes], tmp_path: Path
) -> None:
    types = [record["type"] for record in records_of(signed)]
    deal = types.index("bets_closed")
    assert deal > 1
    for first in range(1, len(types)):
        file = packed(tmp_path / "cut.zip", beginning_at(signed, first))
        if first > deal:
            assert refused_by_both(file), first
        else:
            told, same = ours(file, KEY.public), theirs(file, KEY.public)
            assert told == same
            assert told is not None
            assert "where the round begins" in told, first


def test_a_head_alone_is_not_any_round(
    signed: dict[str, bytes], tmp_path: Path
) -> None:
    head = beginning_at(signed, len(records_of(signed)) - 1)
    file = packed(tmp_path / "head.zip", with_about(head, round=5))
    assert check(file).problems == (
        "the records are not all of round 5, from DEAL to its end",
    )
    assert theirs(file) is None


@pytest.mark.parametrize("type_", ["bets_closed", "round_closed"])
def test_a_rounds_edge_says_its_number(
    unsigned: dict[str, bytes], tmp_path: Path, type_: str
) -> None:
    for changed in ({"round": None}, {"type": "play_opened"}, {"body": "{}"}):
        records = [
            record | (changed if record["type"] == type_ else {})
            for record in records_of(unsigned)
        ]
        file = packed(tmp_path / "forged.zip", with_records(unsigned, records))
        assert refused_by_both(file), changed


def test_an_undone_deal_is_a_round_too(tmp_path: Path) -> None:
    undone = "bet 1 10\ndealer deal\ndealer undo-deal\n"
    journal = write(tmp_path / "j", undone, key=KEY)
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(journal, 1))
    assert check(file, KEY.public).problems == ()
    assert ours(file) == theirs(file)


# --- Records that no table writes -------------------------------------------------


@pytest.mark.parametrize("body", ["[]", "null", "1", "[" * 100_000])
def test_a_body_that_is_no_object_is_not_good(
    unsigned: dict[str, bytes], tmp_path: Path, body: str
) -> None:
    first, *others = records_of(unsigned)
    forged = with_records(unsigned, [{**first, "body": body}, *others])
    file = packed(tmp_path / "forged.zip", forged)
    (problem,) = check(file).problems
    assert problem.startswith("a file is malformed: ")
    assert theirs(file) is None


@pytest.mark.parametrize("column", ["sequence", "monotonic_ns", "cause", "version"])
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 2**70])
def test_an_integer_that_no_column_holds_is_not_good(
    unsigned: dict[str, bytes], tmp_path: Path, column: str, value: int
) -> None:
    records = records_of(unsigned)
    records[0][column] = value
    text = b"".join(map(line_text, records))
    file = packed(tmp_path / "forged.zip", {**unsigned, "records.jsonl": text})
    assert len(check(file).problems) == 1
    assert theirs(file) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"cause": 1},
        {"round": 2},
        {"spot": 1},
        {"version": 2},
        {"version": True},
        {"clock_synchronised": 2},
        {"clock_synchronised": "x"},
        {"clock_synchronised": True},
        {"boot_id": None},
    ],
)
def test_the_last_heads_own_record_is_as_a_table_writes_it(
    signed: dict[str, bytes], tmp_path: Path, changed: Fields
) -> None:
    *others, head = records_of(signed)
    text = line_text({**head, **changed})
    lines = signed["records.jsonl"].splitlines(keepends=True)
    forged = {**signed, "records.jsonl": b"".join(lines[:-1]) + text}
    if True not in changed.values():
        forged = with_records(signed, [*others, {**head, **changed}])
    assert refused_by_both(packed(tmp_path / "forged.zip", forged))


def test_what_the_last_head_says_of_clocks_is_not_proved(
    signed: dict[str, bytes], tmp_path: Path
) -> None:
    *others, head = records_of(signed)
    for changed in ({"boot_id": "x"}, {"monotonic_ns": 1}, {"clock_synchronised": 0}):
        forged = with_records(signed, [*others, {**head, **changed}])
        file = packed(tmp_path / "forged.zip", forged)
        told = ours(file, KEY.public)
        assert told == theirs(file, KEY.public)
        assert told is not None
        assert "the last record's clocks" in told


# --- What it says of itself -------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        {"software": None},
        {"software": 1},
        {"format": True},
        {"format": 2},
        {"round": True},
        {"round": 2**70},
        {"round": 0},
        {"before_sequence": 0},
        {"more": 1},
    ],
)
def test_bundle_json_has_its_fields_as_they_are_told(
    unsigned: dict[str, bytes], tmp_path: Path, changed: Fields
) -> None:
    file = packed(tmp_path / "forged.zip", with_about(unsigned, **changed))
    assert len(check(file).problems) == 1
    assert theirs(file) is None


def test_bundle_json_has_all_its_fields(
    unsigned: dict[str, bytes], tmp_path: Path
) -> None:
    about = json.loads(unsigned["bundle.json"])
    for name in about.keys() - {"files"}:
        less = {key: value for key, value in about.items() if key != name}
        forged = {**unsigned, "bundle.json": about_text(less)}
        assert refused_by_both(packed(tmp_path / "forged.zip", forged)), name


def test_a_byte_order_mark_is_not_json(
    unsigned: dict[str, bytes], tmp_path: Path
) -> None:
    forged = {**unsigned, "bundle.json": b"\xef\xbb\xbf" + unsigned["bundle.json"]}
    assert refused_by_both(packed(tmp_path / "forged.zip", forged, anew=False))


def test_a_head_with_a_second_signature_is_refused_by_both(
    signed: dict[str, bytes], tmp_path: Path
) -> None:
    *others, head = records_of(signed)
    note = signed["head.note"].decode()
    more = note + note.rpartition("\n\n")[2]
    body = json.dumps({"note": more}, separators=(",", ":"))
    forged = with_records(signed, [*others, {**head, "body": body}])
    forged["head.note"] = more.encode()
    assert refused_by_both(packed(tmp_path / "forged.zip", forged))


# --- Said otherwise, and said beside it ---------------------------------------------

FORGED: Final = (
    b'{"type":"card_dealt","body":"{\\"hand\\":\\"1\\",\\"card\\":\\"As\\"}",'
)
OTHER_FORMS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "a name twice": lambda text: text.replace(b"{", FORGED, 1),
    "a space in front": lambda text: b" " + text,
    "a space inside": lambda text: text.replace(b":", b": ", 1),
    "the end of another system": lambda text: text.replace(b"\n", b"\r\n", 1),
    "no end": lambda text: text[:-1],
    "an empty line": lambda text: text + b"\n",
    "escaped": lambda text: text.replace(b"card_dealt", b"card\\u005fdealt", 1),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_records_in_another_form_are_refused_by_both(
    signed: dict[str, bytes], tmp_path: Path, form: str
) -> None:
    records = OTHER_FORMS[form](signed["records.jsonl"])
    assert records != signed["records.jsonl"]
    file = packed(tmp_path / "b", {**signed, "records.jsonl": records})
    assert ours(file, KEY.public) is None
    assert theirs(file, KEY.public) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(b"{", b'{"round":77,', 1),
        lambda text: text.replace(b"\n", b"", 1),
        lambda text: text[:-1],
        lambda text: text.replace(b'"software": "', b'"software": "\\ud800', 1),
    ],
    ids=["a name twice", "on one line", "no end", "half a character"],
)
def test_bundle_json_in_another_form_is_refused_by_both(
    signed: dict[str, bytes], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    text = change(signed["bundle.json"])
    assert text != signed["bundle.json"]
    file = packed(tmp_path / "b", {**signed, "bundle.json": text}, anew=False)
    assert ours(file, KEY.public) is None
    assert theirs(file, KEY.public) is None


def with_comment(content: bytes) -> bytes:
    held = io.BytesIO(content)
    with zipfile.ZipFile(held, "a") as archive:
        archive.comment = b"seat 1 won"
    return held.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"junk" + content,
        lambda content: content + b"junk",
        lambda content: content + content,
        with_comment,
    ],
    ids=["before", "behind", "twice", "comment"],
)
def test_whatever_lies_beside_the_files_is_refused_by_both(
    signed: dict[str, bytes], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    file = packed(tmp_path / "b", signed, anew=False)
    assert ours(file, KEY.public) is not None
    file.write_bytes(change(file.read_bytes()))
    assert ours(file, KEY.public) is None
    assert theirs(file, KEY.public) is None
