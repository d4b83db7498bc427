"""A table signs how far its journal is: at each round's end, and at a stop."""

from pathlib import Path

import pytest

from controller.core.ids import Button, DealerButton
from controller.journal import reader
from controller.journal.chain import Link
from controller.journal.errors import SigningError
from controller.journal.heads import Head
from controller.journal.notes import Note, SecretKey
from controller.journal.recovery import recover
from controller.journal.signing import (
    Signing,
    current_key,
    heads_file,
    last_kept,
    split_notes,
)
from tests.journal.played import SIMULATION, STAMP, Played, dealer

KEY = SecretKey.new("BJ-01")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def signing(key: SecretKey = KEY) -> Signing:
    return Signing("BJ-01", key)


def play_a_round(table: Played, *, first: bool) -> None:
    if first:
        table.deal()
    else:
        table.do(table.press(Button.BET, 2500))
        table.do(dealer(DealerButton.DEAL))
        for face in ("9s", "7h", "7s", "Kd"):
            table.do(table.card(face))
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))


def types(path: Path) -> list[str]:
    return [row.type for row in reader.all_records(path)]


def test_a_round_is_signed_before_the_state_that_ends_it(path: Path) -> None:
    table = Played(path)
    table.journal.sign_with(signing(), STAMP)
    play_a_round(table, first=True)
    *_, last, head, state = reader.all_records(path)
    assert (head.type, state.type) == ("head_signed", "table_state")
    assert (head.round, head.cause) == (None, None)
    assert state.cause == last.cause
    note = Note.parse(split_notes(heads_file(path).read_text())[0])
    assert note.is_signed_by(KEY.public)
    signed = Head("BJ-01", Link(last.sequence, last.hash), head.recorded_at)
    assert Head.parse(note.text) == signed
    table.journal.close()


def test_the_key_is_named_once(path: Path) -> None:
    table = Played(path)
    assert current_key(path) is None
    for _ in range(2):
        table.journal.sign_with(signing(), STAMP)
    assert types(path) == ["journal_opened", "signing_key_set"]
    assert current_key(path) == KEY.public
    table.journal.close()


def test_a_stop_signs_what_was_not_signed_and_nothing_twice(path: Path) -> None:
    table = Played(path)
    table.journal.sign_with(signing(), STAMP)
    table.deal()
    for _ in range(2):
        table.journal.sign_head(STAMP)
    table.journal.close()
    assert types(path).count("head_signed") == 1
    again = recover(path, SIMULATION).journal
    again.sign_with(signing(), STAMP)
    again.sign_head(STAMP)
    again.close()
    assert types(path).count("head_signed") == 1


def test_without_a_key_nothing_is_signed(path: Path) -> None:
    table = Played(path)
    play_a_round(table, first=True)
    table.journal.sign_head(STAMP)
    table.journal.close()
    assert "head_signed" not in types(path)
    assert not heads_file(path).exists()


def test_another_key_does_not_sign_this_journal(path: Path) -> None:
    table = Played(path)
    table.journal.sign_with(signing(), STAMP)
    with pytest.raises(SigningError, match="tablectl key rotate"):
        table.journal.sign_with(signing(SecretKey.new("BJ-01")), STAMP)
    table.journal.close()


def test_a_key_is_changed_by_the_one_before_it(path: Path) -> None:
    other = SecretKey.new("BJ-01")
    table = Played(path)
    table.journal.change_key(signing(), signing(other), STAMP)
    table.journal.close()
    first, second = reader.signing_keys(path)
    assert KEY.public.line in first.body
    assert other.public.line in second.body
    assert current_key(path) == other.public
    assert types(path)[-1] == "head_signed"


def test_notes_that_are_missing_beside_the_journal_are_added(path: Path) -> None:
    table = Played(path)
    table.journal.sign_with(signing(), STAMP)
    for round_ in range(3):
        play_a_round(table, first=round_ == 0)
    table.journal.close()
    whole = heads_file(path).read_text()
    assert len(split_notes(whole)) == 3
    for kept in (0, len(whole) // 2, len(whole) - 3):
        heads_file(path).write_text(whole[:kept])
        journal = recover(path, SIMULATION).journal
        journal.sign_with(signing(), STAMP)
        journal.close()
        last = Head.parse(Note.parse(split_notes(whole)[-1]).text).link.sequence
        assert last_kept(heads_file(path)).sequence == last
        assert heads_file(path).read_text() == whole


def test_a_file_that_cannot_be_written_costs_the_game_nothing(path: Path) -> None:
    heads_file(path).mkdir()
    table = Played(path)
    table.journal.sign_with(signing(), STAMP)
    play_a_round(table, first=True)
    table.journal.close()
    assert types(path)[-2] == "head_signed"
