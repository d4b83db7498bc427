"""Memory: whether a table that plays for weeks grows.

A process of its own plays whole rounds over memory ports and virtual time; at the
two counts of rounds it says how much memory it holds. The simulated devices and the
people live in it too, so that the figures are an upper bound for the engine.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.measure import Better, Measure
from controller.rulesets.loader import load_ruleset
from simulators.rigs.soak.run import Plan
from simulators.rigs.virtual.soak import VirtualSoak

_FIRST_ROUNDS: Final = 1_000
_ROUNDS: Final = 20_000
_SEED: Final = 21
_MIB: Final = 1024
_LIMIT_MIB: Final = 80
_PLAYS: Final = "from bench.memory import play; play()"


def measures() -> Iterator[Measure]:
    """Yield how memory grows, and how much it is; this takes a quarter of an hour."""
    played = subprocess.run(
        (sys.executable, "-c", _PLAYS),
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    early, late = map(float, played.stdout.split())
    where = f"engine, devices and people after {_ROUNDS} rounds on memory ports"
    yield Measure(
        name=f"memory of {where}, against {_FIRST_ROUNDS}",
        unit="MiB",
        ours=late,
        floor=early,
        ratio=late / early,
        better=Better.LOWER,
        goal=1.05,
    )
    yield Measure(
        name=f"memory of {where}, against {_LIMIT_MIB} MiB",
        unit="MiB",
        ours=late,
        floor=_LIMIT_MIB,
        ratio=late / _LIMIT_MIB,
        better=Better.LOWER,
        goal=1.0,
    )


def play() -> None:
    """Play, and print the memory held after the first rounds and after all, in MiB."""
    plan = Plan(
        rules=load_ruleset("colorado"), seed=_SEED, basic_seats=(1,), any_seats=()
    )
    soak = VirtualSoak(plan, checkers=())
    for rounds in (_FIRST_ROUNDS, _ROUNDS):
        soak.play_on(rounds)
        print(_resident_mib(), flush=True)


def _resident_mib() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / _MIB
