"""Measure, print each ratio beside its goal, and write everything as JSON.

`python -m bench [GROUP …]`, from the project's folder; without a group, all.
"""

import importlib
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from bench.measure import Better, Measure

# Each group is a module with `measures()`.
GROUPS: Final = (
    "core",
    "journals",
    "evidence",
    "turnround",
    "scans",
    "processes",
    "memory",
)
RESULTS: Final = Path(__file__).with_name("results.json")


class Results(msgspec.Struct, frozen=True):
    """What a run found, and on what."""

    python: str
    machine: str
    measures: tuple[Measure, ...]


def run(groups: Sequence[str]) -> Iterable[Measure]:
    """Yield every measure of these groups, as soon as it is taken."""
    for group in groups:
        yield from importlib.import_module(f"bench.{group}").measures()


def line(measure: Measure) -> str:
    """Return one measure as a line: ratio, goal, figures."""
    sign = ">=" if measure.better is Better.HIGHER else "<="
    verdict = "ok    " if measure.meets_goal else "MISSED"
    figures = f"{measure.ours:.6g} against {measure.floor:.6g} {measure.unit}"
    note = f" ({measure.note})" if measure.note else ""
    return (
        f"{verdict} {measure.ratio:6.3f} {sign} {measure.goal:<5g} "
        f"{measure.name}: {figures}{note}"
    )


def main(arguments: Sequence[str]) -> int:
    """Run the groups named; return 2 where there is no such group."""
    groups = tuple(arguments) or GROUPS
    unknown = [group for group in groups if group not in GROUPS]
    if unknown:
        print(f"no group {unknown[0]!r}; expected {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    taken = []
    for measure in run(groups):
        print(line(measure), flush=True)
        taken.append(measure)
    results = Results(platform.python_version(), platform.machine(), tuple(taken))
    written = msgspec.json.format(msgspec.json.encode(results), indent=2)
    RESULTS.write_bytes(written + b"\n")
    print(f"written to {RESULTS}")
    return 0


sys.exit(main(sys.argv[1:]))
