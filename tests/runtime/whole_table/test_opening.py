"""The journal of a table at its start: begun, recovered, or only looked at."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.guidance import offered
from controller.core.ids import DealerButton, Kind, Phase
from controller.core.outputs import outputs
from controller.core.state import new_table
from controller.journal.errors import JournalFullError, JournalWriteError
from controller.journal.fold import state_at_end
from controller.runtime import table as under_test
from controller.runtime.owner import read_only_state
from controller.runtime.table import last_table, new_salt
from hw_config.schema import Kind as TableKind
from hw_config.schema import TableHardware
from tests.core.table import rules
from tests.journal.journals import tamper
from tests.journal.played import Played
from tests.runtime.whole_table.running import SOURCE, on_disk, opened


def test_a_new_table_begins_its_journal_and_says_what_it_is(
    hardware: TableHardware,
) -> None:
    recovered = opened(hardware)
    recovered.journal.close()
    assert recovered.is_new
    (first,) = on_disk(hardware)
    assert isinstance(first, ev.JournalOpened)
    assert (first.kind, first.table, first.seats) == (
        "simulation",
        hardware.table_id,
        3,
    )
    assert (first.hardware, first.time_zone) == (SOURCE, hardware.time_zone)
    assert first.software
    assert len(first.code_digest) == 64
    assert first.rules == rules()


def test_a_table_that_was_begun_is_recovered(hardware: TableHardware) -> None:
    opened(hardware).journal.close()
    again = opened(hardware)
    again.journal.close()
    assert not again.is_new
    assert len(on_disk(hardware)) == 1


def test_a_journal_that_a_power_cut_left_empty_is_begun(
    hardware: TableHardware, journal_path: Path
) -> None:
    journal_path.touch()
    recovered = opened(hardware)
    recovered.journal.close()
    assert recovered.is_new
    assert state_at_end(journal_path) == recovered.state


def test_a_folder_that_cannot_be_made_is_one_line(
    hardware: TableHardware, tmp_path: Path
) -> None:
    (tmp_path / "run").write_text("a file where a folder should be")
    with pytest.raises(JournalWriteError, match="name another place"):
        opened(hardware)


def test_a_disk_without_room_is_said_before_anything_is_written(
    hardware: TableHardware, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(hardware).journal.close()
    monkeypatch.setattr(under_test, "free_bytes", lambda _: 1000)
    with pytest.raises(JournalFullError, match="no room"):
        opened(hardware)


def test_a_table_without_room_is_the_one_that_its_journal_holds(
    hardware: TableHardware, journal_path: Path
) -> None:
    table = Played(journal_path)
    table.deal()
    table.journal.close()
    last = last_table(journal_path, hardware, rules())
    assert last == table.state
    shown = read_only_state(last, Kind.JOURNAL_FULL, "no room")
    assert (shown.phase, shown.came_from) == (Phase.SUSPENDED, Phase.PLAYING)
    assert shown.play == table.state.play
    assert [found.kind for found in shown.irregularities] == [Kind.JOURNAL_FULL]
    # Nothing is lit, and what is pressed meanwhile answers no prompt of the journal.
    assert all(not prompt.buttons for prompt in shown.prompts)
    assert {prompt.number for prompt in shown.prompts} == {0}
    assert outputs(shown).gate_up_to == 0


def test_a_stopped_table_without_room_is_stopped_for_both_reasons(
    hardware: TableHardware, journal_path: Path
) -> None:
    table = Played(journal_path)
    table.deal()
    table.do(cm.PressDealerButton(button=DealerButton.CALL))
    table.journal.close()
    shown = read_only_state(
        last_table(journal_path, hardware, rules()), Kind.JOURNAL_FULL, "no room"
    )
    kinds = [found.kind for found in shown.irregularities]
    assert kinds == [Kind.CALLED, Kind.JOURNAL_FULL]
    assert shown.came_from is Phase.PLAYING
    assert offered(shown) == ()


def test_where_the_journal_tells_nothing_a_new_table_is_shown(
    hardware: TableHardware, journal_path: Path
) -> None:
    new = new_table(hardware.table_id, hardware.seats, rules())
    assert last_table(journal_path, hardware, rules()) == new
    table = Played(journal_path)
    table.deal()
    table.journal.close()
    live = replace(hardware, kind=TableKind.LIVE)
    assert last_table(journal_path, live, rules()) == new
    assert last_table(journal_path, replace(hardware, seats=2), rules()).seat_count == 2
    tamper(journal_path, "UPDATE journal SET spot = 7 WHERE sequence = 3")
    assert last_table(journal_path, hardware, rules()) == new


def test_every_salt_is_another() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert {len(salt) for salt in salts} == {32}
