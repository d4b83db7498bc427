"""Whole tables over the wire, with everything that goes wrong, lose and invent nothing.

The long ones are the proof: twenty thousand rounds with faults, in slices that can run
side by side.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.core import events as ev
from controller.core.ids import Kind
from controller.evidence.verify import verify
from simulators.rigs.checkers.checker import Step
from simulators.rigs.soak.command import soak
from simulators.rigs.virtual.keeping import MemoryKeeper
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import plan_of, soaked

FAULTS = 0.1
SLICES = 20
ROUNDS_A_SLICE = 1_000


def test_a_table_without_faults_plays_round_after_round() -> None:
    run = soaked(plan_of(1), 4)
    report = run.report(0.0)
    assert report.violations == ()
    assert report.rounds == 4
    assert run.table.starts == 1
    assert run.table.host is not None
    assert run.table.host.desk.bus.counters.errors == 0


@pytest.mark.parametrize("seed", range(2))
def test_a_table_with_faults_breaks_no_rule(seed: int) -> None:
    report = soaked(plan_of(seed, FAULTS), 6).report(0.0)
    assert report.violations == ()
    assert report.rounds >= 6


def test_polls_that_are_left_out_are_those_that_say_nothing() -> None:
    frames, rounds = [], 2
    for skips in (True, False):
        run = VirtualSoak(plan_of(1), skips_quiet_polls=skips)
        run.play(rounds)
        assert run.report(0.0).violations == ()
        assert run.table.host is not None
        frames.append(run.table.host.desk.bus.counters.frames_sent)
        dark = [p for p in run.table.devices.bus.panels.values() if not p.prompt_number]
        assert dark == []
    assert frames[0] < frames[1] / 2


def test_bytes_that_come_while_the_port_is_closed_do_not_stop_time() -> None:
    table = VirtualSoak(plan_of(1, seats=2), checkers=()).table
    table.run_until(lambda: False, 0.5)
    assert table.host is not None
    table.host.desk.bus.connection_lost(table.now)
    table.devices.panel_cable.to_host.write(b"late", table.now + 0.01)
    before_s = table.now
    table.run_until(lambda: False, 2.0)
    assert table.now > before_s + 2.0


def test_one_seed_gives_one_run_byte_for_byte() -> None:
    told = []
    for _ in range(2):
        run = VirtualSoak(plan_of(7, FAULTS, seats=3))
        sent: list[bytes] = []
        run.table.sent.append(sent.append)
        run.play(4)
        keeper = run.table.keeper
        assert isinstance(keeper, MemoryKeeper)
        told.append((b"".join(sent), keeper.digest, run.tally.digest, run.table.now))
    assert told[0] == told[1]


def test_another_seed_gives_another_run() -> None:
    first, second = (soaked(plan_of(seed, seats=2), 1) for seed in (1, 2))
    assert first.tally.digest != second.tally.digest


def test_the_command_with_faults_plays_over_the_wire_into_a_real_journal(
    tmp_path: Path,
) -> None:
    asked = ["--rounds", "2", "--seed", "9", "--faults", "0.1"]
    journal = tmp_path / "soak.journal"
    told = [
        json.loads(CliRunner().invoke(soak, [*asked, *more]).stdout)
        for more in ([], ["--journal", str(journal)])
    ]
    assert told[0]["digest"] == told[1]["digest"]
    assert told[0]["violations"] == told[1]["violations"] == []
    assert verify(journal, replay=True).findings == ()


@pytest.mark.prove
def test_the_runs_contain_what_they_are_meant_to_survive() -> None:
    seen: Counter[str] = Counter()

    def look(step: Step) -> None:
        for record in step.records:
            if isinstance(record, ev.IrregularityFound):
                seen[record.kind.value] += 1
            seen[type(record).__name__] += 1

    for seed in range(2):
        run = VirtualSoak(plan_of(seed, 0.3, seats=3), checkers=())
        run.table.watch.sinks.append(look)
        run.play(150)
        assert run.table.host is not None
        seen["starts"] += run.table.starts
        seen["bad frames"] += run.table.devices.bus.reader.errors
    for kind in (
        Kind.CARD_DRAWN_IN_ERROR,
        Kind.CARD_UNREAD,
        Kind.SHOE_POSITION_UNKNOWN,
        Kind.SHOE_FAULT,
        Kind.PANEL_LOST,
        Kind.CALLED,
    ):
        assert seen[kind.value] > 0, (kind, seen)
    for name in ("ShoeAdopted", "SealedCardsLost", "PressesDropped", "starts"):
        assert seen[name] > 0, (name, seen)
    assert seen["bad frames"] > 10


@pytest.mark.prove
@pytest.mark.parametrize("part", range(SLICES))
def test_twenty_thousand_rounds_with_faults_break_no_rule(part: int) -> None:
    report = soaked(plan_of(1_000 + part, FAULTS), ROUNDS_A_SLICE).report(0.0)
    assert report.violations == ()
    assert report.rounds >= ROUNDS_A_SLICE
