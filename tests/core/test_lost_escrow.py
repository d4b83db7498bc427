"""A table whose escrow is gone in the middle of a round (MISREAD)."""

from controller.core.cards import Card
from controller.core.commands import (
    Command,
    OpenShift,
    Person,
    PressButton,
    PressDealerButton,
    ReportCard,
    TakeDecision,
)
from controller.core.decide import Decision, decide
from controller.core.decisions import KeyCard, Resume, VoidRound
from controller.core.ids import Button, DealerButton, Direction, Kind, Phase, Role
from controller.core.secrets import Secrets, committed, committed_decision
from controller.core.state import TableState, new_table
from controller.rulesets.loader import ruleset_with

SUPERVISOR = Person("S1", Role.SUPERVISOR)
WITNESS = Person("D1", Role.DEALER)
SALT = bytes(32)


def step(state: TableState, secrets: Secrets, command: Command) -> Decision:
    return decide(state, secrets, command)


def stood_with_a_lost_hole_card() -> TableState:
    """A round on 8h 5c against 6d, stood, whose hole card nobody knows any more."""
    state, secrets = new_table("t", 1, ruleset_with("colorado", {})), Secrets()
    bet = PressButton(
        seat=1,
        button=Button.BET,
        prompt=1,
        number=1,
        amount_cents=1000,
        with_amount=True,
    )
    opening: list[Command] = [
        OpenShift(dealer=WITNESS, direction=Direction.RIGHT_TO_LEFT),
        bet,
        PressDealerButton(button=DealerButton.DEAL),
    ]
    for command in opening:
        decision = step(state, secrets, command)
        state, secrets = decision.state, decision.secrets
    for number, card in enumerate(("8h", "6d", "5c", "Th"), start=1):
        report = committed(state, ReportCard(number=number, card=Card(card)), SALT)
        decision = step(state, secrets, report)
        state, secrets = decision.state, decision.secrets
    stand = PressButton(
        seat=1, button=Button.STAND, prompt=state.prompts[1].number, number=2
    )
    return step(state, Secrets(), stand).state


def test_a_lost_hole_card_stops_the_table_at_its_reveal() -> None:
    state = stood_with_a_lost_hole_card()
    assert state.phase is Phase.SUSPENDED
    assert [found.kind for found in state.irregularities] == [Kind.CARD_UNREAD]
    resume = TakeDecision(person=SUPERVISOR, decision=Resume())
    assert step(state, Secrets(), resume).state.phase is Phase.SUSPENDED


def test_a_lost_hole_card_is_keyed_and_revealed() -> None:
    state = stood_with_a_lost_hole_card()
    key = TakeDecision(person=SUPERVISOR, decision=KeyCard(Card("Th")), witness=WITNESS)
    keyed = step(state, Secrets(), committed_decision(state, key, 4, SALT))
    assert keyed.state.play.dealer.cards == ("6d", "Th")
    assert keyed.state.phase is Phase.DEALER_DRAWING


def test_a_lost_hole_card_that_the_shoe_repeats_ends_its_own_stop() -> None:
    state = stood_with_a_lost_hole_card()
    report = committed(state, ReportCard(number=4, card=Card("Th")), SALT)
    read = step(state, Secrets(), report)
    assert read.state.phase is Phase.DEALER_DRAWING
    assert read.state.irregularities == ()


def test_a_round_with_a_lost_hole_card_can_be_voided() -> None:
    state = stood_with_a_lost_hole_card()
    void = TakeDecision(person=SUPERVISOR, decision=VoidRound())
    ended = step(state, Secrets(), void).state
    assert ended.phase is Phase.SETTLED
    assert ended.play.dealer.cards == ("6d", "??")
