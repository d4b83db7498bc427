"""Playing a scenario and holding its expectations against a table."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.evaluate import contradiction, failure_line
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.language import Head, Scenario, Statement
from simulators.rigs.scenario.trace import trace_line
from simulators.rigs.scenario.view import TableView


class Table(Protocol):
    """A table that a scenario can be played at."""

    @property
    def waited_s(self) -> float:
        """How long the running stage of waiting has lasted."""

    def open_default_shift(self) -> None:
        """Open the shift that a scenario has before its first step."""

    def do(self, step: st.Step) -> None:
        """Let one step happen."""

    def cut_power(self) -> None:
        """Kill the controller and start it again from its journal."""

    def view(self) -> TableView:
        """Return what an expectation looks at."""


class Played(msgspec.Struct, frozen=True):
    """How a scenario ended: what failed, and the trace line after each step."""

    failures: tuple[str, ...]
    trace: tuple[str, ...]


def play(
    scenario: Scenario, open_table: Callable[[Head], Table], *, cut_everywhere: bool
) -> Played:
    """Play a scenario to its end and return what did not hold.

    With `cut_everywhere` the power is cut after every step but `wait`, and not
    between two waits of one stage: a stage of waiting starts anew after a cut.

    Raises:
        RulesetError: The head names a ruleset that cannot be used.

    """
    table = open_table(scenario.head)
    if not scenario.opens_its_own_shift:
        table.open_default_shift()
    failures: list[str] = []
    trace: list[str] = []
    view = table.view()
    for at, statement in enumerate(scenario.statements):
        said = statement.said
        if isinstance(said, Expectation):
            shows = contradiction(said, view)
            if shows is not None:
                failures.append(failure_line(scenario.file, statement, shows))
            continue
        table.do(said)
        view = table.view()
        trace.append(trace_line(view))
        if cut_everywhere and _may_cut(table, scenario.statements[at:]):
            table.cut_power()
            after = table.view()
            # What the step caused is looked at as it was before the cut.
            view = msgspec.structs.replace(
                after, refused=view.refused, events=view.events
            )
    return Played(tuple(failures), tuple(trace))


def _may_cut(table: Table, now_and_later: tuple[Statement, ...]) -> bool:
    """Return whether a cut here leaves every later wait as long as it was."""
    if isinstance(now_and_later[0].said, st.Wait):
        return False
    waits_later = any(isinstance(s.said, st.Wait) for s in now_and_later[1:])
    return not (table.waited_s > 0 and waits_later)


def scenario_files(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the files named, folders standing for all scenarios in them."""
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob("*.scenario")) if path.is_dir() else [path]
    return tuple(found)
