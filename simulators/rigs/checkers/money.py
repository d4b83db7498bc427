"""Money is conserved, and every wager settled for what is due."""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Final

from controller.core import events as ev
from controller.core.evolve import Record
from controller.core.ids import DEALER, InsuranceResult, Outcome
from controller.core.rules import Rules
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.counting import (
    TWENTY_ONE,
    best_total,
    is_natural,
    natural_pays,
)
from simulators.rigs.checkers.layout import Layout, Lying
from simulators.rigs.checkers.tabletop import Tabletop

HOUSE: Final = "house"


def settled_accounts(layout: Layout) -> Counter[str]:
    """Return what each account gained in a round: staked, then paid or taken."""
    accounts: Counter[str] = Counter()

    def move(cents: int, source: str, target: str) -> None:
        accounts[source] -= cents
        accounts[target] += cents

    wagers = [(h.seat, h.stake_cents, h.settled, h.name) for h in layout.hands] + [
        (seat, answer.amount_cents, answer.settled, f"insurance {seat}")
        for seat, answer in layout.insured.items()
    ]
    for seat, stake, settled, circle in wagers:
        move(stake, f"seat {seat}", circle)
        if settled is not None:
            move(settled.net_cents, HOUSE, circle)
            move(accounts[circle], circle, f"seat {seat}")
    return accounts


class MoneyConserved(Checker):
    """Chips only move between seat, circle and house, and no circle keeps any."""

    name: ClassVar[str] = "money_conserved"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Hold a round's net against its hands, in double entry."""
        if not isinstance(record, ev.RoundClosed):
            return
        accounts = settled_accounts(top.layout)
        if sum(accounts.values()):
            yield f"chips appeared or vanished: {dict(accounts)}"
        lying = {
            name: cents
            for name, cents in accounts.items()
            if cents and name != HOUSE and not name.startswith("seat")
        }
        if lying:
            yield f"chips still lie in the circles: {lying}"
        if accounts[HOUSE] != -record.net_cents:
            yield f"the house moved {accounts[HOUSE]}, the round {record.net_cents}"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Hold what the table shows of each wager against the records."""
        if not top.round_open:
            return
        shown = {h.id: (h.wager_cents, h.net_cents) for h in step.state.play.hands}
        counted = {
            h.name: (h.stake_cents, h.settled.net_cents if h.settled else 0)
            for h in top.layout.hands
        }
        if shown != counted:
            yield f"the table shows wagers {shown}, the records say {counted}"


class PayoutsRight(Checker):
    """Each hand ends as its cards against the dealer's say, and pays what is due."""

    name: ClassVar[str] = "payouts_right"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Work every settlement of a round out anew when it closes."""
        if not isinstance(record, ev.RoundClosed):
            return
        for hand in top.layout.hands:
            if hand.settled is None:
                continue
            due = due_to(hand, top.layout.dealer, top.rules)
            if (hand.settled.how, hand.settled.net_cents) != due:
                yield (
                    f"hand {hand.name} {hand.cards} of {hand.stake_cents} against "
                    f"{top.layout.dealer}: settled {hand.settled}, due {due}"
                )
        for seat, answer in top.layout.insured.items():
            if answer.settled is not None and answer.settled.net_cents != _insured(
                answer.settled.how, answer.amount_cents
            ):
                yield f"the insurance of seat {seat} pays {answer.settled}"


def due_to(hand: Lying, dealer: list[str], rules: Rules) -> tuple[Outcome, int]:
    """Return how a hand ends and what its player gains (PAY, BJ, SURR)."""
    how = hand.ended or _compared(hand, dealer, rules.joker_value)
    gains = {
        Outcome.BLACKJACK: natural_pays(hand.stake_cents, rules),
        Outcome.WIN: hand.stake_cents,
        Outcome.LOSE: -hand.stake_cents,
        Outcome.BUST: -hand.stake_cents,
        Outcome.SURRENDER: -(hand.stake_cents // 2),
    }
    return how, gains.get(how, 0)


def _compared(hand: Lying, dealer: list[str], joker: int) -> Outcome:
    own, _ = best_total(hand.cards, joker)
    theirs, _ = best_total(dealer, joker)
    natural = not hand.part and is_natural(hand.cards, joker)
    if own > TWENTY_ONE:
        return Outcome.BUST
    if is_natural(dealer, joker):
        return Outcome.PUSH if natural else Outcome.LOSE
    if natural:
        return Outcome.BLACKJACK
    if theirs > TWENTY_ONE or own > theirs:
        return Outcome.WIN
    return Outcome.PUSH if own == theirs else Outcome.LOSE


def _insured(how: Outcome | InsuranceResult, amount_cents: int) -> int:
    gains = {
        InsuranceResult.WIN: 2 * amount_cents,
        InsuranceResult.LOSE: -amount_cents,
    }
    return gains[how] if isinstance(how, InsuranceResult) and how in gains else 0


class InsuranceFollowsTheDealer(Checker):
    """Insurance wins exactly where the dealer's first two cards are a blackjack."""

    name: ClassVar[str] = "insurance_follows_the_dealer"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Hold each settlement of insurance against the dealer's two cards."""
        if not isinstance(record, ev.RoundClosed):
            return
        at = top.layout
        corrected = any(
            isinstance(r, ev.CardCorrected) and r.hand == DEALER for r in top.standing
        )
        if corrected or at.hole is None or "??" in at.dealer[:2]:
            return
        natural = is_natural(at.dealer[:2], top.rules.joker_value)
        for seat, answer in at.insured.items():
            if answer.settled is None or answer.settled.how is InsuranceResult.RETURNED:
                continue
            if (answer.settled.how is InsuranceResult.WIN) is not natural:
                yield f"seat {seat}: {answer.settled} against {at.dealer[:2]}"
