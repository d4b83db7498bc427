"""Small journals for these tests: rows as a table would write them."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from controller.journal.records import JournalKind, Row
from controller.journal.store import Store

SIMULATION = JournalKind.SIMULATION


def row(
    kind: str = "card_dealt",
    *,
    round_: int | None = 1,
    cause: int | None = None,
    spot: int | None = None,
    version: int = 1,
    body: str = '{"card":"Th"}',
) -> Row:
    return Row(
        recorded_at="2026-01-31T18:00:00.000000Z",
        clock_synchronised=True,
        boot_id="3f0c6a52-9d1e-4b7a-8f42-6a1d0c9b7e55",
        monotonic_ns=81_230_045_112,
        cause=cause,
        round=round_,
        spot=spot,
        type=kind,
        version=version,
        body=body,
    )


def opened(kind: JournalKind = SIMULATION) -> Row:
    body = json.dumps({"kind": kind, "table": "BJ-01"})
    return row("journal_opened", round_=None, body=body)


def round_rows(number: int, cards: int = 3) -> list[Row]:
    dealt = [
        row(round_=number, spot=spot, body=f'{{"card":"Th","at":{spot}}}')
        for spot in range(1, cards + 1)
    ]
    return [*dealt, row("table_state", round_=number, body='{"phase":"BETTING"}')]


def write(path: Path, rounds: int = 2, left_open: int = 1) -> Path:
    """Write a journal: opened, whole rounds, and a round with some cards."""
    with Store.open(path, SIMULATION) as store:
        store.append([opened()])
        for number in range(1, rounds + 1):
            store.append(round_rows(number))
        store.append([row(round_=rounds + 1) for _ in range(left_open)])
    return path


def tamper(path: Path, *statements: str, values: Sequence[object] = ()) -> None:
    """Change a journal as someone would who knows that there are triggers.

    `values` go to the last statement; the triggers are back afterwards.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    triggers = connection.execute(query).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements[:-1]:
        connection.execute(statement)
    connection.execute(statements[-1], values)
    for _, sql in triggers:
        connection.execute(sql)
    connection.close()
