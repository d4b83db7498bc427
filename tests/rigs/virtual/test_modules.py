"""Whole virtual tables whose panels are Modbus modules: presses may be lost, no more.

A push may be lost, which this hardware does; none may count twice, for another button,
or for lamps that were not lit.
"""

import json
from collections.abc import Iterable

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.core import commands as cm
from controller.runtime.desk import Input
from drivers import events as de
from hw_config.schema import PanelKind
from simulators.rigs.soak.command import soak
from simulators.rigs.virtual import testimony
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.mishaps import Mishap, any_press, power_cut
from simulators.rigs.virtual.module_witness import ModuleWitness
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import plan_of, violations
from tests.rigs.virtual.test_defects import (
    PLAYS_FOR_S,
    MixesUpSeats,
    Nuisance,
    ShowsBeforeTheCommit,
    is_found,
)

FAULTS = 0.1
SLICES = 4
ROUNDS_A_SLICE = 250


def table_of(
    seed: int, faults: float = 0.0, *, seats: int = 7, host_type: type[Host] = Host
) -> VirtualSoak:
    plan = replace(plan_of(seed, faults, seats=seats), panels=PanelKind.MODBUS)
    return VirtualSoak(plan, host_type=host_type)


def told_of(run: VirtualSoak) -> tuple[int, int]:
    """Return how many pushes are on disk, of how many that are over."""
    modules = [
        one for one in run.table.witness.panels if isinstance(one, ModuleWitness)
    ]
    return sum(one.told for one in modules), sum(one.pushed for one in modules)


def test_a_table_of_modules_plays_round_after_round() -> None:
    run = table_of(1)
    run.play(4)
    assert run.report(0.0).violations == ()
    assert run.table.host is not None
    assert run.table.host.desk.bus.counters.errors == 0
    told, pushed = told_of(run)
    assert 0.9 * pushed < told <= pushed


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.prove)])
def test_modules_with_faults_break_no_rule(seed: int) -> None:
    run = table_of(seed, FAULTS)
    run.play(4)
    assert run.report(0.0).violations == ()
    told, pushed = told_of(run)
    # Lines and powers that fail cost presses, and their players press again.
    assert 0 < told < pushed


def test_one_seed_gives_one_run_of_modules() -> None:
    told = []
    for _ in range(2):
        run = table_of(7, FAULTS, seats=3)
        sent: list[bytes] = []
        run.table.sent.append(sent.append)
        run.play(2)
        told.append((b"".join(sent), run.tally.digest, run.table.now))
    assert told[0] == told[1]


def test_the_command_plays_with_modules() -> None:
    asked = ["--rounds", "2", "--seed", "9", "--panels", "modbus"]
    told = json.loads(CliRunner().invoke(soak, asked).stdout)
    assert told["rounds"] == 2
    assert told["violations"] == []


# --- What the witness sees ------------------------------------------------------------


class TellsPressesTwice(Host):
    """Makes two presses of each, as a contact that bounces would."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            yield one
            if isinstance(one.command, cm.PressButton):
                number = one.command.number + 1
                yield Input(replace(one.command, number=number))


class TakesPressesForWhatIsLitNow(Host):
    """Takes every press for the prompt that stands, whatever its player saw."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            if isinstance(one.command, cm.PressButton):
                standing = self.state.prompts[one.command.seat].number
                yield Input(replace(one.command, prompt=standing), one.acknowledge)
            else:
                yield one


@pytest.mark.parametrize(
    ("defect", "checker"),
    [
        (TellsPressesTwice, testimony.PRESSES_ONCE),
        (MixesUpSeats, testimony.PRESSES_ONCE),
        (ShowsBeforeTheCommit, testimony.SHOWN_IS_COMMITTED),
        (TakesPressesForWhatIsLitNow, testimony.PROMPTS_FIT),
    ],
)
def test_a_defect_of_the_host_is_found_with_modules(
    defect: type[Host], checker: str
) -> None:
    run = table_of(1, seats=3, host_type=defect)
    mishap = power_cut if defect is ShowsBeforeTheCommit else any_press
    assert is_found(run, checker, mishap), violations(run)


@pytest.mark.parametrize("mishap", [any_press, power_cut])
def test_in_the_honest_host_nothing_is_found_with_modules(mishap: Mishap) -> None:
    run = table_of(1, seats=3)
    run.table.people.append(Nuisance(mishap))
    run.table.run_until(lambda: bool(violations(run)), PLAYS_FOR_S)
    run.come_to_rest()
    assert violations(run) == set()


@pytest.mark.prove
@pytest.mark.parametrize("part", range(SLICES))
def test_a_thousand_rounds_of_modules_with_faults_break_no_rule(part: int) -> None:
    run = table_of(2_000 + part, FAULTS)
    run.play(ROUNDS_A_SLICE)
    assert run.report(0.0).violations == ()
    assert run.tally.rounds >= ROUNDS_A_SLICE
