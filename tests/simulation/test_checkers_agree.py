"""Where a checker once blamed a table that was right."""

from controller.core import commands as cm
from controller.core.cards import UNKNOWN, Card
from controller.core.decisions import Decision, KeyCard, NoCard, OfferChoice, Resume
from controller.core.ids import Button, DealerButton, Direction, HandId
from controller.core.secrets import Secrets
from controller.rulesets.loader import load_ruleset
from simulators.rigs.soak.evening import DEALER, SUPERVISOR, WITNESS
from simulators.rigs.soak.rig import Rig
from tests.simulation.tables import watched_table


def press(rig: Rig, seat: int, button: Button, amount_cents: int = 0) -> None:
    rig.press(
        cm.PressButton(
            seat=seat,
            button=button,
            prompt=rig.shown.prompts[seat].number,
            amount_cents=amount_cents,
            with_amount=button is Button.BET,
        )
    )


def decide(rig: Rig, decision: Decision) -> None:
    rig.send(cm.TakeDecision(person=SUPERVISOR, decision=decision, witness=WITNESS))


def test_a_split_hand_waits_for_one_card_while_another_hand_chooses() -> None:
    """IRR-4 between the split and its card: the turn comes back, the card is due."""
    rig = watched_table(load_ruleset("colorado"), 2)
    rig.send(cm.OpenShift(dealer=DEALER, direction=Direction.LEFT_TO_RIGHT))
    for seat in (1, 2):
        press(rig, seat, Button.BET, 1000)
    rig.send(cm.PressDealerButton(button=DealerButton.DEAL))
    for number, card in enumerate(("2s", "8h", "9c", "3d", "8s", "7d"), start=1):
        rig.card(number, Card(card))
    press(rig, 1, Button.STAND)
    press(rig, 2, Button.SPLIT)
    rig.send(cm.PressDealerButton(button=DealerButton.CALL))
    rig.card(7, Card("4c"))
    decide(rig, OfferChoice(hand=HandId("1")))
    press(rig, 1, Button.HIT)
    assert rig.state.play.turn == "2.1"
    assert rig.shown.gate_up_to == 8
    assert rig.inspection.violations == []


def test_a_card_taken_back_stays_due_also_where_a_keyed_hole_card_was_lost() -> None:
    """MISREAD after a lost escrow: what was keyed is no act of the round any more."""
    rig = watched_table(load_ruleset("colorado"), 1)
    rig.send(cm.OpenShift(dealer=DEALER, direction=Direction.LEFT_TO_RIGHT))
    press(rig, 1, Button.BET, 1000)
    rig.send(cm.PressDealerButton(button=DealerButton.DEAL))
    for number, card in enumerate(("2s", "6c", "3s"), start=1):
        rig.card(number, Card(card))
    rig.card(4, UNKNOWN)
    decide(rig, KeyCard(Card("Kd")))
    press(rig, 1, Button.HIT)
    rig.card(5, Card("2h"))
    rig.secrets = Secrets()
    rig.send(cm.ResumeControl())
    rig.send(cm.PressDealerButton(button=DealerButton.CALL))
    decide(rig, NoCard())
    decide(rig, Resume())
    assert rig.shown.gate_up_to == 6
    assert rig.inspection.violations == []
