"""A round in a file: checked by us and by a program that shares no code with us."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from controller.evidence.bundle.check import check
from controller.evidence.bundle.write import bundle, files_of
from controller.evidence.errors import NoBundleError, RoundOpenError
from controller.journal.errors import RoundNotFoundError
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
from tests.evidence.recorded import BODY, TYPE, forge, rows_of, write

KEY: Final = SecretKey.new(TABLE)
OTHER: Final = SecretKey.new(TABLE)
VERSION: Final = 9
"""The column of a record's version."""

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


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("signed") / "j", ROUNDS, key=KEY)


@pytest.fixture
def file(journal: Path, tmp_path: Path) -> Path:
    file = tmp_path / "round-2.zip"
    file.write_bytes(bundle(journal, 2))
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
    assert theirs(file, KEY.public) is not None
    assert ours(file, OTHER.public) is None
    assert theirs(file, OTHER.public) is None


def test_the_same_round_gives_the_same_file(journal: Path) -> None:
    assert bundle(journal, 2) == bundle(journal, 2)


def test_without_a_signature_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(write(tmp_path / "j", ROUNDS), 1))
    assert check(file).good
    assert check(file).key == ""
    assert theirs(file) is not None
    assert ours(file, KEY.public) is None
    assert theirs(file, KEY.public) is None
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
            put = [*lines[:at], line_text(changed), *lines[at + 1 :]]
            yield f"record {at} {column}", {**files, "records.jsonl": b"".join(put)}
        without = [*lines[:at], *lines[at + 1 :]]
        yield f"record {at} removed", {**files, "records.jsonl": b"".join(without)}
        twice = [*lines[:at], line, *lines[at:]]
        yield f"record {at} twice", {**files, "records.jsonl": b"".join(twice)}


def altered_about(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    about = json.loads(files["bundle.json"])
    for key in about.keys() - {"files", "software"}:
        changed = {**about, key: other(about[key])}
        yield f"bundle {key}", {**files, "bundle.json": about_text(changed)}


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
        assert ours(changed, KEY.public) is None, what
        assert theirs(changed, KEY.public) is None, what
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
            assert ours(made, KEY.public) is None, name
            assert theirs(made, KEY.public) is None, name


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
    assert theirs(made) is None


# --- What is proved, and what is only told ----------------------------------------

FOR_READING: Final = {"round.html", "round.json", "README.txt"}
TOLD_ONLY: Final = FOR_READING | {
    "bundle.json: software",
    "where the round begins",
    "the last record's clocks",
}
UNSIGNED: Final = (TOLD_ONLY - {"the last record's clocks"}) | {"records.jsonl"}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - whatever JSON holds
    """Yield a copy of a JSON value for each field in it that can be changed."""
    match value:
        case dict():
            for key, inner in value.items():
                for at, changed in leaves(inner, f"{path}.{key}"):
                    yield at, {**value, key: changed}
        case list():
            for n, inner in enumerate(value):
                for at, changed in leaves(inner, f"{path}.{n}"):
                    yield at, [*value[:n], changed, *value[n + 1 :]]
        case _:
            yield path, other(value)


def test_of_a_signed_bundle_exactly_what_is_for_reading_is_not_proved(
    file: Path,
) -> None:
    assert ours(file, KEY.public) == theirs(file, KEY.public) == TOLD_ONLY


def test_no_field_of_the_ruleset_can_be_changed(file: Path, tmp_path: Path) -> None:
    good = members(file)
    count = 0
    for what, changed in leaves(json.loads(good["ruleset.json"])):
        ruleset = json.dumps(changed, separators=(",", ":"), sort_keys=True).encode()
        assert ruleset != good["ruleset.json"]
        made = packed(tmp_path / "c.zip", {**good, "ruleset.json": ruleset})
        assert check(made, KEY.public).problems == (
            "ruleset.json is not the ruleset that the records name",
        ), what
        assert theirs(made, KEY.public) is None, what
        count += 1
    assert count > 20


def altered_reading(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield bundles that are changed where nothing is signed, hashes and all."""
    for what, changed in leaves(json.loads(files["round.json"])):
        yield f"round.json{what}", {**files, "round.json": json.dumps(changed).encode()}
    for name in ("round.html", "README.txt"):
        content = files[name]
        for at in range(0, len(content), max(1, len(content) // 40)):
            put = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
            yield f"{name} byte {at}", {**files, name: put}


def test_what_is_for_reading_is_found_changed_with_the_journal(
    journal: Path, file: Path, tmp_path: Path
) -> None:
    """And without it, each such file is named as not proved."""
    good = members(file)
    assert check(file, KEY.public, journal) == replace(
        check(file, KEY.public), not_proved=()
    )
    again = files_of(journal, 2)
    count = 0
    for what, files in altered_reading(good):
        name = next(n for n in FOR_READING if files[n] != good[n])
        count += 1
        if count % 10:
            continue  # Making it again takes long; one of ten is enough of a kind.
        made = packed(tmp_path / "c.zip", files)
        assert ours(made, KEY.public) == theirs(made, KEY.public) == TOLD_ONLY, what
        assert again[name] != files[name], what
        problems = check(made, KEY.public, journal).problems
        # And bundle.json, which holds its hash.
        assert f"{name} is not what {journal} gives" in problems, what
    assert count > 100


def test_who_says_to_have_made_it_is_told_only(
    journal: Path, file: Path, tmp_path: Path
) -> None:
    good = members(file)
    about = json.loads(good["bundle.json"])
    changed = about_text({**about, "software": "9.9"})
    page = good["round.html"] + b"<!-- another version -->"
    files = {**good, "bundle.json": changed, "round.html": page}
    made = packed(tmp_path / "c.zip", files)
    assert ours(made) == theirs(made) == TOLD_ONLY | {"whose key this is"}
    # Another version may draw the page otherwise, but not change what is proved.
    checked = check(made, KEY.public, journal)
    assert checked.good
    assert {each.what for each in checked.not_proved} == {
        "round.html",
        "bundle.json: software",
    }


def test_a_bundle_of_another_journal_is_named_file_by_file(
    file: Path, tmp_path: Path
) -> None:
    another = write(tmp_path / "j", ROUNDS.replace("2c", "2d"), key=KEY)
    problems = check(file, KEY.public, another).problems
    assert f"records.jsonl is not what {another} gives" in problems
    assert f"round.html is not what {another} gives" in problems
    assert f"README.txt is not what {another} gives" not in problems


def test_of_an_unsigned_bundle_the_records_are_not_proved(tmp_path: Path) -> None:
    journal = write(tmp_path / "j", ROUNDS)
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(journal, 1))
    # The first record of the journal continues nothing: there the round begins.
    assert ours(file) == theirs(file) == UNSIGNED - {"where the round begins"}
    assert check(file, against=journal).not_proved == ()


def test_where_the_records_do_not_name_the_rules_those_are_not_proved(
    tmp_path: Path,
) -> None:
    """Rounds that an earlier version wrote down; the journal still proves them."""
    journal = write(tmp_path / "j", ROUNDS)
    rows = rows_of(journal)
    for row in rows:
        if row[TYPE] == "bets_closed":
            body = json.loads(str(row[BODY]))
            del body["ruleset_digest"]
            row[BODY], row[VERSION] = json.dumps(body, separators=(",", ":")), 1
    forge(journal, rows)
    file = tmp_path / "round.zip"
    file.write_bytes(bundle(journal, 2))
    told = {*UNSIGNED, "ruleset.json"}
    assert ours(file) == theirs(file) == told
    assert check(file, against=journal).not_proved == ()


@pytest.mark.parametrize("name", ["records.jsonl", "ruleset.json", "round.html"])
def test_no_file_can_be_left_out(file: Path, tmp_path: Path, name: str) -> None:
    without = {n: content for n, content in members(file).items() if n != name}
    made = packed(tmp_path / "c.zip", without)
    assert check(made).problems == (f"{name} is missing",)
    assert theirs(made) is None


def test_no_file_can_be_added(file: Path, tmp_path: Path) -> None:
    made = packed(tmp_path / "c.zip", {**members(file), "more.html": b"more"})
    assert check(made).problems == ("more.html does not belong to the bundle",)
    assert theirs(made) is None


# --- What is no bundle ------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"no zip file at all"])
def test_what_is_no_zip_file_is_said(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "round.zip"
    file.write_bytes(content)
    with pytest.raises(NoBundleError, match="a zip file"):
        check(file)
    assert theirs(file) is None


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
