"""`tablectl demo`: a whole simulated table that plays by itself, to be watched."""

import asyncio
import random
import signal
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from controller.cli.failures import AnswerIsNoError, MisuseError
from controller.cli.main import status_of
from controller.cli.options import FILE
from controller.cli.values import WholeNumber
from controller.core.outputs import outputs
from controller.words.amounts import net_text
from simulators.rigs.demo.floor import FAST, HUMAN, Floor
from simulators.rigs.demo.incidents import Incidents
from simulators.rigs.demo.narration import Narrator
from simulators.rigs.demo.screen import LiveScreen, PlainScreen, Screen
from simulators.rigs.errors import NotSettledError, RigError
from simulators.rigs.live_table import LiveTable

ROUNDS: Final = 5
WAGERS_CENTS: Final = (500, 1000, 1500, 2000, 2500, 5000, 10000)
OPENING: Final = (
    "Seven panels and a shoe on pseudo-terminals; beside them, the controller starts."
)
STUCK_AFTER_S: Final = 60.0
_STOPPED: Final = 128 + signal.SIGTERM


@click.command
@click.option("--rounds", type=WholeNumber(1), default=ROUNDS, show_default=True)
@click.option(
    "--seed", type=WholeNumber(), help="The same cards and wagers as another time."
)
@click.option(
    "--journal",
    type=FILE,
    metavar="FILE",
    help="Keep the journal there; else it goes with the demonstration.",
)
@click.option("--fast", is_flag=True, help="Play without human pauses.")
def demo(rounds: int, seed: int | None, journal: Path | None, *, fast: bool) -> int:
    """Watch robots play at a simulated table, then one round from its journal.

    Seven panels and a shuffling shoe are simulated on ptys; the controller is the
    real one, `tablectl run`, and plays as on a table of wood. In the second round a
    card is drawn in error, in the third the power is cut.
    """
    if journal is not None and journal.exists():
        raise MisuseError(f"{journal}: expected no file there; name another")
    with tempfile.TemporaryDirectory(prefix="table-") as folder:
        table_files = Path(folder)
        kept = journal.absolute() if journal else table_files / "table.journal"
        source = random.Random(seed)
        try:
            told = asyncio.run(
                _unless_told_to_stop(
                    _play(table_files, kept, source, rounds, fast=fast)
                )
            )
        except asyncio.CancelledError:
            return _STOPPED
        except RigError as error:
            raise AnswerIsNoError(f"demo: {error}") from error
        status = _look_at(kept, told.busiest_round)
    further = f"--journal {journal}" if journal else "tablectl demo --journal FILE"
    # Last, since the round before it fills more than a screen.
    _tell_money(told)
    click.echo(f"to look further: tablectl rounds, round N, verify; {further}")
    return status


def _look_at(journal: Path, number: int) -> int:
    """Prove the journal, and rebuild a round from it."""
    click.echo("\ntablectl verify --replay")
    status = status_of(["verify", "--replay", "--journal", str(journal)])
    click.echo(f"\ntablectl round {number}")
    return status_of(["round", str(number), "--journal", str(journal)]) or status


async def _unless_told_to_stop(played: Coroutine[None, None, Narrator]) -> Narrator:
    """Let a SIGTERM end the playing as an interrupt does: no controller is left.

    Raises:
        asyncio.CancelledError: There was one.

    """
    playing = asyncio.ensure_future(played)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    return await playing


async def _play(
    folder: Path, journal: Path, source: random.Random, rounds: int, *, fast: bool
) -> Narrator:
    """Play the rounds; return who has seen them."""
    console = Console()
    console.print(Text(OPENING))
    kind = LiveScreen if console.is_terminal else PlainScreen
    screen: Screen = kind(console)
    async with LiveTable(folder, source, journal, at_line_speed=not fast) as table:
        narrator = Narrator(table.state)
        wagers = {
            seat: source.choice(WAGERS_CENTS)
            for seat in range(1, table.state.seat_count + 1)
        }
        floor = Floor(table, wagers, source, FAST if fast else HUMAN)
        with screen:
            await _watch(table, floor, narrator, screen, rounds)
    return narrator


async def _watch(
    table: LiveTable, floor: Floor, narrator: Narrator, screen: Screen, rounds: int
) -> None:
    """Let the people of the table act until so many rounds are played.

    Raises:
        NotSettledError: Nothing has happened at the table for too long.

    """
    incidents = Incidents(table, screen.say)
    now = asyncio.get_running_loop().time
    last_news_s = now()
    while narrator.rounds < rounds:
        for record in table.look():
            last_news_s = now()
            for line in narrator.tell(record):
                screen.say(line)
        screen.show(narrator, rounds)
        incidents.happen(narrator)
        await floor.act()
        if now() - last_news_s > STUCK_AFTER_S:
            raise NotSettledError(_stuck(table))
        await asyncio.sleep(floor.pace.look_s)


def _stuck(table: LiveTable) -> str:
    shown = outputs(table.state)
    notices = "; ".join(notice.words for notice in shown.notices)
    said = table.difference or notices or shown.dealer.words
    return f"nothing happened for {STUCK_AFTER_S:g} s: {said}"


def _tell_money(narrator: Narrator) -> None:
    money = narrator.money_cents
    seats = ", ".join(f"seat {seat} {net_text(cents)}" for seat, cents in money.items())
    house = net_text(-sum(money.values()))
    text = f"rounds played: {narrator.rounds}; {seats}; the house {house}"
    click.echo(f"\n{text}")
