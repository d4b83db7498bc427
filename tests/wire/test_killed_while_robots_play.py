"""A table whose controller is killed at random moments plays on and loses nothing.

The robots, the panels and the shoe never stop; only the controller dies, without a
warning, and is started again on its journal. The devices' own counts are held
against the journal's at the end.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.evolve import Record
from controller.core.ids import DEALER_SEAT
from controller.core.outputs import outputs
from controller.evidence.verify import verify
from controller.journal import reader
from controller.journal.table_codec import CODEC
from drivers.shoe.messages import CardDrawn
from simulators.rigs.demo.floor import FAST, Floor
from simulators.rigs.live_table import LiveTable
from simulators.rigs.simulation import Simulation

WAGERS_CENTS = {1: 500, 2: 1000, 3: 2500, 5: 1000, 7: 5000}
AT_REST_TIMEOUT_S = 30.0
LOADED_MACHINE_S = 120
LONGEST_LIFE_S = 1.0
STILLBORN = 0.2
LONGEST_START_S = 0.6
"""One in five is killed while it starts, perhaps before its first poll."""


async def play_and_kill(table: LiveTable, kills: int, source: random.Random) -> None:
    """Let robots play while the controller is killed, then until all is at rest."""
    floor = Floor(table, WAGERS_CENTS, source, FAST)
    while table.starts <= kills:
        await play_for_one_life(table, floor, source)
        table.restart()
    await play_one_more_round(table, floor)


async def play_for_one_life(
    table: LiveTable, floor: Floor, source: random.Random
) -> None:
    """Let robots play for as long as a controller lives: a little, or not at all."""
    now = asyncio.get_running_loop().time
    if source.random() < STILLBORN:
        await asyncio.sleep(source.uniform(0, LONGEST_START_S))
        return
    await play_until(table, None, lambda: table.speaks)
    ends_s = now() + source.uniform(0, LONGEST_LIFE_S)
    await play_until(table, floor, lambda: now() >= ends_s)


async def play_until(
    table: LiveTable, floor: Floor | None, reached: Callable[[], bool]
) -> None:
    """Let the robots play, or nobody, until something is so."""
    try:
        async with asyncio.timeout(AT_REST_TIMEOUT_S):
            while not reached():
                table.look()
                if floor is not None:
                    await floor.act()
                await asyncio.sleep(0.002)
    except TimeoutError:
        state, shown = table.state, outputs(table.state)
        pytest.fail(
            f"nothing more happens: {state.phase.value}, {shown.dealer.words}, "
            f"{[notice.words for notice in shown.notices]}; {table.difference}; "
            f"cards due {table.simulation.cards_due}; "
            f"waiting {[p.memory.waiting for p in table.simulation.panels.values()]}"
        )


async def play_one_more_round(table: LiveTable, floor: Floor) -> None:
    """Show that the table still plays: end the round, play one, come to rest."""
    last = table.state.round + 1
    await play_until(table, floor, lambda: table.state.round > last)
    await play_until(
        table, None, lambda: table.simulation.all_taken and not table.difference
    )


def written(journal: Path) -> list[Record]:
    return [CODEC.decode(row) for row in reader.all_records(journal)]


def presses_taken(records: list[Record]) -> Counter[tuple[int, int, int, str, int]]:
    return Counter(
        (
            record.seat if isinstance(record, cm.PressButton) else DEALER_SEAT,
            record.boot_id,
            record.number,
            record.button.value,
            record.prompt,
        )
        for record in records
        if isinstance(record, cm.PressButton | cm.PressDealerButton)
    )


def presses_made(
    simulation: Simulation,
) -> Counter[tuple[int, int, int, str, int]]:
    return Counter(
        (
            seat,
            made.boot_id,
            made.press.number,
            made.press.button.value,
            made.press.prompt_number,
        )
        for seat, panel in simulation.panels.items()
        for made in panel.memory.acknowledged
    )


def shoe_events_taken(records: list[Record]) -> list[tuple[int, int]]:
    return [
        (record.cursor.boot_id, record.cursor.number)
        for record in records
        if isinstance(record, cm.ReportCard | cm.ReportShoe | cm.ReportReturn)
        and record.cursor is not None
    ]


def cards_taken(records: list[Record]) -> dict[int, str]:
    """Return the faces of cards by their number, of hole cards once revealed."""
    faces: dict[int, str] = {}
    for record in records:
        match record:
            case cm.ReportCard() if record.card != UNKNOWN:
                faces[record.number] = record.card
            case ev.HoleCardRevealed():
                faces[record.number] = record.card
            case _:
                continue
    return faces


def differences(records: list[Record], simulation: Simulation) -> Iterator[str]:
    """Say in what the journal differs from what the devices counted."""
    if presses_taken(records) != presses_made(simulation):
        taken, made = presses_taken(records), presses_made(simulation)
        yield f"presses: {taken - made} were not made, {made - taken} are not written"
    happened = simulation.shoe.memory.happened
    events = [(report.boot_id, report.number) for report in happened]
    if shoe_events_taken(records) != events:
        yield "the shoe's events are not each in the journal once and in order"
    drawn = {
        report.event.card_number: report.event.card
        for report in happened
        if isinstance(report.event, CardDrawn)
    }
    if cards_taken(records) != drawn:
        yield f"cards: {cards_taken(records)} in the journal, {drawn} were drawn"
    lost = [panel.memory.without_room for panel in simulation.panels.values()]
    if any(lost):
        yield f"presses without room: {lost}"


async def kills_hurt_nothing(folder: Path, kills: int, seed: int) -> None:
    source = random.Random(seed)
    async with LiveTable(folder, source, at_line_speed=False) as table:
        await play_and_kill(table, kills, source)
        records = written(table.files.journal)
        assert list(differences(records, table.simulation)) == []
        for kind in (cm.PressButton, cm.PressDealerButton, cm.ReportCard):
            at = max(n for n, one in enumerate(records) if isinstance(one, kind))
            missing = [*records[:at], *records[at + 1 :]]
            doubled = [*records[:at], records[at], *records[at:]]
            assert list(differences(missing, table.simulation)), "a loss would be told"
            assert list(differences(doubled, table.simulation)), "so would a double"
        assert table.state.irregularities == ()
        assert table.starts == kills + 1
        journal = table.files.journal
    report = verify(journal, replay=True)
    assert report.findings == ()
    assert report.replayed is not None
    assert report.replayed.compared > 0
    refused = [r for r in written(journal) if isinstance(r, ev.PressRefused)]
    assert refused == [], "robots press only what is lit, and are not refused for it"


@pytest.mark.prove
async def test_a_table_plays_on_after_a_kill(tmp_path: Path) -> None:
    await kills_hurt_nothing(tmp_path, kills=1, seed=1)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(2))
async def test_a_table_plays_on_after_fifty_kills(tmp_path: Path, seed: int) -> None:
    await kills_hurt_nothing(tmp_path, kills=50, seed=seed)
