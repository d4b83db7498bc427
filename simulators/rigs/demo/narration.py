"""What happens at a table, told as somebody beside it would."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.evolve import Record, evolve
from controller.core.ids import DEALER, Button, HandId, Outcome
from controller.core.payouts import has_blackjack
from controller.core.state import TableState, find_hand
from controller.core.totals import is_blackjack, total_of
from controller.words.amounts import amount_text, net_text

_OUTCOMES: Final = {
    Outcome.BLACKJACK: "blackjack",
    Outcome.WIN: "wins",
    Outcome.PUSH: "push",
    Outcome.LOSE: "loses",
    Outcome.BUST: "bust",
    Outcome.SURRENDER: "surrendered",
    Outcome.VOID: "void",
    Outcome.DEAD: "dead",
}
_SILENT: Final = frozenset({Button.BET, Button.CLEAR, Button.REBET})
"""Presses of which the wager tells."""


class Narrator:
    """Tells of each record in a line or none, and keeps everybody's money.

    `money_cents` is what each seat has won or lost over the rounds that are closed,
    `presses` how many presses each round took.
    """

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.rounds = 0
        self.presses: Counter[int] = Counter()
        self.money_cents = dict.fromkeys(range(1, state.seat_count + 1), 0)

    def tell(self, record: Record) -> Iterator[str]:
        """Yield what a record tells; it is folded first."""
        self.state = evolve(self.state, record)
        match record:
            case ev.ControlResumed() if self.state.shift_number:
                yield "the controller goes on from its journal"
            case ev.ShiftOpened():
                way = record.direction.value.replace("-", " ")
                yield f"{record.dealer} opens the shift, and picks up {way}"
            case ev.WagerPlaced():
                yield f"seat {record.seat} bets {amount_text(record.amount_cents)}"
            case ev.BetsClosed():
                sum_cents = sum(wager.amount_cents for wager in record.wagers)
                # A round without a press counts too: every hand may be a blackjack.
                self.presses[record.round] += 0
                lie = amount_text(sum_cents)
                yield f"round {record.round}: no more bets, {lie} on the layout"
            case ev.PressAccepted() if record.button not in _SILENT:
                self.presses[self.state.round] += 1
                yield f"seat {record.seat} presses {record.button.value.upper()}"
            case ev.PressRefused():
                why = record.reason.value.replace("_", " ")
                button = record.button.value.upper()
                yield f"seat {record.seat} presses {button}: refused, {why}"
            case ev.RoundClosed():
                yield from self._close(record)
            case ev.ShoeShuffled():
                yield f"the shoe is shuffled: {record.count} cards"
            case cm.ReportShoe() if record.sign.value == "cut-card":
                yield "the cut card: the shoe is shuffled after this round"
            case _:
                yield from self._tell_cards(record)

    def _tell_cards(self, record: Record) -> Iterator[str]:
        match record:
            case ev.CardDealt():
                yield f"{record.card} to {self._hand(record.hand)}"
            case ev.HoleCardDealt():
                yield "the dealer's hole card, face down"
            case ev.DealerPeeked():
                has = "has" if record.blackjack else "has no"
                yield f"the dealer peeks, and {has} blackjack"
            case ev.InsuranceOpened():
                yield "insurance is offered"
            case ev.HoleCardRevealed():
                yield f"the hole card: {record.card}, {self._hand(DEALER)}"
            case ev.TurnPassed() if record.hand != DEALER:
                yield f"{_place(record.hand)} is in turn"
            case ev.HandSettled():
                yield self._settled(record)
            case ev.InsuranceSettled():
                net = net_text(record.net_cents)
                yield f"seat {record.seat}: insurance {record.result.value} {net}"
            case ev.IrregularityFound():
                yield f"STOPPED: {record.kind.value.replace('_', ' ')}"
            case ev.DecisionTaken():
                why = f", {record.reason}" if record.reason else ""
                yield f"{record.person} decides {record.command} ({record.clause}){why}"
            case ev.TableResumed():
                yield "the table goes on where it stopped"
            case _:
                return

    def _hand(self, name: HandId) -> str:
        """Write a hand with what its visible cards count: `seat 3: 17`."""
        if name == DEALER:
            if is_blackjack(self.state.play.dealer.cards, self.state.rules.joker_value):
                return f"{_place(name)}: blackjack"
            seen = tuple(c for c in self.state.play.dealer.cards if c != UNKNOWN)
            return f"{_place(name)}: {self._total(seen)}"
        hand = find_hand(self.state.play, name)
        if hand is None:
            return _place(name)
        if has_blackjack(hand, self.state.rules):
            return f"{_place(name)}: blackjack"
        return f"{_place(name)}: {self._total(hand.cards)}"

    def _total(self, cards: tuple[Card, ...]) -> str:
        total = total_of(cards, self.state.rules.joker_value)
        return f"{'soft ' if total.soft else ''}{total.points}"

    def _settled(self, record: ev.HandSettled) -> str:
        outcome = _OUTCOMES[record.outcome]
        return f"{_place(record.hand)} {outcome} {net_text(record.net_cents)}"

    def _close(self, record: ev.RoundClosed) -> Iterator[str]:
        self.rounds += 1
        for seat, cents in round_money(self.state).items():
            self.money_cents[seat] += cents
        house = net_text(-record.net_cents)
        yield f"round {record.round} closed: {record.cards} cards racked, house {house}"

    @property
    def busiest_round(self) -> int:
        """The number of the round in which the players had most to decide."""
        ((number, _),) = self.presses.most_common(1)
        return number


def round_money(state: TableState) -> dict[int, int]:
    """Return what each seat won or lost in the last round, in cents."""
    money: dict[int, int] = {}
    for hand in state.play.hands:
        money[hand.seat] = money.get(hand.seat, 0) + hand.net_cents
    for answer in state.play.insured:
        money[answer.seat] = money.get(answer.seat, 0) + answer.net_cents
    return money


def _place(hand: HandId) -> str:
    if hand == DEALER:
        return "the dealer"
    return f"hand {hand}" if "." in hand else f"seat {hand}"
