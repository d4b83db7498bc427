"""The small table: two seats, and a shoe of a few ranks.

A rank stands for its four cards: which suit comes first is no matter to any rule,
so the cards of a rank are drawn in one order of suits.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.core.cards import RANKS, Card
from controller.core.rules import Rules, with_changes
from controller.core.secrets import Secrets
from controller.core.state import TableState
from controller.rulesets.loader import load_ruleset

WAGER_CENTS: Final = 1_000

_SUITS: Final = "shdc"
_APPROVAL: Final = "Toy/two-seats/2026-01-01"


class Toy(msgspec.Struct, frozen=True):
    """What can be drawn: any of `ranks`, but the first cards as `stack` says.

    Both are written as ranks, one letter each.
    """

    ranks: str
    stack: str = ""
    seats: int = 2
    ruleset: str = "colorado"

    def rules(self) -> Rules:
        """Return the ruleset of this table: one deck of its ranks alone."""
        dropped = "".join(rank for rank in RANKS if rank not in self.ranks)
        changes = {"decks": "1", "dropped_ranks": dropped, "approval": _APPROVAL}
        return with_changes(load_ruleset(self.ruleset), changes)

    def faces(self, state: TableState, secrets: Secrets) -> tuple[Card, ...]:
        """Return each card that the shoe may give next, one of a rank."""
        at = state.shoe.last_card
        out = {*state.play.seen, *(card.card for card in secrets.cards)}
        stacked = tuple(_first_left(self.stack[at : at + 1], out))
        return stacked or tuple(_first_left(self.ranks, out))


def _first_left(ranks: str, out: set[Card]) -> Iterator[Card]:
    for rank in ranks:
        left = [card for suit in _SUITS if (card := Card(rank + suit)) not in out]
        yield from left[:1]
