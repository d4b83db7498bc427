"""Who owns a table's state: the engine, or nobody while it must not be played.

A journal that cannot be written or trusted leaves a table that is suspended and
read-only: everything is shown, nothing is taken, nothing is acknowledged.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from controller.core.commands import Command
from controller.core.evolve import Record
from controller.core.ids import Kind, Phase, Reason
from controller.core.state import Irregularity, Prompt, TableState
from controller.runtime.planner import Asked
from controller.runtime.signs_of_life import Signs

TECHNICIAN: Final = "the table is read-only: call the technician"


class Taken(msgspec.Struct, frozen=True):
    """A command is decided and on disk: what became of it.

    `sequence` is its record's, None where it only repeated what was taken.
    """

    accepted: bool
    sequence: int | None
    reason: str = ""
    because: str = ""


class Change(msgspec.Struct, frozen=True):
    """A batch is on disk: the table as it now is, and the records that say so."""

    state: TableState
    first_sequence: int
    last_sequence: int
    records: tuple[Record, ...]


class Owner(Protocol):
    """What the rest of a running table asks of whoever owns its state."""

    @property
    def state(self) -> TableState:
        """The committed table."""

    @property
    def committing_since(self) -> float | None:
        """Since when a commit is under way, in monotonic seconds."""

    @property
    def escrow_fault(self) -> str:
        """Why opened secrets could not be deleted; empty where they could."""

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call `listener` with every change, once it is on disk."""

    def submit(
        self, command: Command, taken: Callable[[Taken], None] | None = None
    ) -> None:
        """Take a device's command; `taken` is called once it is on disk."""

    async def command(self, command: Asked) -> Taken | None:
        """Take a person's command and wait until it is on disk."""

    def signs(self) -> Signs:
        """Return what has moved since the start."""

    def ask_writer(self) -> None:
        """Let the thread that writes give a sign of life once it comes to it."""

    def stop(self) -> None:
        """Take no more commands."""

    async def run(self) -> None:
        """Work until stopped."""


class ReadOnlyOwner:
    """The owner of a table that must not be played."""

    committing_since: float | None = None
    escrow_fault = ""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._stopped = asyncio.Event()

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Do nothing: there will be no change."""

    def submit(
        self, command: Command, taken: Callable[[Taken], None] | None = None
    ) -> None:
        """Drop it unacknowledged: the device keeps it and says it again."""

    async def command(self, command: Asked) -> Taken:
        """Refuse it."""
        del command
        reason = Reason.TABLE_SUSPENDED.value
        return Taken(accepted=False, sequence=None, reason=reason, because=TECHNICIAN)

    def signs(self) -> Signs:
        """Return that nothing comes in here, and nothing is written."""
        return Signs()

    def ask_writer(self) -> None:
        """Ask nobody: there is no writer."""

    def stop(self) -> None:
        """Let `run` return."""
        self._stopped.set()

    async def run(self) -> None:
        """Wait until stopped."""
        await self._stopped.wait()


def read_only_state(last: TableState, kind: Kind, words: str) -> TableState:
    """Return the suspended table that is shown instead of one that can be played.

    `last` is the table as its journal leaves it, or a new one where that is not known.
    Its panels show no prompt, so that a press of this time answers none later.
    """
    number = last.irregularity_count + 1
    return msgspec.structs.replace(
        last,
        phase=Phase.SUSPENDED,
        came_from=last.play_phase,
        irregularities=(*last.irregularities, Irregularity(number, kind, words=words)),
        irregularity_count=number,
        prompts=tuple(Prompt(prompt.seat) for prompt in last.prompts),
        test_mode=None,
    )
