"""docs/people.md says what the program does."""

import re
import shlex
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from controller.cli.console_login import LOGIN_WORDS
from controller.cli.main import tablectl
from controller.core.events import (
    LoginDelayLifted,
    LoginRefused,
    PersonLoggedIn,
    PersonLoggedOut,
)
from controller.core.ids import Role
from controller.runtime.people import ROLES, load
from controller.runtime.pins import COST, PIN_MAX_CHARACTERS, PIN_MIN_CHARACTERS
from controller.runtime.speakers import FAILURES_MAX, LAPSES_AFTER_S, WITNESS_VALID_S
from controller.runtime.waits import FIRST_WAIT_S, FREE_FAILURES, WAIT_MAX_S

TEXT: Final = (Path(__file__).parents[2] / "docs/people.md").read_text()
WORDS: Final = " ".join(TEXT.split())
NUMBERS: Final = {3: "Three"}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_sample_of_the_file_loads(tmp_path: Path) -> None:
    _, sample = blocks("toml")
    file = tmp_path / "people.toml"
    file.write_text(sample)
    file.chmod(0o600)
    listed = load(file)
    assert listed["S1"].role is Role.SUPERVISOR
    assert listed["S1"].pin.startswith(f"$argon2id$v=19$m={COST.memory_kib},t=")


def test_the_commands_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (commands,) = blocks("sh")
    for line in commands.splitlines():
        _, *arguments = shlex.split(line)
        done = CliRunner().invoke(tablectl, arguments, input="482913\n")
        assert done.exit_code == 0, f"{line}: {done.output}"
    assert load(tmp_path / "people.toml").keys() == {"S1"}


def test_every_role_has_its_row() -> None:
    for role in ROLES:
        assert f"\n| {role.value} |" in TEXT


def test_every_word_of_the_console_is_told() -> None:
    for words in LOGIN_WORDS:
        assert re.search(rf"\| `{words.split()[0]}[ `]", TEXT)


@pytest.mark.parametrize(
    "record", [PersonLoggedIn, LoginRefused, PersonLoggedOut, LoginDelayLifted]
)
def test_every_record_of_people_has_its_row(record: type) -> None:
    tag = getattr(record, "__struct_config__").tag  # noqa: B009 - mypy knows no Struct here
    assert f"| `{tag}` |" in TEXT


def test_the_figures_are_those_of_the_program() -> None:
    for words in (
        f"A PIN has {PIN_MIN_CHARACTERS} to {PIN_MAX_CHARACTERS} characters",
        f"at most {WITNESS_VALID_S:g} seconds before",
        f"after {LAPSES_AFTER_S:g} seconds without a line",
        f"{NUMBERS[FREE_FAILURES]} in a row cost a wait of {FIRST_WAIT_S:g} seconds",
        f"up to {WAIT_MAX_S:g} seconds",
        f"After {FAILURES_MAX} refused logins a connection is ended",
        f"over {COST.memory_kib} KiB, twice",
    ):
        assert words in WORDS
    assert COST.iterations == 2
