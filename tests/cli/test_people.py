"""`tablectl people`: the list is edited, PINs are asked for and never shown."""

import contextlib
import json
import stat
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from controller.cli.main import status_of
from controller.cli.people import command
from controller.core.ids import Role
from controller.runtime.people import Entry, load
from controller.runtime.people_file import save
from controller.runtime.pins import Pin, is_right
from hw_config.loader import shipped_hardware
from tests.cli.terminals import Terminal, on_a_terminal

PIN: Final = "482913"
START: Final = "import sys; from controller.cli.main import main; main(sys.argv[1:])"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "people.toml"
    save(file, {"S1": Entry(Role.SUPERVISOR, "A. Miller"), "D1": Entry(Role.DEALER)})
    return file


def people(file: Path, *arguments: str, piped: str = "") -> Result:
    return CliRunner().invoke(
        command, [str(file), *arguments], input=piped, standalone_mode=False
    )


def refusal(done: Result) -> str:
    assert done.exception is not None
    return str(getattr(done.exception, "message", done.exception))


# --- The list ---------------------------------------------------------------------


def test_somebody_is_added_with_the_pin_that_is_piped_in(file: Path) -> None:
    done = people(file, "add", "S2", "supervisor", "--name", "Kim", piped=f"{PIN}\n")
    assert (done.exit_code, done.output) == (0, "")
    entry = load(file)["S2"]
    assert (entry.role, entry.name) == (Role.SUPERVISOR, "Kim")
    assert is_right(Pin(PIN), entry.pin)
    assert PIN not in file.read_text()


def test_the_first_one_makes_the_file_which_is_for_its_owner_alone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "new.toml"
    assert people(file, "add", "S1", "supervisor", piped=PIN).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_pin_may_come_later(file: Path) -> None:
    people(file, "add", "V1", "surveillance", "--no-pin")
    assert load(file)["V1"] == Entry(Role.SURVEILLANCE)
    people(file, "set-pin", "V1", piped=PIN)
    assert is_right(Pin(PIN), load(file)["V1"].pin)


def test_another_pin_takes_the_place_of_the_first_and_the_rest_stays(
    file: Path,
) -> None:
    people(file, "set-pin", "S1", piped=PIN)
    people(file, "set-pin", "S1", piped="730451")
    entry = load(file)["S1"]
    assert is_right(Pin("730451"), entry.pin)
    assert not is_right(Pin(PIN), entry.pin)
    assert entry.name == "A. Miller"


def test_another_role_leaves_the_pin(file: Path) -> None:
    people(file, "set-pin", "D1", piped=PIN)
    before = load(file)["D1"]
    people(file, "set-role", "D1", "supervisor")
    assert load(file)["D1"] == Entry(Role.SUPERVISOR, before.name, before.pin)


def test_who_is_removed_is_listed_no_longer(file: Path) -> None:
    people(file, "remove", "D1")
    assert load(file).keys() == {"S1"}


def test_the_list_shows_who_has_a_pin_and_nothing_of_it(file: Path) -> None:
    people(file, "set-pin", "S1", piped=PIN)
    shown = people(file, "list").output
    assert [line.split() for line in shown.splitlines()] == [
        ["id", "role", "PIN", "name"],
        ["D1", "dealer", "none"],
        ["S1", "supervisor", "set", "A.", "Miller"],
    ]
    as_json = people(file, "list", "--json").output
    assert json.loads(as_json)[1] == {
        "id": "S1",
        "role": "supervisor",
        "name": "A. Miller",
        "has_pin": True,
    }
    assert "argon2" not in shown + as_json


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "S 1", "dealer"), "expected an id such as S1"),
        (("add", "S1", "dealer"), "S1 is listed already"),
        (("add", "S2", "dealer", "--name", "a" * 101), "at most 100 letters"),
        (("add", "S2", "dealer", "--name", "a\nb"), "at most 100 letters"),
        (("remove", "S9"), "nobody is listed as S9"),
        (("set-pin", "S9"), "nobody is listed as S9"),
        (("set-role", "S9", "dealer"), "nobody is listed as S9"),
    ],
)
def test_what_cannot_be_is_told_and_the_file_stays(
    file: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = file.read_bytes()
    assert said in refusal(people(file, *arguments, piped=PIN))
    assert file.read_bytes() == before


@pytest.mark.parametrize("pin", ["", "12", "111111", "123456"])
def test_a_pin_that_will_not_do_is_refused(file: Path, pin: str) -> None:
    before = file.read_bytes()
    assert "the PIN is not taken: expected" in refusal(
        people(file, "set-pin", "S1", piped=f"{pin}\n")
    )
    assert file.read_bytes() == before


def test_the_last_one_is_not_removed(file: Path) -> None:
    people(file, "remove", "D1")
    assert "a list needs somebody" in refusal(people(file, "remove", "S1"))
    assert load(file).keys() == {"S1"}


def test_a_file_that_cannot_be_used_is_wrong_use(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[people.S1]\nrole = "boss"')
    assert status_of(["people", str(file), "list"]) == 2
    assert "people.S1.role: expected one of" in capsys.readouterr().err


def test_a_hardware_file_is_checked_with_its_list(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[people.S1]\nrole = "boss"')
    hardware = tmp_path / "table.toml"
    shipped = shipped_hardware("simulation-seven").read_text()
    hardware.write_text(f'people = "{file}"\n{shipped}')
    assert status_of(["check", str(hardware)]) == 2
    assert f"{file}: people.S1.role: expected one of" in capsys.readouterr().err


# --- A person at a terminal -------------------------------------------------------


def set_pin(file: Path) -> contextlib.AbstractAsyncContextManager[Terminal]:
    return on_a_terminal("-c", START, "people", str(file), "set-pin", "S1")


async def test_a_pin_is_asked_for_twice_and_not_shown(file: Path) -> None:
    async with set_pin(file) as terminal:
        await terminal.shows("PIN: ")
        terminal.type(f"{PIN}\n")
        await terminal.shows("PIN again: ")
        terminal.type(f"{PIN}\n")
        assert await terminal.ends() == 0
        assert PIN not in terminal.shown
    assert is_right(Pin(PIN), load(file)["S1"].pin)


async def test_two_that_differ_are_asked_for_again(file: Path) -> None:
    async with set_pin(file) as terminal:
        at = 0
        for first, again in ((PIN, "482914"), ("730451", "730451")):
            at = await terminal.shows("PIN: ", at)
            terminal.type(f"{first}\n")
            at = await terminal.shows("PIN again: ", at)
            terminal.type(f"{again}\n")
        assert await terminal.ends() == 0
        assert "do not match" in terminal.shown
    assert is_right(Pin("730451"), load(file)["S1"].pin)


def test_a_list_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = people(tmp_path / "none.toml", "list")
    assert "cannot be read: No such file" in refusal(done)


def test_without_arguments_it_says_which_it_expects(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(["people"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "FILE COMMAND" in line
    assert line.endswith("(tablectl people --help explains it)")
