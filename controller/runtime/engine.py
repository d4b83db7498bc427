"""The engine: one inbox, one batch in flight, nothing shown before it is on disk.

The commit runs in a writer thread, since cheap cards stall for seconds; the loop goes
on polling and reading. What arrives meanwhile waits and forms the next batch. Nobody
outside ever sees a state that is not committed; a failed commit ends the process.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

import msgspec

from controller.core.commands import Command
from controller.core.deadlines import deadline, follow
from controller.core.state import TableState
from controller.journal.errors import EscrowError
from controller.journal.records import Stamp
from controller.journal.recovery import Recovered
from controller.journal.table_journal import Decided, TableJournal
from controller.runtime.owner import Change, Taken
from controller.runtime.planner import Answer, Asked, Plan, Standing, plan
from controller.runtime.signs_of_life import Signs

INBOX_MAX: Final = 1024
BATCH_MAX: Final = 64
CHECKPOINT_EVERY: Final = 500
TIDY_AGAIN_AFTER_S: Final = 10.0
"""A try waits for the other reader of the escrow, and a press meanwhile waits too."""


class EngineClock(Protocol):
    """The readings of time that the engine needs."""

    def now_s(self) -> float:
        """Return monotonic seconds."""

    def stamp(self) -> Stamp:
        """Return when something is written down."""


class _Message(msgspec.Struct):
    command: Asked
    taken: Callable[[Taken], None] | None


class Engine:
    """The owner of one table's state."""

    def __init__(
        self,
        recovered: Recovered,
        clock: EngineClock,
        salt: Callable[[], bytes],
    ) -> None:
        """Take over a recovered journal.

        `salt` gives 32 random bytes a call (in a simulation seeded ones).
        """
        self._journal: TableJournal = recovered.journal
        self._clock = clock
        self._salt = salt
        standing = Standing(recovered.state, recovered.secrets)
        watch = follow(standing.watch, standing.state, clock.now_s())
        self._standing = msgspec.structs.replace(standing, watch=watch)
        self._inbox: deque[_Message] = deque()
        self._wake = asyncio.Event()
        self._stopping = False
        self._listeners: list[Callable[[Change], None]] = []
        self._commits = 0
        self._tidy_at_s = 0.0
        self._writer: ThreadPoolExecutor | None = None
        self._signs = Signs()
        self.committing_since: float | None = None
        self.escrow_fault = ""

    @property
    def state(self) -> TableState:
        """The committed table."""
        return self._standing.state

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call `listener` with every change, once it is on disk."""
        self._listeners.append(listener)

    def submit(
        self, command: Command, taken: Callable[[Taken], None] | None = None
    ) -> None:
        """Put a device's command into the inbox; `taken` is called once it is on disk.

        Devices bound it by themselves: a panel has four presses waiting and a shoe
        its window of events, and neither says more before these are acknowledged.
        After a stop they say it again to the next start.
        """
        if not self._stopping:
            self._put(command, taken)

    def _put(self, command: Asked, taken: Callable[[Taken], None] | None) -> None:
        self._moved(came_in=self._signs.came_in + 1)
        self._inbox.append(_Message(command, taken))
        self._wake.set()

    async def command(self, command: Asked) -> Taken | None:
        """Submit a person's command and wait until it is on disk.

        None where the inbox is full or the table stops; the person is told.
        """
        future: asyncio.Future[Taken] = asyncio.get_running_loop().create_future()

        def taken(outcome: Taken) -> None:
            if not future.done():
                future.set_result(outcome)

        if self._stopping or len(self._inbox) >= INBOX_MAX:
            return None
        self._put(command, taken)
        return await future

    def signs(self) -> Signs:
        """Return what has moved since the start."""
        return self._signs

    def ask_writer(self) -> None:
        """Let the writer answer once it has done what waits for it.

        One question at a time: what does not answer is not asked again.
        """
        if self._writer is None or self._signs.asked > self._signs.answered:
            return
        self._moved(asked=self._signs.asked + 1)
        asked = asyncio.get_running_loop().run_in_executor(self._writer, _answer)
        asked.add_done_callback(lambda _: self._moved(answered=self._signs.asked))

    def _moved(self, **counts: int) -> None:
        self._signs = msgspec.structs.replace(self._signs, **counts)

    def stop(self) -> None:
        """Take no more commands; `run` returns once those in the inbox are on disk."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Decide and write, batch by batch, until stopped.

        Raises:
            JournalError: A commit failed; nothing of its batch was shown.

        """
        with self._writing() as writer:
            while True:
                await self._wait_for_work()
                if self._stopping and not self._inbox:
                    break
                await self._run_batch(writer)
                if not self._inbox:
                    await self._keep_house(writer)
            await self._tidy(writer)
            stamp = self._clock.stamp()
            await self._in_thread(writer, lambda: self._journal.sign_head(stamp))
            await self._in_thread(writer, self._journal.checkpoint)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[ThreadPoolExecutor]:
        """Have the one thread that writes, until all that it was given is done."""
        with ThreadPoolExecutor(1, thread_name_prefix="journal") as writer:
            self._writer = writer
            try:
                yield writer
            finally:
                self._writer = None

    async def _wait_for_work(self) -> None:
        if self._inbox or self._stopping:
            return
        self._wake.clear()
        due = deadline(self._standing.watch, self._standing.state)
        timeout = None if due is None else max(0.0, due - self._clock.now_s())
        try:
            await asyncio.wait_for(self._wake.wait(), timeout)
        except TimeoutError:
            return

    async def _run_batch(self, writer: ThreadPoolExecutor) -> None:
        count = min(len(self._inbox), BATCH_MAX)
        batch = [self._inbox.popleft() for _ in range(count)]
        planned = plan(
            self._standing,
            [message.command for message in batch],
            self._clock.now_s(),
            self._clock.stamp(),
            self._salt,
        )
        sequences: tuple[int, ...] = ()
        if planned.decided:
            sequences = await self._commit(writer, planned.decided)
        self._standing = planned.after
        for message, answer in zip(batch, planned.answers, strict=True):
            if message.taken is not None:
                message.taken(_taken(answer, sequences))
        self._moved(taken=self._signs.taken + count)
        if planned.decided:
            self._tell(planned, sequences)

    async def _commit(
        self, writer: ThreadPoolExecutor, decided: tuple[Decided, ...]
    ) -> tuple[int, ...]:
        """Write a batch; return its records' sequences."""
        self.committing_since = self._clock.now_s()
        loop = asyncio.get_running_loop()
        sequences = await loop.run_in_executor(writer, self._journal.write, decided)
        self.committing_since = None
        self._commits += 1
        return sequences

    def _tell(self, planned: Plan, sequences: tuple[int, ...]) -> None:
        records = tuple(record for one in planned.decided for record in one.records)
        change = Change(self._standing.state, sequences[0], sequences[-1], records)
        for listener in self._listeners:
            listener(change)

    async def _keep_house(self, writer: ThreadPoolExecutor) -> None:
        """Delete opened secrets and shorten the log while nobody waits."""
        if self._journal.is_untidy and self._clock.now_s() >= self._tidy_at_s:
            await self._tidy(writer)
        if self._commits >= CHECKPOINT_EVERY:
            self._commits = 0
            await self._in_thread(writer, self._journal.checkpoint)

    async def _tidy(self, writer: ThreadPoolExecutor) -> None:
        """Delete opened secrets; what keeps that waiting keeps nobody else waiting.

        They are public by now: their second copy is a matter for the technician.
        """
        try:
            await self._in_thread(writer, self._journal.tidy)
        except EscrowError as error:
            self._tidy_at_s = self._clock.now_s() + TIDY_AGAIN_AFTER_S
            self.escrow_fault = str(error)
        else:
            self.escrow_fault = ""

    @staticmethod
    async def _in_thread(
        writer: ThreadPoolExecutor, work: Callable[[], object]
    ) -> None:
        await asyncio.get_running_loop().run_in_executor(writer, work)


def _answer() -> None:
    """Do nothing: that the writer came to it is the answer."""


def _taken(answer: Answer, sequences: tuple[int, ...]) -> Taken:
    sequence = None if answer.offset is None else sequences[answer.offset]
    return Taken(answer.accepted, sequence, answer.reason, answer.because)
