"""What the control socket does of lines about devices and what is tried by hand."""

from typing import Protocol, assert_never

from controller.core.commands import Person
from controller.runtime.answers import Finding
from controller.runtime.by_hand import ByHand
from controller.runtime.commander import Outcome
from controller.runtime.control_connection import Connection
from controller.runtime.control_lines import BadLineError, HandStep, Light, TryByHand
from controller.runtime.lamp_board import buttons_at, in_order
from controller.runtime.logs import TableLogger
from controller.runtime.speakers import Speakers


class ForTechnicians(Protocol):
    """What a running table does for its technician."""

    by_hand: ByHand

    def findings(self) -> tuple[Finding, ...]:
        """Return what every device answered."""


class HandLines:
    """Does what connections ask of the test mode, in the name of who speaks there.

    Args:
        by_hand: the test mode.
        speakers: who vouches for people.
        say: the log.
        seats: how many the table has.
    """

    def __init__(
        self, by_hand: ByHand, speakers: Speakers, say: TableLogger, seats: int
    ) -> None:
        self._by_hand = by_hand
        self._speakers = speakers
        self._say = say
        self._seats = seats

    async def do(self, asked: TryByHand | Light, connection: Connection) -> Outcome:
        """Do what a line asks.

        Raises:
            BadLineError: It asks for lamps that there are not.

        """
        match asked:
            case TryByHand(step=HandStep.ALIVE):
                return self._by_hand.alive(connection)
            case TryByHand():
                return await self._step(asked, connection)
            case Light():
                self._require_lamps(asked)
                lamps = {asked.seat: asked.buttons}
                return self._by_hand.light(connection, lamps)
            case _:
                assert_never(asked)

    async def _step(self, asked: TryByHand, connection: Connection) -> Outcome:
        person = await self._speakers.tester(connection.session, asked.person)
        if isinstance(person, Outcome):
            return person
        outcome = await self._done(asked.step, person, connection)
        self._say.info(
            "test mode",
            step=asked.step,
            person=person.id,
            pid=connection.peer.pid,
            uid=connection.peer.uid,
            accepted=outcome.accepted,
            reason=outcome.reason,
        )
        return outcome

    async def _done(
        self, step: HandStep, person: Person, connection: Connection
    ) -> Outcome:
        if step is HandStep.BEGIN:
            return await self._by_hand.begin(connection, person)
        return await self._by_hand.end(person)

    def _require_lamps(self, asked: Light) -> None:
        if not 0 <= asked.seat <= self._seats:
            raise BadLineError(
                f"expected a seat up to {self._seats}, or 0: the dealer's panel"
            )
        there = buttons_at(asked.seat)
        if not asked.buttons <= there:
            words = " ".join(button.value for button in in_order(there))
            raise BadLineError(f"expected buttons of this panel: {words}")
