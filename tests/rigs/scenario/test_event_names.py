import pytest

from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.events import check_event_names
from simulators.rigs.scenario.language import parse_scenario

KNOWN = {"player_asked": ("seat",), "round_closed": ()}


def test_known_events_and_fields_pass() -> None:
    text = "wait 1\nexpect event player_asked seat=1\nexpect no-event round_closed"
    check_event_names(parse_scenario(text, "a"), KNOWN)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "expect no-event player_askd",
            "the type of an event, got player_askd; did you mean player_asked?",
        ),
        ("expect event won", "the type of an event, got won"),
        (
            "expect event player_asked seats=1",
            "a field of player_asked, got seats; did you mean seat?",
        ),
    ],
)
def test_a_misspelt_event_is_refused_at_its_line(line: str, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        check_event_names(parse_scenario(f"wait 1\n{line}", "a"), KNOWN)
    assert str(refused.value) == f"a:2: expected {message}"
