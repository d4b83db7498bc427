"""A part of a journal as lines of JSON, and a stranger's program that checks it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from controller.evidence.errors import NothingToExportError
from controller.evidence.export import Rounds, Selection, Times, Whole, export
from controller.journal import reader, schema, spans
from controller.journal.errors import MalformedJournalError, RoundNotFoundError
from controller.journal.notes import SecretKey
from simulators.rigs.scenario.core_table import TABLE
from simulators.rigs.scenario.language import Head
from tests.evidence.bundles import line_text
from tests.evidence.documented import names_of, program
from tests.evidence.recorded import (
    BEGINNING,
    RecordedTable,
    forge,
    recorded,
    rows_of,
    without_triggers,
    write,
)

PROGRAM: Final = program("export.md")
KEY: Final = SecretKey.new(TABLE)
RECORDED_AT: Final = 1

PLAYED: Final = (
    "bet 1 25\ndealer deal\ncard Th 9s 9d 8d\npress 1 stand\ndealer pickup\n"
)
UNDONE: Final = "bet 1 10\ndealer deal\ndealer undo-deal\n"
OPEN: Final = "bet 1 50\ndealer deal\ncard 2c 5h 3c Kd\n"

Lines = list[dict[str, Any]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a journal of two rounds, one open; the number of an undone deal is spent.

    The second round begins as soon as the first has ended.
    """
    return write(tmp_path / "j", PLAYED + PLAYED + OPEN, key=KEY)


def exported(path: Path, selection: Selection) -> tuple[dict[str, Any], Lines]:
    about, *lines = (json.loads(line) for line in export(path, selection).lines())
    return about, lines


def sequences(path: Path, selection: Selection) -> list[int]:
    return [line["sequence"] for line in exported(path, selection)[1]]


def good(file: Path, known: str | None = None) -> bool:
    """Say what the program of the document says."""
    try:
        names_of(PROGRAM)["check"](file, known)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return False
    return True


def saved(file: Path, lines: Lines) -> Path:
    file.write_bytes(b"".join(map(line_text, lines)))
    return file


# --- What is chosen ---------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_round_is_exactly_its_records(path: Path, number: int) -> None:
    expected = [row.sequence for row in reader.round_records(path, number)]
    assert sequences(path, Rounds(number, number)) == expected


def test_rounds_follow_one_another_without_a_gap(path: Path) -> None:
    one_by_one = [
        sequence
        for number in (1, 2, 3)
        for sequence in sequences(path, Rounds(number, number))
    ]
    assert sequences(path, Rounds(1, 3)) == one_by_one
    assert sequences(path, Whole()) == one_by_one == [row[0] for row in rows_of(path)]


def test_a_deal_that_was_taken_back_is_there(tmp_path: Path) -> None:
    path = write(tmp_path / "j", UNDONE + PLAYED)
    types = [line["type"] for line in exported(path, Rounds(1, 1))[1]]
    assert {"bets_closed", "deal_undone"} <= set(types)


def test_a_round_that_the_file_lacks_is_said(path: Path) -> None:
    for rounds in (Rounds(4, 4), Rounds(2, 4)):
        with pytest.raises(RoundNotFoundError, match="no round 4"):
            export(path, rounds)


def between(path: Path, since: datetime | None, until: datetime | None) -> list[int]:
    """Return from the first record of that time to the last, as seen from all rows."""
    rows = [(n, datetime.fromisoformat(at)) for n, at in times_of(path)]
    meant = [
        sequence
        for sequence, at in rows
        if (since is None or since <= at) and (until is None or at < until)
    ]
    return [*range(meant[0], meant[-1] + 1)] if meant else []


def times_of(path: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT sequence, recorded_at FROM journal ORDER BY sequence"
        return connection.execute(query).fetchall()


def found(path: Path, times: Times) -> list[int]:
    try:
        return sequences(path, times)
    except NothingToExportError:
        return []


MOMENTS: Final = [
    None,
    *(BEGINNING + timedelta(milliseconds=500 * n + 1) for n in range(-1, 26, 3)),
    *(BEGINNING + timedelta(milliseconds=500 * n) for n in range(0, 26, 4)),
]


@pytest.mark.parametrize("since", MOMENTS, ids=str)
def test_a_time_is_exactly_its_records(path: Path, since: datetime | None) -> None:
    for until in MOMENTS:
        assert found(path, Times(since, until)) == between(path, since, until)


@pytest.mark.parametrize("back_s", [-3, 3, -3600])
def test_where_the_clock_was_set_nothing_in_between_lacks(
    path: Path, back_s: int
) -> None:
    rows = rows_of(path)
    for row in rows[len(rows) // 2 :]:
        at = datetime.fromisoformat(str(row[RECORDED_AT])) + timedelta(seconds=back_s)
        text = at.isoformat(timespec="microseconds").replace("+00:00", "Z")
        row[RECORDED_AT] = text
    forge(path, rows)
    for since in MOMENTS[::2]:
        for until in MOMENTS[::3]:
            assert found(path, Times(since, until)) == between(path, since, until)


def test_a_time_without_records_says_what_there_is(path: Path) -> None:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    with pytest.raises(NothingToExportError) as raised:
        export(path, Times(at, at + timedelta(days=1)))
    assert str(raised.value) == (
        f"{path}: expected records from 2025-01-01T00:00:00.000000Z before "
        "2025-01-02T00:00:00.000000Z, found none; the first is of "
        "2026-01-31T18:00:00.000000Z, the last of 2026-01-31T18:00:11.500000Z"
    )


# --- How it is written ------------------------------------------------------------


def test_every_column_is_there_as_it_is_on_disk(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f"{schema.SELECT} ORDER BY sequence")
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    expected = [dict(zip(names, (*r[:-1], r[-1].hex()), strict=True)) for r in rows]
    assert exported(path, Whole())[1] == expected


def test_the_first_line_says_what_the_others_are_of(path: Path) -> None:
    about, lines = exported(path, Rounds(2, 3))
    before = reader.record_at(path, lines[0]["sequence"] - 1)
    assert before is not None
    assert about.pop("software")
    assert about == {
        "format": 1,
        "file": "j",
        "table": TABLE,
        "kind": "simulation",
        "time_zone": "America/Denver",
        "journal_format": 1,
        "selection": {"rounds": [2, 3], "since": None, "until": None},
        "before_sequence": before.sequence,
        "before_hash": before.hash.hex(),
        "records": len(lines),
    }


def test_a_long_part_is_read_piece_by_piece(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = exported(path, Whole())
    monkeypatch.setattr(spans, "CHUNK_RECORDS", 7)
    assert exported(path, Whole()) == whole


def test_what_the_table_writes_meanwhile_is_not_in_it(tmp_path: Path) -> None:
    with recorded(tmp_path / "j", PLAYED + OPEN) as table:
        chosen = export(tmp_path / "j", Rounds(2, 2))
        open_so_far = list(chosen.lines())
        table.do_text("press 1 stand\n")
        assert list(chosen.lines()) == open_so_far
        longer = list(export(tmp_path / "j", Rounds(2, 2)).lines())
        assert longer[1 : len(open_so_far)] == open_so_far[1:]
        assert len(longer) > len(open_so_far)


def test_a_record_that_is_not_there_is_said(path: Path) -> None:
    with without_triggers(path) as connection:
        connection.execute("DELETE FROM journal WHERE sequence = 20")
    lines = export(path, Whole()).lines()
    with pytest.raises(MalformedJournalError, match=r"record 20 is missing; verify"):
        list(lines)


def test_two_files_of_a_journal_are_joined_by_the_second_ones_first_record(
    tmp_path: Path,
) -> None:
    """Here a shift goes on, which needs no archive's own checks."""
    with recorded(tmp_path / "old", PLAYED) as old:
        table = RecordedTable(Head(), tmp_path / "new")
        with closing(table.journal):
            table.take_over(old)
            table.do_text(PLAYED)
    _, lines = exported(tmp_path / "new", Rounds(2, 2))
    assert [line["sequence"] for line in lines[:2]] == [1, 2]
    assert (lines[0]["type"], lines[1]["type"]) == ("journal_opened", "table_state")


# --- What a stranger finds --------------------------------------------------------

SELECTIONS: Final[tuple[Selection, ...]] = (
    Whole(),
    Rounds(1, 1),
    Rounds(2, 3),
    Times(BEGINNING + timedelta(seconds=2), BEGINNING + timedelta(seconds=9)),
    Times(None, BEGINNING + timedelta(seconds=9)),
)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
def test_an_export_is_good_to_a_stranger(
    path: Path, tmp_path: Path, selection: Selection
) -> None:
    file = tmp_path / "export.jsonl"
    file.write_bytes(b"".join(export(path, selection).lines()))
    assert good(file)
    about, lines = exported(path, selection)
    for known in (about["before_hash"], lines[0]["hash"], lines[-1]["hash"]):
        assert good(file, known)
    assert not good(file, "00" * 31 + "01")


def other(value: object) -> object:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return ("0" if value[:1] != "0" else "1") + value[1:]
        case list():
            return [value[0], value[1] + 1]
        case _:
            return 7


def altered(lines: Lines) -> Iterator[tuple[str, Lines]]:
    """Yield all lines with one thing changed in one record."""
    for at in range(1, len(lines)):
        for column, value in lines[at].items():
            changed = {**lines[at], column: other(value)}
            yield f"{column} of line {at}", [*lines[:at], changed, *lines[at + 1 :]]
            without = {name: v for name, v in lines[at].items() if name != column}
            yield f"no {column} in {at}", [*lines[:at], without, *lines[at + 1 :]]
        yield f"one key more in {at}", [*lines[:at], {**lines[at], "more": 1}]
        yield f"line {at} away", [*lines[:at], *lines[at + 1 :]]
        yield f"line {at} twice", [*lines[:at], lines[at], *lines[at:]]
        if at > 1:
            swapped = [*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]]
            yield f"lines {at - 1} and {at} swapped", swapped


@pytest.mark.parametrize("selection", [Rounds(1, 1), Rounds(2, 2)], ids=str)
def test_no_change_of_a_record_stays_unseen(
    path: Path, tmp_path: Path, selection: Selection
) -> None:
    about, lines = exported(path, selection)
    assert good(saved(tmp_path / "good.jsonl", [about, *lines]))
    for what, changed in altered([about, *lines]):
        assert not good(saved(tmp_path / "changed.jsonl", changed)), what


TOLD_ONLY: Final = {"file", "journal_format", "software"}


@pytest.mark.parametrize(
    ("selection", "not_proved"),
    [
        (Whole(), TOLD_ONLY),
        (Rounds(1, 1), TOLD_ONLY),
        # Its first record is elsewhere; its signed head still names the table.
        (Rounds(2, 2), {*TOLD_ONLY, "kind", "time_zone"}),
        # The round is open, and nothing in it was signed yet.
        (Rounds(3, 3), {*TOLD_ONLY, "kind", "time_zone", "table"}),
    ],
    ids=["whole", "first", "second", "open"],
)
def test_of_the_first_line_exactly_what_the_document_says_is_told_only(
    path: Path, tmp_path: Path, selection: Selection, not_proved: set[str]
) -> None:
    about, lines = exported(path, selection)
    if selection == Rounds(3, 3):
        # But for the signature at the stop.
        assert lines[-1]["type"] == "head_signed"
        lines, about["records"] = lines[:-1], about["records"] - 1
    unseen = {
        key
        for key, value in about.items()
        if key != "selection"
        and good(saved(tmp_path / "c.jsonl", [{**about, key: other(value)}, *lines]))
    }
    assert unseen == not_proved


def test_a_choice_that_the_records_do_not_fit_is_seen(
    path: Path, tmp_path: Path
) -> None:
    about, lines = exported(path, Rounds(2, 2))
    at = {"first": lines[0]["recorded_at"], "last": lines[-1]["recorded_at"]}
    wrong: list[dict[str, object]] = [
        {"rounds": [1, 2], "since": None, "until": None},
        {"rounds": [2, 3], "since": None, "until": None},
        {"rounds": [3, 3], "since": None, "until": None},
        {"rounds": None, "since": at["last"], "until": None},
        {"rounds": None, "since": None, "until": at["last"]},
    ]
    for selection in wrong:
        changed = {**about, "selection": selection}
        assert not good(saved(tmp_path / "c.jsonl", [changed, *lines])), selection


def test_an_end_that_was_cut_off_is_seen_by_a_hash_from_elsewhere(
    path: Path, tmp_path: Path
) -> None:
    about, lines = exported(path, Whole())
    file = saved(
        tmp_path / "cut.jsonl", [{**about, "records": len(lines) - 5}, *lines[:-5]]
    )
    assert good(file)
    assert not good(file, reader.head(path).hash.hex())
    head = json.loads(lines[-1]["body"])["note"].split("\n")[2]
    assert good(saved(tmp_path / "whole.jsonl", [about, *lines]), head)
    assert not good(file, head)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"{", b'{"body":"forged",'), (b":", b": "), (b"\n", b"\r\n")],
    ids=["a name twice", "a space", "the end of another system"],
)
def test_a_line_in_another_form_is_not_good(
    path: Path, tmp_path: Path, old: bytes, new: bytes
) -> None:
    file = tmp_path / "export.jsonl"
    lines = list(export(path, Whole()).lines())
    for at in (1, len(lines) - 1):
        changed = lines[at].replace(old, new, 1)
        file.write_bytes(b"".join([*lines[:at], changed, *lines[at + 1 :]]))
        assert not good(file), at
    file.write_bytes(b"".join(lines))
    assert good(file)
