"""Tables as Markdown writes them."""

from collections.abc import Iterable


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; a bar inside a cell is written so that it ends none."""
    titles = tuple(head)
    lines = [_row(titles), "|" + "---|" * len(titles)]
    lines += [_row(row) for row in rows]
    return "\n".join(lines)


def code(text: str) -> str:
    """Return a text as code."""
    return f"`{text}`"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
