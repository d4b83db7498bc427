"""docs/field-reports.md: each test that it names is there."""

import re
from typing import Final

import pytest

from tools.clauses import ROOT

_PAGE: Final = (ROOT / "docs" / "field-reports.md").read_text("utf-8")
_NAMED: Final = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", _PAGE)


def test_every_symptom_has_a_test_or_a_reason() -> None:
    rows = [line for line in _PAGE.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > len("symptom")
    for row in rows:
        symptom, here, shown = (cell.strip() for cell in row.strip("|").split(" | "))
        assert symptom
        assert here
        assert "::test_" in shown or "docs/" in shown, symptom


@pytest.mark.parametrize(("path", "name"), sorted(set(_NAMED)))
def test_a_test_that_is_named_is_there(path: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / path).read_text("utf-8")
