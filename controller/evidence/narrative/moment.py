"""What a sentence may look at, and what it is made of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from controller.core import commands as cm
from controller.core.ids import DEALER, HandId
from controller.core.state import Hand, TableState, find_hand
from controller.evidence.panels import Lit, PromptAccount
from controller.journal.records import Record as Row


class Line(msgspec.Struct, frozen=True):
    """One sentence: the seat it concerns, if it is one's, and the clause it rests on.

    Seat 0 is the dealer's panel.
    """

    seat: int | None
    text: str
    clause: str


class Moment(msgspec.Struct, frozen=True):
    """The table on both sides of one record, and what the panels showed before it.

    `earlier` are prompts that had ended by then; `press` is the press that came in
    last, from a player's panel. Times are told as clocks show them in `zone`.
    """

    before: TableState
    after: TableState
    lit: Mapping[int, Lit]
    row: Row | None = None
    zone: ZoneInfo = ZoneInfo("UTC")
    earlier: Sequence[PromptAccount] = ()
    press: cm.PressButton | None = None

    def seat_of(self, hand: HandId) -> int | None:
        """Return whose hand this is; None for the dealer's."""
        found = self.hand(hand)
        return None if found is None else found.seat

    def hand(self, name: HandId) -> Hand | None:
        """Return a player's hand as it now is, else as it was."""
        if name == DEALER:
            return None
        now, was = self.after.play, self.before.play
        # A split renames a hand: the record names it as it was.
        return find_hand(now, name) or find_hand(was, name)


Teller = Callable[[Any, Moment], Iterable[Line]]
"""Tells one type of record; no line where another record says the same."""
