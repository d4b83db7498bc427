"""No press and no card is lost, counted twice or taken for another prompt.

Host and devices talk over faulty lines on virtual time and lose power at any
message; what counts is what the devices saw (see checks.py).
"""

import random
from collections import Counter
from functools import cache

import pytest

from drivers.events import ShoeGapFound
from simulators.devices.fault_plans import ALL_KINDS, Draw, random_schedule
from simulators.devices.faults import RATE_NAMES, FaultPlan, every_line_fault, only
from tests.simulators.checks import findings
from tests.simulators.host import LIT, Moment
from tests.simulators.world import At, Restart, Script, World

ACTING_S = 8.0
SHORT = 10
FEW = 5
SEEDS = 24
NTH_MAX = {
    Moment.HEARD: 300,
    Moment.SENT: 300,
    Moment.HANDED_OVER: 40,
    Moment.COMMITTED: 15,
    Moment.ACKNOWLEDGED: 25,
}
"""Most runs have at least this many moments of a kind."""


def any_script(seed: int) -> Script:
    """Return a script in which everything may happen, drawn from its seed."""
    source = random.Random(seed)
    rate = source.choice((0.0, 0.01, 0.05, 0.15))
    schedule = random_schedule(seed, source.randrange(14), ACTING_S, LIT)
    restarts = dict(any_restart(source) for _ in range(source.randrange(8)))
    plan = FaultPlan(seed, every_line_fault(rate), schedule)
    return Script(plan, restarts=restarts, off_s=source.choice((0.0, 0.3, 3.0)))


def any_restart(source: random.Random) -> tuple[At, Restart]:
    """Return somebody who loses power at some message."""
    moment = source.choice(list(Moment))
    at = At(moment, source.randint(1, NTH_MAX[moment]))
    return at, source.choice(list(Restart))


@cache
def played(seed: int) -> World:
    """Return the world of a script in which everything may happen, once it is over."""
    return World(any_script(seed)).run()


def short_script(restarts: dict[At, Restart]) -> Script:
    """Return a script of a few actions on clean lines."""
    return Script(FaultPlan(seed=5), actions=SHORT, restarts=restarts)


def test_on_clean_lines_everything_is_taken() -> None:
    world = World(Script(FaultPlan(seed=1))).run()
    assert findings(world) == []
    panels = world.bus.panels.values()
    pressed = sum(p.memory.pressed - p.memory.without_room for p in panels)
    assert len(world.journal.presses) == pressed > 20
    assert len(world.journal.shoe) == world.shoe.memory.last_event > 10
    assert {bool(taken.accepted_for) for taken in world.journal.presses} == {
        True,
        False,
    }


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("fault", RATE_NAMES)
def test_all_is_taken_once_over_a_line_with_one_fault(fault: str, seed: int) -> None:
    world = World(Script(FaultPlan(seed, only(fault, 0.2)))).run()
    assert findings(world) == []


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_all_is_taken_once_when_one_kind_of_thing_fails(kind: Draw, seed: int) -> None:
    source = random.Random(seed)
    schedule = tuple(kind(source, at_s, LIT) for at_s in (1.0, 3.0, 3.1, 6.0))
    world = World(Script(FaultPlan(seed, schedule=schedule))).run()
    assert findings(world) == []


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_is_taken_once_whatever_happens(seed: int) -> None:
    assert findings(played(seed)) == []


@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.parametrize("restart", list(Restart))
def test_all_is_taken_once_if_somebody_restarts_at_some_message(
    restart: Restart, moment: Moment
) -> None:
    count = World(short_script({})).run().moments[moment]
    for nth in range(1, count + 1, max(1, count // FEW)):
        world = World(short_script({At(moment, nth): restart})).run()
        assert (nth, findings(world)) == (nth, [])


def test_one_seed_gives_one_run() -> None:
    first, again = (World(any_script(11)).run() for _ in range(2))
    assert first.moments == again.moments
    assert first.journal.presses == again.journal.presses
    assert first.journal.shoe == again.journal.shoe


def test_the_runs_contain_what_they_are_meant_to_survive() -> None:
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        world = played(seed)
        memories = [panel.memory for panel in world.bus.panels.values()]
        taken = {(taken.address, taken.cursor) for taken in world.journal.presses}
        seen["lost with power"] += sum(len(memory.lost) for memory in memories)
        seen["without room"] += sum(memory.without_room for memory in memories)
        seen["forgotten by the shoe"] += len(world.shoe.memory.lost)
        seen["gaps"] += sum(isinstance(e, ShoeGapFound) for e in world.journal.shoe)
        seen["bad frames"] += world.bus.reader.errors + world.shoe.reader.errors
        seen["presses"] += len(taken)
        seen["events"] += len(world.journal.shoe)
        seen["host starts"] += world.host_starts - 1
    assert min(seen.values()) >= 5, seen
    assert len(seen) == 8


@pytest.mark.prove
@pytest.mark.parametrize("thousand", range(1, 11))
def test_all_is_taken_once_in_ten_thousand_runs(thousand: int) -> None:
    for seed in range(thousand * 1000, thousand * 1000 + 1000):
        assert (seed, findings(World(any_script(seed)).run())) == (seed, [])


@pytest.mark.prove
@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.parametrize("restart", list(Restart))
def test_all_is_taken_once_if_somebody_restarts_at_any_message(
    restart: Restart, moment: Moment
) -> None:
    count = World(short_script({})).run().moments[moment]
    for nth in range(1, count + 1):
        world = World(short_script({At(moment, nth): restart})).run()
        assert (nth, findings(world)) == (nth, [])
