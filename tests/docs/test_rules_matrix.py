"""docs/rules.md: every clause is in the code and shown by something."""

import ast
import importlib
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.ids import Phase
from controller.core.irregularities import KINDS
from controller.core.outputs import dealer_prompt
from tools.clauses import ROOT, Link, Row, clauses_shown, rows
from tools.phase_table import table_in
from tools.records import DECISIONS

MATRIX = rows((ROOT / "docs/rules.md").read_text("utf-8"))
CLAUSES = [row.clause for row in MATRIX]

EXPECTED = """
PLAY-1 PLAY-2 PLAY-3 PLAY-4 ORDER DUE GATE DRAW-1 DRAW-2 DRAW-3 REVEAL VALUE BJ SPLIT
DOUBLE SURR INS PEEK MULTI DECK BURN CUT BET UNDO LIMIT-MAX LIMIT-MIN SIDE PAY CASH VAR
PICKUP-1a PICKUP-1b RACK PICKUP-1c PICKUP-2 PICKUP-3 IRR-1 IRR-2 IRR-3 IRR-4 WRONG-HAND
IRR-5 IRR-6 IRR-7 IRR-8 IRR-9 IRR-10 IRR-11 MISDEAL MISREAD POSITION SHOE PANEL SECRET-1
SECRET-2 ADVICE COUNT REMOVE Faults People
"""

FAMILY = re.compile(
    r"\b(?:PLAY|DRAW|PICKUP|IRR|LIMIT|SECRET|WRONG)-(?:[0-9]+[a-z]?|[A-Z]+)\b"
)
IN_BRACKETS = re.compile(r"\(([A-Z][A-Za-z0-9*, -]*)\)")
WORD = re.compile(r"[A-Z]{2,}(?:-(?:[0-9]+[a-z]?|[A-Z]+|\*))?")
FOLDERS = ("controller/core", "controller/rulesets", "controller/words")


def by_clause(row: Row) -> str:
    return row.clause


def sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def said_in(path: Path) -> Iterator[str]:
    """Return the comments and texts of a module, its code left out."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in {tokenize.COMMENT, tokenize.STRING}:
                yield token.string


def named_in(text: str) -> Iterator[str]:
    """Return what a text cites: ids by their form, and words alone in brackets."""
    yield from FAMILY.findall(text)
    for cited in IN_BRACKETS.findall(text):
        yield from (name for name in cited.split(", ") if WORD.fullmatch(name))


def is_known(clause: str) -> bool:
    if clause.endswith("*"):
        return any(known.startswith(clause[:-1]) for known in CLAUSES)
    return clause in CLAUSES


def test_every_clause_of_the_rules_is_in_the_matrix_once() -> None:
    assert EXPECTED.split() == CLAUSES


def test_every_clause_that_the_code_cites_is_in_the_matrix() -> None:
    cited = {
        (path.relative_to(ROOT).as_posix(), clause)
        for path in sources()
        for text in said_in(path)
        for clause in named_in(text)
    }
    assert len(cited) > len(CLAUSES)
    assert sorted(pair for pair in cited if not is_known(pair[1])) == []


def test_every_clause_that_a_record_or_notice_names_is_in_the_matrix() -> None:
    named = {str(getattr(decision, "CLAUSE")) for decision in DECISIONS}  # noqa: B009 - not every Struct has one
    for kind in KINDS.values():
        named |= set(kind.clause.split(" to "))
    named |= {dealer_prompt(table_in(phase).state).clause for phase in Phase}
    assert sorted(clause for clause in named - {""} if not is_known(clause)) == []


@pytest.mark.parametrize("row", MATRIX, ids=by_clause)
def test_the_code_named_for_a_clause_is_there(row: Row) -> None:
    assert row.code
    for link in row.code:
        module, name = link.text.split(":")
        assert Path(link.path).stem == module
        dotted = link.path.removesuffix(".py").replace("/", ".")
        assert hasattr(importlib.import_module(dotted), name)


@pytest.mark.parametrize("row", MATRIX, ids=by_clause)
def test_a_clause_is_shown_by_a_scenario_or_where_none_can_by_a_test(row: Row) -> None:
    assert row.scenarios or row.tests
    for link in row.scenarios:
        assert Path(link.path).stem == link.text
        assert row.clause in clauses_shown(ROOT / link.path)
    for link in row.tests:
        assert link.text in functions_in(link)


def functions_in(link: Link) -> set[str]:
    tree = ast.parse((ROOT / link.path).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    "file",
    sorted((ROOT / "tests/scenarios").glob("*.scenario")),
    ids=lambda file: file.stem,
)
def test_every_clause_that_a_scenario_says_it_shows_is_in_the_matrix(
    file: Path,
) -> None:
    shown = clauses_shown(file)
    assert shown
    assert shown <= set(CLAUSES)
