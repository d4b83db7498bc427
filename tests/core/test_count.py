"""Nothing shows what is left in the shoe (COUNT)."""

import pytest
from msgspec.structs import replace

from controller.core.cards import Card
from controller.core.ids import Phase
from controller.core.outputs import outputs
from controller.core.state import TableState
from tools.phase_table import table_in

TENS_ARE_GONE = {Card(rank + suit): 5 for rank in "TJQK" for suit in "shd"}
SMALL_ONES_ARE_GONE = {Card(rank + suit): 5 for rank in "2345" for suit in "shd"}


def with_out(state: TableState, out: dict[Card, int]) -> TableState:
    return replace(state, shoe=replace(state.shoe, out=out))


@pytest.mark.parametrize("phase", list(Phase))
def test_what_the_table_shows_does_not_depend_on_the_cards_already_out(
    phase: Phase,
) -> None:
    state = table_in(phase).state
    shown = outputs(with_out(state, TENS_ARE_GONE))
    assert shown == outputs(with_out(state, SMALL_ONES_ARE_GONE))
    assert shown == outputs(state)
