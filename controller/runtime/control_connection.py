"""One program at the other end of the control socket."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from typing import Final

import msgspec

from controller.core.ids import EndOfTestMode
from controller.runtime.control_answers import HandsOff, SeenByHand, Told, encode_line
from controller.runtime.control_lines import LINE_MAX_BYTES, BadLineError
from controller.runtime.seen import Seen
from controller.runtime.speakers import Session

UNSENT_MAX_BYTES: Final = 262_144
"""How much may wait for a reader, beside what the kernel holds; who is further
behind is dropped, and may come back."""

LAST_LINES_TIMEOUT_S: Final = 2.0

_CREDENTIALS: Final = struct.Struct("3i")


class Peer(msgspec.Struct, frozen=True):
    """Which program is at the other end, as the kernel vouches for it."""

    pid: int
    uid: int
    gid: int


class Connection:
    """One program at the other end."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        too_far_behind: Callable[["Connection"], None],
    ) -> None:
        """Speak with a program; `too_far_behind` drops it where it does not read."""
        self._too_far_behind = too_far_behind
        self._reader = reader
        self._writer = writer
        self.peer = _peer_of(writer)
        self.session = Session(self.peer.uid)

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

    def show(self, seen: Seen) -> None:
        """Show what was seen of a device, to who tries buttons by hand."""
        self._tell(SeenByHand(seen))

    def ended(self, why: EndOfTestMode) -> None:
        """Say that the test mode has ended, to who began it."""
        self._tell(HandsOff(why))

    def _tell(self, told: Told) -> None:
        if not self.send(encode_line(told)):
            self._too_far_behind(self)

    async def end(self) -> None:
        """Close, and give the last lines a moment to be read."""
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(LAST_LINES_TIMEOUT_S):
                await self._writer.wait_closed()

    def abort(self) -> None:
        """Close at once, whatever was not sent."""
        self._writer.transport.abort()


def _peer_of(writer: asyncio.StreamWriter) -> Peer:
    found = writer.get_extra_info("socket").getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size
    )
    return Peer(*_CREDENTIALS.unpack(found))
