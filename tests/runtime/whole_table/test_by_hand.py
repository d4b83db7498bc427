"""Buttons and lamps tried at a whole table: panels on ptys, and a real journal."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.decide import decide
from controller.core.ids import BY_HAND, DEALER_SEAT, EndOfTestMode, Kind, Phase, Role
from controller.core.state import SeatState, TableState
from controller.evidence.verify import verify
from controller.journal.fold import state_at_end
from controller.journal.table_journal import decided
from controller.runtime.clock import SystemClock
from drivers.panel.messages import Button
from hw_config.schema import TableHardware
from simulators.rigs.scenario.steps import DrawCards
from simulators.rigs.simulation import Simulation
from tests.runtime.callers import Caller
from tests.runtime.whole_table.running import (
    SHIFT,
    Running,
    on_disk,
    opened,
    running,
    until,
)

BEGIN = cm.BeginTestMode(person=Person("S1", Role.SUPERVISOR))
END = cm.EndTestMode(why=EndOfTestMode.ASKED, person=Person("S1", Role.SUPERVISOR))


@pytest.fixture
async def table(hardware: TableHardware, devices: Simulation) -> AsyncIterator[Running]:
    """Run a table with an open shift, whose panels all show their prompts."""
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(0, Button.CALL)
        yield one


async def begun_at(hardware: TableHardware) -> Caller:
    """Return a program that tries buttons at this table."""
    caller = await Caller.of(Path(hardware.control_socket))
    caller.send(b'{"test_mode": "begin", "person": "S1"}\n')
    while not (await caller.hear()).get("accepted"):
        pass  # What is held already is shown first.
    return caller


async def button_seen(tester: Caller) -> dict[str, object]:
    """Return what is shown next of a button, whatever is shown of devices."""
    while True:
        seen = (await tester.hear())["seen"]
        assert isinstance(seen, dict)
        if seen["type"] != "device":
            return seen


def without_cursors(state: TableState) -> TableState:
    def plain(seat: SeatState) -> SeatState:
        return replace(seat, boot_id=0, press_number=0)

    seats = tuple(map(plain, state.seats))
    return replace(state, seats=seats, dealer_panel=plain(state.dealer_panel))


async def dark(one: Running, seat: int) -> None:
    """Wait until a panel shows no prompt of play, and no lamp."""
    panel = one.devices.panels[seat]
    await until(lambda: (panel.prompt_number, panel.lamps) == (BY_HAND, frozenset()))


async def test_presses_are_shown_and_taken_and_count_for_nothing(
    hardware: TableHardware, table: Running
) -> None:
    before = table.state
    tester = await begun_at(hardware)
    for seat, button in ((1, Button.BET), (2, Button.HIT), (0, Button.CALL)):
        await dark(table, seat)
        panel = table.devices.panels[seat]
        now = asyncio.get_running_loop().time()
        panel.hold(button, now)
        shown = {"type": "button", "seat": seat, "button": button.value}
        seen = [await button_seen(tester) for _ in range(2)]
        assert {**shown, "down": True} in seen
        assert [one["number"] for one in seen if one["type"] == "press"] == [1]
        panel.release(button, asyncio.get_running_loop().time())
        assert await button_seen(tester) == {**shown, "down": False}
        await until(lambda: not panel.memory.waiting)  # noqa: B023 - awaited in the same turn
    assert (await tester.ask(test_mode="end", person="S1")) == {
        "test_mode_ended": "asked"
    }
    await until(lambda: table.state.test_mode is None)
    assert table.happened(cm.TryButton) == 3
    assert table.happened(ev.PressRefused) == 0
    assert without_cursors(table.state) == without_cursors(before)
    # The panels show play again, and bets are taken as ever.
    await table.lit(1, Button.BET)
    table.press(1, Button.BET, 2500)
    await until(lambda: bool(table.state.wagers))
    await tester.leave()


async def test_lamps_are_lit_on_the_panels_and_go_out_at_the_end(
    hardware: TableHardware, table: Running
) -> None:
    tester = await begun_at(hardware)
    panels = table.devices.panels
    await tester.ask(light={"seat": 3, "buttons": ["hit", "pass"]})
    await tester.ask(light={"seat": 0, "buttons": ["deal"]})
    await until(lambda: panels[3].lamps == {Button.HIT, Button.PASS})
    await until(lambda: panels[DEALER_SEAT].lamps == {Button.DEAL})
    assert panels[3].prompt_number == BY_HAND
    await dark(table, 1)
    # A commit that has nothing to do with it leaves them lit.
    await table.do(cm.ReportScan(slow=True, scan_ms=240))
    assert panels[3].lamps == {Button.HIT, Button.PASS}
    await tester.leave()
    await until(lambda: table.state.test_mode is None)
    for seat, lit in ((3, Button.BET), (DEALER_SEAT, Button.CALL)):
        await table.lit(seat, lit)
        assert panels[seat].lamps == {lit}
    ended = [one for one in table.records if isinstance(one, ev.TestModeEnded)]
    assert [one.why for one in ended] == [EndOfTestMode.CLIENT_LEFT]


async def test_lamps_of_one_test_are_not_lit_in_the_next(
    hardware: TableHardware, table: Running
) -> None:
    tester = await begun_at(hardware)
    await tester.ask(light={"seat": 3, "buttons": ["hit"]})
    await until(lambda: table.devices.panels[3].lamps == {Button.HIT})
    await table.do(END)
    await table.lit(3, Button.BET)
    await table.do(BEGIN)
    await dark(table, 3)
    await tester.leave()


async def test_a_press_that_its_panel_kept_till_later_counts_for_nothing(
    table: Running,
) -> None:
    await table.do(BEGIN)
    panel, dealers = table.devices.panels[1], table.devices.panels[DEALER_SEAT]
    for one in (1, DEALER_SEAT):
        await dark(table, one)
    # Both were pressed in the test mode, and the host hears of it once it is over.
    now = asyncio.get_running_loop().time()
    await table.do(END)
    panel.prompt_number, dealers.prompt_number = BY_HAND, BY_HAND
    panel.press(Button.BET, now)
    dealers.press(Button.CALL, now)
    await until(lambda: not (panel.memory.waiting or dealers.memory.waiting))
    assert table.state.phase is Phase.BETTING
    assert table.state.wagers == ()


async def test_a_card_that_leaves_the_shoe_stops_the_table_as_ever(
    hardware: TableHardware, table: Running
) -> None:
    tester = await begun_at(hardware)
    await tester.ask(light={"seat": 3, "buttons": ["hit"]})
    table.devices.do(DrawCards((Card("5d"),)), 0.0)
    assert await tester.hear() == {"test_mode_ended": "irregularity"}
    await until(lambda: table.state.suspended)
    (found,) = table.state.irregularities
    assert found.kind is Kind.CARD_DRAWN_IN_ERROR
    assert len(table.state.undecided) == 1
    await until(lambda: table.devices.all_taken)
    await until(lambda: not table.devices.panels[3].lamps)
    await tester.leave()


async def test_a_stop_ends_it_and_the_journal_says_so(
    hardware: TableHardware, devices: Simulation
) -> None:
    async with running(hardware, devices, opened(hardware)) as one:
        await one.do(SHIFT)
        await one.lit(0, Button.CALL)
        await one.do(BEGIN)
    assert ev.TestModeEnded(why=EndOfTestMode.STOPPED) in on_disk(hardware)
    assert state_at_end(Path(hardware.journal.path)).test_mode is None


async def test_a_table_that_starts_again_is_not_in_test_mode(
    hardware: TableHardware, devices: Simulation
) -> None:
    begun = opened(hardware)
    with begun.journal as journal:
        # As the power leaves it: begun, and nothing after that.
        decision = decide(begun.state, begun.secrets, BEGIN)
        stamp = SystemClock().stamp()
        journal.write([decided(stamp, begun.state, decision)])
    again = opened(hardware)
    assert again.state.test_mode is not None
    async with running(hardware, devices, again) as one:
        await until(lambda: one.happened(ev.TestModeEnded) == 1)
        assert one.state.test_mode is None
    ended = ev.TestModeEnded(why=EndOfTestMode.RESTARTED)
    assert ended in on_disk(hardware)
    assert verify(Path(hardware.journal.path), replay=True).good
