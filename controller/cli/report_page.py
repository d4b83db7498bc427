"""A report as one page that needs nothing else: no network, no script, no font."""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from controller.cli.report_sheets import (
    Sheet,
    lacking_of,
    sheets_of,
    times_of,
    title_of,
)
from controller.evidence.report import Report

_STYLE: Final = """
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 45rem;
       padding: 0 1rem; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0;
         border-bottom: 1px solid #ccc; vertical-align: top;
         overflow-wrap: anywhere; }
th:last-child, td:last-child { text-align: right; padding-right: 0;
                               font-variant-numeric: tabular-nums; }
"""


def page_of(report: Report, note: str) -> str:
    """Return the page; `note` stands at its end."""
    title = escape(title_of(report))
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{title}</h1>",
            f"<p>{escape(times_of(report))}</p>",
            *_lacking(report),
            *(line for sheet in sheets_of(report) for line in _sheet(sheet)),
            f"<p>{escape(note)}</p>",
            "</body>",
            "</html>",
            "",
        )
    )


def _lacking(report: Report) -> Iterator[str]:
    if report.lacks is not None:
        yield f"<p><strong>{escape(lacking_of(report))}</strong></p>"


def _sheet(sheet: Sheet) -> Iterator[str]:
    yield f"<h2>{escape(sheet.title)}</h2>"
    if not sheet.rows:
        yield f"<p>{escape(sheet.empty)}</p>"
        return
    yield "<table>"
    yield f"<thead>{_row('th', sheet.columns)}</thead>"
    yield "<tbody>"
    yield from (_row("td", row) for row in sheet.rows)
    yield "</tbody>"
    yield "</table>"


def _row(cell: str, texts: Iterable[str]) -> str:
    cells = "".join(f"<{cell}>{escape(text)}</{cell}>" for text in texts)
    return f"<tr>{cells}</tr>"
