"""What commands print: JSON for programs, tables for people, plain when piped."""

import sys
from collections.abc import Sequence

import click
import msgspec


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
