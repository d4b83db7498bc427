"""`tablectl idle`: whether a table may be stopped, by its journal."""

from pathlib import Path

import pytest

from controller.cli.main import status_of
from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.ids import Button, DealerButton, Direction, Phase
from simulators.rigs.table_folder import TableFolder, lay_out
from tests.core.table import DEALER, SUPERVISOR
from tests.journal.journals import tamper
from tests.journal.played import Played, dealer

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


def asked(folder: TableFolder, said: Said) -> tuple[int, str]:
    status = status_of(["idle", str(folder.hardware_file)])
    out, err = said.readouterr()
    return status, (out + err).strip().partition(f"{folder.journal}: ")[2]


def test_a_table_is_idle_but_for_the_time_from_bets_closed_to_pickup(
    folder: TableFolder, capsys: Said
) -> None:
    assert asked(folder, capsys) == (0, "no journal yet, nothing was played")
    table = Played(folder.journal)
    with table.journal:
        between = (0, "between rounds; the next is round 1")
        assert asked(folder, capsys) == between
        table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
        table.do(table.press(Button.BET, 2500))
        assert asked(folder, capsys) == between
        table.do(dealer(DealerButton.DEAL))
        is_open = (1, "round 1 is open; finish it, or void it, first")
        assert asked(folder, capsys) == is_open
        for face in ("9s", "7h", "7s", "Kd"):
            table.do(table.card(face))
        table.do(dealer(DealerButton.CALL))
        assert table.state.phase is Phase.SUSPENDED
        assert asked(folder, capsys) == is_open
    # Stopped, and without power, it is still open.
    assert asked(folder, capsys) == is_open
    table.start_again()
    with table.journal:
        table.do(cm.TakeDecision(person=SUPERVISOR, decision=dc.Resume()))
        table.do(table.press(Button.STAND))
        assert table.state.play_phase is Phase.SETTLED
        assert asked(folder, capsys) == is_open
        table.do(dealer(DealerButton.PICKUP))
        assert asked(folder, capsys) == (0, "between rounds; the next is round 2")


def test_a_journal_that_cannot_tell_is_no_leave_to_stop(
    folder: TableFolder, capsys: Said
) -> None:
    Played(folder.journal).journal.close()
    tamper(folder.journal, "UPDATE journal SET body = '{}' WHERE sequence = 1")
    status, why = asked(folder, capsys)
    assert status == 1
    assert why.endswith("verify the journal")


def test_a_file_that_is_no_hardware_file_is_one_line(
    tmp_path: Path, capsys: Said
) -> None:
    assert status_of(["idle", str(tmp_path / "none.toml")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "none.toml" in line
