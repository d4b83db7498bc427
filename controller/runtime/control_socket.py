"""The control socket: how consoles and displays ask something of the table.

It reads lines, has each one done by the engine and answers; what is asked is in
`control_lines`. Nothing it does waits for whoever reads at the other end.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self, assert_never

from msgspec import UNSET, Raw, structs

from controller.runtime.commander import Commander, Outcome
from controller.runtime.control_answers import (
    Accepted,
    Answer,
    Answering,
    Refused,
    Shown,
    Speaks,
    Unreadable,
    encode_line,
)
from controller.runtime.control_by_hand import ForTechnicians, HandLines
from controller.runtime.control_connection import Connection
from controller.runtime.control_lines import (
    LINE_MAX_BYTES,
    BadLineError,
    Command,
    Devices,
    Follow,
    Lift,
    Light,
    LogIn,
    LogOut,
    MaybeId,
    TryByHand,
    Who,
    decode_line,
)
from controller.runtime.health import Count, Counters
from controller.runtime.logs import TableLogger
from controller.runtime.socket_file import SocketFile
from controller.runtime.speakers import Session, Speakers
from controller.words.errors import WordsError
from controller.words.grammar import parse_line

CONNECTIONS_MAX: Final = 32
"""A table has a console, a few displays, a supervisor's tablet."""

NO_LIST: Final = (
    "this table has no list of people: lines say who speaks, nobody logs in"
)


class ControlSocket:
    """The open socket and its connections; a context manager.

    Args:
        commander: does what is asked.
        speakers: who vouches for people; closed with the socket.
        say: the log.
        counters: where connections and lines are counted.
        technician: who answers at the ports, and the test mode.
        seats: how many the table has; a line for a higher one is no line.
    """

    def __init__(
        self,
        commander: Commander,
        speakers: Speakers,
        say: TableLogger,
        counters: Counters,
        technician: ForTechnicians,
        *,
        seats: int,
    ) -> None:
        self._commander = commander
        self._technician = technician
        self._speakers = speakers
        self._say = say
        self._counters = counters
        self._seats = seats
        self._hand_lines = HandLines(technician.by_hand, speakers, say, seats)
        self._tasks: set[asyncio.Task[None]] = set()
        self._followers: set[Connection] = set()
        self._end_following: Callable[[], None] | None = None
        self._listening: tuple[asyncio.Server, SocketFile] | None = None

    async def open(self, path: Path, group: str = "") -> Self:
        """Listen at `path`, for the user of this process and one group.

        Raises:
            ControlSocketError: Another table listens there, or the system refused.

        """
        file = SocketFile.listening(path, group)
        server = await asyncio.start_unix_server(
            self._connected, sock=file.listener, limit=LINE_MAX_BYTES
        )
        self._listening = server, file
        return self

    async def close(self) -> None:
        """End every connection and take the socket away; twice is fine."""
        self._speakers.close()
        if self._listening is None:
            return
        server, file = self._listening
        self._listening = None
        server.close()
        file.remove()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await server.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    # --- One connection -----------------------------------------------------------

    async def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        connection = Connection(reader, writer, self._drop)
        try:
            await self._serve(connection)
            await self._technician.by_hand.left(connection)
            await self._speakers.log_out(connection.session)
            await connection.end()
        except asyncio.CancelledError:
            pass  # The table closes; there is nobody to tell.
        finally:
            self._unfollow(connection)
            connection.abort()
            self._tasks.discard(task)

    async def _serve(self, connection: Connection) -> None:
        self._counters.add(Count.CONTROL_CONNECTIONS)
        if len(self._tasks) > CONNECTIONS_MAX:
            self._say.warning("too many control connections", pid=connection.peer.pid)
            words = f"expected at most {CONNECTIONS_MAX} connections; close one"
            self._send(connection, Unreadable(UNSET, words))
            return
        peer = connection.peer
        self._say.info("control connection", pid=peer.pid, uid=peer.uid)
        try:
            while line := await connection.next_line():
                self._send(connection, await self._answer(line, connection))
                if connection.session.is_spent:
                    return
        except BadLineError as error:
            self._send(connection, self._unreadable(error.id, error))

    async def _answer(self, line: bytes, connection: Connection) -> Answer:
        try:
            asked = decode_line(line)
        except BadLineError as error:
            return self._unreadable(error.id, error)
        match asked:
            case Command():
                return await self._do(asked, connection)
            case Follow():
                self._follow(connection)
                return Shown(asked.id, UNSET, Raw(self._commander.view()))
            case Who():
                return await self._who(asked, connection.session)
            case LogIn() | LogOut() | Lift():
                return await self._log(asked, connection.session)
            case Devices():
                return Answering(asked.id, self._technician.findings())
            case TryByHand() | Light():
                return await self._try(asked, connection)
            case _:
                assert_never(asked)

    def _unreadable(self, asked_id: MaybeId, error: ValueError) -> Unreadable:
        self._counters.add(Count.CONTROL_LINES_UNREADABLE)
        return Unreadable(asked_id, str(error))

    async def _do(self, asked: Command, connection: Connection) -> Answer:
        try:
            said = parse_line(asked.words, self._seats)
        except WordsError as error:
            return self._unreadable(asked.id, error)
        self._counters.add(Count.CONTROL_LINES)
        outcome = await self._speakers.say(connection.session, said)
        peer = connection.peer
        # The words themselves are the journal's, which seals a card where it must.
        self._say.info(
            "control line",
            said=type(said).__name__,
            pid=peer.pid,
            uid=peer.uid,
            accepted=outcome.accepted,
            reason=outcome.reason,
            sequence=outcome.sequence,
        )
        return _answer_of(asked.id, outcome)

    # --- Who speaks ---------------------------------------------------------------

    async def _log(self, asked: LogIn | LogOut | Lift, session: Session) -> Answer:
        if not self._speakers.must_log_in:
            return Unreadable(asked.id, NO_LIST)
        self._counters.add(Count.CONTROL_LINES)
        match asked:
            case LogIn(as_witness=False):
                outcome = await self._speakers.log_in(session, asked.person, asked.pin)
            case LogIn():
                outcome = await self._speakers.bear_witness(
                    session, asked.person, asked.pin
                )
            case LogOut():
                outcome = await self._speakers.log_out(session)
            case Lift():
                outcome = await self._speakers.lift(session, asked.person)
            case _:
                assert_never(asked)
        answer = _answer_of(asked.id, outcome)
        if isinstance(answer, Accepted) and isinstance(asked, LogIn):
            role = self._speakers.role_of(asked.person)
            return structs.replace(answer, role=role.value)
        return answer

    async def _who(self, asked: Who, session: Session) -> Speaks:
        speaker = await self._speakers.speaker(session)
        if speaker is None:
            return Speaks(asked.id, login_required=self._speakers.must_log_in)
        who = speaker.person
        return Speaks(asked.id, login_required=True, person=who.id, role=who.role.value)

    # --- What is tried by hand ----------------------------------------------------

    async def _try(self, asked: TryByHand | Light, connection: Connection) -> Answer:
        try:
            outcome = await self._hand_lines.do(asked, connection)
        except BadLineError as error:
            return self._unreadable(asked.id, error)
        self._counters.add(Count.CONTROL_LINES)
        return _answer_of(asked.id, outcome)

    # --- Who follows the table ----------------------------------------------------

    def _follow(self, connection: Connection) -> None:
        self._followers.add(connection)
        if self._end_following is None:
            self._end_following = self._commander.subscribe(self._changed)

    def _unfollow(self, connection: Connection) -> None:
        self._followers.discard(connection)
        if not self._followers and self._end_following is not None:
            self._end_following()
            self._end_following = None

    def _changed(self, sequence: int) -> None:
        """Send the new view to all who follow."""
        shown = Shown(UNSET, sequence, Raw(self._commander.view()))
        for connection in tuple(self._followers):
            self._send(connection, shown)

    def _send(self, connection: Connection, answer: Answer) -> None:
        """Send a line, or drop a reader who is too far behind. Nothing waits."""
        if not connection.send(encode_line(answer)):
            self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        self._counters.add(Count.SLOW_READERS_DROPPED)
        self._say.warning("a slow reader was dropped", pid=connection.peer.pid)
        self._unfollow(connection)
        connection.abort()


def _answer_of(asked_id: MaybeId, outcome: Outcome) -> Answer:
    if outcome.accepted:
        return Accepted(id=asked_id, sequence=outcome.sequence)
    return Refused(
        asked_id,
        outcome.reason,
        outcome.because or UNSET,
        UNSET if outcome.sequence is None else outcome.sequence,
    )
