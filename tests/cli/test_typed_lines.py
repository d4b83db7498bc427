"""Lines that a person types, read beside devices that must go on meanwhile."""

import asyncio
import os
import pty

from controller.cli.typed_lines import LINE_MAX_BYTES, READ_SIZE, typed_lines

BOUND_S = 10.0


async def test_after_a_line_the_devices_go_on_while_the_next_is_awaited() -> None:
    ours, theirs = pty.openpty()
    typed: list[str] = []

    async def read() -> None:
        async for line in typed_lines(theirs):
            typed.append(line)  # noqa: PERF401 - each is looked at as it comes

    reading = asyncio.create_task(read())
    try:
        async with asyncio.timeout(BOUND_S):
            for number in range(1, 6):
                os.write(ours, b"press 1 hit\n")
                while len(typed) < number:  # noqa: ASYNC110 - a bound stands around it
                    await asyncio.sleep(0.001)
                # With a read that waits, the loop would never come back from here.
                for _ in range(10):
                    await asyncio.sleep(0)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        os.close(ours)
        os.close(theirs)
    assert typed == ["press 1 hit"] * 5


async def test_a_file_without_an_end_keeps_nobody_from_anything() -> None:
    endless = os.open("/dev/zero", os.O_RDONLY)
    try:
        reading = asyncio.ensure_future(anext(typed_lines(endless)))
        while not reading.done():  # noqa: ASYNC110 - others have their turn: that is meant
            await asyncio.sleep(0)
        assert len(await reading) <= LINE_MAX_BYTES + READ_SIZE
    finally:
        os.close(endless)
