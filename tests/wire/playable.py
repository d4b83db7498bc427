"""What of the shipped scenarios can be played where panels are real, whatever kind."""

from pathlib import Path
from typing import Final

from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.language import Scenario, read_scenario
from simulators.rigs.scenario.run import scenario_files

ROOT: Final = Path(__file__).parents[2]
SCENARIOS: Final = ROOT / "tests" / "scenarios"
SHARED: Final = scenario_files((SCENARIOS / "shared",))


def a_lost_panel_speaks(scenario: Scenario) -> bool:
    """Return whether a panel is pressed while it is lost: with a cable it is back."""
    lost: set[int] = set()
    for statement in scenario.statements:
        match statement.said:
            case st.PanelLost(seat=seat):
                lost.add(seat)
            case st.PanelBack(seat=seat):
                lost.discard(seat)
            case st.Bet() | st.Clear() | st.Press() | st.LatePress() as step:
                if step.seat in lost:
                    return True
            case _:
                continue
    return False


ON_A_WIRE: Final = tuple(
    file
    for file in scenario_files((SCENARIOS,))
    if not a_lost_panel_speaks(read_scenario(file))
)
