"""The decisions that apply are worked out beside the game, one a turn of the loop."""

import asyncio

from controller.core.guidance import offered
from controller.runtime.guide import Guide
from tests.core.table import dealt

BOUND_S = 10.0
PLAYING = dealt("Ts 9h 5c Kd 8s 7c 5h 6h", (2500, 5000, 2500))
STOPPED = PLAYING.dealer("call")


class Asker:
    """Asks a guide, and hears when it knows."""

    def __init__(self) -> None:
        self.known = asyncio.Event()
        self.guide = Guide(self.known.set)

    async def hears(self) -> None:
        async with asyncio.timeout(BOUND_S):
            await self.known.wait()
        self.known.clear()


async def test_at_a_table_that_plays_the_answer_is_there_at_once() -> None:
    asker = Asker()
    assert asker.guide.offered(PLAYING.state) == ()


async def test_at_a_stopped_table_it_is_found_out_turn_by_turn() -> None:
    asker = Asker()
    assert asker.guide.offered(STOPPED.state) is None
    await asyncio.sleep(0)
    assert asker.guide.offered(STOPPED.state) is None
    await asker.hears()
    assert asker.guide.offered(STOPPED.state) == offered(STOPPED.state)


async def test_a_refused_press_leaves_the_answer_as_it_is() -> None:
    asker = Asker()
    asker.guide.offered(STOPPED.state)
    await asker.hears()
    pressed = STOPPED.press(2, "hit")
    assert pressed.state != STOPPED.state
    assert asker.guide.offered(pressed.state) == offered(STOPPED.state)


async def test_another_irregularity_is_worked_out_anew() -> None:
    asker = Asker()
    asker.guide.offered(STOPPED.state)
    await asyncio.sleep(0)
    drawn = STOPPED.card("4c")
    assert asker.guide.offered(drawn.state) is None
    await asker.hears()
    assert asker.guide.offered(drawn.state) == offered(drawn.state)


async def test_a_guide_that_was_stopped_finds_nothing_more() -> None:
    asker = Asker()
    asker.guide.offered(STOPPED.state)
    asker.guide.stop()
    asker.guide.stop()
    for _ in range(200):
        await asyncio.sleep(0)
    assert not asker.known.is_set()
