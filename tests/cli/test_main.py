"""The command line as such: finding commands, lazily, and saying no in one line."""

import importlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from controller.cli import main, registry
from controller.cli.main import status_of
from tests.cli.plugins import announce

COMMANDS = """
import click
COMMANDS = {
    "shuffle": ("toy_commands:shuffle", "Shuffle a toy."),
    "rules": ("toy_commands:shuffle", "Take what is not its own."),
    "gone": ("toy_commands:gone", "Was removed."),
    "number": ("toy_commands:number", "Is no command."),
}
number = 7

@click.command
@click.argument("way", type=click.Choice(["well", "badly", "stop"]))
def shuffle(way):
    if way == "stop":
        raise KeyboardInterrupt
    click.echo(f"shuffled {way}")
    return 1 if way == "badly" else 0
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, monkeypatch, "toy", COMMANDS)
    monkeypatch.delitem(sys.modules, "toy_commands", raising=False)


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(Path("pyproject.toml").read_text())
    return dict(found["project"])


def attribute(path: str) -> object:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


# --- What there is -----------------------------------------------------------


@pytest.mark.parametrize("path", [path for path, _ in registry.OWN.values()])
def test_each_of_our_own_commands_is_where_the_table_says(path: str) -> None:
    assert isinstance(attribute(path), click.Command)


def test_the_simulators_commands_are_where_their_entry_point_says() -> None:
    points = project()["entry-points"][registry.PLUGIN_GROUP]
    for point in points.values():
        table = attribute(point)
        assert isinstance(table, dict)
        for path, _ in table.values():
            assert isinstance(attribute(path), click.Command)


def test_the_program_is_where_its_script_says() -> None:
    assert attribute(project()["scripts"]["tablectl"]) is main.main


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
@pytest.mark.usefixtures("toy")
def test_help_lists_every_command_with_a_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(arguments) == 0
    shown = capsys.readouterr().out
    for name, (_, line) in registry.OWN.items():
        assert f"  {name}" in shown
        assert line in shown
    assert "Shuffle a toy." in shown


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from controller.cli.main import status_of; "
        "status_of(['--help']); "
        "print([name for name in ('msgspec', 'sqlite3', 'rich', 'transitions',"
        " 'controller.core') if name in sys.modules])"
    )
    ran = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.usefixtures("toy")
def test_every_command_names_itself_for_completion() -> None:
    context = click.Context(main.tablectl)
    assert isinstance(main.tablectl, registry.CommandTable)
    names = main.tablectl.list_commands(context)
    assert names == sorted(names)
    assert {*registry.OWN, "shuffle"} <= set(names)


# --- Plugins -----------------------------------------------------------------


@pytest.mark.usefixtures("toy")
def test_an_announced_command_runs_and_gives_the_exit_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(["shuffle", "well"]) == 0
    assert status_of(["shuffle", "badly"]) == 1
    assert capsys.readouterr().out == "shuffled well\nshuffled badly\n"


@pytest.mark.usefixtures("toy")
def test_a_plugin_cannot_take_the_name_of_our_own_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(["--help"]) == 0
    shown = capsys.readouterr().out
    assert registry.OWN["rules"][1] in shown
    assert "Take what is not its own." not in shown


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "gone",
            "gone cannot be loaded: module 'toy_commands' has no attribute 'gone'",
        ),
        ("number", "number cannot be loaded: toy_commands:number is no command"),
    ],
)
@pytest.mark.usefixtures("toy")
def test_an_announced_command_that_is_not_there_is_one_line(
    name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of([name]) == 2
    assert capsys.readouterr().err == f"{line}\n"


def test_a_broken_plugin_costs_only_its_own_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    announce(tmp_path, monkeypatch, "wreck", "raise OSError('no such device')")
    assert status_of(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    line = "the commands of wreck cannot be loaded: OSError('no such device')"
    assert line in shown
    assert registry.OWN["rules"][1] in shown
    assert status_of(["shuffle"]) == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1


# --- Wrong use ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["rulse"], "tablectl: no command 'rulse'; did you mean rules?"),
        (["zzzz"], "tablectl: no command 'zzzz'; tablectl --help lists them"),
        (["--bad"], "tablectl: No such option '--bad'."),
        (["shuffle"], "tablectl shuffle: Missing argument"),
        (["shuffle", "twice"], "tablectl shuffle: Invalid value"),
    ],
)
@pytest.mark.usefixtures("toy")
def test_wrong_use_is_one_line_and_status_2(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1


@pytest.mark.usefixtures("toy")
def test_an_interrupt_ends_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert status_of(["shuffle", "stop"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_that_went_away_gets_no_traceback() -> None:
    code = "from controller.cli.main import main; main(['rules', 'colorado'])"
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert ran.stderr == ""


def test_main_exits_with_the_status() -> None:
    with pytest.raises(SystemExit) as exited:
        main.main(["nothing-of-the-kind"])
    assert exited.value.code == 2
