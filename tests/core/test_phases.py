"""Which phase follows which event, and nothing but that."""

import pytest
from transitions import Machine

from controller.core.errors import IllegalPhaseError
from controller.core.ids import Phase
from controller.core.phases import TRANSITIONS, advance

ROUND = [
    ("shift_opened", Phase.BETTING),
    ("bets_closed", Phase.DEALING),
    ("insurance_opened", Phase.INSURANCE),
    ("play_opened", Phase.PLAYING),
    ("dealer_turn_began", Phase.DEALER_DRAWING),
    ("round_settled", Phase.SETTLED),
    ("round_closed", Phase.BETTING),
    ("shift_closed", Phase.CLOSED),
]


def test_a_round_goes_through_its_phases_in_order() -> None:
    phase = Phase.CLOSED
    for trigger, expected in ROUND:
        phase = advance(phase, trigger)
        assert phase is expected


@pytest.mark.parametrize("phase", [p for p in Phase if p is not Phase.SUSPENDED])
def test_every_phase_may_be_suspended_and_ends_where_it_began(phase: Phase) -> None:
    assert advance(phase, "table_suspended") is Phase.SUSPENDED
    assert advance(Phase.SUSPENDED, "table_resumed", phase) is phase


@pytest.mark.parametrize(
    ("phase", "trigger"),
    [
        (Phase.BETTING, "play_opened"),
        (Phase.SETTLED, "bets_closed"),
        (Phase.SUSPENDED, "table_suspended"),
        (Phase.PLAYING, "round_closed"),
    ],
)
def test_an_event_out_of_its_phase_is_an_error_of_ours(
    phase: Phase, trigger: str
) -> None:
    with pytest.raises(IllegalPhaseError, match=f"{trigger} cannot happen in"):
        advance(phase, trigger)


def test_a_suspension_that_remembers_no_phase_cannot_end() -> None:
    with pytest.raises(IllegalPhaseError, match="cannot end in None"):
        advance(Phase.SUSPENDED, "table_resumed")


def test_the_diagram_shows_every_step() -> None:
    machine = Machine(
        states=Phase,
        initial=Phase.CLOSED,
        transitions=TRANSITIONS,
        auto_transitions=False,
    )
    edges = {
        (source, trigger, step.dest)
        for trigger, event in machine.events.items()
        for source, steps in event.transitions.items()
        for step in steps
    }
    assert ("SETTLED", "round_closed", "BETTING") in edges
    assert ("SUSPENDED", "table_resumed", "PLAYING") in edges
    # Seven phases can be suspended, and each of those suspensions can end.
    assert sum(trigger == "table_suspended" for _, trigger, _ in edges) == 7
    assert sum(trigger == "table_resumed" for _, trigger, _ in edges) == 7
