"""Tables of the core alone, brought to some point by scenario lines."""

from controller.core.state import TableState
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.language import parse_scenario


def table_after(text: str) -> CoreTable:
    """Return a table at which a shift is open and these steps have happened."""
    scenario = parse_scenario(text, "test")
    table = CoreTable(scenario.head)
    table.open_default_shift()
    for statement in scenario.statements:
        assert not isinstance(statement.said, Expectation)
        table.do(statement.said)
    return table


def state_after(text: str) -> TableState:
    return table_after(text).state
