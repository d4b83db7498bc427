"""Two rounds that differ in the hole card alone tell nothing until it may be known.

They are played with the same salts and the same commands. Until the peek's one bit
or the reveal, every record, state, output, view and trace line is the same but for
the commitment, and the same lines of the core are executed (SECRET-2).
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final, Self

import msgspec
import pytest

import controller.core
from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Command, Person
from controller.core.decide import Decision
from controller.core.ids import Button, DealerButton, Direction, Role
from controller.core.rules import Rules
from controller.core.totals import total_of
from simulators.rigs.scenario.core_view import view_of
from simulators.rigs.scenario.trace import trace_line
from simulators.rigs.soak.rig import Rig
from tests.simulation.any_commands import AnyCommands
from tests.simulation.tables import RULESETS

CORE: Final = str(Path(controller.core.__file__).parent)
HOLES: Final = ("Th", "9d", "2c", "As", "Kd")
UPCARDS: Final = ("As", "Td", "7c")
STEPS: Final = 40
SEEDS: Final = range(140, 170)
NO_PEEK: Final = "no peek, aces split again"

Line = tuple[str, int]


class Twin:
    """One of two tables that get the same commands, but for the hole card's face."""

    def __init__(self, rules: Rules, seats: int, hole: str) -> None:
        self.rig = Rig(rules, seats)
        self.taken: list[Command] = []
        self.commitments: set[str] = set()
        self.hole_number = 0
        # One that a decision takes out again is opened with its shoe.
        self.hole_numbers: set[int] = set()
        self.hole = hole

    def send(self, command: Command) -> Decision:
        command = self._with_my_hole(command)
        decision = self.rig.send(command)
        for record in decision.records:
            commitment = getattr(record, "commitment", "")
            if commitment:
                self.commitments.add(commitment)
        return decision

    def told(self, decision: Decision) -> bytes:
        """Return all that anybody could read after a step, commitments put aside."""
        view = view_of(self.rig.state, decision.records)
        told = msgspec.json.encode(
            (decision.records, self.rig.state, self.rig.shown, view, trace_line(view))
        )
        for commitment in self.commitments:
            told = told.replace(commitment.encode(), b"(commitment)")
        return told

    def may_be_known(self, decision: Decision) -> bool:
        """Return whether the peek's bit or the face has become public."""
        return any(
            isinstance(record, ev.DealerPeeked)
            or (
                getattr(record, "number", 0) in self.hole_numbers
                and getattr(record, "card", "??") != "??"
            )
            for record in decision.records
        )

    def _with_my_hole(self, command: Command) -> Command:
        """Put my own card in the hole, whether it is laid or read there again."""
        if not isinstance(command, cm.ReportCard):
            return command
        places = self.rig.state.play.places
        follows = command.number == self.rig.state.shoe.last_card + 1
        if follows and places and places[0].face_down and not places[0].is_burn:
            self.hole_number = command.number
            self.hole_numbers.add(command.number)
        if command.number != self.hole_number or command.unread:
            return command
        return msgspec.structs.replace(
            command, card=Card(self.hole), raw=frame(self.hole)
        )


class Trace:
    """The lines of the core that are executed while it is on."""

    def __init__(self) -> None:
        self.lines: set[Line] = set()

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, event: str, arg: object) -> Any:  # noqa: ANN401 - the shape that sys.settrace asks for
        del event, arg
        ours = frame.f_code.co_filename.startswith(CORE)
        return self._line if ours else None

    def _line(self, frame: FrameType, event: str, arg: object) -> Any:  # noqa: ANN401 - the same
        del event, arg
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


def forget_what_is_cached() -> None:
    """Empty every cache of the core: what one table computed, the next must too."""
    for name, module in tuple(sys.modules.items()):
        if name.startswith(controller.core.__name__):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def ways_taken(twin: Twin, commands: list[Command]) -> list[frozenset[Line]]:
    """Return the lines executed for each command, at a core that remembers nothing."""
    forget_what_is_cached()
    ways = []
    for command in commands:
        with Trace() as trace:
            decision = twin.send(command)
        ways.append(frozenset() if is_tried(decision) else frozenset(trace.lines))
    return ways


def is_tried(decision: Decision) -> bool:
    """Return whether this was a decision that was worked out, and refused.

    One that would turn the hole card up is tried with its face. That it is refused,
    and why, must not hang on it: that is what `told` holds.
    """
    kinds = {type(record) for record in decision.records}
    return {cm.TakeDecision, ev.CommandRefused} <= kinds


def frame(face: str) -> str:
    """Return the shoe's bytes for a card, in hex; they tell its face."""
    return f"frame {face}".encode().hex()


def opening_deal(twin: Twin, upcard: str) -> Iterator[Command]:
    """Return the commands up to the hole card, for as many seats as there are."""
    yield cm.OpenShift(
        dealer=Person("D1", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
    )
    seats = twin.rig.state.seat_count
    for seat in range(1, seats + 1):
        yield cm.PressButton(
            seat=seat,
            button=Button.BET,
            prompt=twin.rig.shown.prompts[seat].number,
            number=1,
            amount_cents=1000,
            with_amount=True,
        )
    yield cm.PressDealerButton(button=DealerButton.DEAL)
    players = ("6h", "Jd", "5s", "8c", "3d", "9c")[: 2 * seats]
    faces = (*players[:seats], upcard, *players[seats:], "4s")
    for number, face in enumerate(faces, start=1):
        yield cm.ReportCard(number=number, card=Card(face), raw=frame(face))


def told_too_early(twins: tuple[Twin, Twin], chance: Random, upcard: str) -> list[str]:
    """Play both until the hole card may be known; return where they told it before."""
    one, _ = twins
    found: list[str] = []
    for command in opening_deal(one, upcard):
        if not still_secret(twins, command, found):
            return found
    make = AnyCommands(one.rig)
    for _ in range(STEPS):
        odd = chance.random() < 1 / 2
        maker = chance.choice(make.anything()) if odd else make.asked_for
        command_now = maker(chance)
        if command_now is not None and not still_secret(twins, command_now, found):
            return found
    return found


def still_secret(twins: tuple[Twin, Twin], command: Command, found: list[str]) -> bool:
    """Let both take a command; note what differs, and say whether it still may not."""
    one, other = twins
    first, second = one.send(command), other.send(command)
    one.taken.append(command)
    if one.may_be_known(first) or other.may_be_known(second):
        one.taken.pop()
        return False
    if one.told(first) != other.told(second):
        found.append(f"{command} told the hole card")
    return not found


def twins_of(seed: int) -> tuple[Twin, Twin]:
    chance = Random(seed)
    rules = RULESETS[chance.choice(("colorado", "house", "electronic", NO_PEEK))]
    seats = chance.choice((1, 2, 3))
    first, second = chance.sample(HOLES, 2)
    return Twin(rules, seats, first), Twin(rules, seats, second)


def play_pair(seed: int) -> tuple[tuple[Twin, Twin], list[str]]:
    """Play a pair of tables; return them, and what told the hole card."""
    twins = twins_of(seed)
    upcard = UPCARDS[seed % len(UPCARDS)]
    return twins, told_too_early(twins, Random(seed), upcard)


def other_ways(seed: int) -> list[Command]:
    """Return the commands at which a pair's tables executed other lines."""
    (played, _), _ = play_pair(seed)
    one, other = (ways_taken(twin, played.taken) for twin in twins_of(seed))
    return [
        command
        for command, first, second in zip(played.taken, one, other, strict=True)
        if first != second
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_tells_the_hole_card_before_its_time(seed: int) -> None:
    (one, other), found = play_pair(seed)
    assert found == []
    assert one.hole_number
    assert one.commitments != other.commitments


@pytest.mark.parametrize("seed", range(30))
def test_the_core_goes_the_same_way_whatever_the_hole_card_is(seed: int) -> None:
    assert other_ways(seed) == []


def test_pairs_are_played_past_the_deal_with_decisions_in_them() -> None:
    decided: set[str] = set()
    for seed in SEEDS:
        (one, _), _found = play_pair(seed)
        decided |= {type(record).__name__ for record in one.rig.state.history}
    assert {"CardAsked", "HandStood", "InsuranceTaken", "CardDiscarded"} <= decided


class Telltale(Twin):
    """A table whose core looks at the hole card when it is dealt."""

    def told(self, decision: Decision) -> bytes:
        face = self.rig.secrets.of(self.hole_number)
        told = super().told(decision)
        return told + face.card.encode() if face is not None else told


def test_a_table_that_tells_is_found() -> None:
    twins = tuple(Telltale(RULESETS["colorado"], 1, h) for h in ("Th", "2c"))
    one, other = twins
    assert told_too_early((one, other), Random(1), "7c") != []


class Leaning(Twin):
    """A table whose core counts the hole card as soon as it is dealt."""

    def send(self, command: Command) -> Decision:
        decision = super().send(command)
        sealed = self.rig.secrets.of(self.hole_number)
        if sealed is not None:
            total_of((Card("9h"), sealed.card))
        return decision


def test_a_core_that_goes_another_way_is_found() -> None:
    colorado = RULESETS["colorado"]
    played, commands = Twin(colorado, 1, "2c"), []
    for command in opening_deal(played, "7c"):
        commands.append(command)
        played.send(command)
    ace, deuce = (ways_taken(Leaning(colorado, 1, h), commands) for h in ("As", "2c"))
    assert ace[:-1] == deuce[:-1]
    assert ace[-1] != deuce[-1]


@pytest.mark.prove
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_pairs_tell_nothing(block: int) -> None:
    for seed in range(1_000 + 200 * block, 1_200 + 200 * block):
        _, found = play_pair(seed)
        assert found == [], f"seed {seed}"
        assert other_ways(seed) == [], f"seed {seed}"
