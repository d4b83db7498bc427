"""Who is vouched for, at a simulated and at a live table."""

from pathlib import Path

import pytest

from controller.core.commands import Person
from controller.core.ids import Role
from controller.runtime.errors import PeopleFileError
from controller.runtime.people import people_of
from hw_config.schema import Kind

LISTED = """
[people.S1]
role = "supervisor"
name = "A. Miller"
[people.kim]
role = "dealer"
[people.T1]
role = "technician"
"""


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
    assert people.person("S2").role is Role.UNKNOWN
    assert people.person("D1").role is Role.UNKNOWN


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "people: expected a table for each person, [people.ID]"),
        ("people = 3", "people: expected a table for each person, [people.ID]"),
        (LISTED + "[staff]", "staff: unknown key; expected a table for each person"),
        ("[people.S1]", "people.S1.role: missing; expected one of dealer, supervisor"),
        (
            '[people.S1]\nrole = "boss"',
            "people.S1.role: expected one of dealer, supervisor, technician, got",
        ),
        ('[people.S1]\nrole = "unknown"', "people.S1.role: expected one of dealer"),
        (
            '[people.S1]\nrole = "dealer"\nnmae = "A"',
            "people.S1.nmae: unknown key; did you mean name?",
        ),
        ('[people."S 1"]\nrole = "dealer"', "people.S 1: expected an id such as S1"),
        ('people.S1 = "dealer"', 'people.S1: expected a table with role = "…"'),
        ("[people", "expected TOML in UTF-8"),
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
