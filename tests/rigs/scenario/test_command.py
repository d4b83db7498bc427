"""`tablectl scenario`: statuses, lines, folders, traces, and the hook of `--wire`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import click
import pytest

from controller.cli.failures import MisuseError
from simulators.rigs.scenario import command
from simulators.rigs.scenario.command import WIRE_TABLE, UnreadableError, scenario
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import Head
from simulators.rigs.table_folder import SHIPPED

HOLDS = "bet 1 25\nexpect wager 1 25\n"
FAILS = "bet 1 25\n# a comment\nexpect wager 1 30\n"


def run(*arguments: object) -> int:
    result = scenario.main([str(word) for word in arguments], standalone_mode=False)
    assert isinstance(result, int)
    return result


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.scenario"
    file.write_text(text)
    return file


def test_expectations_that_hold_give_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(write(tmp_path, "a", HOLDS)) == 0
    assert capsys.readouterr().out == "1 scenario: all hold\n"


def test_an_expectation_that_does_not_hold_gives_1_and_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "a", FAILS)
    write(tmp_path, "b", HOLDS)
    assert run(tmp_path) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{file}:3: expected ")
    assert ", got " in said[0]
    assert said[1:] == ["2 scenarios: 1 failed"]


def test_every_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    one = write(tmp_path, "a", "bet 1\n")
    two = write(tmp_path, "b", "wait 1\nexpect event player_askd\n")
    write(tmp_path, "c", FAILS)
    with pytest.raises(UnreadableError) as refused:
        run(tmp_path)
    assert refused.value.exit_code == 2
    first, second = refused.value.lines
    assert first.startswith(f"{one}:1: expected an amount")
    assert second.startswith(f"{two}:2: expected the type of an event, got player_askd")


def test_a_file_that_is_not_there_gives_2(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=":1: expected a file that can be read"):
        run(tmp_path / "none.scenario")


def test_a_folder_without_scenarios_gives_2(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="expected scenarios"):
        run(tmp_path)


def test_no_file_is_wrong_use() -> None:
    with pytest.raises(click.UsageError):
        run()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("rules reno", "no ruleset 'reno'"),
        ("rules house peek=never", "never"),
        ("rules house deck=6", "unknown ruleset key 'deck'"),
        ("rules colorado peek=none", 'surrender = "late" needs a peek'),
    ],
)
def test_a_ruleset_that_cannot_be_used_is_refused_at_its_line(
    rules: str, said: str, tmp_path: Path
) -> None:
    file = write(tmp_path, "a", f"# what for\ntable seats=3\n{rules}\nwait 1\n")
    with pytest.raises(UnreadableError) as refused:
        run(file)
    assert refused.value.lines[0].startswith(f"{file}:3: ")
    assert said in refused.value.lines[0]


def test_a_trace_is_one_line_a_step_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "a", "bet 1 25\nexpect wager 1 25\nclear 1\n")
    assert run("--trace", file) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("BETTING; lamps 1 bet clear")
    assert "hand 1 25" in first
    assert "hand 1" not in second


def test_power_cuts_everywhere_are_survived(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--power-cut-everywhere", "tests/scenarios") == 0
    assert "all hold" in capsys.readouterr().out


def test_all_that_a_table_writes_may_be_named() -> None:
    known = command.known_events()
    assert "reason" in known["press_refused"]
    assert "card" in known["card_reported"]


class Cut(CoreTable):
    """A table that tells when it was made."""

    made: list[Head]

    def __init__(self, head: Head) -> None:
        super().__init__(head)
        self.made.append(head)


def test_wire_plays_at_the_tables_of_the_hook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Cut.made = []
    closed: list[bool] = []

    @contextmanager
    def wire_tables(shipped: str) -> Iterator[type[Cut]]:
        assert shipped == SHIPPED
        yield Cut
        closed.append(True)

    module = ModuleType(WIRE_TABLE)
    monkeypatch.setattr(module, "wire_tables", wire_tables, raising=False)
    monkeypatch.setitem(sys.modules, WIRE_TABLE, module)
    assert run("--wire", write(tmp_path, "a", "table seats=3\n" + HOLDS)) == 0
    assert capsys.readouterr().out == "1 scenario: all hold\n"
    assert [head.seats for head in Cut.made] == [3]
    assert closed == [True]


@pytest.mark.parametrize(
    ("devices", "words"),
    [("no-such-table", "not shipped"), ("serial-seven", "this one is live")],
)
def test_wire_takes_the_devices_of_simulated_tables_only(
    tmp_path: Path, devices: str, words: str
) -> None:
    with pytest.raises(MisuseError, match=words):
        run("--wire", "--devices", devices, write(tmp_path, "a", HOLDS))


def test_without_the_simulated_hardware_wire_gives_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "WIRE_TABLE", "simulators.rigs.no_such_module")
    with pytest.raises(MisuseError, match="for --wire"):
        run("--wire", write(tmp_path, "a", HOLDS))
