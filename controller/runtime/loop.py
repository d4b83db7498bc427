"""The event loop of a running table: one that wakes to the microsecond.

asyncio's usual loop asks epoll, which counts in whole milliseconds and rounds up. The
pause before the next question on a bus is 0.5 or 1.75 ms, so a third of the bus would
be waiting (docs/decisions/a-loop-that-wakes-in-time.md).
"""

import asyncio
import selectors


def new_loop() -> asyncio.SelectorEventLoop:
    """Return a loop that asks `select`; a table holds some forty files at most."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())
