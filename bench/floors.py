"""What the machine can do at best: floors to hold our figures against.

Copied into the project unchanged and run in the same process run, interleaved
with the figure it is compared with. Standard library only, but for
`blackjack21_rounds`, which needs that package. Every function returns plain
numbers; none decides anything.
"""

import asyncio
import hashlib
import os
import sqlite3
import statistics
import threading
import time
import tty
from collections.abc import Callable, Sequence
from pathlib import Path

REPORT_BYTES = 24
POLL_BYTES = 24

_COLUMNS = (
    "sequence INTEGER PRIMARY KEY, recorded_at TEXT, clock_synchronised INTEGER, boot_id TEXT, "
    "monotonic_ns INTEGER, cause INTEGER, round INTEGER, spot INTEGER, type TEXT, version INTEGER, "
    "body TEXT, hash BLOB"
)
_INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def open_bare(path: Path) -> sqlite3.Connection:
    """Open a bare journal: the same columns, no triggers, WAL, FULL."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"CREATE TABLE IF NOT EXISTS journal ({_COLUMNS}) STRICT")
    return connection


def bare_append_rate(
    path: Path, rows: Sequence[tuple[object, ...]], per_commit: int
) -> float:
    """Return rows a second when `rows` (12 columns each) go in, `per_commit` at a time."""
    connection = open_bare(path)
    start = time.perf_counter()
    for first in range(0, len(rows), per_commit):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_INSERT, rows[first : first + per_commit])
        connection.execute("COMMIT")
    elapsed = time.perf_counter() - start
    connection.close()
    return len(rows) / elapsed


def bare_verify_rate(path: Path) -> float:
    """Return rows a second to read a journal in order and hash each row once with the one before."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(journal)")]
    query = f"SELECT {', '.join(c for c in columns if c != 'hash')} FROM journal ORDER BY sequence"
    count, previous = 0, b""
    start = time.perf_counter()
    for row in connection.execute(query):
        previous = hashlib.sha256(previous + repr(row).encode()).digest()
        count += 1
    elapsed = time.perf_counter() - start
    connection.close()
    return count / elapsed


def bare_turnaround(path: Path, presses: int, pace_s: float) -> tuple[float, float]:
    """Return p50 and p99 in seconds, seen by the device: report written → reply read.

    The host reads a report of 24 bytes on a pty with asyncio, commits two rows of
    about 300 bytes in a writer thread, then writes a reply of 24 bytes. No polling,
    no framing, no rules.
    """
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    os.set_blocking(slave, False)
    connection = open_bare(path)
    seconds: list[float] = []

    def device() -> None:
        for _ in range(presses):
            time.sleep(pace_s)
            start = time.perf_counter()
            os.write(master, b"r" * REPORT_BYTES)
            got = 0
            while got < POLL_BYTES:
                got += len(os.read(master, POLL_BYTES - got))
            seconds.append(time.perf_counter() - start)

    def commit(sequence: int) -> None:
        row = (
            "2026-01-01T00:00:00.000000Z",
            1,
            "b" * 36,
            1,
            None,
            1,
            1,
            "press",
            1,
            "x" * 180,
            b"h" * 32,
        )
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_INSERT, (sequence, *row))
        connection.execute(_INSERT, (sequence + 1, *row))
        connection.execute("COMMIT")

    async def host() -> None:
        loop = asyncio.get_running_loop()
        reports: asyncio.Queue[bytes] = asyncio.Queue()
        buffered = bytearray()

        def readable() -> None:
            buffered.extend(os.read(slave, 4096))
            while len(buffered) >= REPORT_BYTES:
                reports.put_nowait(bytes(buffered[:REPORT_BYTES]))
                del buffered[:REPORT_BYTES]

        loop.add_reader(slave, readable)
        for number in range(presses):
            await reports.get()
            await loop.run_in_executor(None, commit, 2 * number + 1)
            os.write(slave, b"p" * POLL_BYTES)
        loop.remove_reader(slave)

    thread = threading.Thread(target=device)
    thread.start()
    asyncio.run(host())
    thread.join()
    connection.close()
    os.close(master)
    os.close(slave)
    ordered = sorted(seconds)
    return statistics.median(ordered), ordered[
        min(len(ordered) - 1, int(len(ordered) * 0.99))
    ]


def blackjack21_rounds(
    seats: int, rounds: int, choose: Callable[[int, bool, int, int, bool, bool], str]
) -> float:
    """Return rounds a second of the package blackjack21: six decks, dealer hits soft 17.

    `choose(total, soft, pair_value, upcard_value, two_cards, may_split)` gives H, S, D or P.
    """
    # Only this figure needs the package: the others can be taken without it.
    from blackjack21 import DEFAULT_SUITS, Deck, GameState, Table, shoe_reset_hook  # noqa: PLC0415
    from blackjack21.utils import calculate_hand  # noqa: PLC0415

    deck = Deck(DEFAULT_SUITS, count=6)
    players = [(f"p{seat}", 10) for seat in range(seats)]
    table = Table(
        players, deck, hit_soft_17=True, on_round_reset=shoe_reset_hook(deck, 0.75)
    )
    start = time.perf_counter()
    for _ in range(rounds):
        table.start_game()
        while table.state == GameState.PLAYERS_TURN:
            hand = table.current_hand
            total, soft = calculate_hand(hand._cards)
            two = len(hand) == 2
            pair = hand[0].value if two and hand[0].value == hand[1].value else 0
            may_split = bool(pair) and len(table.current_player.hands) < 4
            upcard = table.dealer_visible_hand[0].value
            match choose(total, soft, pair, upcard, two, may_split):
                case "H":
                    table.hit()
                case "S":
                    table.stand()
                case "D":
                    table.double_down()
                case _:
                    table.split()
    return rounds / (time.perf_counter() - start)
