"""Rounds of the core in memory: seven players of basic strategy and a dealer.

Everything goes through `decide` and the fold, as at a real table; only journal,
escrow and devices are left out.
"""

import random
from collections.abc import Callable
from typing import Final

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Command, Person
from controller.core.decide import Decision, decide
from controller.core.evolve import evolve
from controller.core.ids import Button, DealerButton, Direction, Phase, Role, ShoeSign
from controller.core.rules import Rules, composition
from controller.core.secrets import Secrets, committed
from controller.core.state import TableState, find_hand, new_table
from controller.evidence.code import code_digest
from simulators.rigs.strategy import choose

_PENETRATION: Final = 0.75
TABLE: Final = "bench"
_WAGER_CENTS: Final = 1000


def opening(rules: Rules, seats: int) -> ev.JournalOpened:
    """Return the first record of such a table's journal.

    It names the running program, so that a replay compares its decisions.
    """
    return ev.JournalOpened(
        kind="simulation",
        table=TABLE,
        seats=seats,
        rules=rules,
        code_digest=code_digest(),
    )


def _forget(_before: TableState, _decision: Decision) -> None:
    """Keep nothing, as the measure of the core alone wants it."""


class ScriptedTable:
    """A table of the core that plays by itself, as fast as it can."""

    def __init__(
        self,
        rules: Rules,
        seats: int,
        seed: int,
        decided: Callable[[TableState, Decision], None] = _forget,
    ) -> None:
        """Open a table; `decided` gets each decision with the table before it."""
        self._decided = decided
        self._rules = rules
        self._seats = seats
        self._random = random.Random(seed)  # noqa: S311 - cards of a measurement, not of a game
        self._cards: list[Card] = []
        self._dealt = 0
        self._state = evolve(new_table(TABLE, seats, rules), opening(rules, seats))
        self._secrets = Secrets()
        self._send(
            cm.OpenShift(
                dealer=Person("D1", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
            )
        )
        self._shuffle()

    @property
    def state(self) -> TableState:
        """The table as it now is."""
        return self._state

    def play(self, rounds: int) -> None:
        """Play so many rounds, each from the bets to the pickup."""
        for _ in range(rounds):
            self._bet()
            self._dealer(DealerButton.DEAL)
            while self._state.phase is not Phase.SETTLED:
                self._go_on()
            self._dealer(DealerButton.PICKUP)
            if len(self._cards) < (1 - _PENETRATION) * self._dealt:
                self._send(cm.ReportShoe(sign=ShoeSign.CUT_CARD))
                self._shuffle()

    def _send(self, command: Command) -> None:
        decision = decide(self._state, self._secrets, command)
        self._decided(self._state, decision)
        self._state, self._secrets = decision.state, decision.secrets

    def _shuffle(self) -> None:
        copies = composition(self._rules)
        self._cards = [card for card, count in copies.items() for _ in range(count)]
        self._dealt = len(self._cards)
        self._random.shuffle(self._cards)
        self._send(cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=self._dealt))

    def _bet(self) -> None:
        for seat in range(1, self._seats + 1):
            if self._state.prompts[seat].lit(Button.REBET):
                self._press(seat, Button.REBET)
            else:
                self._press(seat, Button.BET, _WAGER_CENTS)

    def _go_on(self) -> None:
        """Draw the card that is due, or let the player who is asked press."""
        state = self._state
        if state.play.places:
            self._draw()
        elif state.phase is Phase.INSURANCE:
            for seat in state.play.asked_seats:
                self._press(seat, Button.PASS)
        else:
            self._decide()

    def _draw(self) -> None:
        number = self._state.shoe.last_card + 1
        report = cm.ReportCard(number=number, card=self._cards.pop())
        salt = self._random.randbytes(32)
        self._send(committed(self._state, report, salt))

    def _decide(self) -> None:
        state = self._state
        prompt = next(prompt for prompt in state.prompts[1:] if prompt.buttons)
        hand = find_hand(state.play, prompt.hand)
        assert hand is not None
        lit = [Button(name) for name in prompt.buttons]
        upcard = state.play.dealer.cards[0]
        hits = self._rules.dealer_hits_soft_17
        self._press(prompt.seat, choose(hand.cards, upcard, lit, hits_soft_17=hits))

    def _press(self, seat: int, button: Button, amount_cents: int = 0) -> None:
        self._send(
            cm.PressButton(
                seat=seat,
                button=button,
                prompt=self._state.prompts[seat].number,
                number=self._state.seats[seat - 1].press_number + 1,
                amount_cents=amount_cents,
                with_amount=amount_cents > 0,
            )
        )

    def _dealer(self, button: DealerButton) -> None:
        self._send(cm.PressDealerButton(button=button))
