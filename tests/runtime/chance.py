"""Whole rounds that chance plays: cards, presses, mistakes, and a supervisor.

It asks the state what may happen and lets something of it happen, so that it comes
through every part of the game, whatever the rules.
"""

from collections.abc import Callable
from random import Random

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command
from controller.core.ids import Button, DealerButton, Direction, HandId, Phase, ShoeSign
from controller.core.shoe import must_shuffle
from controller.core.state import TableState
from drivers.shoe.messages import RANKS, SUITS
from tests.core.table import DEALER, SUPERVISOR, WITNESS

UNREAD_SHARE = 0.04
ERROR_SHARE = 0.02
SHUFFLE_AFTER = 100
RAW = "c0ffee"


class Chance:
    """Says what comes next at a table."""

    def __init__(self, seed: int) -> None:
        self._source = Random(seed)
        self._press = 0
        self._drawn: list[Card] = []
        self._decks = [Card(rank + suit) for rank in RANKS for suit in SUITS] * 6
        self._source.shuffle(self._decks)

    def next_command(self, state: TableState) -> Command:
        """Return one thing that may happen now."""
        if state.suspended:
            return self._decision()
        if self._source.random() < ERROR_SHARE:
            return self._mishap(state)
        if state.play.places:
            return self._card(state)
        match state.phase:
            case Phase.CLOSED:
                return cm.OpenShift(dealer=DEALER, direction=Direction.LEFT_TO_RIGHT)
            case Phase.BETTING if must_shuffle(state.shoe) or (
                len(self._drawn) > SHUFFLE_AFTER
            ):
                return self._shuffle()
            case Phase.SETTLED:
                return cm.PressDealerButton(button=DealerButton.PICKUP)
            case _:
                return self._press_something(state)

    def _press_something(self, state: TableState) -> Command:
        if state.wagers and self._source.random() < 0.3:
            return cm.PressDealerButton(button=DealerButton.DEAL)
        lit = [prompt for prompt in state.prompts[1:] if prompt.buttons]
        if not lit:
            return cm.PressDealerButton(button=DealerButton.CALL, words="nothing lit")
        prompt = self._source.choice(lit)
        button = Button(self._source.choice(prompt.buttons))
        self._press += 1
        amount = 2500 if button is Button.BET else 0
        return cm.PressButton(
            seat=prompt.seat,
            button=button,
            prompt=prompt.number,
            boot_id=1,
            number=self._press,
            amount_cents=amount,
            with_amount=amount > 0,
        )

    def _card(self, state: TableState) -> Command:
        number = state.shoe.last_card + 1
        unread = self._source.random() < UNREAD_SHARE
        face = self._decks.pop()
        self._drawn.append(face)
        card = UNKNOWN if unread else face
        return cm.ReportCard(number=number, card=card, unread=unread, raw=RAW)

    def _shuffle(self) -> Command:
        self._decks += self._drawn
        self._drawn.clear()
        self._source.shuffle(self._decks)
        return cm.ReportShoe(sign=ShoeSign.SHUFFLED)

    def _mishap(self, state: TableState) -> Command:
        happen: Callable[[], Command] = self._source.choice(
            (
                lambda: self._card(state),
                lambda: cm.ReportPanel(seat=1, lost=not state.seats[0].panel_lost),
                lambda: cm.PressDealerButton(button=DealerButton.CALL),
                cm.ResumeControl,
            )
        )
        return happen()

    def _decision(self) -> Command:
        decision: dc.Decision = self._source.choice(
            (
                dc.Resume(),
                dc.UseCard(),
                dc.BurnCard(),
                dc.DiscardCard(),
                dc.KeyCard(self._source.choice(self._decks)),
                dc.VoidHand(HandId("1")),
                dc.VoidRound(),
                dc.Misdeal(),
            )
        )
        return cm.TakeDecision(
            person=SUPERVISOR, decision=decision, witness=WITNESS, reason="chance"
        )
