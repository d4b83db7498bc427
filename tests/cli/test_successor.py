"""`tablectl successor`: two people begin a journal where one is no good."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from controller.cli.successor import command
from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, DealerButton, Kind, Phase, Role
from controller.evidence.reconstruct import reconstruct
from controller.evidence.verify import verify
from controller.journal import reader
from controller.journal.fold import state_at_end
from controller.journal.table_codec import CODEC
from controller.runtime.people import Entry
from controller.runtime.people_file import save
from controller.runtime.pins import Pin, kept
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.journal.journals import tamper
from tests.journal.played import Played, dealer
from tests.runtime.lineups import CHEAP, PINS, list_people

BEHIND = cm.ReportFault(kind=Kind.JOURNAL_BEHIND, words="the shoe is ahead")
ASKED = ("--supervisor", "S1", "--technician", "T1", "--reason", "disk failed")


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    return lay_out(tmp_path, seats=3)


def successor(
    folder: TableFolder,
    *arguments: str,
    piped: str = "",
    asked: tuple[str, ...] = ASKED,
) -> Result:
    return CliRunner().invoke(
        command,
        [str(folder.hardware_file), *asked, *arguments],
        input=piped,
        standalone_mode=False,
    )


def no(done: Result) -> tuple[int, str]:
    assert isinstance(done.exception, click.ClickException)
    return done.exception.exit_code, done.exception.message


def in_round_2(folder: TableFolder) -> None:
    """Leave a journal behind its devices, with a split hand and insurance asked."""
    table = Played(folder.journal)
    table.deal()
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    table.do(table.press(Button.BET, 5000))
    table.do(dealer(DealerButton.DEAL))
    for face in ("8s", "Ah", "8d", "5d"):
        table.do(table.card(face))
    table.do(table.press(Button.INSURE, 2500))
    table.do(table.press(Button.SPLIT))
    table.do(BEHIND)
    table.journal.close()


def first_record(path: Path) -> ev.JournalOpened:
    row = reader.record_at(path, 1)
    assert row is not None
    opened = CODEC.decode(row)
    assert isinstance(opened, ev.JournalOpened)
    return opened


def test_it_says_what_goes_back_and_the_new_journal_says_it_too(
    folder: TableFolder,
) -> None:
    in_round_2(folder)
    head = reader.head(folder.journal)
    done = successor(folder)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{folder.journal}: what was wrong: the shoe is ahead",
        "The old journal is now journal.old, beside the new one. Keep it as it is.",
        f"The new journal goes on from its record {head.sequence}.",
        "Round 2 is void.",
        "Give back to seat 2: the wager on spot 2, 50",
        "Give back to seat 2: the wager on spot 2, 50",
        "Give back to seat 2: the insurance, 25",
        "Take all cards off the table; shuffle before the next deal.",
        "Then start the table again, and open the shift.",
    ]
    old = first_record(folder.journal).succeeds
    assert old is not None
    assert (old.file, old.found) == ("journal.old", "the shoe is ahead")
    assert (old.sequence, old.hash) == (head.sequence, head.hash.hex())
    assert (old.supervisor, old.technician) == ("S1", "T1")
    assert (old.reason, old.void_round) == ("disk failed", 2)
    assert state_at_end(folder.journal).round == 3
    assert verify(folder.journal, replay=True).good


def test_a_round_of_the_successor_tells_of_its_predecessor(folder: TableFolder) -> None:
    in_round_2(folder)
    successor(folder)
    table = Played(folder.journal, begin=False)
    table.deal()
    table.journal.close()
    told = [entry.text for entry in reconstruct(folder.journal, 3).timeline]
    assert any("takes the place of journal.old" in text for text in told)
    assert "The wager of 50 on spot 2 goes back" in told
    assert "The insurance of 25 goes back" in told


def test_a_damaged_journal_is_succeeded_up_to_the_damage(folder: TableFolder) -> None:
    in_round_2(folder)
    last = reader.head(folder.journal).sequence
    tamper(
        folder.journal,
        "UPDATE journal SET round = 9 WHERE sequence = ?",
        values=(last,),
    )
    done = successor(folder)
    assert f"from its record {last - 1}." in done.stdout
    # A number that is seen once is not used again, though its record may lie.
    assert state_at_end(folder.journal).round == 10


def test_without_an_open_round_nothing_is_void(folder: TableFolder) -> None:
    table = Played(folder.journal)
    table.do(BEHIND)
    table.journal.close()
    done = successor(folder)
    assert "void" not in done.stdout
    assert state_at_end(folder.journal).round == 1


def test_wagers_that_lie_before_the_deal_go_back_too(folder: TableFolder) -> None:
    table = Played(folder.journal)
    table.deal("")
    table.journal.close()
    undealt = Played(folder.journal, begin=False)
    undealt.do(cm.UndoDeal())
    undealt.do(BEHIND)
    undealt.journal.close()
    done = successor(folder)
    assert "Give back to seat 2: the wager on spot 2, 25" in done.stdout
    assert "void" not in done.stdout
    assert state_at_end(folder.journal).wagers == ()


def test_where_nothing_can_be_read_a_number_for_the_round_is_asked_for(
    folder: TableFolder,
) -> None:
    folder.journal.write_bytes(b"scribble" * 1000)
    status, said = no(successor(folder))
    assert status == 1
    assert "--next-round" in said
    assert folder.journal.read_bytes() == b"scribble" * 1000
    done = successor(folder, "--next-round", "813")
    assert done.exit_code == 0
    assert "Nothing of it could be taken over" in done.stdout
    state = state_at_end(folder.journal)
    assert (state.round, state.phase) == (813, Phase.CLOSED)
    aside = folder.journal.with_name("journal.old")
    assert aside.read_bytes() == b"scribble" * 1000


# --- Refused ----------------------------------------------------------------------


def test_a_good_journal_keeps_its_place(folder: TableFolder) -> None:
    Played(folder.journal).journal.close()
    status, said = no(successor(folder))
    assert status == 1
    assert said.endswith("nothing is wrong with it; start the table with it")
    assert not folder.journal.with_name("journal.old").exists()


def test_a_running_table_keeps_its_journal(folder: TableFolder) -> None:
    table = Played(folder.journal)
    table.do(BEHIND)
    status, said = no(successor(folder))
    table.journal.close()
    assert status == 1
    assert "stop it first" in said


def test_where_there_is_no_journal_it_is_said(folder: TableFolder) -> None:
    status, said = no(successor(folder))
    assert status == 2
    assert "expected a journal, found no file" in said


def test_the_dealer_of_the_shift_decides_nothing(folder: TableFolder) -> None:
    in_round_2(folder)
    pin = kept(Pin(PINS["D1"]), CHEAP)
    people = folder.hardware_file.with_name("people.toml")
    technician = Entry(Role.TECHNICIAN, pin=pin)
    save(people, {"D1": Entry(Role.SUPERVISOR, pin=pin), "T1": technician})
    status, said = no(_with_list(folder, people, "D1", "T1", f"{PINS['D1']}\n" * 2))
    assert status == 1
    assert said == "D1 is the dealer of the shift; expected another supervisor"


def _with_list(
    folder: TableFolder, people: Path, supervisor: str, technician: str, piped: str = ""
) -> Result:
    hardware = replace(folder.hardware, people=str(people))
    folder.hardware_file.write_text(hardware_text(hardware))
    asked = ("--supervisor", supervisor, "--technician", technician, "--reason", "r")
    return successor(folder, piped=piped, asked=asked)


@pytest.mark.parametrize(
    ("people", "words"),
    [
        (("D1", "T1"), "D1: expected a supervisor, got dealer"),
        (("S1", "S2"), "S2: expected a technician, got supervisor"),
        (("S1", "V1"), "V1: expected a technician, got surveillance"),
    ],
)
def test_each_is_who_is_needed(
    folder: TableFolder, tmp_path: Path, people: tuple[str, str], words: str
) -> None:
    in_round_2(folder)
    listed = list_people(tmp_path / "people.toml")
    pins = "".join(f"{PINS[name]}\n" for name in people)
    assert no(_with_list(folder, listed, *people, piped=pins)) == (1, words)
    assert not folder.journal.with_name("journal.old").exists()


def test_listed_people_give_their_pins(folder: TableFolder, tmp_path: Path) -> None:
    in_round_2(folder)
    listed = list_people(tmp_path / "people.toml")
    wrong = f"{PINS['S1']}\n{PINS['S1']}\n"
    refused = no(_with_list(folder, listed, "S1", "T1", piped=wrong))
    assert refused == (1, "T1: id and PIN do not match")
    right = f"{PINS['S1']}\n{PINS['T1']}\n"
    done = _with_list(folder, listed, "S1", "T1", piped=right)
    assert done.exit_code == 0
    assert not any(pin in done.output for pin in PINS.values())


def test_a_reason_is_words(folder: TableFolder) -> None:
    asked = ("--supervisor", "S1", "--technician", "T1", "--reason", "  ")
    status, said = no(successor(folder, asked=asked))
    assert (status, said) == (2, "--reason: expected words, got none")
