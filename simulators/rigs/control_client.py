"""Lines of the staff over a table's control socket, as a console sends them."""

import asyncio
from pathlib import Path
from typing import Final

import msgspec

from simulators.rigs.errors import NotSettledError, RigError

ANSWER_TIMEOUT_S: Final = 10.0
AGAIN_AFTER_S: Final = 0.01
_ID: Final = 1


class ControlAnswer(msgspec.Struct, frozen=True):
    """What a table answered: taken, refused and why, or no line of its grammar."""

    id: int | None = None
    accepted: bool = False
    sequence: int | None = None
    refused: str = ""
    because: str = ""
    error: str = ""


class LineNotReadError(RigError, ValueError):
    """A table could not read a line of the staff; the message is the table's."""


async def ask(
    socket: Path, command: str, timeout_s: float = ANSWER_TIMEOUT_S
) -> ControlAnswer:
    """Say one line to a table and return its answer, once that is on disk.

    A table that is just starting is waited for.

    Raises:
        NotSettledError: No answer came in time.
        LineNotReadError: The table cannot read the line.
        ConnectionError: The table went away; whether it took the line is not known.

    """
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await _connected(socket)
            try:
                writer.write(msgspec.json.encode({"id": _ID, "command": command}))
                writer.write(b"\n")
                line = await reader.readline()
            finally:
                writer.close()
    except TimeoutError as error:
        raise NotSettledError(
            f"no answer to {command!r} at {socket} within {timeout_s:g} s"
        ) from error
    if not line:
        raise ConnectionResetError(f"{socket}: closed before it answered {command!r}")
    answer = msgspec.json.decode(line, type=ControlAnswer)
    if answer.error:
        raise LineNotReadError(f"{command}: {answer.error}")
    return answer


async def _connected(socket: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_unix_connection(socket)
        except (FileNotFoundError, ConnectionRefusedError):
            # Nothing listens yet: the file is made when the table is ready.
            await asyncio.sleep(AGAIN_AFTER_S)
