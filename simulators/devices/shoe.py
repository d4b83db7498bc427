"""A shuffling shoe as a dealer knows it: what hands do at it and what goes wrong.

Cards come either from a script (`draw("Th")`) or from shuffled decks inside
(`draw_next()`). Draws never ask the gate, since a gate can fail and a hand can
force it; who wants to behave looks at `gate_is_open` first.
"""

import random

from drivers.shoe.messages import (
    UNREAD,
    CardDrawn,
    CardReturned,
    CardUnread,
    CutCardReached,
    JamCleared,
    Jammed,
    LidClosed,
    LidOpened,
    ShoeEmptied,
    ShoeEvent,
    ShoeFlag,
    ShuffleEnded,
    ShuffleStarted,
)
from simulators.devices.decks import Decks
from simulators.devices.shoe_firmware import ShoeFirmware


class ShoeSimulator(ShoeFirmware):
    """One shoe, perhaps with decks inside, at the end of its own line."""

    def __init__(
        self,
        source: random.Random,
        decks: Decks | None = None,
        *,
        has_gate: bool = True,
    ) -> None:
        super().__init__(source, has_gate=has_gate)
        self.decks = decks
        self.cards_drawn = 0

    def draw(self, card: str) -> int:
        """Draw this card; return its number."""
        return self._draw(CardDrawn(self.next_card_number, card))

    def draw_unread(self) -> int:
        """Draw a card whose face cannot be read; return its number."""
        return self._draw(CardUnread(self.next_card_number))

    def read_again(self, card_number: int, card: str) -> None:
        """Read an unread card after all, under its old number."""
        self._happen(CardDrawn(card_number, card))

    def draw_lost(self, count: int) -> None:
        """Draw `count` cards that the shoe will never be able to report.

        Its memory is damaged from the oldest event up to these.
        """
        self.withhold(count)
        for _ in range(count):
            self.draw_unread()
        self.memory.forget_up_to(self.memory.last_event)

    def draw_next(self) -> str | None:
        """Draw the next card of the decks inside, or None if there is none left.

        The cut card and the end of the cards report themselves.
        """
        if self.decks is None or self.decks.left_to_draw == 0:
            return None
        card = self.decks.draw()
        self.draw(card)
        if self.decks.at_cut_card:
            self.reach_cut_card()
        if self.decks.left_to_draw == 0:
            self.run_empty()
        return card

    def return_card(self, card: str) -> None:
        """Put a card back into the shoe; ?? is one that cannot be read."""
        if self.decks is not None and card != UNREAD:
            self.decks.put_back((card,))
        self._happen(CardReturned(card))

    def open_lid(self) -> None:
        """Open the lid."""
        self._raise_flag(ShoeFlag.LID_OPEN, LidOpened())

    def close_lid(self) -> None:
        """Shut the lid."""
        self.flags_standing -= {ShoeFlag.LID_OPEN}
        self._happen(LidClosed())

    def jam(self) -> None:
        """Let a card get stuck."""
        self._raise_flag(ShoeFlag.JAMMED, Jammed())

    def clear_jam(self) -> None:
        """Take the stuck card out."""
        self.flags_standing -= {ShoeFlag.JAMMED}
        self._happen(JamCleared())

    def be_replaced(self) -> None:
        """Let another shoe stand in its place: nothing is the matter with that one."""
        self.flags_standing = frozenset()

    def reach_cut_card(self) -> None:
        """Let the cut card come to the exit."""
        self._raise_flag(ShoeFlag.CUT_CARD, CutCardReached())

    def run_empty(self) -> None:
        """Have no card left."""
        self._raise_flag(ShoeFlag.EMPTY, ShoeEmptied())

    def start_shuffle(self) -> None:
        """Begin to shuffle."""
        self._raise_flag(ShoeFlag.SHUFFLING, ShuffleStarted())

    def end_shuffle(self, count: int | None = None) -> None:
        """Have shuffled `count` cards; decks inside are shuffled and counted."""
        if self.decks is not None:
            count = self.decks.shuffle()
        self.flags_standing -= {ShoeFlag.SHUFFLING, ShoeFlag.CUT_CARD, ShoeFlag.EMPTY}
        self._happen(ShuffleEnded(count))

    def _draw(self, event: CardDrawn | CardUnread) -> int:
        if self.powered:
            self.cards_drawn += 1
        self.happen(event, event.card_number + 1)
        return event.card_number

    def _happen(self, event: ShoeEvent) -> None:
        self.happen(event, self.next_card_number)

    def _raise_flag(self, flag: ShoeFlag, event: ShoeEvent) -> None:
        self.flags_standing |= {flag}
        self._happen(event)
