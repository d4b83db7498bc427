"""Lines as somebody types them, without a thread that could not be ended."""

import asyncio
import contextlib
import os
import select
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

READ_SIZE: Final = 4096
LINE_MAX_BYTES: Final = 65_536
"""What goes on for longer without an end of line is cut into lines of its own."""


async def typed_lines(descriptor: int) -> AsyncGenerator[str, None]:
    """Yield each line of an open file, terminal or pipe, until it ends."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    waited_for = True
    try:
        loop.add_reader(descriptor, readable.set)
    except PermissionError:
        # A file on disk is not waited for: all of it is there.
        waited_for = False
    try:
        async for line in _lines(descriptor, readable if waited_for else None):
            yield line.decode("utf-8", "replace")
    finally:
        if waited_for:
            loop.remove_reader(descriptor)


async def _lines(
    descriptor: int, readable: asyncio.Event | None
) -> AsyncIterator[bytes]:
    begun = b""
    while True:
        if readable is None:
            # Others have their turn too, however much of the file is left.
            await asyncio.sleep(0)
        else:
            await readable.wait()
            readable.clear()
            if not select.select((descriptor,), (), (), 0)[0]:
                # Told twice of one line. A terminal would be waited for here, and
                # nothing else would run.
                continue
        data = b""
        # A terminal that its session has left fails to be read: that is its end.
        with contextlib.suppress(OSError):
            data = os.read(descriptor, READ_SIZE)
        if not data:
            break
        *whole, begun = (begun + data).split(b"\n")
        if len(begun) > LINE_MAX_BYTES:
            whole.append(begun)
            begun = b""
        for line in whole:
            yield line
    if begun:
        yield begun
