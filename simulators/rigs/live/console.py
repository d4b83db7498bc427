"""A console at a live table: commands become lines, answers come when they come."""

import asyncio
from pathlib import Path

from controller.core import commands as cm
from controller.core.commands import Command
from controller.runtime.planner import Answer
from controller.words.lines import Line, ShiftOpen, SupervisorDecides
from controller.words.writing import line_text
from simulators.rigs.control_client import LineNotReadError, ask
from simulators.rigs.errors import NotSettledError
from simulators.rigs.virtual.scene import Ticket


class LiveConsole:
    """Says lines to a table's control socket, one after the other.

    Nobody waits for an answer where they stand: it is in the ticket when it comes.
    """

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._turn = asyncio.Lock()
        self._open: dict[asyncio.Task[None], Ticket] = {}

    def give(self, command: Command) -> Ticket:
        """Say a command; its ticket has the answer once there is one."""
        ticket = Ticket()
        task = asyncio.create_task(self._ask(line_text(line_of(command)), ticket))
        self._open[task] = ticket
        task.add_done_callback(self._open.pop)
        return ticket

    def hang_up(self) -> None:
        """Wait for no answer any more: the table is gone, or the evening over."""
        for task, ticket in self._open.items():
            ticket.lost = True
            task.cancel()

    async def end(self) -> None:
        """Hang up, and see all tasks end."""
        tasks = tuple(self._open)
        self.hang_up()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, line: str, ticket: Ticket) -> None:
        try:
            async with self._turn:
                said = await ask(self._socket, line)
        except (ConnectionError, NotSettledError):
            ticket.lost = True
        except LineNotReadError as error:
            ticket.answer = Answer(accepted=False, offset=None, reason=str(error))
        else:
            ticket.answer = Answer(said.accepted, None, said.refused, said.because)


def line_of(command: Command) -> Line:
    """Return the line that says what a person at a virtual table commands.

    Raises:
        ValueError: Nobody says this at a console.

    """
    match command:
        case cm.OpenShift():
            return ShiftOpen(command.dealer.id, command.direction)
        case cm.TakeDecision():
            witness = None if command.witness is None else command.witness.id
            return SupervisorDecides(
                command.person.id, command.decision, command.reason or None, witness
            )
        case (
            cm.CloseShift()
            | cm.PressDealerButton()
            | cm.UndoDeal()
            | cm.OpenSeat()
            | cm.ClarifyChoice()
            | cm.MoveCash()
        ):
            return command
        case _:
            raise ValueError(f"expected what staff say at a console, got {command}")
