"""Programs that stand in the documents, as strangers would run them."""

from pathlib import Path
from types import CodeType
from typing import Any, Final

DOCUMENTS: Final = Path(__file__).parents[2] / "docs"
LINES_MAX: Final = 100


def program(document: str) -> CodeType:
    """Return the one program of a document; it is short enough to be read."""
    file = DOCUMENTS / document
    (text,) = file.read_text("utf-8").split("```python\n")[1:]
    source = text.partition("```")[0]
    assert len(source.splitlines()) < LINES_MAX
    return compile(source, str(file), "exec")


def names_of(code: CodeType) -> dict[str, Any]:
    """Return what a program defines, without running it as one."""
    namespace: dict[str, Any] = {"__name__": "documented"}
    exec(code, namespace)  # noqa: S102 - it is what the document shows
    return namespace
