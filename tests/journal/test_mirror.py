"""The mirror holds what the journal holds, and never gives any of it up."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, DealerButton, Direction
from controller.evidence import verify as evidence
from controller.journal import mirror as under_test
from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import (
    JournalError,
    JournalFullError,
    JournalWriteError,
    MirrorMismatchError,
    NotAJournalError,
)
from controller.journal.mirror import Copied, Mirror
from controller.journal.mirrored import mirror_fault
from controller.journal.notes import SecretKey
from controller.journal.sealed_cards import escrow_path
from controller.journal.signing import Signing, heads_file
from controller.journal.store import Store
from controller.runtime.archive import archive
from controller.runtime.successor import Wanted, begin_successor
from tests.core.table import DEALER
from tests.journal.journals import SIMULATION, opened, round_rows, row, tamper, write
from tests.journal.played import STAMP, Played, dealer, opening
from tests.journal.small_disks import fill, mounted

KEY = SecretKey.new("BJ-01")
SPAN_OF_RECORDS = 7


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "journal"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "512k") as folder:
        yield folder


def mirror_of(path: Path, folder: Path) -> Mirror:
    return Mirror(path, folder, SIMULATION)


def copy(path: Path, folder: Path) -> Mirror:
    """Copy all that there is, as one process would that is then stopped."""
    mirror = mirror_of(path, folder)
    copying = mirror.copying()
    caught_up(copying)
    copying.close()
    return mirror


def caught_up(copying: Iterator[Copied]) -> Link:
    return next(copied.link for copied in copying if copied.whole)


def rows_of(path: Path) -> list[reader.Columns]:
    return [row for fetched in reader.chunks(path) for row in fetched.whole()]


def same(path: Path, copied: Path) -> bool:
    return rows_of(path) == rows_of(copied)


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


# --- One file -----------------------------------------------------------------------


def test_every_record_is_copied_as_it_stands(path: Path, folder: Path) -> None:
    write(path, rounds=3)
    mirror = copy(path, folder)
    assert same(path, mirror.file)
    assert mirror_fault(mirror.file, lambda _link, _rows: None) is None


def test_a_journal_that_grows_is_followed(path: Path, folder: Path) -> None:
    copying = mirror_of(path, folder).copying()
    assert next(copying) == Copied(GENESIS, whole=True)  # there is no journal yet
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        for number in range(1, 5):
            store.append(round_rows(number))
            assert caught_up(copying) == store.head
            store.checkpoint()
    assert same(path, folder / path.name)


def test_a_long_journal_is_copied_in_bounded_parts(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "CHUNK_RECORDS", SPAN_OF_RECORDS)
    write(path, rounds=20)
    last = reader.head(path)
    reached = [0]
    for copied in mirror_of(path, folder).copying():
        assert copied.link.sequence - reached[-1] <= SPAN_OF_RECORDS
        reached.append(copied.link.sequence)
        if copied.whole:
            break
    assert reached[-1] == last.sequence
    assert same(path, folder / path.name)


def test_the_mirror_goes_on_from_its_own_end(path: Path, folder: Path) -> None:
    write(path)
    copy(path, folder)
    before = rows_of(folder / path.name)
    with Store.open(path, SIMULATION) as store:
        store.append(round_rows(4))
    copy(path, folder)
    assert same(path, folder / path.name)
    assert rows_of(folder / path.name)[: len(before)] == before


def test_the_writer_is_not_held_up_and_its_log_starts_anew(
    path: Path, folder: Path
) -> None:
    copying = mirror_of(path, folder).copying()
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        sizes = []
        for number in range(1, 60):
            store.append(round_rows(number))
            caught_up(copying)
            assert store.checkpoint().complete
            sizes.append(path.with_name(path.name + "-wal").stat().st_size)
    # Without a reader in its way the log holds a round or two, not all sixty.
    assert max(sizes) < 4 * sizes[0]


def test_the_escrow_is_never_copied(path: Path, folder: Path) -> None:
    table = Played(path)
    table.deal()
    assert escrow_path(path).exists()
    copy(path, folder)
    table.journal.close()
    assert {name.removesuffix("-lock") for name in files_in(folder)} == {path.name}
    salt = table.secrets.of(table.state.shoe.last_card)
    assert salt is not None
    assert all(salt.salt.encode() not in data for data in files_in(folder).values())


# --- What does not go together ------------------------------------------------------


def refused(path: Path, folder: Path) -> str:
    """Return why it goes no further; what was there before is there after."""
    before = rows_of(folder / path.name)
    with pytest.raises(MirrorMismatchError) as error:
        copy(path, folder)
    assert rows_of(folder / path.name) == before
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_journal_that_was_written_anew_is_refused(path: Path, folder: Path) -> None:
    write(path, rounds=3)
    copy(path, folder)
    path.unlink()
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        store.append([row(body='{"card":"2c"}') for _ in range(30)])
    assert "written anew" in refused(path, folder)


@pytest.mark.parametrize("left", [0, 1, 5])
def test_a_journal_whose_end_was_cut_off_is_refused(
    path: Path, folder: Path, left: int
) -> None:
    write(path, rounds=3)
    copy(path, folder)
    tamper(path, "DELETE FROM journal WHERE sequence > ?", values=(left,))
    assert "was cut" in refused(path, folder)


def test_a_record_that_does_not_match_its_hash_is_not_copied(
    path: Path, folder: Path
) -> None:
    write(path, rounds=3)
    tamper(path, "UPDATE journal SET spot = 7 WHERE sequence = 6")
    with pytest.raises(MirrorMismatchError, match="record 6 does not match its hash"):
        copy(path, folder)
    assert reader.head(folder / path.name).sequence == 5


def test_a_journal_changed_while_it_is_followed_is_refused(
    path: Path, folder: Path
) -> None:
    write(path, rounds=3)
    copying = mirror_of(path, folder).copying()
    head = caught_up(copying)
    last = (head.sequence,)
    tamper(path, "DELETE FROM journal WHERE sequence = ?", values=last)
    with pytest.raises(MirrorMismatchError, match="keep both"):
        caught_up(copying)


def test_another_journal_that_says_it_goes_on_from_elsewhere_is_refused(
    path: Path, folder: Path
) -> None:
    write(path, rounds=3)
    copy(path, folder)
    path.unlink()
    old = ev.Predecessor(
        file="../other", found="", sequence=3, hash="00" * 32, reason="archived"
    )
    table = Played(path)
    table.journal.close()
    path.unlink()
    table.journal.begin(path, replace(opening(), succeeds=old), STAMP).close()
    assert "expected to go on from a file named journal.…" in refused(path, folder)


def test_a_mirror_changed_by_one_byte_is_found(path: Path, folder: Path) -> None:
    write(path, rounds=3)
    file = copy(path, folder).file
    good = file.read_bytes()
    at = good.index(b'"card":"Th","at":2')
    for place in range(at, at + 18):
        changed = bytearray(good)
        changed[place] ^= 1
        file.write_bytes(changed)
        fault = mirror_fault(file, lambda _link, _rows: None)
        assert fault is not None


def test_the_folder_of_the_journal_is_no_second_device(path: Path) -> None:
    write(path)
    with pytest.raises(MirrorMismatchError, match="second device"):
        copy(path, path.parent)


def test_a_table_goes_on_from_its_mirror(path: Path, folder: Path) -> None:
    table = Played(path)
    table.deal()
    copy(path, folder)
    table.journal.close()
    path.rename(path.with_name("evidence"))
    escrow_path(path).rename(path.with_name("evidence.escrow"))
    reader.copy(folder / path.name, path)
    again = Played(path, begin=False)
    assert again.state == table.state
    again.do(cm.ResumeControl())
    assert again.state.play.dealer.hole_unread
    again.journal.close()
    copy(path, folder)
    assert same(path, folder / path.name)


# --- A folder that goes and comes back ------------------------------------------------


def test_a_folder_that_is_not_there_is_not_made(path: Path, tmp_path: Path) -> None:
    write(path)
    with pytest.raises(
        JournalWriteError, match="unplugged: the mirror's folder is not"
    ):
        copy(path, tmp_path / "unplugged")
    assert not (tmp_path / "unplugged").exists()


def test_a_folder_that_vanishes_is_noticed_and_gone_on_with_when_it_is_back(
    path: Path, folder: Path, tmp_path: Path
) -> None:
    write(path)
    copying = mirror_of(path, folder).copying()
    caught_up(copying)
    folder.rename(tmp_path / "pulled")
    with pytest.raises(JournalWriteError, match="there: the mirror's folder is not"):
        caught_up(copying)
    with Store.open(path, SIMULATION) as store:
        store.append(round_rows(4))
    (tmp_path / "pulled").rename(folder)
    copy(path, folder)
    assert same(path, folder / path.name)


def test_a_folder_that_comes_back_empty_is_never_filled_again(
    path: Path, folder: Path
) -> None:
    write(path)
    mirror = mirror_of(path, folder)
    copying = mirror.copying()
    caught_up(copying)
    shutil.rmtree(folder)
    folder.mkdir()
    with pytest.raises(OSError, match="journal"):
        caught_up(copying)
    with pytest.raises(MirrorMismatchError, match="held record 10 of"):
        caught_up(mirror.copying())
    assert list(folder.iterdir()) == []


def test_an_older_copy_in_the_mirrors_place_is_refused(
    path: Path, folder: Path, tmp_path: Path
) -> None:
    write(path)
    copy(path, folder)
    shutil.copytree(folder, tmp_path / "older")
    with Store.open(path, SIMULATION) as store:
        store.append(round_rows(4))
    held = copy(path, folder).held
    assert held == reader.head(path)
    shutil.rmtree(folder)
    (tmp_path / "older").rename(folder)
    with pytest.raises(MirrorMismatchError, match="holds it no more"):
        caught_up(Mirror(path, folder, SIMULATION, held).copying())


def test_what_was_held_is_found_in_a_file_that_was_archived_since(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    held = copy(path, folder).held
    old = end_the_file(path)
    mirror = Mirror(path, folder, SIMULATION, held)
    caught_up(mirror.copying())
    assert mirror.held == reader.head(path)
    caught_up(Mirror(path, folder, SIMULATION, held).copying())
    check_all_files_are_there(path, folder, old)


def test_a_file_put_in_the_mirrors_place_is_noticed(path: Path, folder: Path) -> None:
    write(path)
    copying = mirror_of(path, folder).copying()
    caught_up(copying)
    shutil.copy(folder / path.name, folder / "other")
    os.replace(folder / "other", folder / path.name)  # noqa: PTH105 - by name alone
    with pytest.raises(JournalError, match="another file is in its place"):
        caught_up(copying)


def test_a_mirror_without_room_keeps_what_it_has_and_goes_on_when_there_is_room(
    path: Path, small_disk: Path
) -> None:
    write(path, rounds=2)
    copy(path, small_disk)
    with Store.open(path, SIMULATION) as store:
        for number in range(4, 40):
            store.append(round_rows(number, cards=20))
    ballast = small_disk / "ballast"
    fill(ballast)
    with pytest.raises((JournalFullError, JournalWriteError, OSError)):
        copy(path, small_disk)
    ballast.unlink()
    held = rows_of(small_disk / path.name)
    assert held == rows_of(path)[: len(held)]
    assert len(held) >= 10
    copy(path, small_disk)
    assert same(path, small_disk / path.name)


@pytest.mark.parametrize("spare_kib", [0, 4, 8, 20, 40, 64])
def test_a_file_that_could_not_be_begun_for_want_of_room_is_begun_when_there_is(
    path: Path, tmp_path: Path, spare_kib: int
) -> None:
    play_a_shift(path, begin=True)
    old = end_the_file(path)
    with mounted(tmp_path / "disk", "2m") as disk:
        ballast = disk / "ballast"
        fill(ballast, spare_kib)
        for _ in range(3):
            with pytest.raises((JournalFullError, JournalWriteError, OSError)):
                copy(path, disk)
        ballast.unlink()
        copy(path, disk)
        check_all_files_are_there(path, disk, old)


def test_an_empty_file_holds_nothing_that_is_wrong(path: Path, folder: Path) -> None:
    write(path)
    (folder / path.name).touch()
    assert mirror_fault(folder / path.name, lambda _link, _rows: None) is None
    copy(path, folder)
    assert same(path, folder / path.name)


def test_another_programs_database_is_refused(path: Path, folder: Path) -> None:
    write(path)
    with contextlib.closing(sqlite3.connect(folder / path.name)) as other:
        other.execute("CREATE TABLE notes (text)")
    with pytest.raises(NotAJournalError, match="found another database"):
        copy(path, folder)


# --- A journal in several files -------------------------------------------------------


def play_a_shift(path: Path, *, begin: bool) -> Signing:
    table = Played(path, begin=begin)
    signing = Signing("BJ-01", KEY)
    table.journal.sign_with(signing, STAMP)
    table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    table.do(table.press(Button.BET, 2500))
    table.do(dealer(DealerButton.DEAL))
    for face in ("9s", "7h", "7s", "Kd"):
        table.do(table.card(face))
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    table.do(cm.CloseShift())
    table.journal.close()
    return signing


def end_the_file(path: Path) -> Path:
    old = archive(path, opening(), STAMP, Signing("BJ-01", KEY))
    return path.with_name(old.file)


def end_the_file_as_it_is(path: Path) -> Path:
    """Archive without another signature: no record is added."""
    return path.with_name(archive(path, opening(), STAMP, None).file)


def heads_of(journal: Path) -> str:
    """Return the plain text beside a journal; none before the first head."""
    file = heads_file(journal)
    return file.read_text() if file.exists() else ""


def check_all_files_are_there(path: Path, folder: Path, *archived: Path) -> None:
    for file in (path, *archived):
        copied = folder / file.name
        assert same(file, copied)
        assert heads_of(copied) == heads_of(file)
    assert all(heads_of(folder / file.name) for file in archived)
    assert evidence.verify(folder / path.name, replay=True).good
    assert mirror_fault(folder / path.name, lambda _link, _rows: None) is None


def test_an_archived_journal_is_followed_into_the_next_file(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    copying = mirror_of(path, folder).copying()
    caught_up(copying)
    old = end_the_file(path)
    assert caught_up(copying) == reader.head(path)
    check_all_files_are_there(path, folder, old)
    play_a_shift(path, begin=False)
    assert caught_up(copying) == reader.head(path)
    check_all_files_are_there(path, folder, old)


def test_files_archived_while_the_mirror_was_away_are_all_copied(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    copy(path, folder)
    play_a_shift(path, begin=False)
    archived = [end_the_file(path)]
    for _ in range(2):
        play_a_shift(path, begin=False)
        archived.append(end_the_file(path))
    copy(path, folder)
    check_all_files_are_there(path, folder, *archived)


def test_a_new_mirror_gets_the_earlier_files_too(path: Path, folder: Path) -> None:
    play_a_shift(path, begin=True)
    old = end_the_file(path)
    copy(path, folder)
    check_all_files_are_there(path, folder, old)


def test_an_archived_file_that_was_cut_is_refused(path: Path, folder: Path) -> None:
    play_a_shift(path, begin=True)
    copy(path, folder)
    play_a_shift(path, begin=False)
    old = end_the_file(path)
    tamper(
        old, "DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)"
    )
    with pytest.raises(MirrorMismatchError, match="expected to end with record"):
        copy(path, folder)


def test_an_archived_file_that_is_gone_is_missed_only_if_the_mirror_lacks_its_end(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    copy(path, folder)
    old = end_the_file_as_it_is(path)
    gone = old.rename(old.with_name("gone"))
    copy(path, folder)
    assert same(gone, folder / old.name)
    play_a_shift(path, begin=False)
    end_the_file_as_it_is(path).unlink()
    assert "holds another or none" in refused(path, folder)


def test_a_mirror_interrupted_between_two_names_goes_on(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    copy(path, folder)
    old = end_the_file(path)
    # Killed when the heads had their new name, and the journal not yet.
    heads_file(folder / path.name).rename(heads_file(folder / old.name))
    copy(path, folder)
    check_all_files_are_there(path, folder, old)


def test_the_mirror_of_a_damaged_journal_keeps_what_only_it_holds(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    play_a_shift(path, begin=False)
    copy(path, folder)
    whole = rows_of(path)
    last = len(whole)
    tamper(path, "UPDATE journal SET spot = 7 WHERE sequence = ?", values=(last,))
    wanted = Wanted(supervisor="S1", technician="T1", reason="it is bad")
    made = begin_successor(path, opening(), wanted, STAMP)
    copy(path, folder)
    assert rows_of(folder / made.file) == whole
    assert same(path, folder / path.name)


# --- Heads as plain text, and which file is at fault ----------------------------------


def mirrored_shifts(path: Path, folder: Path) -> tuple[Path, Path]:
    """Mirror a file that was archived and the one after it; return both copies."""
    play_a_shift(path, begin=True)
    old = end_the_file(path)
    play_a_shift(path, begin=False)
    copy(path, folder)
    check_all_files_are_there(path, folder, old)
    return folder / old.name, folder / path.name


@pytest.mark.parametrize("which", [0, 1])
def test_heads_that_are_gone_are_made_anew(
    path: Path, folder: Path, which: int
) -> None:
    place = heads_file(mirrored_shifts(path, folder)[which])
    text = place.read_text()
    place.unlink()
    copy(path, folder)
    assert place.read_text() == text
    # As a crash, or a power cut, may leave them.
    for left in (text[: len(text) // 2], text[:9] + "\0" * (len(text) - 9)):
        place.write_text(left)
        copy(path, folder)
        assert place.read_text() == text


@pytest.mark.parametrize("which", [0, 1])
def test_heads_that_say_otherwise_than_the_records_are_refused(
    path: Path, folder: Path, which: int
) -> None:
    file = mirrored_shifts(path, folder)[which]
    place = heads_file(file)
    text = place.read_text()
    # Each time in it ends with a Z; a letter of its signature may be any.
    for changed in (text + "a line more\n", text.replace("Z", "z", 1), text + text):
        place.write_text(changed)
        with pytest.raises(MirrorMismatchError, match=f"{place.name}: the signed"):
            copy(path, folder)
        fault = mirror_fault(folder / path.name, lambda _link, _rows: None)
        assert fault is not None
        assert fault.file == place
        assert place.read_text() == changed


def test_heads_written_to_while_they_are_copied_are_refused(
    path: Path, folder: Path
) -> None:
    play_a_shift(path, begin=True)
    copying = mirror_of(path, folder).copying()
    caught_up(copying)
    with heads_file(folder / path.name).open("a") as place:
        place.write("a line more\n")
    play_a_shift(path, begin=False)
    with pytest.raises(MirrorMismatchError, match="signed heads"):
        caught_up(copying)


@pytest.mark.parametrize("which", [0, 1])
def test_a_changed_file_is_named_whichever_it_is(
    path: Path, folder: Path, which: int
) -> None:
    file = mirrored_shifts(path, folder)[which]
    tamper(file, "UPDATE journal SET spot = 7 WHERE sequence = 3")
    fault = mirror_fault(folder / path.name, lambda _link, _rows: None)
    assert fault is not None
    assert fault.file == file
    assert "record 3" in fault.text
