"""`tablectl archive`: a file ends, the next goes on, and verify follows."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.main import status_of
from controller.core import commands as cm
from controller.core.ids import Button, DealerButton, Direction, ShoeSign
from controller.journal import reader
from controller.journal.fold import state_at_end
from controller.journal.notes import SecretKey
from controller.journal.recovery import recover
from controller.journal.signing import Signing, heads_file
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.core.table import DEALER, rules
from tests.evidence.recorded import TYPE, forge, rows_of
from tests.journal.journals import tamper
from tests.journal.played import SIMULATION, STAMP, Played, dealer

KEY = SecretKey.new("BJ-01")
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_journal_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> TableFolder:
    """Return a table that signs its journal."""
    folder = lay_out(tmp_path, seats=3)
    key = tmp_path / "key"
    key.write_text(KEY.line)
    key.chmod(0o600)
    journal = replace(folder.hardware.journal, signing_key=str(key))
    folder.hardware_file.write_text(
        hardware_text(replace(folder.hardware, journal=journal, table_id="BJ-01"))
    )
    return folder


def play_a_shift(folder: TableFolder, *, begin: bool = True) -> None:
    """Play a round with a card burned unseen, and close the shift."""
    in_force = rules(burn_after_shuffle="1")
    table = Played(folder.journal, in_force, begin=begin)
    table.journal.sign_with(Signing("BJ-01", KEY), STAMP)
    table.do(cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=312))
    table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    table.do(table.press(Button.BET, 2500))
    table.do(dealer(DealerButton.DEAL))
    for face in ("2s", "9s", "7h", "7s", "Kd"):
        table.do(table.card(face))
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    table.do(cm.CloseShift())
    table.journal.close()


def archive(folder: TableFolder, said: Said) -> Path:
    assert status_of(["archive", str(folder.hardware_file)]) == 0
    return Path(said.readouterr().out.strip())


def verified(path: Path, said: Said) -> tuple[int, dict[str, object]]:
    status = status_of(["verify", "--replay", "--json", "--journal", str(path)])
    return status, json.loads(said.readouterr().out)


def test_the_next_file_goes_on_exactly_where_the_last_one_ends(
    folder: TableFolder, capsys: Said
) -> None:
    play_a_shift(folder)
    before = state_at_end(folder.journal)
    old = archive(folder, capsys)
    assert old.name == "journal.to-round-1"
    assert heads_file(old).exists()
    assert state_at_end(old) == before
    recovered = recover(folder.journal, SIMULATION)
    recovered.journal.close()
    assert recovered.state == before
    assert not recovered.is_new
    # A card that was burned unseen is still sealed, and its secret came along.
    (sealed,) = before.sealed
    assert recovered.secrets.of(sealed.number) is not None


def test_verify_follows_through_the_files(folder: TableFolder, capsys: Said) -> None:
    names = []
    for number in range(3):
        play_a_shift(folder, begin=number == 0)
        names.append(archive(folder, capsys).name)
    assert names == [f"journal.to-round-{number}" for number in (1, 2, 3)]
    status, answer = verified(folder.journal, capsys)
    assert isinstance(answer["earlier"], list)
    assert [one["findings"] for one in answer["earlier"]] == [[], [], []]
    assert [one["report"]["findings"] for one in answer["earlier"]] == [[], [], []]
    assert (status, answer["good"]) == (0, True)
    assert [Path(one["file"]).name for one in answer["earlier"]] == names[::-1]
    assert all(one["report"]["heads"] > 0 for one in answer["earlier"])


@pytest.mark.parametrize(
    "attack",
    [
        "DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)",
        "UPDATE journal SET spot = 7 WHERE sequence = 5",
    ],
)
def test_a_file_that_was_changed_since_is_found_from_the_next(
    folder: TableFolder, capsys: Said, attack: str
) -> None:
    play_a_shift(folder)
    old = archive(folder, capsys)
    tamper(old, attack)
    status, answer = verified(folder.journal, capsys)
    assert (status, answer["good"]) == (1, False)


def test_that_there_is_no_round_yet_names_the_file_with_those_before(
    folder: TableFolder, capsys: Said
) -> None:
    play_a_shift(folder)
    old = archive(folder, capsys)
    assert status_of(["rounds", "--journal", str(folder.journal)]) == 0
    assert capsys.readouterr().out == (
        f"{folder.journal}: no round was dealt yet since this file was begun; "
        f"those before it are in {old}\n"
    )


def test_a_file_that_is_elsewhere_is_named(folder: TableFolder, capsys: Said) -> None:
    play_a_shift(folder)
    old = archive(folder, capsys)
    old.rename(old.with_name("away"))
    status = status_of(["verify", "--journal", str(folder.journal)])
    assert status == 0
    assert f"{old}: it goes on from this file, which is not here" in (
        capsys.readouterr().out
    )


def test_a_file_that_was_put_aside_as_bad_may_be_bad(
    folder: TableFolder, capsys: Said
) -> None:
    play_a_shift(folder)
    last = reader.head(folder.journal).sequence
    tamper(
        folder.journal, "UPDATE journal SET spot = 7 WHERE sequence = ?", values=(last,)
    )
    asked = ["--supervisor", "S1", "--technician", "T1", "--reason", "bad"]
    assert status_of(["successor", str(folder.hardware_file), *asked]) == 0
    capsys.readouterr()
    status = status_of(["verify", "--journal", str(folder.journal)])
    said = capsys.readouterr().out
    assert status == 0
    assert "journal.old: it was no good when it was put aside" in said
    assert f"record {last} does not match its hash" in said


# --- Reports and kept heads, over several files -------------------------------------


def day_of(path: Path, said: Said, *options: str) -> tuple[int, str, str]:
    arguments = ["report", "--day", STAMP.recorded_at[:10], "--journal", str(path)]
    status = status_of([*arguments, *options])
    captured = said.readouterr()
    return status, captured.out, captured.err


def test_a_day_is_counted_whole_over_the_files(
    folder: TableFolder, capsys: Said
) -> None:
    for number in range(2):
        play_a_shift(folder, begin=number == 0)
        archive(folder, capsys)
    status, out, err = day_of(folder.journal, capsys, "--json")
    report = json.loads(out)
    assert (status, err, report["lacks"]) == (0, "", None)
    assert (report["figures"]["rounds"], report["figures"]["wagered"]) == (2, 5_000)
    play_a_shift(folder, begin=False)
    figures = json.loads(day_of(folder.journal, capsys, "--json")[1])["figures"]
    assert (figures["rounds"], figures["wagered"], figures["cards"]) == (3, 7_500, 15)


def test_a_day_whose_file_is_elsewhere_says_which_one(
    folder: TableFolder, tmp_path: Path, capsys: Said
) -> None:
    play_a_shift(folder)
    old = archive(folder, capsys)
    old.rename(old.with_name("away"))
    status, out, err = day_of(folder.journal, capsys)
    assert status == 1
    for said in (out, err):
        assert f"lies in {old}, which is not here" in said
    status, out, _ = day_of(folder.journal, capsys, "--json")
    assert (status, json.loads(out)["lacks"]) == (1, str(old))
    page = tmp_path / "page.html"
    assert day_of(folder.journal, capsys, "--html", str(page))[0] == 1
    assert f"lies in {old}" in page.read_text()


def test_a_day_without_records_is_said(folder: TableFolder, capsys: Said) -> None:
    play_a_shift(folder)
    archive(folder, capsys)
    for day in ("1999-01-01", "9999-12-31"):
        arguments = ["report", "--day", day, "--journal", str(folder.journal)]
        assert status_of(arguments) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert f"no records of {day}" in line


def all_heads(*journals: Path) -> Path:
    """Put the heads of several files into one, as whoever collects them does."""
    collected = journals[0].with_name("allheads")
    collected.write_text("\n".join(heads_file(path).read_text() for path in journals))
    return collected


def held(path: Path, heads: Path, said: Said) -> tuple[int, str]:
    arguments = ["verify", "--journal", str(path), "--key", KEY.public.line]
    status = status_of([*arguments, "--checkpoint", str(heads)])
    return status, said.readouterr().out


@pytest.fixture
def two_files(folder: TableFolder, capsys: Said) -> tuple[Path, Path]:
    """Return a journal with a shift in it, and the file before it with another."""
    play_a_shift(folder)
    old = archive(folder, capsys)
    play_a_shift(folder, begin=False)
    return folder.journal, old


def test_each_kept_head_is_held_against_its_own_file(
    two_files: tuple[Path, Path], capsys: Said
) -> None:
    journal, old = two_files
    status, said = held(journal, all_heads(old, journal), capsys)
    assert status == 0
    assert said.count("heads kept elsewhere: ") == 2
    for path in two_files:
        count = heads_file(path).read_text().count("BJ-01\n")
        assert f"heads kept elsewhere: {count} of {count} agree, up to record" in said


def test_a_kept_head_finds_the_end_cut_off_in_either_file(
    two_files: tuple[Path, Path], capsys: Said
) -> None:
    journal, old = two_files
    heads = all_heads(old, journal)
    for path in two_files:
        rows = rows_of(path)
        last_head = max(i for i, row in enumerate(rows) if row[TYPE] == "head_signed")
        forge(path, rows[: last_head - 1])
        status, said = held(journal, heads, capsys)
        assert (status, ": not good" in said) == (1, True)
        forge(path, rows)
        assert held(journal, heads, capsys)[0] == 0


def test_heads_of_a_file_that_is_elsewhere_are_not_said_to_agree(
    two_files: tuple[Path, Path], capsys: Said
) -> None:
    journal, old = two_files
    heads = all_heads(old, journal)
    old.rename(old.with_name("away"))
    status, said = held(journal, heads, capsys)
    assert status == 1
    assert f"{old}: it is not here, so that " in said
    assert f"{journal}: good" in said


# --- Refused ----------------------------------------------------------------------


def refused(folder: TableFolder, said: Said) -> tuple[int, str]:
    status = status_of(["archive", str(folder.hardware_file)])
    (line,) = said.readouterr().err.splitlines()
    return status, line


def test_in_a_shift_nothing_is_archived(folder: TableFolder, capsys: Said) -> None:
    table = Played(folder.journal)
    table.deal()
    table.journal.close()
    status, line = refused(folder, capsys)
    assert status == 1
    assert "close the shift first" in line
    assert state_at_end(folder.journal).round == 1


def test_a_running_table_is_not_archived(folder: TableFolder, capsys: Said) -> None:
    table = Played(folder.journal)
    status, line = refused(folder, capsys)
    table.journal.close()
    assert (status, "stop it first" in line) == (1, True)


def test_without_a_journal_or_with_another_key_it_is_misuse(
    folder: TableFolder, tmp_path: Path, capsys: Said
) -> None:
    status, line = refused(folder, capsys)
    assert (status, "expected a journal" in line) == (2, True)
    play_a_shift(folder)
    archive(folder, capsys)
    (tmp_path / "key").write_text(SecretKey.new("BJ-01").line)
    play_a_shift(folder, begin=False)
    status, line = refused(folder, capsys)
    assert (status, "tablectl key rotate" in line) == (2, True)
