"""Programs at the other end of a control socket."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Self, TypeVar

BOUND_S = 5.0
_T = TypeVar("_T")


async def soon(work: Awaitable[_T]) -> _T:
    """Wait for something, but not for ever."""
    return await asyncio.wait_for(work, BOUND_S)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until something holds."""
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - nothing announces a dropped reader
            await asyncio.sleep(0)


class Caller:
    """A program at the other end."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def of(cls, path: Path) -> Self:
        return cls(*await asyncio.open_unix_connection(path, limit=1_000_000))

    def send(self, line: bytes) -> None:
        self.writer.write(line)

    async def hear(self) -> dict[str, Any]:
        line = await soon(self.reader.readline())
        assert line.endswith(b"\n"), "the connection was closed"
        heard = json.loads(line)
        assert isinstance(heard, dict)
        return heard

    async def ask(self, **asked: object) -> dict[str, Any]:
        self.send(json.dumps(asked).encode() + b"\n")
        return await self.hear()

    async def is_left_alone(self) -> bool:
        """Return whether the other end closed the connection."""
        try:
            return await soon(self.reader.read()) == b""
        except ConnectionError:
            return True

    async def leave(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await soon(self.writer.wait_closed())
