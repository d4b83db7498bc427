"""The dealer's hand is played by the rule, and what was turned up stays up."""

from collections.abc import Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.commands import ReportCard
from controller.core.evolve import Record
from controller.core.ids import DEALER
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.counting import dealer_takes_another, is_natural
from simulators.rigs.checkers.tabletop import Tabletop


class DealerByRule(Checker):
    """The dealer takes exactly the cards that the rule asks for (DRAW-2, DRAW-3)."""

    name: ClassVar[str] = "dealer_by_rule"

    def on_record(self, record: Record, top: Tabletop) -> Iterator[str]:
        """Look at each draw, and at the settlement whether one was left out."""
        at = top.layout
        match record:
            case ev.DealerDraws():
                if not _draws(top):
                    yield f"a card is asked for to {at.dealer}"
            case ev.RoundSettled():
                standing = [h for h in at.hands if h.ended is None]
                if standing and _draws(top):
                    yield f"the dealer stops at {at.dealer}"
            case _:
                pass

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Let no card from the shoe reach a dealer's hand that is complete."""
        if not isinstance(step.given, ReportCard):
            return
        for record in step.records:
            late = isinstance(record, ev.CardDealt) and record.hand == DEALER
            if late and len(top.layout.dealer) > 2:  # noqa: PLR2004 - up and hole card
                before = top.layout.dealer[:-1]
                if not dealer_takes_another(before, top.rules):
                    yield f"the dealer took a card on {before}"


def _draws(top: Tabletop) -> bool:
    """Return whether another card could change an outcome and the rule asks for it."""
    at, joker = top.layout, top.rules.joker_value
    open_to_change = any(
        hand.ended is None and (hand.part or not is_natural(hand.cards, joker))
        for hand in at.hands
    )
    return open_to_change and dealer_takes_another(at.dealer, top.rules)


class RevealStands(Checker):
    """A hole card that was turned up stays up, and plays with the face it showed."""

    name: ClassVar[str] = "reveal_stands"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Look at the dealer's cards as the table shows them."""
        dealer = step.state.play.dealer
        if not top.round_open or dealer.hole < 0:
            return
        number = dealer.numbers[dealer.hole]
        face = top.reveals.get(number)
        if face is not None and (
            not dealer.revealed or dealer.cards[dealer.hole] != face
        ):
            yield f"the hole card {number} was turned up as {face} and is {dealer}"
