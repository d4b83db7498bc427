"""Writes the documents that are made from the code, or names those that differ."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tools.clauses import rules_document
from tools.faults import faults_document
from tools.irregularities import irregularities_document
from tools.phase_table import phases_document
from tools.records import events_document

DOCS: Final = Path(__file__).parents[1] / "docs"

_RULES: Final = "rules.md"

_WRITERS: Final[Mapping[str, Callable[[], str]]] = {
    "events.md": events_document,
    "faults.md": faults_document,
    "irregularities.md": irregularities_document,
    "phases.md": phases_document,
    # Only a column of it is made, so it is read before it is written.
    _RULES: lambda: rules_document((DOCS / _RULES).read_text("utf-8")),
}

NAMES: Final = tuple(_WRITERS)
"""The documents that are made from the code, as they are called in `docs`."""


def document(name: str) -> str:
    """Return a document as the code now says it should be."""
    return _WRITERS[name]()


def main() -> None:
    """Write every document anew."""
    for name in NAMES:
        (DOCS / name).write_text(document(name), "utf-8")


if __name__ == "__main__":
    main()
