import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from simulators.rigs.control_client import ControlAnswer, LineNotReadError, ask
from simulators.rigs.errors import NotSettledError


@contextlib.asynccontextmanager
async def answering(path: Path, answer: bytes) -> AsyncIterator[list[bytes]]:
    """Listen at a path and answer the first line of everybody with the same."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readline())
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_unix_server(serve, path):
        yield heard


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control"


async def test_an_answer_says_whether_a_line_was_taken(path: Path) -> None:
    async with answering(path, b'{"id":1,"accepted":true,"sequence":8}\n') as heard:
        answer = await ask(path, "dealer deal")
    assert answer == ControlAnswer(1, accepted=True, sequence=8)
    assert heard == [b'{"id":1,"command":"dealer deal"}\n']


async def test_an_answer_says_why_a_line_was_refused(path: Path) -> None:
    async with answering(path, b'{"id":1,"refused":"wrong_phase","sequence":8}\n'):
        answer = await ask(path, "dealer deal")
    assert (answer.accepted, answer.refused) == (False, "wrong_phase")


async def test_a_line_that_cannot_be_read_is_an_error(path: Path) -> None:
    async with answering(path, b'{"id":1,"error":"expected a line"}\n'):
        with pytest.raises(LineNotReadError, match="dael: expected a line"):
            await ask(path, "dael")


async def test_a_table_that_starts_later_is_waited_for(path: Path) -> None:
    asking = asyncio.create_task(ask(path, "dealer deal"))
    await asyncio.sleep(0)
    async with answering(path, b'{"id":1,"accepted":true}\n'):
        assert (await asking).accepted


async def test_a_table_that_never_comes_is_told(path: Path) -> None:
    with pytest.raises(NotSettledError, match=r"no answer to 'dealer deal' .* 0\.05 s"):
        await ask(path, "dealer deal", timeout_s=0.05)


async def test_a_table_that_leaves_before_it_answers_is_told(path: Path) -> None:
    async with answering(path, b""):
        with pytest.raises(ConnectionResetError, match="closed before it answered"):
            await ask(path, "dealer deal")
