"""A successor: what is sure is taken over, and no interruption loses a journal."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, DealerButton, Kind, Phase
from controller.core.state import TableState
from controller.core.succession import handed_over
from controller.journal import reader, succession
from controller.journal.errors import (
    JournalLockedError,
    JournalMissingError,
    WrongKindError,
)
from controller.journal.fold import state_at_end
from controller.journal.records import JournalKind
from controller.journal.recovery import holds_records, recover
from controller.journal.succession import Succession
from controller.journal.verify import verify
from tests.journal.journals import tamper
from tests.journal.played import SIMULATION, STAMP, Played, dealer, opening

BEHIND = cm.ReportFault(kind=Kind.JOURNAL_BEHIND, words="the shoe is ahead")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def play_into_round_2(path: Path) -> TableState:
    """Play one whole round, and the next until seat 2 is asked; return the table."""
    table = Played(path)
    table.deal()
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    table.do(table.press(Button.BET, 5000))
    table.do(dealer(DealerButton.DEAL))
    for face in ("2s", "3h", "4s", "5d"):
        table.do(table.card(face))
    table.journal.close()
    return table.state


def predecessor(aside: str) -> ev.Predecessor:
    return ev.Predecessor(
        file=aside,
        found="bad",
        sequence=1,
        hash="",
        supervisor="S1",
        technician="T1",
        reason="r",
    )


def succeed(path: Path) -> TableState:
    """Let a successor take a journal's place; return the table it begins with."""
    with Succession(path, SIMULATION) as one:
        state = one.salvage().state
        assert state is not None
        taken_over = handed_over(state)
        one.carry_out(opening(), predecessor(one.aside), taken_over, STAMP)
    return taken_over


def everything(path: Path, name: str) -> bytes:
    """Return what a journal of that name holds: its records, one after the other."""
    return b"".join(row.hash for row in reader.all_records(path.with_name(name)))


# --- What is taken over -----------------------------------------------------------


def test_a_good_journal_has_no_fault(path: Path) -> None:
    play_into_round_2(path)
    with Succession(path, SIMULATION) as one:
        assert one.fault() == ""


def test_a_journal_that_is_behind_says_by_what(path: Path) -> None:
    table = Played(path)
    table.do(BEHIND)
    table.journal.close()
    with Succession(path, SIMULATION) as one:
        assert one.fault() == "the shoe is ahead"
        salvaged = one.salvage()
    assert salvaged.state == table.state
    assert salvaged.link == reader.head(path)


def test_damage_that_a_running_table_found_is_a_fault(path: Path) -> None:
    """It lies before the last round's end: a start would not see it."""
    table = Played(path)
    table.do(cm.ReportFault(kind=Kind.JOURNAL_DAMAGED, words="record 3 is bad"))
    table.journal.close()
    with Succession(path, SIMULATION) as one:
        assert one.fault() == "record 3 is bad"


def test_where_there_is_no_journal_there_is_nothing_to_succeed(path: Path) -> None:
    with Succession(path, SIMULATION) as one, pytest.raises(JournalMissingError):
        one.fault()


def test_a_journal_in_use_is_not_succeeded(path: Path) -> None:
    table = Played(path)
    with pytest.raises(JournalLockedError):
        Succession(path, SIMULATION)
    table.journal.close()


@pytest.mark.parametrize("back", range(12))
def test_of_a_damaged_end_all_before_the_damage_is_sure(path: Path, back: int) -> None:
    play_into_round_2(path)
    last = reader.head(path).sequence
    bad = last - back
    tamper(path, "UPDATE journal SET spot = 7 WHERE sequence = ?", values=(bad,))
    with Succession(path, SIMULATION) as one:
        assert f"record {bad}" in one.fault()
        salvaged = one.salvage()
    assert salvaged.link.sequence == bad - 1
    assert salvaged.state is not None
    assert salvaged.state.round == 2
    assert salvaged.last_round == 2


def test_a_damaged_end_of_a_round_goes_back_to_the_one_before(path: Path) -> None:
    play_into_round_2(path)
    (end,) = reader.of_types(path, ["table_state"])
    change = "UPDATE journal SET body = '{}' WHERE sequence = ?"
    tamper(path, change, values=(end.sequence,))
    with Succession(path, SIMULATION) as one:
        assert f"record {end.sequence}" in one.fault()
        salvaged = one.salvage()
    # Folded from record 1: the round is over, only the record that says so is bad.
    assert salvaged.link.sequence == end.sequence - 1
    assert salvaged.state is not None
    assert (salvaged.state.round, salvaged.state.opening) == (2, None)


def test_a_changed_schema_is_a_fault_and_costs_no_record(path: Path) -> None:
    played = play_into_round_2(path)
    tamper(path, "CREATE TABLE more (x)")
    with Succession(path, SIMULATION) as one:
        assert "schema" in one.fault()
        assert one.salvage().state == played


def test_the_journal_of_a_live_table_is_not_taken_for_a_simulated_one(
    path: Path,
) -> None:
    play_into_round_2(path)
    with Succession(path, JournalKind.LIVE) as one, pytest.raises(WrongKindError):
        one.fault()


def test_a_missing_record_before_the_end_of_a_round_goes_back_too(path: Path) -> None:
    play_into_round_2(path)
    (end,) = reader.of_types(path, ["table_state"])
    gone = end.sequence - 1
    tamper(path, "DELETE FROM journal WHERE sequence = ?", values=(gone,))
    with Succession(path, SIMULATION) as one:
        assert "is missing" in one.fault()
        assert one.salvage().link.sequence == gone - 1


def test_a_body_that_nobody_understands_ends_what_is_sure(path: Path) -> None:
    """The hash fits: other software wrote it."""
    table = Played(path)
    table.journal.write([])
    table.journal.close()
    tamper(
        path,
        "INSERT INTO journal SELECT sequence + 1, recorded_at, clock_synchronised, "
        "boot_id, monotonic_ns, cause, round, spot, 'card_flown', version, body, hash "
        "FROM journal",
    )
    with Succession(path, SIMULATION) as one:
        assert "record 2" in one.fault()
        assert one.salvage().link.sequence == 1


@pytest.mark.parametrize("content", [b"", b"no journal at all, but a text " * 300])
def test_a_file_that_is_no_journal_tells_nothing(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with Succession(path, SIMULATION) as one:
        assert one.fault()
        salvaged = one.salvage()
    assert (salvaged.state, salvaged.link.sequence, salvaged.last_round) == (None, 0, 0)


# --- What it begins with ----------------------------------------------------------


def test_the_successor_begins_closed_with_the_round_after_the_void_one(
    path: Path,
) -> None:
    played = play_into_round_2(path)
    before = everything(path, path.name)
    begun = succeed(path)
    assert everything(path, "table.journal.old") == before
    with recover(path, SIMULATION).journal as journal:
        assert journal.next_sequence == 3
    assert state_at_end(path) == begun
    assert (begun.phase, begun.round, begun.opening) == (Phase.CLOSED, 3, None)
    assert begun.seats[1].last_wagers == played.seats[1].last_wagers
    assert begun.shift_number == played.shift_number
    assert begun.shoe.last_card == played.shoe.last_card
    assert begun.shoe.needs_shuffle
    assert verify(path).faults == ()


def test_devices_may_be_ahead_of_a_successor_until_it_is_played_by(path: Path) -> None:
    play_into_round_2(path)
    succeed(path)
    recovered = recover(path, SIMULATION)
    recovered.journal.close()
    assert recovered.is_new
    assert recovered.state.seats[1].press_number == 0
    assert recovered.state.shoe.boot_id == 0


def test_prompts_go_on_so_that_no_press_fits_by_accident(path: Path) -> None:
    played = play_into_round_2(path)
    begun = succeed(path)
    assert [p.number for p in begun.prompts] == [p.number for p in played.prompts]
    assert not any(prompt.buttons for prompt in begun.prompts)


def test_each_old_journal_keeps_a_name_of_its_own(path: Path) -> None:
    play_into_round_2(path)
    succeed(path)
    succeed(path)
    names = {file.name for file in path.parent.iterdir()}
    assert {"table.journal", "table.journal.old", "table.journal.old-2"} <= names
    assert not any(".next" in name for name in names)


# --- Interrupted ------------------------------------------------------------------


class PowerCutError(Exception):
    """The power goes before this step."""


def cut_before(monkeypatch: pytest.MonkeyPatch, step: int) -> Callable[[], int]:
    """Let the power go before a step of the succession; returns how many there were."""
    steps = 0

    def counted(do: Callable[..., object]) -> Callable[..., object]:
        def one(*arguments: object, **named: object) -> object:
            nonlocal steps
            steps += 1
            if steps == step:
                raise PowerCutError
            return do(*arguments, **named)

        return one

    monkeypatch.setattr(Path, "replace", counted(Path.replace))
    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(os, "fsync", counted(os.fsync))
    return lambda: steps


def steps_of_a_succession(tmp_path: Path) -> int:
    path = tmp_path / "counted" / "table.journal"
    path.parent.mkdir()
    play_into_round_2(path)
    with pytest.MonkeyPatch.context() as patched:
        steps = cut_before(patched, 0)
        succeed(path)
        return steps()


def test_wherever_it_is_interrupted_one_journal_is_in_place(tmp_path: Path) -> None:
    steps = steps_of_a_succession(tmp_path)
    assert steps > 15
    decided = []
    for step in range(1, steps + 1):
        path = tmp_path / str(step) / "table.journal"
        path.parent.mkdir()
        play_into_round_2(path)
        before = everything(path, path.name)
        with pytest.MonkeyPatch.context() as patched:
            cut_before(patched, step)
            with pytest.raises(PowerCutError):
                succeed(path)
        succession.finish(path)
        assert holds_records(path, SIMULATION)
        is_successor = state_at_end(path).round == 3
        decided.append(is_successor)
        old = "table.journal.old" if is_successor else "table.journal"
        assert everything(path, old) == before
        assert not (path.parent / "table.journal.next").exists()
        # It can be done, or done again.
        succeed(path)
        assert state_at_end(path).phase is Phase.CLOSED
    # Undecided up to some step, decided from there on.
    assert decided == sorted(decided)
    assert set(decided) == {False, True}


def test_a_journal_with_a_log_takes_it_along(path: Path) -> None:
    """A process that was killed leaves the newest records in the log."""
    table = Played(path)
    table.deal()
    copies = {
        file.name: file.read_bytes()
        for file in path.parent.iterdir()
        if not file.name.endswith(("-lock", "-shm"))
    }
    before = everything(path, path.name)
    table.journal.close()
    assert len(copies["table.journal-wal"]) > 0
    for name, content in copies.items():
        path.with_name(name).write_bytes(content)
    succeed(path)
    assert everything(path, "table.journal.old") == before
    assert path.with_name("table.journal.old.escrow").exists()
    assert not path.with_name("table.journal-wal").exists()
