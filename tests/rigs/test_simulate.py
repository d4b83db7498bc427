"""A person at simulated devices: what can be typed, and what is told."""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import click
import pytest

from controller.cli.failures import MisuseError
from controller.cli.typed_lines import typed_lines
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from simulators.devices.decks import Decks, fresh_decks
from simulators.rigs.simulate.command import alone, simulate
from simulators.rigs.simulate.playground import HELP, Playground
from simulators.rigs.simulation import Simulation


class Person:
    """Somebody who types lines and reads what comes back."""

    def __init__(self, simulation: Simulation) -> None:
        self.told: list[str] = []
        self.complaints: list[str] = []
        self.simulation = simulation
        self._playground = Playground(
            simulation, self.told.append, self.complaints.append
        )

    async def types(self, *lines: str) -> None:
        await self._playground.play(one_by_one(lines))

    def looks(self) -> list[str]:
        self.told.clear()
        self._playground.look()
        return self.told


async def one_by_one(lines: Iterable[str]) -> AsyncIterator[str]:
    for line in lines:
        yield line


@pytest.fixture
def person(tmp_path: Path) -> Person:
    hardware = moved_to(load_hardware(shipped_hardware("simulation-seven")), tmp_path)
    source = random.Random(1)
    return Person(Simulation(hardware, source, Decks(fresh_decks(1), source)))


async def test_a_line_that_cannot_be_done_is_told_and_the_next_goes_on(
    person: Person,
) -> None:
    await person.types("", "  # a comment", "press 3 hti", "press 3 hit")
    (complaint,) = person.complaints
    assert complaint.endswith("got hti; did you mean hit?")
    assert len(person.simulation.panels[3].memory.waiting) == 1


async def test_what_no_device_says_is_sent_elsewhere(person: Person) -> None:
    await person.types("cash 3 drop", "power-cut", "dealer undo-deal")
    assert [said.split(";")[0].split(":")[0] for said in person.complaints] == [
        "no device says this",
        "the controller is another process",
        "no device says this",
    ]


async def test_help_lists_what_can_be_typed(person: Person) -> None:
    await person.types("help")
    assert person.told == [HELP]


async def test_cards_are_drawn_as_many_as_the_gate_lets_out(person: Person) -> None:
    person.simulation.shoe.gate_up_to = 3
    await person.types("draw", "draw")
    assert [said.split()[0] for said in person.told] == ["drawn:"] * 3
    assert person.complaints == [
        "no card is due; draw N takes some nevertheless",
    ]


async def test_cards_can_be_forced_out_until_the_shoe_is_empty(person: Person) -> None:
    await person.types("draw 50", "draw 3", "draw 0", "draw 1 2")
    assert len(person.told) == 52
    assert person.complaints[0] == "the shoe is empty; shuffle"
    assert person.complaints[1].startswith("expected how many cards")
    assert person.complaints[2].startswith("expected the end of the line")


async def test_a_shuffle_fills_the_shoe_again(person: Person) -> None:
    await person.types("draw 52", "shuffle", "draw 52")
    assert person.complaints == []
    assert sorted(person.told[:52]) == sorted(person.told[52:])


async def test_only_what_changed_is_told(person: Person) -> None:
    assert person.looks() == ["gate: locked"]
    assert person.looks() == []
    person.simulation.panels[3].lamps = frozenset({Button.STAND, Button.HIT})
    person.simulation.panels[0].lamps = frozenset({Button.CALL})
    person.simulation.shoe.gate_up_to = 2
    assert person.looks() == ["dealer: call", "seat 3: hit stand", "gate: open for 2"]
    person.simulation.panels[3].lamps = frozenset()
    assert person.looks() == ["seat 3: dark"]


async def test_a_script_waits_until_a_lamp_is_lit(person: Person) -> None:
    person.simulation.shoe.gate_up_to = 1
    await person.types("until gate open", "draw", "wait 0.001")
    assert person.complaints == []
    waits = asyncio.create_task(person.types("until seat 3 hit", "press 3 hit"))
    await asyncio.sleep(0)
    assert person.simulation.panels[3].memory.waiting == ()
    person.simulation.panels[3].lamps = frozenset({Button.HIT})
    await waits
    assert len(person.simulation.panels[3].memory.waiting) == 1


async def test_nobody_waits_for_a_device_that_is_not_there(person: Person) -> None:
    await person.types("until", "until hit", "until seat 9 hit")
    assert person.complaints == ["until: expected such as seat 3 hit, or gate open"] * 3


async def test_lines_are_read_from_a_pipe_as_they_come() -> None:
    read_end, write_end = os.pipe()
    lines = typed_lines(read_end)
    os.write(write_end, b"one\ntw")
    assert await anext(lines) == "one"
    os.write(write_end, b"o\nthree")
    assert await anext(lines) == "two"
    os.close(write_end)
    assert [line async for line in lines] == ["three"]
    os.close(read_end)


async def test_lines_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "steps"
    file.write_text("one\ntwo\n")
    with file.open("rb") as opened:
        assert [line async for line in typed_lines(opened.fileno())] == ["one", "two"]


def test_a_live_table_is_not_simulated() -> None:
    file = shipped_hardware("serial-seven")
    with pytest.raises(MisuseError, match="expected kind = "):
        simulate.main([str(file)], standalone_mode=False)


def test_pins_are_simulated_where_they_are_held_and_not_here() -> None:
    file = shipped_hardware("simulation-gpio")
    with pytest.raises(MisuseError, match="pins can only be simulated where"):
        simulate.main([str(file)], standalone_mode=False)


def test_a_file_that_cannot_be_read_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="cannot be read") as refused:
        simulate.main([str(tmp_path / "none.toml")], standalone_mode=False)
    assert refused.value.exit_code == 2


def test_a_second_simulation_of_the_same_ports_is_refused(tmp_path: Path) -> None:
    port = tmp_path / "panels"
    refused = pytest.raises(MisuseError, match="another simulation serves it")
    with alone(port), refused, alone(port):
        pytest.fail("two simulations at one port")
    with alone(port):
        pass


def test_a_lock_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / ".panels.lock").mkdir()
    with (
        pytest.raises(MisuseError, match="lock: cannot be written: Is a dir"),
        alone(tmp_path / "panels"),
    ):
        pass
