"""Every way to change a signed journal is found, also by who can compute hashes."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import pytest

from controller.evidence.findings import FindingKind
from controller.evidence.signatures import KeptHead, Signatures
from controller.evidence.verify import Report, verify
from controller.journal.chain import Link
from controller.journal.heads import Head
from controller.journal.notes import PublicKey, SecretKey
from controller.journal.signing import heads_file, split_notes
from simulators.rigs.scenario.core_table import TABLE
from tests.evidence.recorded import (
    BODY,
    ROUND,
    SEQUENCE,
    TYPE,
    Columns,
    forge,
    forge_bodies,
    recorded,
    rows_of,
    write,
)

KEY: Final = SecretKey.new(TABLE)
OTHER: Final = SecretKey.new(TABLE)

TWO_ROUNDS: Final = """
bet 1 25
dealer deal
card Th 9s 9d 8d
press 1 stand
dealer pickup
press 1 rebet
dealer deal
card Th 9s 9d 8d
press 1 stand
dealer pickup
bet 1 50
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "j", TWO_ROUNDS, key=KEY)


def checked(
    path: Path, kept: Iterable[KeptHead] = (), trusted: PublicKey | None = None
) -> Report:
    return verify(path, signatures=Signatures(kept, trusted))


def kept_of(path: Path) -> list[KeptHead]:
    return [KeptHead.parse(note) for note in split_notes(heads_file(path).read_text())]


def kind(report: Report) -> FindingKind:
    return report.findings[0].kind


# --- What is good -----------------------------------------------------------------


def test_what_a_table_signed_holds(path: Path) -> None:
    report = checked(path, kept_of(path), KEY.public)
    assert report.good
    assert (report.heads, report.keys) == (3, (KEY.public.line,))
    assert verify(path, replay=True).good


def test_what_is_not_signed_says_so_and_is_no_finding(tmp_path: Path) -> None:
    report = checked(write(tmp_path / "j", TWO_ROUNDS))
    assert (report.good, report.heads, report.keys) == (True, 0, ())


def test_heads_hold_across_a_change_of_keys(tmp_path: Path) -> None:
    with recorded(tmp_path / "j", TWO_ROUNDS, key=KEY) as table:
        table.change_key(KEY, OTHER)
    kept = kept_of(tmp_path / "j")
    for trusted in (KEY.public, OTHER.public):
        report = checked(tmp_path / "j", kept, trusted)
        assert report.good
        assert report.keys == (KEY.public.line, OTHER.public.line)


# --- Attacks by who can compute hashes ---------------------------------------------


def another(row: Columns) -> Columns:
    """Return a row like this one, under a number that no other has."""
    return [10_000, *row[1:]]


def change(rows: list[Columns], at: int) -> list[Columns]:
    spot = 7
    return [*rows[:at], [*rows[at][:7], spot, *rows[at][8:]], *rows[at + 1 :]]


def remove(rows: list[Columns], at: int) -> list[Columns]:
    return rows[:at] + rows[at + 1 :]


def insert(rows: list[Columns], at: int) -> list[Columns]:
    return [*rows[: at + 1], another(rows[at]), *rows[at + 1 :]]


def swap(rows: list[Columns], at: int) -> list[Columns]:
    return [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]


@pytest.mark.parametrize("attack", [change, remove, insert, swap])
def test_no_record_is_changed_removed_inserted_or_moved(
    path: Path, attack: Callable[[list[Columns], int], list[Columns]]
) -> None:
    rows = rows_of(path)
    # The last record is the last head itself: what was cut off there is below.
    for at in range(len(rows) - 1):
        forge(path, attack(rows, at))
        report = checked(path)
        assert not report.good, (attack.__name__, at, rows[at][TYPE])
        assert report.findings[0].sequence is not None


def test_a_head_says_of_itself_only_what_it_signed(path: Path) -> None:
    rows = rows_of(path)
    for column in (1, 5, 6, 7):
        changed = [*rows[-1]]
        changed[column] = "2026-01-31T19:00:00.000000Z" if column == 1 else 1
        forge(path, [*rows[:-1], changed])
        assert not checked(path).good, column


def test_an_end_that_was_cut_off_is_seen_by_a_head_kept_elsewhere(path: Path) -> None:
    rows, kept = rows_of(path), kept_of(path)
    for length in range(1, len(rows) - 1):
        forge(path, rows[:length])
        kinds = {finding.kind for finding in checked(path, kept).findings}
        assert FindingKind.SIGNATURE in kinds, length


def test_signatures_that_were_taken_away_are_missed(path: Path) -> None:
    rows = [row for row in rows_of(path) if row[TYPE] != "head_signed"]
    forge(path, rows)
    report = checked(path)
    assert kind(report) is FindingKind.SIGNATURE
    assert "the end of round 1 is not signed" in report.findings[0].text
    # Without its key it says nothing of signatures at all: who knows the key does.
    forge(path, [row for row in rows if row[TYPE] != "signing_key_set"])
    assert checked(path).good
    report = checked(path, trusted=KEY.public)
    assert "signs nothing in this journal" in report.findings[0].text


def test_a_journal_written_anew_with_another_key_is_another(
    path: Path, tmp_path: Path
) -> None:
    kept = kept_of(path)
    forged = write(
        tmp_path / "forged", TWO_ROUNDS.replace("bet 1 25", "bet 1 5"), key=OTHER
    )
    assert checked(forged).good
    report = checked(forged, trusted=KEY.public)
    assert "signs nothing in this journal" in report.findings[0].text
    report = checked(forged, kept)
    assert "is not what was signed" in report.findings[0].text
    same = write(tmp_path / "same", TWO_ROUNDS, key=OTHER)
    assert not checked(same, kept).good


def test_a_key_that_nobody_put_in_signs_nothing(path: Path) -> None:
    key = SecretKey.new(TABLE)
    rows = rows_of(path)
    at = next(i for i, row in enumerate(rows) if row[TYPE] == "head_signed")
    for line, note in (
        (key.public.line, key.sign(f"{TABLE}\nkey {key.public.line}\n")),
        ("no key", "no note"),
    ):
        put = another(rows[at])
        put[TYPE] = "signing_key_set"
        put[BODY] = json.dumps({"key": line, "note": note})
        forge(path, [*rows[:at], put, *rows[at:]])
        report = checked(path)
        assert kind(report) is FindingKind.SIGNATURE
        assert report.findings[0].sequence == at + 1


def test_a_head_of_anybody_elses_is_none(path: Path) -> None:
    rows = rows_of(path)
    at = next(i for i, row in enumerate(rows) if row[TYPE] == "head_signed")
    for note in ("no note", OTHER.sign("no head\n"), KEY.sign("no head\n")):
        put = [*rows[at]]
        put[BODY] = json.dumps({"note": note})
        forge(path, [*rows[:at], put, *rows[at + 1 :]])
        assert checked(path).findings[0].sequence == at + 1


def test_a_head_before_any_key_is_none(path: Path) -> None:
    rows = [row for row in rows_of(path) if row[TYPE] != "signing_key_set"]
    forge(path, rows)
    assert "not signed by the table's key" in checked(path).findings[0].text


@pytest.mark.parametrize("table", ["OTHER", TABLE])
def test_a_head_of_another_table_or_record_is_another(path: Path, table: str) -> None:
    signed = Head(table, Link(3, bytes(32)), "2026-01-31T18:00:00.000000Z")
    sequence = forge_bodies(
        path, "head_signed", lambda body: body.update(note=KEY.sign(signed.text))
    )
    finding = checked(path).findings[0]
    assert finding.sequence == sequence
    assert f"of record 3 of table {table}" in finding.text


def test_a_kept_head_that_nobody_signed_is_said(path: Path) -> None:
    good = kept_of(path)[0]
    forged = KeptHead.parse(OTHER.sign(good.head.text))
    report = checked(path, [forged])
    assert "no key of this journal signed it" in report.findings[0].text


def test_rounds_keep_their_numbers_beside_the_heads(path: Path) -> None:
    rounds = [row[ROUND] for row in rows_of(path) if row[TYPE] == "head_signed"]
    assert rounds == [None, None, None]
    assert rows_of(path)[1][SEQUENCE] == 2
