"""Whoever loses power at whatever message: nothing is lost, nothing counts twice."""

import enum
from collections.abc import Callable

import pytest

from simulators.rigs.virtual.host import PowerCutError
from simulators.rigs.virtual.soak import VirtualSoak
from simulators.rigs.virtual.table import VirtualTable
from tests.rigs.virtual.soaks import plan_of, violations

SEED = 5
FEW = 6


class Restart(enum.Enum):
    """Who loses power."""

    HOST = "host"
    PANEL = "panel"
    SHOE_THAT_FORGETS = "shoe that forgets"
    SHOE_THAT_KEEPS = "shoe that keeps its numbers"


class Moment(enum.Enum):
    """When the power may fail."""

    SENT = "bytes have left the host"
    LANDED = "a batch is on disk, nobody is told"


def lose(who: Restart, table: VirtualTable, nth: int) -> None:
    match who:
        case Restart.HOST:
            raise PowerCutError
        case Restart.PANEL:
            table.panel_of(nth % 3).reboot()
        case Restart.SHOE_THAT_FORGETS:
            table.shoe.lose()
            table.shoe.come_back()
        case Restart.SHOE_THAT_KEEPS:
            table.shoe.pause()
            table.shoe.come_back()


class Message:
    """Counts messages of a kind, and does something at one of them."""

    def __init__(self, act: Callable[[int], None] | None = None, at: int = 0) -> None:
        self.count = 0
        self._act = act
        self._at = at

    def __call__(self, _: object) -> None:
        self.count += 1
        if self._act is not None and self.count == self._at:
            self._act(self.count)


def a_round(
    moment: Moment, who: Restart | None = None, at: int = 0
) -> tuple[VirtualSoak, int]:
    """Play a round at two seats; somebody loses power at the message of that number.

    Returns:
        The table at rest, and how many such messages there were.

    """
    run = VirtualSoak(plan_of(SEED, seats=2))
    act = None if who is None else lambda nth: lose(who, run.table, nth)
    message = Message(act, at)
    if moment is Moment.SENT:
        run.table.sent.append(message)
    else:
        run.table.landed.append(message)
    run.play(1)
    return run, message.count


@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("who", Restart)
def test_a_round_survives_a_restart_at_some_message(
    who: Restart, moment: Moment
) -> None:
    _, count = a_round(moment)
    for nth in range(1, count, count // FEW):
        run, _ = a_round(moment, who, nth)
        assert (nth, violations(run), run.tally.rounds) == (nth, set(), 1)


@pytest.mark.prove
@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("who", Restart)
def test_a_round_survives_a_restart_at_any_message(
    who: Restart, moment: Moment
) -> None:
    _, count = a_round(moment)
    for nth in range(1, count + 1):
        run, _ = a_round(moment, who, nth)
        assert (nth, violations(run), run.tally.rounds) == (nth, set(), 1)
