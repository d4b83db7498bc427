"""A terminal with one of our commands on it, and a person who types."""

import asyncio
import contextlib
import os
import pty
import re
import signal
import sys
import termios
from collections.abc import AsyncIterator
from typing import Final

import pytest

BOUND_S: Final = 20.0


class Terminal:
    """A program on a pty: what it shows, and what is typed."""

    def __init__(self, ours: int, process: asyncio.subprocess.Process) -> None:
        self._ours = ours
        self._text = ""
        self._more = asyncio.Event()
        self.process = process
        asyncio.get_running_loop().add_reader(ours, self._read)

    def _read(self) -> None:
        try:
            read = os.read(self._ours, 65_536)
        except OSError:
            read = b""  # The program has left its terminal.
        if not read:
            asyncio.get_running_loop().remove_reader(self._ours)
        self._text += read.decode(errors="replace")
        self._more.set()

    @property
    def shown(self) -> str:
        """What was shown, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self._text)

    @property
    def echoes(self) -> bool:
        """Whether what is typed is shown, and read by the line."""
        modes: int = termios.tcgetattr(self._ours)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    async def shows(self, words: str, since: int = 0) -> int:
        """Wait until these words are shown; return where they end."""
        try:
            async with asyncio.timeout(BOUND_S):
                while words not in self.shown[since:]:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            pytest.fail(f"expected {words!r}, shown:\n{self.shown}")
        return self.shown.index(words, since) + len(words)

    async def ends(self) -> int:
        """Wait for the end; a program that does not end says where it is."""
        try:
            async with asyncio.timeout(BOUND_S):
                return await self.process.wait()
        except TimeoutError:
            self.process.send_signal(signal.SIGABRT)
            await self.process.wait()
            # What it still said is read in the next turn.
            await asyncio.sleep(0)
            pytest.fail(f"it did not end, shown:\n{self.shown}")

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._ours)
        os.close(self._ours)
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)


@contextlib.asynccontextmanager
async def on_a_terminal(
    *arguments: str, term: str = "xterm"
) -> AsyncIterator[Terminal]:
    """Run Python with these arguments on a terminal; it is killed at the end."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 200))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": term, "PYTHONFAULTHANDLER": "1"},
        start_new_session=True,
    )
    os.close(theirs)
    terminal = Terminal(ours, process)
    try:
        yield terminal
    finally:
        terminal.close()
        await process.wait()
