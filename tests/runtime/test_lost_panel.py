"""A panel that is lost, over the real session: what stops, who acts, what returns."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.ids import Button as Choice
from controller.core.ids import Kind, Phase, Reason
from drivers.panel.messages import Button
from tests.core.table import SUPERVISOR
from tests.runtime.bench import Bench

LOST_AFTER_S = 4.0
"""More than `panel_lost_after_s`, with a poll to notice it."""

SCAN_S = 0.3
"""One round of a bus on which one panel came back and is asked who it is."""


def played_by_two() -> Bench:
    """Return a table at which seats 1 and 2 have wagered, and seat 1 is asked."""
    bench = Bench().run()
    for seat in (1, 2):
        bench.press(seat, Button.BET, 2500)
    bench.run()
    bench.press(0, Button.DEAL)
    bench.run()
    for card in ("9s", "8h", "7s", "6d", "5c", "Th"):
        bench.shoe.draw(card)
    bench.run()
    assert bench.state.play.turn == "1"
    return bench


def lose(bench: Bench, seat: int) -> Bench:
    bench.panels[seat].lose()
    return bench.run(LOST_AFTER_S)


def back(bench: Bench, seat: int) -> Bench:
    """Let a panel come back, and wait until the table knows: it is asked rarely."""
    bench.panels[seat].come_back()
    for _ in range(1000):
        if not bench.state.seats[seat - 1].panel_lost:
            return bench
        bench.run(0.01)
    raise AssertionError("the table does not find the panel")


def allow(bench: Bench, seat: int) -> Bench:
    decision = dc.AllowDealerEntry(seat)
    return bench.say(cm.TakeDecision(person=SUPERVISOR, decision=decision))


def clarify(bench: Bench, seat: int, button: Choice) -> Bench:
    return bench.say(cm.ClarifyChoice(seat=seat, button=button))


def entered(bench: Bench) -> list[tuple[int, Choice, bool]]:
    """Return whose choices were taken in play, and whether the dealer entered them."""
    return [
        (record.seat, record.button, record.by_dealer)
        for record in bench.records
        if isinstance(record, ev.PressAccepted) and record.button is not Choice.BET
    ]


def refused(bench: Bench) -> list[Reason]:
    return [one.reason for one in bench.records if isinstance(one, ev.PressRefused)]


# --- Only in turn does it stop the table ----------------------------------------------


def test_a_panel_lost_out_of_turn_stops_nobody() -> None:
    bench = lose(played_by_two(), 2)
    assert bench.state.seats[1].panel_lost
    assert bench.state.phase is Phase.PLAYING
    bench.press(1, Button.HIT)
    bench.run()
    bench.shoe.draw("2c")
    bench.run()
    assert bench.state.play.hands[0].cards == ("9s", "6d", "2c")


def test_it_stops_the_table_when_its_turn_comes() -> None:
    bench = lose(played_by_two(), 2)
    bench.press(1, Button.STAND)
    bench.run()
    assert bench.state.phase is Phase.SUSPENDED
    (found,) = bench.state.irregularities
    assert (found.kind, found.seat) == (Kind.PANEL_LOST, 2)
    assert all(not panel.lamps for panel in bench.panels.values() if panel.role)


def test_a_panel_lost_in_turn_stops_the_table() -> None:
    bench = lose(played_by_two(), 1)
    assert bench.state.phase is Phase.SUSPENDED
    assert [one.seat for one in bench.state.irregularities] == [1]


def test_a_panel_without_a_wager_stops_no_round() -> None:
    bench = lose(played_by_two(), 3)
    for seat in (1, 2):
        bench.press(seat, Button.STAND)
        bench.run()
    assert bench.state.phase is Phase.SETTLED
    assert bench.happened(ev.TableSuspended) == []


def test_a_panel_that_blinks_is_not_lost() -> None:
    bench = played_by_two()
    bench.panels[1].lose()
    bench.run(1.0)
    bench.panels[1].come_back()
    bench.run()
    assert bench.happened(ev.PanelLost) == []
    assert Button.HIT in bench.panels[1].lamps


# --- When it comes back ---------------------------------------------------------------


def test_back_before_any_decision_it_is_lit_within_a_scan_and_acts() -> None:
    bench = lose(played_by_two(), 1)
    back(bench, 1)
    assert not bench.state.suspended
    bench.run(SCAN_S)
    prompt = bench.state.prompts[1]
    assert bench.panels[1].prompt_number == prompt.number
    assert {button.value for button in bench.panels[1].lamps} == set(prompt.buttons)
    bench.press(1, Button.STAND)
    bench.run()
    assert entered(bench) == [(1, Choice.STAND, False)]
    assert bench.state.play.turn == "2"


def test_back_after_a_call_it_waits_for_the_supervisor_and_is_then_lit() -> None:
    bench = lose(played_by_two(), 1)
    bench.press(0, Button.CALL)
    bench.run()
    back(bench, 1)
    assert [one.kind for one in bench.state.irregularities] == [Kind.CALLED]
    assert not bench.panels[1].lamps
    bench.say(cm.TakeDecision(person=SUPERVISOR, decision=dc.Resume()))
    bench.run(SCAN_S)
    assert Button.STAND in bench.panels[1].lamps


def test_a_press_that_the_panel_lost_with_its_power_is_never_taken() -> None:
    bench = played_by_two()
    bench.disk_stalls = True
    bench.press(1, Button.HIT)
    bench.panels[1].lose()
    bench.panels[1].come_back()
    bench.disk_stalls = False
    bench.run(LOST_AFTER_S)
    assert entered(bench) == []
    assert Button.HIT in bench.panels[1].lamps


# --- The dealer enters, by leave ------------------------------------------------------


def test_the_dealer_enters_for_the_allowed_seat_alone_and_it_is_marked() -> None:
    bench = allow(lose(played_by_two(), 1), 1)
    assert bench.state.phase is Phase.PLAYING
    clarify(bench, 2, Choice.STAND)
    clarify(bench, 1, Choice.STAND)
    assert entered(bench) == [(1, Choice.STAND, True)]
    clarify(bench, 1, Choice.STAND)
    assert refused(bench) == [Reason.PANEL_NOT_LOST, Reason.NOT_YOUR_TURN]
    marks = [one.by_dealer for one in bench.records if isinstance(one, ev.PressRefused)]
    assert marks == [True, True]


def test_a_second_lost_panel_has_no_leave_from_the_first() -> None:
    bench = lose(played_by_two(), 1)
    bench.panels[2].lose()
    bench.run(LOST_AFTER_S)
    allow(bench, 1)
    clarify(bench, 1, Choice.STAND)
    assert bench.state.phase is Phase.SUSPENDED
    assert [one.seat for one in bench.state.irregularities] == [2]


def test_the_leave_ends_when_the_panel_is_back() -> None:
    bench = back(allow(lose(played_by_two(), 1), 1), 1)
    assert not bench.state.seats[0].dealer_entry
    clarify(bench, 1, Choice.STAND)
    assert refused(bench) == [Reason.PANEL_NOT_LOST]
    bench.press(1, Button.HIT)
    bench.run()
    assert entered(bench) == [(1, Choice.HIT, False)]
    lose(bench, 1)
    clarify(bench, 1, Choice.STAND)
    assert entered(bench) == [(1, Choice.HIT, False)]


@pytest.mark.parametrize("choice", [Choice.HIT, Choice.DOUBLE, Choice.STAND])
def test_the_dealer_enters_what_the_player_could_have_pressed(choice: Choice) -> None:
    bench = allow(lose(played_by_two(), 1), 1)
    clarify(bench, 1, choice)
    assert entered(bench) == [(1, choice, True)]
    again = allow(lose(played_by_two(), 1), 1)
    clarify(again, 1, Choice.SPLIT)
    assert refused(again) == [Reason.ACTION_NOT_ALLOWED]
