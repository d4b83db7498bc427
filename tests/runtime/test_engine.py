"""One batch in flight; nothing is shown or told before it is on disk."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.ids import Button, DealerButton, Direction, Phase, Reason
from controller.core.state import TableState
from controller.journal import reader
from controller.journal.errors import JournalFullError
from controller.journal.fold import state_at_end
from controller.journal.recovery import Recovered
from controller.journal.sealed_cards import escrow_path
from controller.journal.table_codec import CODEC
from controller.runtime import engine as under_test
from controller.runtime.engine import BATCH_MAX, INBOX_MAX, Engine
from controller.runtime.owner import Change, Taken
from tests.core.table import DEALER
from tests.runtime.bench import salts
from tests.runtime.clocks import StandingClock
from tests.runtime.stalling import StallingJournal, begun

BOUND_S = 10.0
SHIFT = cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - another thread's work sets no event
            await asyncio.sleep(0.001)


class Room:
    """A journal, the engine that writes it, and all that it told."""

    def __init__(self, path: Path) -> None:
        self.clock = StandingClock()
        recovered = begun(path)
        assert isinstance(recovered.journal, StallingJournal)
        self.path = path
        self.journal = recovered.journal
        self.engine = Engine(recovered, self.clock, salts())
        self.changes: list[Change] = []
        self.told: list[Taken] = []
        self.engine.listen(self.changes.append)

    @property
    def state(self) -> TableState:
        return self.engine.state

    def submit(self, *commands: cm.Command) -> None:
        for command in commands:
            self.engine.submit(command, self.told.append)

    async def do(self, *commands: cm.Command) -> None:
        """Submit commands and wait until the last of them is on disk."""
        for command in commands:
            assert await self.engine.command(command) is not None

    def bet(self, seat: int, number: int = 1) -> cm.PressButton:
        return cm.PressButton(
            seat=seat,
            button=Button.BET,
            prompt=1,
            number=number,
            amount_cents=2500,
            with_amount=True,
        )

    def recorded(self) -> list[object]:
        return [CODEC.decode(row) for row in reader.all_records(self.path)]


@contextlib.asynccontextmanager
async def running(path: Path) -> AsyncIterator[Room]:
    """Run an engine; it is stopped at the end."""
    room = Room(path)
    task = asyncio.create_task(room.engine.run())
    try:
        with room.journal:
            yield room
            room.journal.disk.set()
            room.engine.stop()
            await task
    finally:
        task.cancel()


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with running(tmp_path / "table.journal") as room:
        await room.do(SHIFT)
        room.journal.batches.clear()
        room.changes.clear()
        yield room


# --- Before and after the commit --------------------------------------------------


async def test_nothing_is_told_before_it_is_on_disk(room: Room) -> None:
    before = room.state
    room.journal.disk.clear()
    room.submit(room.bet(1))
    await until(lambda: bool(room.journal.batches))
    # The thread is in the middle of the write: nobody may know.
    assert room.state is before
    assert (room.told, room.changes) == ([], [])
    assert room.engine.committing_since == room.clock.now_s()
    room.journal.disk.set()
    await until(lambda: bool(room.changes))
    assert [wager.seat for wager in room.state.wagers] == [1]
    (taken,) = room.told
    (change,) = room.changes
    assert change.state is room.state
    assert taken == Taken(accepted=True, sequence=change.first_sequence)
    assert room.recorded()[change.first_sequence - 1 :] == list(change.records)
    assert room.engine.committing_since is None


async def test_who_submitted_is_told_before_the_table_shows_it(room: Room) -> None:
    order: list[str] = []
    room.engine.listen(lambda _: order.append("shown"))
    room.engine.submit(room.bet(1), lambda _: order.append("acknowledged"))
    await until(lambda: len(order) == 2)
    assert order == ["acknowledged", "shown"]


async def test_what_arrives_meanwhile_forms_the_next_batch_in_order(room: Room) -> None:
    room.journal.disk.clear()
    room.submit(room.bet(1))
    await until(lambda: len(room.journal.batches) == 1)
    room.submit(room.bet(3), room.bet(2), room.bet(2, number=2))
    # A turn of the loop, or ten, changes nothing: one batch is in flight.
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(room.journal.batches) == 1
    room.journal.disk.set()
    await until(lambda: len(room.told) == 4)
    seats = [
        [
            one.records[0].seat
            for one in batch
            if isinstance(one.records[0], cm.PressButton)
        ]
        for batch in room.journal.batches
    ]
    assert seats == [[1], [3, 2, 2]]
    sequences = [taken.sequence or 0 for taken in room.told]
    assert sequences == sorted(sequences)
    presses = [room.recorded()[sequence - 1] for sequence in sequences]
    assert [p.seat for p in presses if isinstance(p, cm.PressButton)] == [1, 3, 2, 2]


async def test_a_batch_is_bounded(room: Room) -> None:
    room.journal.disk.clear()
    room.submit(room.bet(1))
    await until(lambda: len(room.journal.batches) == 1)
    room.submit(*(room.bet(2, number) for number in range(1, BATCH_MAX + 9)))
    room.journal.disk.set()
    await until(lambda: len(room.told) == BATCH_MAX + 9)
    assert [len(batch) for batch in room.journal.batches] == [1, BATCH_MAX, 8]


async def test_a_repetition_is_told_and_writes_nothing(room: Room) -> None:
    room.submit(room.bet(1))
    await until(lambda: len(room.told) == 1)
    room.submit(room.bet(1))
    await until(lambda: len(room.told) == 2)
    assert room.told[1] == Taken(accepted=True, sequence=None)
    assert len(room.journal.batches) == len(room.changes) == 1


async def test_a_refusal_is_told_with_its_reason_and_is_on_disk(room: Room) -> None:
    taken = await room.engine.command(cm.PressDealerButton(button=DealerButton.DEAL))
    assert taken is not None
    assert (taken.accepted, taken.reason) == (False, Reason.NO_WAGER.value)
    refused = room.recorded()[-1]
    assert isinstance(refused, ev.CommandRefused)


async def test_every_listener_hears_every_change_once(room: Room) -> None:
    others: list[Change] = []
    room.engine.listen(others.append)
    await room.do(room.bet(1), room.bet(2))
    await until(lambda: len(others) == 2)
    assert others == room.changes
    folded = [record for change in others for record in change.records]
    assert folded == room.recorded()[-len(folded) :]


# --- A commit that fails ----------------------------------------------------------


async def test_a_failed_commit_ends_the_table_before_any_output(tmp_path: Path) -> None:
    room = Room(tmp_path / "table.journal")
    with room.journal:
        before = room.state
        room.journal.is_full = True
        room.submit(SHIFT)
        with pytest.raises(JournalFullError, match="make room"):
            await room.engine.run()
        assert (room.told, room.changes) == ([], [])
        assert room.state is before
    assert state_at_end(room.path) == before


async def test_an_error_of_who_is_told_ends_the_table(tmp_path: Path) -> None:
    room = Room(tmp_path / "table.journal")

    def fail(_: object) -> None:
        raise LookupError

    with room.journal:
        room.engine.listen(fail)
        room.submit(SHIFT)
        with pytest.raises(LookupError):
            await room.engine.run()


# --- People -----------------------------------------------------------------------


async def test_people_are_refused_when_the_inbox_is_full(room: Room) -> None:
    room.journal.disk.clear()
    room.submit(room.bet(1))
    await until(lambda: bool(room.journal.batches))
    room.submit(*(room.bet(2, number) for number in range(1, INBOX_MAX)))
    waiting = asyncio.create_task(room.engine.command(cm.OpenSeat(seat=1)))
    await asyncio.sleep(0)
    assert await room.engine.command(cm.OpenSeat(seat=1)) is None
    # Devices are not: each says no more before what it said is acknowledged.
    room.submit(room.bet(3))
    room.journal.disk.set()
    assert await waiting is not None
    await until(lambda: len(room.told) == INBOX_MAX + 1)
    assert await room.engine.command(cm.OpenSeat(seat=1)) is not None


async def test_a_person_who_left_is_not_told(room: Room) -> None:
    room.journal.disk.clear()
    leaving = asyncio.create_task(room.engine.command(cm.OpenSeat(seat=1)))
    await until(lambda: bool(room.journal.batches))
    leaving.cancel()
    await asyncio.wait({leaving})
    room.journal.disk.set()
    await until(lambda: bool(room.changes))
    assert leaving.cancelled()
    await room.do(cm.OpenSeat(seat=2))


# --- Stopping ---------------------------------------------------------------------


async def test_a_stop_writes_what_is_in_the_inbox_and_takes_no_more(
    tmp_path: Path,
) -> None:
    async with running(tmp_path / "table.journal") as room:
        await room.do(SHIFT)
        room.journal.disk.clear()
        room.submit(room.bet(1))
        await until(lambda: len(room.journal.batches) == 2)
        room.submit(room.bet(2))
        room.engine.stop()
        room.submit(room.bet(3))
        assert await room.engine.command(cm.OpenSeat(seat=1)) is None
    assert [wager.seat for wager in room.state.wagers] == [1, 2]
    assert len(room.told) == 2
    assert state_at_end(room.path) == room.state
    assert room.journal.calls[-2:] == ["tidy", "checkpoint"]


async def test_an_idle_engine_stops_at_once(tmp_path: Path) -> None:
    room = Room(tmp_path / "table.journal")
    with room.journal:
        room.engine.stop()
        await room.engine.run()
        idle = Room(tmp_path / "other.journal")
        with idle.journal:
            task = asyncio.create_task(idle.engine.run())
            await asyncio.sleep(0)
            idle.engine.stop()
            await task


# --- Waits ------------------------------------------------------------------------


def card(number: int, face: str) -> cm.ReportCard:
    return cm.ReportCard(number=number, card=Card(face))


async def deal(room: Room, faces: str = "9s 8h 7s 6d") -> None:
    deal = cm.PressDealerButton(button=DealerButton.DEAL)
    cards = [card(n, face) for n, face in enumerate(faces.split(), 1)]
    await room.do(room.bet(1), deal, *cards)


async def test_a_wait_is_over_when_the_clock_says_so(room: Room) -> None:
    await deal(room)
    assert room.state.phase is Phase.PLAYING
    kinds: list[type] = []
    room.engine.listen(lambda change: kinds.extend(map(type, change.records)))
    # A hundredth of a second before the wait is over the engine looks at its clock.
    room.clock.advance(room.state.rules.ask_after_s - 0.01)
    await room.do(cm.PressButton(seat=2, button=Button.HIT, prompt=0, number=9))
    assert ev.PlayerAsked not in kinds
    room.clock.advance(0.01)
    await until(lambda: ev.PlayerAsked in kinds)
    assert kinds.count(cm.ReachTime) == 1
    # Nobody acts for the player: the next stage only lets the dealer move on.
    room.clock.advance(float(room.state.rules.move_on_after_s))
    await room.do(cm.PressButton(seat=2, button=Button.HIT, prompt=0, number=10))
    assert ev.MoveOnAllowed in kinds
    assert room.state.play.hands[0].stood is False


async def test_no_wait_is_over_because_somebody_set_the_clock(room: Room) -> None:
    await deal(room)
    kinds: list[type] = []
    room.engine.listen(lambda change: kinds.extend(map(type, change.records)))
    for number, by_s in enumerate((86_400.0, -172_800.0), 1):
        room.clock.set_wall(by_s)
        await room.do(
            cm.PressButton(seat=2, button=Button.HIT, prompt=0, number=number)
        )
    assert cm.ReachTime not in kinds
    # The wait itself goes on, and is over when its time has passed.
    room.clock.advance(float(room.state.rules.ask_after_s))
    await room.do(cm.PressButton(seat=2, button=Button.HIT, prompt=0, number=3))
    await until(lambda: ev.PlayerAsked in kinds)


async def test_a_wait_starts_anew_with_the_engine(tmp_path: Path) -> None:
    async with running(tmp_path / "table.journal") as room:
        await room.do(SHIFT)
        await deal(room)
        room.clock.advance(room.state.rules.ask_after_s - 1.0)
        state, secrets = room.engine._standing.state, room.engine._standing.secrets  # noqa: SLF001 - what a start finds
    recovered = Recovered(room.journal, state, secrets)
    again = Engine(recovered, room.clock, salts())
    watch = again._standing.watch  # noqa: SLF001 - the wait that will run
    assert watch.wait == state.wait
    assert watch.since_s == room.clock.now_s()


# --- Housekeeping -----------------------------------------------------------------


async def test_opened_secrets_are_deleted_when_nobody_waits(room: Room) -> None:
    await deal(room, "9s 8h Ts 6d")
    assert not room.journal.is_untidy
    room.journal.calls.clear()
    stand = cm.PressButton(
        seat=1, button=Button.STAND, prompt=room.state.prompts[1].number, number=2
    )
    room.submit(stand, cm.OpenSeat(seat=9))
    await until(lambda: "tidy" in room.journal.calls)
    assert room.journal.calls == ["write", "tidy"]
    assert isinstance(room.changes[-1].records[0], cm.PressButton)
    await until(lambda: not room.journal.is_untidy)


async def test_who_reads_the_escrow_does_not_stop_the_table(room: Room) -> None:
    await deal(room, "9s 8h Ts 6d")
    with contextlib.closing(sqlite3.connect(escrow_path(room.path))) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM escrow").fetchone()
        stand = cm.PressButton(
            seat=1, button=Button.STAND, prompt=room.state.prompts[1].number, number=2
        )
        room.submit(stand)
        await until(lambda: room.engine.escrow_fault != "")
        assert "another program reads the escrow" in room.engine.escrow_fault
        # It is not tried again with every press.
        room.journal.calls.clear()
        await room.do(cm.OpenSeat(seat=2))
        assert room.journal.calls == ["write"]
    room.clock.advance(under_test.TIDY_AGAIN_AFTER_S)
    await room.do(cm.OpenSeat(seat=2))
    await until(lambda: not room.journal.is_untidy)
    await until(lambda: room.engine.escrow_fault == "")


async def test_the_log_is_copied_into_the_file_after_many_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "CHECKPOINT_EVERY", 3)
    async with running(tmp_path / "table.journal") as room:
        await room.do(SHIFT, *(room.bet(1, number) for number in range(1, 6)))
        await until(lambda: room.journal.calls.count("checkpoint") == 2)
        calls = [call for call in room.journal.calls if call != "tidy"]
        assert calls == [*(["write"] * 3), "checkpoint"] * 2
