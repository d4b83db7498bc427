"""A journal whose chain fits and whose records cannot be so is found out."""

import itertools
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from controller.core import events as ev
from controller.evidence import fold
from controller.evidence.code import code_digest
from controller.evidence.findings import FindingKind
from controller.evidence.verify import Report, verify
from simulators.rigs.scenario.language import Head
from tests.evidence.recorded import (
    BODY,
    CAUSE,
    SEQUENCE,
    TYPE,
    Columns,
    RecordedTable,
    forge,
    forge_bodies,
    recorded,
    rows_of,
    write,
)
from tests.journal.journals import tamper

SCENARIOS = sorted(Path("tests/scenarios").rglob("*.scenario"))

ROUND = """
bet 1 25
bet 3 10
dealer deal
card 9h Ts 6d 9c 8s Tc
press 1 stand
press 2 hit
press 3 stand
card 5h
dealer pickup
"""
HOLE_OPEN = "bet 1 25\ndealer deal\ncard Th 6d 5c Tc\n"
PEEKED = "bet 1 25\ndealer deal\ncard Th Td 5c 9c\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A round with a hole card, a refused press, a settlement and the pickup."""
    return write(tmp_path / "table.journal", ROUND)


def only(report: Report) -> tuple[FindingKind, int | None, str]:
    (finding,) = report.findings
    return finding.kind, finding.sequence, finding.text


# --- What is good ------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_what_a_table_wrote_holds_and_decides_the_same_again(
    scenario: Path, journal_of: Callable[[Path], Path]
) -> None:
    path = journal_of(scenario)
    assert verify(path).good
    report = verify(path, replay=True)
    assert report.good
    assert report.replayed is not None
    assert report.replayed.compared > 0
    assert report.replayed.folded == 0
    inputs = sum(row[CAUSE] is None for row in rows_of(path)) - 1
    assert report.replayed.compared + report.replayed.still_sealed == inputs


def test_a_report_names_how_far_the_chain_holds(path: Path) -> None:
    report = verify(path)
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT sequence, hex(hash) FROM journal ORDER BY sequence DESC LIMIT 1"
        (last,) = connection.execute(query)
    assert (report.records, report.head.upper()) == last
    assert report.replayed is None


def test_progress_is_told_on_the_way_and_at_the_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "TELL_EVERY", 50)
    told: list[tuple[str, int, int | None]] = []
    report = verify(path, replay=True, progress=lambda *now: told.append(now))
    assert 50 < report.records < 100
    assert told == [
        ("the chain", report.records, report.records),
        ("decisions", 50, report.records),
        ("decisions", report.records, report.records),
    ]


def spoil(path: Path, sequence: int) -> None:
    """Change a record so that its hash no longer fits."""
    change = "UPDATE journal SET round = 7 WHERE sequence = ?"
    tamper(path, change, values=(sequence,))


# --- The chain comes first ---------------------------------------------------


def test_behind_a_broken_chain_nothing_is_looked_at(path: Path) -> None:
    sequence = forge_bodies(path, "hole_card_revealed", put("card", "2h"))
    spoil(path, sequence - 2)
    kind, found, text = only(verify(path, replay=True))
    assert (kind, found) == (FindingKind.CHAIN, sequence - 2)
    assert "does not match its hash" in text


def test_what_is_wrong_before_the_broken_chain_comes_first(path: Path) -> None:
    sequence = forge_bodies(path, "hole_card_revealed", put("card", "2h"))
    spoil(path, sequence + 2)
    kinds = [(f.kind, f.sequence) for f in verify(path).findings]
    assert kinds == [
        (FindingKind.COMMITMENT, sequence),
        (FindingKind.CHAIN, sequence + 2),
    ]


def test_a_record_that_nobody_understands_is_a_finding(path: Path) -> None:
    rows = rows_of(path)
    rows[-1][TYPE] = "table_sate"
    forge(path, rows)
    for replay in (False, True):
        kind, found, text = only(verify(path, replay=replay))
        assert (kind, found) == (FindingKind.NOT_UNDERSTOOD, rows[-1][SEQUENCE])
        assert text.startswith(f"record {rows[-1][SEQUENCE]}: found table_sate")


def test_a_journal_of_no_known_kind_is_a_finding(path: Path) -> None:
    forge_bodies(path, "journal_opened", put("kind", "casino"))
    kind, found, text = only(verify(path))
    assert (kind, found) == (FindingKind.NOT_UNDERSTOOD, 1)
    assert "casino" in text


@pytest.mark.parametrize("body", ["not JSON", "[]", "7", ""])
def test_a_body_that_does_not_fit_is_found_by_the_chain_or_by_replay(
    body: str, path: Path
) -> None:
    whole = path.read_bytes()
    one_of_each = {row[TYPE]: (at, row) for at, row in enumerate(rows_of(path))}
    assert len(one_of_each) > 20
    for at, row in one_of_each.values():
        path.write_bytes(whole)
        change = "UPDATE journal SET body = ? WHERE sequence = ?"
        tamper(path, change, values=(body, at + 1))
        assert only(verify(path))[:2] == (FindingKind.CHAIN, at + 1)
        # Who can compute hashes has the chain fit.
        path.write_bytes(whole)
        rows = rows_of(path)
        rows[at][BODY] = body
        forge(path, rows)
        kind, found, _ = only(verify(path, replay=True))
        assert (kind, found) == (FindingKind.NOT_UNDERSTOOD, row[SEQUENCE])


def test_a_page_that_cannot_be_read_ends_the_replay_where_it_ends_the_chain(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", ROUND * 20)
    content = bytearray(path.read_bytes())
    # The last page holds the newest records, since the table only grows.
    content[-4096:-4088] = bytes(8)
    path.write_bytes(content)
    for replay in (False, True):
        report = verify(path, replay=replay)
        assert report.records > 100
        first = report.findings[0]
        assert (first.kind, first.sequence) == (FindingKind.CHAIN, report.records + 1)


# --- Hidden cards ------------------------------------------------------------


def put(field: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda body: body.__setitem__(field, value)


@pytest.mark.parametrize(
    ("type_", "field", "value", "said"),
    [
        ("hole_card_revealed", "card", "2h", "2h is not the card it was hidden as"),
        ("hole_card_revealed", "salt", "00" * 32, "is not the card it was hidden as"),
        ("hole_card_revealed", "salt", "00", "is not the card it was hidden as"),
        ("hole_card_revealed", "salt", "salt", "is not the card it was hidden as"),
        ("hole_card_revealed", "salt", "", "without opening its commitment"),
        ("hole_card_revealed", "number", 1, "a commitment that was never made"),
        ("hole_card_dealt", "commitment", "ab" * 32, "not the one it came with"),
        ("card_dealt", "salt", "00" * 32, "a commitment that was never made"),
    ],
)
def test_a_card_that_was_exchanged_is_found_without_replay(
    type_: str, field: str, value: object, said: str, path: Path
) -> None:
    sequence = forge_bodies(path, type_, put(field, value))
    kind, found, text = only(verify(path))
    assert (kind, found) == (FindingKind.COMMITMENT, sequence)
    assert text.startswith(f"record {sequence}: {type_} of card ")
    assert said in text


def test_a_commitment_made_for_another_round_does_not_fit(path: Path) -> None:
    rows = rows_of(path)
    for row in rows:
        if row[TYPE] == "card_reported":
            row[6] = 2
    forge(path, rows)
    assert only(verify(path))[0] is FindingKind.COMMITMENT


DRAWN_IN_ERROR = HOLE_OPEN + "card 9d\n"
BURNED_UNSEEN = """
rules colorado burn_after_shuffle=1
shoe shuffle-started
shoe shuffled
bet 1 25
dealer deal
card 2s Th 6d 5c Tc
press 1 stand
card 5h
dealer pickup
shoe shuffle-started
shoe shuffled
"""


HOLE_NEVER_DRAWN = """
bet 1 25
dealer deal
card 2s Th 6d 5c
dealer call "no card came"
supervisor S1 no-card dealer 2 reason="a shadow was read"
supervisor S1 resume reason="the hole card comes now"
card 9c
press 1 stand
dealer pickup
shoe shuffle-started
shoe shuffled
"""


@pytest.mark.parametrize(
    ("text", "shown_by"),
    [
        (DRAWN_IN_ERROR + "supervisor S1 discard-card", "card_discarded"),
        (DRAWN_IN_ERROR + "supervisor S1 offer-card", "card_offered"),
        (DRAWN_IN_ERROR + "supervisor S1 use-card\npress 1 hit", "card_dealt"),
        (DRAWN_IN_ERROR + "supervisor S1 void-round", "card_burned"),
        (DRAWN_IN_ERROR + "supervisor S1 void-round", "hole_card_revealed"),
        (BURNED_UNSEEN, "card_opened"),
        (HOLE_NEVER_DRAWN, "card_opened"),
    ],
)
def test_every_way_to_show_a_hidden_card_is_checked(
    text: str, shown_by: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "j", text)
    assert verify(path).good
    sequence = forge_bodies(path, shown_by, put("card", "2c"))
    assert only(verify(path))[:2] == (FindingKind.COMMITMENT, sequence)


# --- Checkpoints and causes --------------------------------------------------


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The same round by another program: its decisions are folded only."""
    return write(tmp_path / "other.journal", ROUND, digest="ab" * 32)


def enrich(body: dict[str, Any]) -> None:
    body["state"]["seats"][0]["last_wagers"][0]["amount_cents"] = 100_000


def test_a_table_state_that_does_not_follow_is_named_by_replay(other: Path) -> None:
    sequence = forge_bodies(other, "table_state", enrich)
    assert verify(other).good
    kind, found, text = only(verify(other, replay=True))
    assert (kind, found) == (FindingKind.CHECKPOINT, sequence)
    assert "table_state is not what came before it: seats" in text


def test_a_table_state_is_decided_again(path: Path) -> None:
    sequence = forge_bodies(path, "table_state", enrich)
    kind, found, text = only(verify(path, replay=True))
    assert (kind, found) == (FindingKind.DECISION, sequence)
    assert "state" in text


def test_a_record_that_fits_no_table_is_named_by_replay(other: Path) -> None:
    sequence = forge_bodies(other, "prompts_changed", seat_far_away)
    assert verify(other).good
    kind, found, text = only(verify(other, replay=True))
    assert (kind, found) == (FindingKind.CHECKPOINT, sequence)
    assert "cannot follow what came before" in text


def seat_far_away(body: dict[str, Any]) -> None:
    body["prompts"][0]["seat"] = 99


def test_a_journal_begins_with_its_opening(path: Path) -> None:
    forge(path, rows_of(path)[1:])
    kind, found, text = only(verify(path))
    assert (kind, found) == (FindingKind.CHECKPOINT, 1)
    assert "expected journal_opened first" in text


def test_a_journal_is_opened_once(path: Path) -> None:
    rows = rows_of(path)
    # A second opening would name another program, whose decisions are not compared.
    forge(path, [*rows, [1000, *rows[0][1:]]])
    kind, found, _ = only(verify(path))
    assert (kind, found) == (FindingKind.CAUSE, len(rows) + 1)


@pytest.mark.parametrize("shift", [-1, 1])
def test_an_event_names_the_input_that_led_to_it(path: Path, shift: int) -> None:
    rows = rows_of(path)
    at = next(i for i, row in enumerate(rows) if row[TYPE] == "hand_settled")
    rows[at][CAUSE] = int(str(rows[at][CAUSE])) + shift
    forge(path, rows)
    kind, found, _ = only(verify(path))
    assert (kind, found) == (FindingKind.CAUSE, rows[at][SEQUENCE])


# --- Deciding again ----------------------------------------------------------


def changed(value: object) -> object:
    """Return another value of the same kind, as far as JSON goes."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case _:
            return value


def with_one_number_changed(row: Columns) -> str | None:
    """Return the row's body with its first number or yes-or-no changed."""
    body = json.loads(str(row[BODY]))
    for name, value in body.items():
        if changed(value) != value:
            return json.dumps({**body, name: changed(value)}, separators=(",", ":"))
    return None


def test_every_number_of_every_event_is_decided_again(path: Path) -> None:
    whole = rows_of(path)
    tried = 0
    for at, row in enumerate(whole):
        body = with_one_number_changed(row)
        if row[CAUSE] is None or body is None:
            continue
        rows = [list(each) for each in whole]
        rows[at][BODY] = body
        forge(path, rows)
        (finding,) = verify(path, replay=True).findings
        assert finding.sequence == row[SEQUENCE], finding
        tried += 1
    assert tried > 15


def test_every_event_left_out_is_missed(path: Path) -> None:
    whole = rows_of(path)
    events = [at for at, row in enumerate(whole) if row[CAUSE] is not None]
    for at in events:
        forge(path, whole[:at] + whole[at + 1 :])
        finding = verify(path, replay=True).findings[0]
        # Left out at the end of its step, its absence shows at the record before.
        assert finding.sequence in {at, at + 1}, finding


def test_two_events_exchanged_are_found_at_the_first(path: Path) -> None:
    whole = rows_of(path)
    tried = 0
    for at, (one, two) in enumerate(itertools.pairwise(whole)):
        if one[CAUSE] is None or one[CAUSE] != two[CAUSE]:
            continue
        forge(path, [*whole[:at], two, one, *whole[at + 2 :]])
        assert verify(path, replay=True).findings[0].sequence == at + 1
        tried += 1
    assert tried > 10


def test_an_event_put_in_is_found_where_it_stands(path: Path) -> None:
    whole = rows_of(path)
    at = next(i for i, row in enumerate(whole) if row[TYPE] == "hand_settled")
    # A row with a number of its own, so that no cause comes to name it.
    added = [1000, *whole[at][1:]]
    forge(path, [*whole[: at + 1], added, *whole[at + 1 :]])
    found = verify(path, replay=True).findings[0]
    assert (found.kind, found.sequence) == (FindingKind.DECISION, at + 2)


def test_a_press_that_was_never_made_leads_to_other_records(path: Path) -> None:
    sequence = forge_bodies(path, "button_pressed", put("button", "hit"))
    kind, found, text = only(verify(path, replay=True))
    assert kind is FindingKind.DECISION
    assert found == sequence + 1
    assert 'button "stand", not "hit"' in text


def test_a_settlement_in_somebodys_favour_is_told_with_both_amounts(path: Path) -> None:
    assert verify(path, replay=True).good
    sequence = forge_bodies(path, "hand_settled", put("net_cents", 99_00))
    kind, found, text = only(verify(path, replay=True))
    assert (kind, found) == (FindingKind.DECISION, sequence)
    assert "the journal says hand_settled with net_cents 9900, not " in text


def test_an_input_that_cannot_be_decided_is_a_finding(path: Path) -> None:
    with recorded(path.with_name("lost"), "panel 5 lost") as table:
        lost = table.journal.path
    sequence = forge_bodies(lost, "panel_link_reported", put("seat", 99))
    kind, found, text = only(verify(lost, replay=True))
    assert (kind, found) == (FindingKind.DECISION, sequence)
    assert "panel_link_reported cannot be decided at this table: IndexError" in text


def test_an_event_put_in_at_the_end_of_a_step_is_found(path: Path) -> None:
    whole = rows_of(path)
    forge(path, [*whole, [1000, *whole[-1][1:]]])
    kind, found, text = only(verify(path, replay=True))
    assert (kind, found) == (FindingKind.DECISION, len(whole) + 1)
    assert "deciding again gives no table_state" in text


# --- What is not compared ----------------------------------------------------


def test_decisions_of_another_program_are_folded_and_it_is_named(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", ROUND, digest="ab" * 32)
    forge_bodies(path, "hand_settled", put("net_cents", 99_00))
    replayed = verify(path, replay=True).replayed
    assert replayed is not None
    assert replayed.compared == 0
    assert replayed.folded > 10
    assert replayed.other_programs == ("ab" * 32,)


def test_after_an_update_the_new_programs_decisions_are_compared(
    tmp_path: Path,
) -> None:
    path = tmp_path / "j"
    with recorded(path, HOLE_OPEN, digest="ab" * 32) as table:
        table.digest = code_digest()
        table.cut_power()
        table.do_text("press 1 stand\ncard 5h\ndealer pickup")
    report = verify(path, replay=True)
    assert report.good
    assert report.replayed is not None
    assert report.replayed.other_programs == ("ab" * 32,)
    assert report.replayed.compared >= 4
    sequence = forge_bodies(path, "hand_settled", put("net_cents", 1))
    assert only(verify(path, replay=True))[1] == sequence


def test_the_open_rounds_hole_card_stays_sealed_and_the_rest_is_compared(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", PEEKED)
    report = verify(path, replay=True)
    assert report.good
    assert report.replayed is not None
    assert report.replayed.still_sealed == 1
    sequence = forge_bodies(path, "bets_closed", put("round", 2))
    assert only(verify(path, replay=True))[1] == sequence


def test_without_a_peek_the_open_round_is_compared_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "j", HOLE_OPEN)
    replayed = verify(path, replay=True).replayed
    assert replayed is not None
    assert replayed.still_sealed == 0


# --- What only a running table writes ----------------------------------------


def test_cards_lost_with_the_escrow_are_lost_in_the_replay(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with recorded(path, HOLE_OPEN + "panel 5 lost\n") as table:
        table.lose_secrets()
        table.cut_power()
        table.do_text(
            "press 1 stand\n"
            'supervisor S1 key-card Tc witness=D1 reason="read by two"\n'
            "card 5h\ndealer pickup"
        )
    types = {row[TYPE] for row in rows_of(path)}
    assert {"sealed_cards_lost", "hole_card_keyed", "round_closed"} <= types
    assert verify(path, replay=True).good


def test_a_hole_card_that_was_read_again_needlessly_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with recorded(path, HOLE_OPEN) as table:
        table.read_again(4, "Tc")
        table.do_text("press 1 stand\n")
    assert verify(path, replay=True).findings == ()


def test_an_input_that_the_program_could_not_handle_is_folded(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with recorded(path, HOLE_OPEN) as table:
        fault = ev.InternalFault(
            input="{}",
            error="",
            shoe=True,
            number=5,
            card_number=5,
            commitment="cd" * 32,
        )
        table.note(fault)
    assert verify(path, replay=True).good


def test_a_journal_that_goes_on_from_another_takes_its_table_over(
    path: Path, tmp_path: Path
) -> None:
    after = tmp_path / "after"
    with recorded(tmp_path / "before", DRAWN_IN_ERROR) as before:
        table = RecordedTable(Head(), after)
        table.take_over(before)
        table.do_text("supervisor S1 discard-card")
        table.journal.close()
    assert "card_discarded" in {row[TYPE] for row in rows_of(after)}
    assert verify(after, replay=True).good
    # Such a record is a takeover nowhere but at the beginning.
    rows = rows_of(after)
    forge(path, [*rows_of(path), [1000, *rows[1][1:]]])
    assert only(verify(path))[0] is FindingKind.CAUSE
