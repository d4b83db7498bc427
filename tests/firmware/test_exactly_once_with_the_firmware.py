"""Every press at the firmware's panel is taken once, whatever the line does to frames.

The count is taken on the device's side; host and panel restart in between.
"""

from functools import cache

import pytest

from drivers.panel.codec import BUTTON_CODES
from firmware.panel.panel import Panel
from tests.drivers.transports import TRANSPORTS, Transport
from tests.firmware.world import World

ACTING_S = 20.0
RESTARTS = 10
SEED = 1


def check(world: World) -> None:
    """Assert that what the host took is what the panel gave."""
    taken = {}
    for event in world.journal.taken:
        key = (event.cursor.boot_id, event.cursor.number)
        assert key not in taken, f"taken twice: {key}"
        taken[key] = event.press
    assert list(taken) == sorted(taken), "not in order"
    for key, press in taken.items():
        given = world.given[key]
        code, prompt = BUTTON_CODES[press.button], press.prompt_number
        assert (code, prompt) == (given.code, given.prompt)
    for boot_id, number in world.given.keys() - taken.keys():
        # It was lost with the panel's power; the panel never heard that it is taken.
        assert boot_id != world.boot_id, "a press that waits was never taken"
        assert number > world.acknowledged[boot_id]
    for boot_id, pressed in world.pressed.items():
        numbered = sum(key[0] == boot_id for key in world.given)
        assert pressed == numbered + world.dropped[boot_id]
    last = world.boot_id
    assert world.journal.dropped.get(last, 0) == world.dropped[last]


@cache
def played(seed: int, transport: Transport) -> World:
    return World(seed, transport, RESTARTS).run(ACTING_S)


def test_in_these_worlds_presses_are_taken_dropped_and_lost() -> None:
    worlds = [played(SEED, transport) for transport in TRANSPORTS]
    assert sum(len(world.journal.taken) for world in worlds) > 100
    assert sum(sum(world.dropped.values()) for world in worlds) > 5
    assert any(world.given.keys() - taken_of(world) for world in worlds)


def taken_of(world: World) -> set[tuple[int, int]]:
    return {(e.cursor.boot_id, e.cursor.number) for e in world.journal.taken}


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
def test_every_press_is_taken_once(transport: Transport) -> None:
    check(played(SEED, transport))


@pytest.mark.prove
@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda t: t.name)
@pytest.mark.parametrize("first", range(100, 200, 10))
def test_every_press_is_taken_once_in_hundreds_of_worlds(
    first: int, transport: Transport
) -> None:
    for seed in range(first, first + 10):
        check(World(seed, transport, RESTARTS).run(ACTING_S))


def test_a_panel_that_reports_a_press_once_alone_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported: dict[Panel, int] = {}

    def receive(panel: Panel, data: bytearray, count: int, now: int) -> bytes | None:
        before = reported.get(panel, 0)
        if count:
            panel.waiting = [p for p in panel.waiting if p.number > before]
        answer = whole(panel, data, count, now)
        if answer and panel.waiting:
            reported[panel] = panel.waiting[-1].number
        return answer

    whole = Panel.receive
    monkeypatch.setattr(Panel, "receive", receive)
    lossy = next(way for way in TRANSPORTS if way.name == "lossy")
    world = World(SEED, lossy, restarts=0).run(ACTING_S)
    with pytest.raises(AssertionError, match="never taken"):
        check(world)
