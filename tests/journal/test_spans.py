"""Parts of a journal are found by the ends of its rounds."""

from pathlib import Path

import pytest

from controller.journal import spans
from controller.journal.errors import MalformedJournalError
from tests.evidence.recorded import TYPE, rows_of, without_triggers, write

ROUND = "bet 1 25\ndealer deal\ncard Th 7d 9c Tc\npress 1 stand\ndealer pickup\n"


def ends_of(path: Path) -> list[object]:
    return [row[0] for row in rows_of(path) if row[TYPE] == "table_state"]


def test_ends_of_rounds_are_marked_with_both_clocks(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND * 3)
    marks = spans.state_marks(path)
    assert [mark.sequence for mark in marks] == ends_of(path)
    by_sequence = {row[0]: row for row in rows_of(path)}
    for mark in marks:
        row = by_sequence[mark.sequence]
        assert [mark.recorded_at, mark.boot_id, mark.monotonic_ns] == [
            row[1],
            *row[3:5],
        ]


def test_a_mark_that_is_no_time_is_malformed(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND)
    with without_triggers(path) as connection:
        connection.execute("CREATE TABLE loose AS SELECT * FROM journal")
        connection.execute("DROP TABLE journal")
        connection.execute("ALTER TABLE loose RENAME TO journal")
        connection.execute("UPDATE journal SET recorded_at = x'00'")
    with pytest.raises(MalformedJournalError, match="a table_state is malformed"):
        spans.state_marks(path)


@pytest.mark.parametrize("chunk", [1, 2, 3, 500])
def test_records_between_two_places_come_whatever_the_chunk(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "j", ROUND)
    monkeypatch.setattr(spans, "CHUNK_RECORDS", chunk)
    rows = rows_of(path)
    found = [row.sequence for row in spans.between(path, None, 3, 20)]
    assert found == [row[0] for row in rows[3:20]]
    types = ("card_dealt", "hand_settled")
    found = [row.sequence for row in spans.between(path, types, 0, len(rows))]
    assert found == [row[0] for row in rows if row[TYPE] in types]


def test_around_a_round_lie_its_neighbours(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND * 4)
    first, second, third, fourth = (int(str(end)) for end in ends_of(path))
    assert spans.around(path, second + 1) == (first, fourth)
    assert spans.around(path, 1) == (0, second)
    after, until = spans.around(path, fourth)
    assert after == second
    assert until > fourth
    assert third
