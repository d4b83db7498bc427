"""Who is vouched for, at a simulated and at a live table."""

import os
import stat
from pathlib import Path

import pytest

from controller.core.commands import Person
from controller.core.ids import Role
from controller.runtime.errors import PeopleFileError
from controller.runtime.people import Entry, people_of
from controller.runtime.people_file import save
from controller.runtime.pins import Cost, Pin, kept
from hw_config.schema import Kind

LISTED = """
[people.S1]
role = "supervisor"
name = "A. Miller"
[people.kim]
role = "dealer"
[people.T1]
role = "technician"
[people.V1]
role = "surveillance"
"""
KEPT = kept(Pin("482913"), Cost(memory_kib=8, iterations=1))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "people.toml"
    file.write_text(LISTED)
    return file


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("S1", Role.SUPERVISOR),
        ("D7", Role.DEALER),
        ("T1", Role.TECHNICIAN),
        ("X1", Role.UNKNOWN),
        ("", Role.UNKNOWN),
    ],
)
def test_a_simulated_table_knows_people_by_their_letter(name: str, role: Role) -> None:
    assert people_of(Kind.SIMULATION, None).person(name) == Person(name, role)


def test_a_live_table_without_a_list_knows_dealers_alone() -> None:
    people = people_of(Kind.LIVE, None)
    assert people.person("D1").role is Role.DEALER
    assert people.person("S1").role is Role.UNKNOWN
    assert people.person("T1").role is Role.UNKNOWN


@pytest.mark.parametrize("kind", Kind)
def test_with_a_list_only_those_on_it_are_known(kind: Kind, file: Path) -> None:
    people = people_of(kind, file)
    assert people.person("S1") == Person("S1", Role.SUPERVISOR)
    assert people.person("kim").role is Role.DEALER
    assert people.person("V1").role is Role.SURVEILLANCE
    assert people.person("S2").role is Role.UNKNOWN
    assert people.person("D1").role is Role.UNKNOWN


@pytest.mark.parametrize("kind", Kind)
def test_only_with_a_list_people_must_log_in(kind: Kind, file: Path) -> None:
    assert people_of(kind, file).log_in
    assert not people_of(kind, None).log_in


def test_the_list_is_read_again_when_asked(file: Path) -> None:
    people = people_of(Kind.LIVE, file)
    file.write_text('[people.S2]\nrole = "supervisor"')
    again = people.read_again()
    assert again.person("S2").role is Role.SUPERVISOR
    assert again.person("S1").role is Role.UNKNOWN
    assert people_of(Kind.LIVE, None).read_again().person("D1").role is Role.DEALER


# --- PINs in the file -------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o640])
def test_pins_are_taken_from_a_file_that_is_not_for_others(
    file: Path, mode: int
) -> None:
    save(file, {"S1": Entry(Role.SUPERVISOR, pin=KEPT)})
    file.chmod(mode)
    assert people_of(Kind.LIVE, file).listed["S1"].pin == KEPT


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604, 0o602, 0o601])
def test_pins_that_are_open_to_others_are_refused(file: Path, mode: int) -> None:
    save(file, {"S1": Entry(Role.SUPERVISOR, pin=KEPT)})
    file.chmod(mode)
    with pytest.raises(PeopleFileError, match=f"open to others; chmod 600 {file}"):
        people_of(Kind.LIVE, file)


@pytest.mark.parametrize(
    "pin",
    ['"482913"', "482913", "true", f'"{KEPT}x"'],
    ids=["text", "number", "no PIN at all", "not quite a kept one"],
)
def test_a_pin_in_clear_is_refused_and_quoted_by_no_message(
    file: Path, pin: str
) -> None:
    file.write_text(f'[people.S1]\nrole = "supervisor"\npin = {pin}')
    with pytest.raises(PeopleFileError) as caught:
        people_of(Kind.LIVE, file)
    assert str(caught.value) == (
        f"{file}: people.S1.pin: expected what tablectl people set-pin writes"
    )


# --- Writing it -------------------------------------------------------------------


def test_what_is_saved_is_read_the_same(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    listed = {
        "S1": Entry(Role.SUPERVISOR, 'Ann "the boss" \\ Müller\x7f', KEPT),
        "a.b": Entry(Role.SURVEILLANCE),
        "7": Entry(Role.DEALER, "Kim"),
    }
    save(file, listed)
    assert people_of(Kind.LIVE, file).listed == listed
    save(file, people_of(Kind.LIVE, file).listed)
    assert people_of(Kind.LIVE, file).listed == listed


def test_a_saved_file_is_for_its_owner_alone_whatever_it_was(file: Path) -> None:
    file.chmod(0o666)
    before = os.umask(0)
    try:
        save(file, {"S1": Entry(Role.SUPERVISOR)})
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [found.name for found in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_file_that_root_edits_stays_its_owners(file: Path) -> None:
    os.chown(file, 4711, 4712)
    save(file, {"S1": Entry(Role.SUPERVISOR)})
    assert (file.stat().st_uid, file.stat().st_gid) == (4711, 4712)


def test_a_folder_that_cannot_be_written_is_told_and_nothing_changes(
    tmp_path: Path,
) -> None:
    with pytest.raises(PeopleFileError, match="cannot be written: No such file"):
        save(tmp_path / "none" / "people.toml", {})


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "people.toml"
    file.mkdir()
    with pytest.raises(PeopleFileError, match="cannot be written: Is a directory"):
        save(file, {"S1": Entry(Role.SUPERVISOR)})
    assert [found.name for found in tmp_path.iterdir()] == ["people.toml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "people: expected a table for each person, [people.ID]"),
        ("people = 3", "people: expected a table for each person, [people.ID]"),
        (LISTED + "[staff]", "staff: unknown key; expected a table for each person"),
        ("[people.S1]", "people.S1.role: missing; expected one of dealer, supervisor"),
        (
            '[people.S1]\nrole = "boss"',
            "people.S1.role: expected one of dealer, supervisor, technician, surv",
        ),
        ('[people.S1]\nrole = "unknown"', "people.S1.role: expected one of dealer"),
        (
            '[people.S1]\nrole = "dealer"\nnmae = "A"',
            "people.S1.nmae: unknown key; did you mean name?",
        ),
        ('[people."S 1"]\nrole = "dealer"', "people.S 1: expected an id such as S1"),
        ('people.S1 = "dealer"', 'people.S1: expected a table with role = "…"'),
        ("[people", "expected TOML in UTF-8"),
        ("people = " + "[" * 2_000, "expected TOML in UTF-8"),
    ],
)
def test_a_bad_list_is_told_file_key_and_expectation(
    file: Path, text: str, said: str
) -> None:
    file.write_text(text)
    with pytest.raises(PeopleFileError) as caught:
        people_of(Kind.LIVE, file)
    assert f"{file}: {said}" in str(caught.value)


def test_all_faults_of_a_list_are_told_at_once(file: Path) -> None:
    file.write_text("colour = 1\n[people.S1]\n[people.D1]\nrole = 3")
    with pytest.raises(PeopleFileError) as caught:
        people_of(Kind.LIVE, file)
    assert len(str(caught.value).splitlines()) == 3


def test_a_list_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(PeopleFileError, match="cannot be read: No such file"):
        people_of(Kind.LIVE, tmp_path / "people.toml")
