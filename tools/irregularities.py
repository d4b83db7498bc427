"""docs/irregularities.md: what stops the table and what is decided, phase by phase."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from controller.core.ids import Kind, Phase
from controller.core.irregularities import KINDS
from tools.clauses import ROOT
from tools.irregular_cells import Cell, cells_shown
from tools.records import DECISIONS
from tools.tables import code, table

PHASES: Final = tuple(phase for phase in Phase if phase is not Phase.SUSPENDED)
_CLOSED, _BETTING, _DEALING, _INSURANCE, _PLAYING, _DRAWING, _SETTLED = PHASES

_BETWEEN: Final = (_CLOSED, _BETTING)
_IN_ROUND: Final = PHASES[2:]
_NO_CARD_DUE: Final = (_CLOSED, _BETTING, _INSURANCE, _SETTLED)
_NAMED_MAX: Final = 2

OUTSIDE_SCENARIOS: Final = frozenset(
    {
        Kind.INTERNAL_FAULT.value,
        Kind.JOURNAL_DAMAGED.value,
        Kind.JOURNAL_BEHIND.value,
        Kind.JOURNAL_FULL.value,
        Kind.SOFTWARE_CHANGED.value,
        "people-changed",
    }
)
"""What no step of a scenario can bring about; tests of the process around it do."""

CANNOT: Final[Mapping[str, Mapping[tuple[Phase, ...], str]]] = {
    "called": {(_CLOSED,): "without a shift there is no dealer to call"},
    "card_impossible": {_BETWEEN: "the cards of a round are in the rack"},
    "card_unread": {_BETWEEN: "no face is needed; a card there is drawn in error"},
    "shoe_fault": {_BETWEEN: "it stops the table when a card is due"},
    "shoe_empty": {_NO_CARD_DUE: "it stops the table when a card is due"},
    "panel_lost": {(*_BETWEEN, _DEALING, _DRAWING, _SETTLED): "no seat must act"},
    "reconciliation_mismatch": {(_CLOSED, *_IN_ROUND): "it is looked at when DEAL is"},
    "void-hand": {_BETWEEN: "no round is open"},
    "void-round": {_BETWEEN: "no round is open"},
    "misdeal": {(*_BETWEEN, _SETTLED): "only before the settlement"},
    "missed-first": {(*_BETWEEN, _DRAWING, _SETTLED): "the deal is over"},
    "missed-second": {(*_BETWEEN, _DRAWING, _SETTLED): "the deal is over"},
    "dealer-missed": {(*_BETWEEN, _SETTLED): "no hole card lies face down"},
    "expose-hole": {(*_BETWEEN, _DRAWING, _SETTLED): "no hole card lies face down"},
    "play-as-dealt": {(*_BETWEEN, _DEALING, _INSURANCE): "no player has acted yet"},
    "offer-choice": {
        (*_BETWEEN, _DEALING, _INSURANCE): "no player has acted yet",
        (_DRAWING, _SETTLED): "the dealer's hand is exposed",
    },
    "lies-at": {_BETWEEN: "no card lies at a hand"},
    "correct-card": {_BETWEEN: "the cards are in the rack"},
    "offer-card": {
        (*_BETWEEN, _DEALING, _SETTLED): "only after the first two cards and before "
        "the settlement (IRR-9 holds)"
    },
    "burn-card": {(_INSURANCE, _PLAYING, _DRAWING): "IRR-8 holds"},
    "set-rules": {_IN_ROUND: "only between rounds"},
}
"""Where a row cannot occur, and why."""

_GAP_TEST: Final = (
    "tests/core/test_reports.py",
    "test_a_card_that_shows_a_gap_stops_a_closed_table",
)
BY_TEST: Final[Mapping[Cell, tuple[str, str]]] = {
    ("shoe_position_unknown", _CLOSED): _GAP_TEST,
    ("resume", _CLOSED): _GAP_TEST,
}
"""What no scenario can bring about there: a test, by its file and name."""

_TEXT: Final = """# Irregularities, phase by phase

Made by `make docs`: each scenario is played, and what stopped the table and what a
supervisor decided is noted with the phase of the game. A test compares, and sees to it
that every cell has a scenario (a test, where no scenario can bring it about) or a
reason why there can be none. A small table is explored exhaustively against those
reasons. What each row means is in [rules.md](rules.md), what to do about it in
[faults.md](faults.md).

## What stops the table

{stops}

## What is decided

{decided}

## Where there can be none

{reasons}
"""


def irregularities_document() -> str:
    """Return the document as the scenarios now make it."""
    shown = cells_shown()
    return _TEXT.format(
        stops=_matrix(stopping(), shown),
        decided=_matrix(deciding(), shown),
        reasons=table(("row", "phases", "because"), _reasons()),
    )


def stopping() -> tuple[str, ...]:
    """Return the kinds of irregularity that a scenario can bring about."""
    return tuple(k.value for k in KINDS if k.value not in OUTSIDE_SCENARIOS)


def deciding() -> tuple[str, ...]:
    """Return the decisions, as people say them."""
    named = (str(decision.__struct_config__.tag) for decision in DECISIONS)
    return tuple(name for name in named if name not in OUTSIDE_SCENARIOS)


def cannot(row: str, phase: Phase) -> bool:
    """Return whether a row is said to be impossible in a phase."""
    return any(phase in phases for phases in CANNOT.get(row, {}))


def _matrix(rows: Iterable[str], shown: Mapping[Cell, tuple[Path, ...]]) -> str:
    head = ("row", *(phase.name for phase in PHASES))
    return table(
        head,
        [
            [code(row), *(_cell((row, phase), shown) for phase in PHASES)]
            for row in rows
        ],
    )


def _cell(cell: Cell, shown: Mapping[Cell, tuple[Path, ...]]) -> str:
    if cell in BY_TEST:
        path, name = BY_TEST[cell]
        return _link(name, path)
    files = shown.get(cell, ())
    links = [
        _link(file.stem, file.relative_to(ROOT).as_posix())
        for file in files[:_NAMED_MAX]
    ]
    more = len(files) - len(links)
    return ", ".join((*links, f"{more} more") if more else links) or "none"


def _link(name: str, path: str) -> str:
    return f"[{name}](../{path})"


def _reasons() -> Iterable[tuple[str, str, str]]:
    for row, by_phase in CANNOT.items():
        for phases, because in by_phase.items():
            yield code(row), ", ".join(phase.name for phase in phases), because
