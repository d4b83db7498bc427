"""Nobody is hurried: which wait runs, and from when (PLAY-3)."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.deadlines import Stopwatch, deadline, follow, running, time_reached
from controller.core.ids import HandId, Reason, Stage
from controller.core.state import Wait
from tests.core.table import Table, dealt


def reach(table: Table) -> Table:
    """Let the stage that is running be over."""
    return table.after(time_reached(follow(Stopwatch(), table.state, 0.0)))


def in_turn() -> Table:
    return dealt("Th 6c 2s Kd")


def test_nobody_is_waited_for_outside_play_or_while_a_card_is_due() -> None:
    assert running(dealt("Th 6c").state) is None
    assert running(in_turn().press(1, "hit").state) is None
    assert running(in_turn().dealer("call").state) is None


def test_a_stopwatch_starts_when_a_stage_begins_and_goes_on_while_it_lasts() -> None:
    table = in_turn()
    watch = follow(Stopwatch(), table.state, 100.0)
    assert deadline(watch, table.state) == 120.0
    assert follow(watch, table.state, 110.0) == watch

    asked = table.after(time_reached(watch))
    assert [type(r) for r in asked.caused][1] is ev.PlayerAsked
    again = follow(watch, asked.state, 120.5)
    assert again.wait == Wait(watch.wait.number if watch.wait else 0, Stage.MOVE_ON)
    assert deadline(again, asked.state) == 140.5


def test_a_stopwatch_without_a_wait_has_no_deadline() -> None:
    table = dealt("Th 6c")
    watch = follow(Stopwatch(), table.state, 5.0)
    assert deadline(watch, table.state) is None


def test_next_is_refused_until_the_player_was_asked_and_waited_for() -> None:
    table = in_turn()
    assert table.dealer("next").refused is Reason.TOO_EARLY_TO_MOVE_ON
    assert reach(table).dealer("next").refused is Reason.TOO_EARLY_TO_MOVE_ON
    moved = reach(reach(table)).dealer("next")
    assert moved.refused is None
    assert moved.hand("1").stood
    assert not moved.hand("1").acted


def test_the_wait_starts_anew_with_each_card() -> None:
    table = reach(reach(in_turn())).press(1, "hit").card("2d")
    assert table.state.wait.stage is Stage.ASK
    assert table.dealer("next").refused is Reason.TOO_EARLY_TO_MOVE_ON


def test_a_suspension_restarts_only_the_stage_that_was_running() -> None:
    table = reach(in_turn())
    watch = follow(Stopwatch(), table.state, 50.0)
    stopped = table.dealer("call")
    watch = follow(watch, stopped.state, 60.0)
    assert deadline(watch, stopped.state) is None
    resumed = stopped.decided(dc.Resume())
    watch = follow(watch, resumed.state, 500.0)
    assert watch.wait is not None
    assert watch.wait.stage is Stage.MOVE_ON
    assert deadline(watch, resumed.state) == 520.0


@pytest.mark.parametrize("stage", [Stage.ASK, Stage.MOVE_ON])
def test_a_time_that_is_not_the_running_stages_changes_nothing(stage: Stage) -> None:
    table = in_turn()
    late = cm.ReachTime(wait=table.state.wait.number + 1, stage=stage)
    assert table.after(late).caused == ()
    idle = dealt("Th 6c")
    assert idle.after(cm.ReachTime(wait=0, stage=stage)).caused == ()


def test_who_chose_to_take_more_cards_is_waited_for_anew() -> None:
    table = in_turn().card("3d").decided(dc.OfferChoice(HandId("1")))
    table = reach(reach(table)).press(1, "hit")
    assert table.hand("1").acts_later
    assert table.dealer("next").refused is Reason.TOO_EARLY_TO_MOVE_ON
