"""What commands print: JSON for programs, tables for people, plain when piped."""

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

import click
import msgspec

_TIME_WIDTH: Final = 12
_FOLLOWS: Final = "  "
_NARROWEST: Final = 40


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def on_a_terminal() -> bool:
    """Say whether a person reads this on a screen."""
    return sys.stdout.isatty()


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their columns, in colour on a terminal."""
    if on_a_terminal():
        _print_rich_table(columns, rows)
    else:
        click.echo("\n".join(_aligned([columns, *rows])))


def print_heading(text: str) -> None:
    """Print a line that stands above what follows."""
    click.echo(click.style(text, bold=True))


def print_story(lines: Iterable[tuple[str, str, str, bool]]) -> None:
    """Print what happened, a sentence each.

    Each line is its time, the sentence, where it comes from, and whether it follows
    from what stands above: then it is indented. Whole lines when piped; on a terminal
    they are folded to its width.
    """
    width = shutil.get_terminal_size().columns if on_a_terminal() else None
    for at, text, source, follows in lines:
        margin = f"{at:<{_TIME_WIDTH}}{_FOLLOWS if follows else ''}"
        whole = f"{text}  {source}".rstrip()
        click.echo("\n".join(_folded(margin, whole, width)))


def _folded(margin: str, text: str, width: int | None) -> list[str]:
    if width is None:
        return [margin + text]
    return textwrap.wrap(
        text,
        max(width, _NARROWEST),
        initial_indent=margin,
        subsequent_indent=" " * len(margin),
        break_on_hyphens=False,
    )


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _print_rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    # Rich takes as long to import as all the rest: only a terminal pays for it.
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - said above
    from rich.console import Console  # noqa: PLC0415 - said above
    from rich.table import Table  # noqa: PLC0415 - said above
    from rich.text import Text  # noqa: PLC0415 - said above

    table = Table(box=SIMPLE_HEAD, header_style="bold cyan")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # As text: a reason in words may hold brackets, which are rich's markup.
        table.add_row(*map(Text, row))
    Console().print(table)
