"""docs/rules.md: which clause is where in the code, and what shows it.

The document is written by hand, but for the column that names the scenarios: a
scenario says in its first line which clauses it shows.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

ROOT: Final = Path(__file__).parents[1]
SCENARIOS: Final = ROOT / "tests/scenarios"

_SCENARIO_COLUMN: Final = 3
_ID: Final = re.compile(r"\b[A-Z]+(?:-(?:[0-9]+[a-z]?|[A-Z]+))*\b")
_WORDS: Final = ("Faults", "People")
"""Parts of the rules that have a row though they are no clause with an id."""
_LINK: Final = re.compile(r"\[`(?P<text>[^`]+)`\]\(\.\./(?P<path>[^)]+)\)")


class Link(msgspec.Struct, frozen=True):
    """A link of the matrix: its text, and the file as the project's folder has it."""

    text: str
    path: str


class Row(msgspec.Struct, frozen=True):
    """One clause: what the table does, where, and what shows it."""

    clause: str
    code: tuple[Link, ...]
    scenarios: tuple[Link, ...]
    tests: tuple[Link, ...]


def rows(document: str) -> tuple[Row, ...]:
    """Return the clauses of the matrix."""
    return tuple(
        Row(cells[0], *(_links(cell) for cell in cells[2:]))
        for line in document.splitlines()
        if (cells := _cells(line))
    )


def rules_document(document: str) -> str:
    """Return the document with the scenarios of each clause as their heads now say."""
    shown = scenarios_by_clause()
    lines = []
    for line in document.split("\n"):
        cells = _cells(line)
        if cells:
            cells[_SCENARIO_COLUMN] = ", ".join(shown.get(cells[0], ()))
            lines.append("| " + " | ".join(cells) + " |")
        else:
            lines.append(line)
    return "\n".join(lines)


def scenarios_by_clause() -> Mapping[str, tuple[str, ...]]:
    """Return links to the scenarios, under each clause that they show."""
    found: dict[str, tuple[str, ...]] = {}
    for file in sorted(SCENARIOS.rglob("*.scenario")):
        path = file.relative_to(ROOT).as_posix()
        for clause in clauses_shown(file):
            link = f"[`{file.stem}`](../{path})"
            found[clause] = (*found.get(clause, ()), link)
    return found


def clauses_shown(scenario: Path) -> frozenset[str]:
    """Return what stands before the colon of a scenario's first line."""
    head = scenario.read_text("utf-8").partition("\n")[0]
    return frozenset(_ID.findall(head.partition(":")[0]))


def _cells(line: str) -> list[str]:
    """Return the cells of a clause's row, nothing for any other line."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    is_row = line.startswith("|") and (_ID.fullmatch(cells[0]) or cells[0] in _WORDS)
    return cells if is_row else []


def _links(cell: str) -> tuple[Link, ...]:
    return tuple(_each(cell))


def _each(cell: str) -> Iterator[Link]:
    for match in _LINK.finditer(cell):
        yield Link(match["text"], match["path"])
