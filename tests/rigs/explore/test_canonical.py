"""Two ways to one table are one table; what a rule reads makes another."""

import pytest

from controller.core import commands as cm
from controller.core.cards import Card
from controller.core.ids import Button, DealerButton, Direction
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.explore.canonical import key_of
from simulators.rigs.explore.moves import DEALS
from simulators.rigs.explore.toy import Toy
from simulators.rigs.explore.twin import twin
from simulators.rigs.soak.rig import Rig

RULES = Toy("A69T").rules()


def dealt(hole: str = "6h") -> Rig:
    """Return a table at which seat 1 has T 9 against a six."""
    rig = Rig(RULES, 2)
    rig.watch(all_checkers(rig.opened))
    rig.send(cm.OpenShift(dealer=DEALS, direction=Direction.RIGHT_TO_LEFT))
    press(rig, Button.BET)
    rig.send(cm.PressDealerButton(button=DealerButton.DEAL))
    for number, face in enumerate(("Ts", "6s", "9s", hole), start=1):
        rig.card(number, Card(face))
    return rig


def press(rig: Rig, button: Button, seat: int = 1) -> None:
    rig.press(
        cm.PressButton(seat=seat, button=button, prompt=rig.state.prompts[seat].number)
    )


def key(rig: Rig) -> bytes:
    return key_of(rig.state, rig.secrets)


def test_a_refused_press_leads_to_the_same_table() -> None:
    rig = dealt()
    before, state = key(rig), rig.state
    press(rig, Button.HIT, seat=2)
    assert rig.state != state
    assert key(rig) == before


def test_the_hole_card_makes_another_table() -> None:
    assert key(dealt("6h")) == key(dealt("6h"))
    assert key(dealt("6h")) != key(dealt("9h"))


@pytest.mark.parametrize("button", [Button.HIT, Button.STAND])
def test_what_a_player_chose_makes_another_table(button: Button) -> None:
    rig = dealt()
    before = key(rig)
    press(rig, button)
    assert key(rig) != before


def test_a_twin_remembers_the_same_and_goes_its_own_way() -> None:
    rig, other = dealt(), dealt()
    watched = rig.inspection
    rig.inspection = twin(watched)
    kept = (list(watched.top.standing), list(watched.top.layout.hands[0].cards))
    press(rig, Button.HIT)
    rig.card(5, Card("6c"))
    assert rig.inspection.violations == []
    assert (watched.top.standing, watched.top.layout.hands[0].cards) == kept
    # The first one goes on as if there had never been a second.
    other.inspection = watched
    press(other, Button.STAND)
    assert watched.violations == []
    assert rig.inspection.top.layout.hands[0].cards != kept[1]
