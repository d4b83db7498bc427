"""Whole virtual tables whose shoe prints lines: cards may be lost, and never unseen.

What a line shoe prints while nobody listens is gone. Then the table stops, and people
say what lies on it; no card counts twice, none is invented, and none is missed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.decisions import KeyCard
from controller.core.ids import Kind
from controller.runtime.desk import Input
from drivers import events as de
from drivers.events import Remark
from drivers.line_shoe import session as line_session
from drivers.line_shoe.session import LineShoeSession
from hw_config.schema import ShoeKind
from simulators.rigs.checkers.checker import Step
from simulators.rigs.soak.command import soak
from simulators.rigs.virtual import testimony
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.line_shoe_witness import NOTHING_UNSEEN
from simulators.rigs.virtual.mishaps import (
    Mishap,
    any_press,
    any_press_of_the_dealer,
    card_garbled,
    card_in_error,
    card_not_read,
    mishaps_with,
    power_cut,
    words_beside,
)
from simulators.rigs.virtual.scene import Scene
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import plan_of, violations
from tests.rigs.virtual.test_defects import PLAYS_FOR_S, Nuisance, is_found

FAULTS = 0.1
SLICES = 8
ROUNDS_A_SLICE = 250


def table_of(
    seed: int, faults: float = 0.0, *, seats: int = 7, host_type: type[Host] = Host
) -> VirtualSoak:
    plan = replace(plan_of(seed, faults, seats=seats), shoe=ShoeKind.LINE)
    return VirtualSoak(plan, host_type=host_type)


@pytest.mark.prove
def test_a_table_with_a_line_shoe_plays_through_more_than_one_shoe() -> None:
    run = table_of(1, seats=3)
    replaced = Counter[type]()
    run.table.watch.sinks.append(lambda step: replaced.update(map(type, step.records)))
    run.play(30)
    assert run.report(0.0).violations == ()
    assert replaced[ev.ShoeReplaced] >= 1
    assert replaced[ev.IrregularityFound] == 0


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.prove)])
def test_a_line_shoe_with_faults_breaks_no_rule(seed: int) -> None:
    run = table_of(seed, FAULTS)
    run.play(3)
    assert run.report(0.0).violations == ()


def test_one_seed_gives_one_run_of_a_line_shoe() -> None:
    told = []
    for _ in range(2):
        run = table_of(7, FAULTS, seats=3)
        run.play(3)
        told.append((run.tally.digest, run.table.now))
    assert told[0] == told[1]


def test_the_command_plays_with_a_line_shoe() -> None:
    asked = ["--rounds", "2", "--seed", "9", "--shoe", "line"]
    told = json.loads(CliRunner().invoke(soak, asked).stdout)
    assert told["rounds"] == 2
    assert told["violations"] == []


def test_people_say_what_lies_there_of_every_card_that_was_lost() -> None:
    run, keyed, stops = table_of(3, seats=3), list[str](), Counter[Kind]()

    def note(step: Step) -> None:
        given = step.given
        if isinstance(given, cm.TakeDecision) and isinstance(given.decision, KeyCard):
            named = any(isinstance(one, ev.MissingCardKnown) for one in step.records)
            keyed.extend([given.decision.card] * named)
        stops.update(
            one.kind for one in step.records if isinstance(one, ev.IrregularityFound)
        )

    run.table.watch.sinks.append(note)
    run.table.people.append(Nuisance(card_garbled))
    run.table.run_until(lambda: len(keyed) >= 5, PLAYS_FOR_S)
    assert len(keyed) >= 5
    assert stops[Kind.SHOE_POSITION_UNKNOWN] >= len(keyed)
    shoe = run.table.shoe
    assert isinstance(shoe, LineShoeAtTable)
    # Each was the card that had been drawn, in the order in which they were.
    assert keyed == [face for (boot_id, _), face in shoe.out.items() if not boot_id]
    run.come_to_rest()
    assert violations(run) == set()


# --- What the witness sees ------------------------------------------------------------


def called_and_garbled(scene: Scene, rng: Random) -> None:
    """The dealer calls, and draws a card meanwhile whose line is garbled."""
    if scene.state.opening is not None:
        any_press_of_the_dealer(scene, rng)
        shoe = scene.shoe
        assert isinstance(shoe, LineShoeAtTable)
        if scene.state.suspended:
            shoe.draw_garbled(b"\xff\xff")


class TakesCardsTwice(Host):
    """Counts two cards for each that is printed."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            yield one
            command = one.command
            if isinstance(command, cm.ReportCard) and command.cursor is not None:
                yield Input(replace(command, number=command.number + 1))


class ReadsAnotherFace(Host):
    """Takes every seven for an eight."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            command = one.command
            if isinstance(command, cm.ReportCard) and command.card[0] == "7":
                face = Card("8" + command.card[1])
                yield Input(replace(command, card=face), one.acknowledge)
            else:
                yield one


class ReadsNothing(Host):
    """Takes every seven for a card that was not read."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            command = one.command
            if isinstance(command, cm.ReportCard) and command.card[0] == "7":
                unread = replace(command, card=UNKNOWN, unread=True)
                yield Input(unread, one.acknowledge)
            else:
                yield one


@pytest.mark.parametrize("defect", [TakesCardsTwice, ReadsAnotherFace, ReadsNothing])
def test_a_defect_of_the_host_is_found_with_a_line_shoe(defect: type[Host]) -> None:
    run = table_of(1, seats=3, host_type=defect)
    assert is_found(run, testimony.EVENTS_ONCE, any_press), violations(run)


def trusts_what_is_garbled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(line_session, "_DOUBTS", frozenset())


def never_counts_anew(patch: pytest.MonkeyPatch) -> None:
    original = LineShoeSession._count_anew  # noqa: SLF001 - the defect is in here

    def count_once(self: LineShoeSession) -> None:
        if self.cursor.boot_id == 0:
            original(self)

    patch.setattr(LineShoeSession, "_count_anew", count_once)


def drops_what_comes_within_a_second(patch: pytest.MonkeyPatch) -> None:
    def remark(self: LineShoeSession, remark: Remark, words: str, now: float) -> None:
        said = (remark, words)
        if now >= self._told.get(said, now):
            self._tell(said, now)

    patch.setattr(LineShoeSession, "_remark", remark)


class GarblesAll(Nuisance):
    """Lets no card through that is asked for."""

    def __init__(self) -> None:
        super().__init__(card_garbled)

    def act(self, scene: Scene) -> None:
        super().act(scene)
        self.wake_at = scene.now + 0.01


def test_a_shoe_that_garbles_every_card_is_played_from_the_felt() -> None:
    run = table_of(1, seats=1)
    run.table.people.append(GarblesAll())
    run.play(1)
    assert run.report(0.0).violations == ()


def test_a_doubt_that_is_dropped_within_a_second_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drops_what_comes_within_a_second(monkeypatch)
    run = table_of(1, seats=1)
    run.table.people.append(GarblesAll())
    assert run.table.run_until(lambda: NOTHING_UNSEEN in violations(run), PLAYS_FOR_S)


def drops_doubts_while_the_table_stands(patch: pytest.MonkeyPatch) -> None:
    original = Host.hear

    def hear(self: Host, event: de.DriverEvent, now: float) -> Iterable[Input]:
        is_doubt = isinstance(event, de.ShoeRemarked | de.ShoeStateChanged)
        if is_doubt and self.state.suspended and self.state.opening is not None:
            return ()
        return original(self, event, now)

    patch.setattr(Host, "hear", hear)


@pytest.mark.parametrize(
    ("plant", "mishap"),
    [
        (trusts_what_is_garbled, card_garbled),
        (never_counts_anew, power_cut),
        (drops_doubts_while_the_table_stands, called_and_garbled),
    ],
)
def test_a_session_that_misses_a_card_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    mishap: Mishap,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    run = table_of(1, seats=3)
    assert is_found(run, NOTHING_UNSEEN, mishap), violations(run)


@pytest.mark.parametrize(
    "mishap",
    [
        power_cut,
        card_garbled,
        *(
            pytest.param(mishap, marks=pytest.mark.prove)
            for mishap in (card_not_read, card_in_error, words_beside)
        ),
    ],
)
def test_with_an_honest_host_and_a_line_shoe_nothing_is_found(mishap: Mishap) -> None:
    assert mishap in mishaps_with(ShoeKind.LINE)
    run = table_of(1, seats=3)
    run.table.people.append(Nuisance(mishap))
    run.table.run_until(lambda: bool(violations(run)), PLAYS_FOR_S)
    run.come_to_rest()
    assert violations(run) == set()


@pytest.mark.prove
@pytest.mark.parametrize("part", range(SLICES))
def test_two_thousand_rounds_of_a_line_shoe_with_faults_break_no_rule(
    part: int,
) -> None:
    run = table_of(3_000 + part, FAULTS)
    run.play(ROUNDS_A_SLICE)
    assert run.report(0.0).violations == ()
    assert run.tally.rounds >= ROUNDS_A_SLICE
