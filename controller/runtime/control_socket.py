"""The control socket: how consoles and displays ask something of the table.

It reads lines, has each one done by the engine and answers; what is asked is in
`control_lines`. Nothing it does waits for whoever reads at the other end.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import UNSET, Raw, UnsetType

from controller.runtime.commander import Commander, KnownAs, Outcome
from controller.runtime.control_lines import (
    LINE_MAX_BYTES,
    Accepted,
    Answer,
    BadLineError,
    MaybeId,
    Refused,
    Shown,
    Unreadable,
    decode_line,
    encode_line,
)
from controller.runtime.health import Count, Counters
from controller.runtime.logs import TableLogger
from controller.runtime.socket_file import SocketFile
from controller.words.errors import WordsError
from controller.words.grammar import parse_line
from controller.words.lines import Line

UNSENT_MAX_BYTES: Final = 262_144
"""How much may wait for a reader, beside what the kernel holds; who is further
behind is dropped, and may come back."""

CONNECTIONS_MAX: Final = 32
"""A table has a console, a few displays, a supervisor's tablet."""

LAST_LINES_TIMEOUT_S: Final = 2.0

_CREDENTIALS: Final = struct.Struct("3i")


class Peer(msgspec.Struct, frozen=True):
    """Which program is at the other end, as the kernel vouches for it."""

    pid: int
    uid: int
    gid: int


class ControlSocket:
    """The open socket and its connections; a context manager.

    Args:
        commander: does what is asked.
        known_as: who vouches for the ids of people.
        say: the log.
        counters: where connections and lines are counted.
        seats: how many the table has; a line for a higher one is no line.
    """

    def __init__(
        self,
        commander: Commander,
        known_as: KnownAs,
        say: TableLogger,
        counters: Counters,
        *,
        seats: int,
    ) -> None:
        self._commander = commander
        self._known_as = known_as
        self._say = say
        self._counters = counters
        self._seats = seats
        self._tasks: set[asyncio.Task[None]] = set()
        self._followers: set[_Connection] = set()
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
        connection = _Connection(reader, writer)
        try:
            await self._serve(connection)
            await connection.end()
        except asyncio.CancelledError:
            pass  # The table closes; there is nobody to tell.
        finally:
            self._unfollow(connection)
            connection.abort()
            self._tasks.discard(task)

    async def _serve(self, connection: "_Connection") -> None:
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
        except BadLineError as error:
            self._send(connection, self._unreadable(UNSET, error))

    async def _answer(self, line: bytes, connection: "_Connection") -> Answer:
        try:
            asked = decode_line(line)
        except BadLineError as error:
            return self._unreadable(UNSET, error)
        if isinstance(asked.command, UnsetType):
            self._follow(connection)
            return Shown(asked.id, UNSET, Raw(self._commander.view()))
        try:
            said = parse_line(asked.command, self._seats)
        except WordsError as error:
            return self._unreadable(asked.id, error)
        return await self._do(asked.id, said, connection.peer)

    def _unreadable(self, asked_id: MaybeId, error: ValueError) -> Unreadable:
        self._counters.add(Count.CONTROL_LINES_UNREADABLE)
        return Unreadable(asked_id, str(error))

    async def _do(self, asked_id: MaybeId, said: Line, peer: Peer) -> Answer:
        self._counters.add(Count.CONTROL_LINES)
        outcome = await self._commander.command(said, self._known_as)
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
        return _answer_of(asked_id, outcome)

    # --- Who follows the table ----------------------------------------------------

    def _follow(self, connection: "_Connection") -> None:
        self._followers.add(connection)
        if self._end_following is None:
            self._end_following = self._commander.subscribe(self._changed)

    def _unfollow(self, connection: "_Connection") -> None:
        self._followers.discard(connection)
        if not self._followers and self._end_following is not None:
            self._end_following()
            self._end_following = None

    def _changed(self, sequence: int) -> None:
        """Send the new view to all who follow."""
        shown = Shown(UNSET, sequence, Raw(self._commander.view()))
        for connection in tuple(self._followers):
            self._send(connection, shown)

    def _send(self, connection: "_Connection", answer: Answer) -> None:
        """Send a line, or drop a reader who is too far behind. Nothing waits."""
        if not connection.send(encode_line(answer)):
            self._counters.add(Count.SLOW_READERS_DROPPED)
            self._say.warning("a slow reader was dropped", pid=connection.peer.pid)
            self._unfollow(connection)
            connection.abort()


class _Connection:
    """One program at the other end."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.peer = _peer_of(writer)

    async def next_line(self) -> bytes:
        """Return the next line with its line feed, empty when the other end left.

        Raises:
            BadLineError: The line is too long; where the next begins is unknown.

        """
        try:
            return await self._reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as end:
            return end.partial
        except ConnectionError:
            return b""
        except asyncio.LimitOverrunError as error:
            raise BadLineError(
                f"expected a line of at most {LINE_MAX_BYTES} bytes"
            ) from error

    def send(self, line: bytes) -> bool:
        """Send a line; return False for a reader who is too far behind.

        To who has left already, nothing is sent and nothing is wrong.
        """
        transport = self._writer.transport
        if transport.is_closing():
            return True
        if transport.get_write_buffer_size() + len(line) > UNSENT_MAX_BYTES:
            return False
        self._writer.write(line)
        return True

    async def end(self) -> None:
        """Close, and give the last lines a moment to be read."""
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LAST_LINES_TIMEOUT_S):
                await self._writer.wait_closed()

    def abort(self) -> None:
        """Close at once, whatever was not sent."""
        self._writer.transport.abort()


def _answer_of(asked_id: MaybeId, outcome: Outcome) -> Answer:
    if outcome.accepted:
        return Accepted(id=asked_id, sequence=outcome.sequence)
    return Refused(
        asked_id,
        outcome.reason,
        outcome.because or UNSET,
        UNSET if outcome.sequence is None else outcome.sequence,
    )


def _peer_of(writer: asyncio.StreamWriter) -> Peer:
    found = writer.get_extra_info("socket").getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size
    )
    return Peer(*_CREDENTIALS.unpack(found))
