"""docs/phases.md: the phases as a picture, and what may be asked for in each."""

from collections.abc import Mapping
from typing import Final

from transitions.extensions import GraphMachine

from controller.core.ids import Phase
from controller.core.phases import TRANSITIONS
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import Head
from simulators.rigs.scenario.step_grammar import parse_step
from tools.tables import code, table

_INTRO: Final = """# Phases

Made from the code by `make docs`; a test compares.

A table is in one phase at a time. Only the records named at the arrows change it
([`TRANSITIONS`](../controller/core/phases.py)). A stop leaves any phase and
remembers which; it ends only there. While the table is stopped a decision may move
the remembered phase, for instance to `SETTLED` when it voids the round.

```mermaid
{graph}
```

## What may be asked for

What a step meets in each phase: `yes`, or the reason for which it is refused. Seat 1
is the one in turn, seat 7 plays no hand and its panel is lost. Cards and everything
else that the shoe, the panels and the clock report are taken in every phase; a card
that was not due stops the table.

{table}

In the test mode, which begins only between rounds, a press of a panel is `button_tried`
and does nothing. What is asked for at a console is refused `test_mode`, but for `dealer
call`; that and a card end the test mode and stop the table as ever.
"""

_TO_DEALING: Final = ("bet 1 10", "panel 7 lost", "dealer deal")
_TO_PLAYING: Final = (*_TO_DEALING, "card 8h 7d 8c Th")

_WAY_TO: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.CLOSED: ("panel 7 lost", "shift close"),
    Phase.BETTING: ("bet 1 10", "panel 7 lost"),
    Phase.DEALING: _TO_DEALING,
    Phase.INSURANCE: (*_TO_DEALING, "card 8h Ad 8c 9h"),
    Phase.PLAYING: _TO_PLAYING,
    Phase.DEALER_DRAWING: (*_TO_DEALING, "card 8h 6d 8c Th", "press 1 stand"),
    Phase.SETTLED: (*_TO_PLAYING, "press 1 stand"),
    Phase.SUSPENDED: (*_TO_PLAYING, "dealer call"),
}
"""A few steps that lead from an open table to each phase."""

_ASKED: Final = (
    "press 1 bet",
    "press 1 clear",
    "press 1 rebet",
    "press 1 insure",
    "press 1 pass",
    "press 1 hit",
    "press 1 stand",
    "press 1 double",
    "press 1 split",
    "press 1 surrender",
    "dealer deal",
    "dealer undo-deal",
    "dealer close-insurance",
    "dealer next",
    "dealer pickup",
    "dealer call",
    "dealer seat-open 3",
    "cash 2 spread",
    "shift open D2 left-to-right",
    "shift close",
    "supervisor S1 resume",
    "supervisor S1 void-round",
    "supervisor S1 allow-dealer-entry 7",
    "supervisor S1 set-rules bet_step_cents=1000",
    "supervisor S1 new-shoe 6 witness=S2",
)


def phases_document() -> str:
    """Return the document of the phases."""
    rows = ((code(step), *(_answer(phase, step) for phase in Phase)) for step in _ASKED)
    head = ("step", *(phase.name for phase in Phase))
    return _INTRO.format(graph=diagram(), table=table(head, rows))


class _Table:
    """What the machine that draws moves; it is never moved."""


def diagram() -> str:
    """Return the phases as a mermaid diagram, without its colours."""
    machine = GraphMachine(
        model=_Table(),
        states=Phase,
        initial=Phase.CLOSED,
        transitions=TRANSITIONS,
        auto_transitions=False,
        send_event=True,
        show_conditions=True,
        graph_engine="mermaid",
    )
    drawn = str(getattr(machine.get_combined_graph(), "source"))  # noqa: B009 - its stub forgets it
    lines = [line.rstrip() for line in drawn[drawn.index("stateDiagram") :].split("\n")]
    return "\n".join(
        line
        for line in lines
        if line and not line.strip().startswith(("classDef", "Class"))
    )


def _answer(phase: Phase, step: str) -> str:
    at = table_in(phase)
    at.do(parse_step(step))
    return at.view().refused or "yes"


def table_in(phase: Phase) -> CoreTable:
    """Return a table that is in this phase."""
    at = CoreTable(Head())
    at.open_default_shift()
    for step in _WAY_TO[phase]:
        at.do(parse_step(step))
    assert at.view().phase is phase
    return at
